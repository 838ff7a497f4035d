"""What is given, in; what benches need of it, out: bytes within limits, JSON objects, one line of many words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from malafide.case import Case
from malafide.errors import InputTooLarge, UnreadableInput
from malafide.limits import MAX_INPUT_BYTES

_SUMMARY: Final = 300


def as_bytes(content: bytes | str) -> bytes:
    return content if isinstance(content, bytes) else content.encode("utf-8", "replace")


def bounded(content: bytes) -> bytes:
    if len(content) > MAX_INPUT_BYTES:
        raise InputTooLarge(f"The input has {len(content):,} bytes; at most {MAX_INPUT_BYTES:,} are read.")
    return content


def subject_of(case: Case) -> str:
    return one_line(case.part("subject").text) if case.has("subject") else ""


def one_line(words: str) -> str:
    flat = " ".join(words.split())
    return flat if len(flat) <= _SUMMARY else flat[: _SUMMARY - 1] + "…"


def json_object(content: bytes) -> Mapping[str, Any]:
    try:
        document = json.loads(bounded(content))
    except (ValueError, RecursionError) as error:
        raise UnreadableInput(f"this is no JSON object of a post: {str(error)[:120]}") from None
    if not isinstance(document, dict):
        raise UnreadableInput(f"a post is a JSON object, and this is {type(document).__name__}")
    return document
