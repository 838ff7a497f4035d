"""Values in, JSON text out: the one way every door writes a contract, so that all of them write the same bytes."""

from __future__ import annotations

import json
from typing import Any


class _Escapes(dict[int, str | int]):
    """Escapes what is no letter, sign or space: it may act on a terminal or have no bytes in UTF-8."""

    def __missing__(self, code: int) -> str | int:
        character = chr(code)
        escaped: str | int = code
        if code == 0x7F:
            escaped = "\\u007f"
        elif code > 0x7F and not character.isprintable():
            escaped = json.dumps(character)[1:-1]
        self[code] = escaped
        return escaped


_escapes = _Escapes()


def json_text(value: Any, *, pretty: bool = True, plain: bool = False) -> str:
    """The value as JSON, on one line or indented. Any reader gets back the very same characters."""
    text = json.dumps(value, ensure_ascii=plain, indent=2 if pretty else None)
    if text.isascii() and "\x7f" not in text:  # all else is escaped already
        return text
    return text.translate(_escapes)


def json_bytes(value: Any) -> bytes:
    """What a command prints for one input, to the byte, where its output is UTF-8."""
    return json_text(value).encode() + b"\n"
