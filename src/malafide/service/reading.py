"""Requests in, a message's name and bytes out: sent as they are, in JSON, or in a form."""

from __future__ import annotations

import asyncio
import base64
import binascii
import json
from dataclasses import dataclass
from typing import Any, Final

from fastapi import Request
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException

from malafide.errors import BadSetting, InputTooLarge, UnreadableInput

_NAME: Final = 200
_LONG: Final = 200_000  # bytes
_ENVELOPE: Final = frozenset({"text", "content_base64", "name"})


@dataclass(frozen=True, slots=True)
class Message:
    """What somebody brought."""

    name: str
    content: bytes


async def read_message(request: Request, most: int, panel: str, name: str) -> Message:
    """The message of a request, at most so many bytes of it."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    name = plain_name(name)
    if kind == "multipart/form-data":
        return await _from_form(request, most, name)
    content = await request.body()
    if kind == "application/json":
        # A long one is taken apart in a thread, so that nobody else waits for it.
        long = len(content) > _LONG
        given = await asyncio.to_thread(_envelope, content, panel) if long else _envelope(content, panel)
        if given is not None:
            return _bounded(Message(given.name or name, given.content), most)
    return _bounded(Message(name, content), most)


def _bounded(message: Message, most: int) -> Message:
    if len(message.content) > most:
        raise InputTooLarge(f"the message has {len(message.content):,} bytes; at most {most:,} are read")
    return message


async def _from_form(request: Request, most: int, name: str) -> Message:
    """The one file of a form, or its field `text`."""
    try:
        async with request.form(max_files=1, max_fields=5, max_part_size=most) as form:
            file = form.get("file")
            if isinstance(file, UploadFile):
                content = await file.read(most + 1)
                return _bounded(Message(name or plain_name(file.filename or ""), content), most)
            text = form.get("text")
            if isinstance(text, str):
                return _bounded(Message(name, text.encode("utf-8", "replace")), most)
    except (MultiPartException, HTTPException) as error:
        said = getattr(error, "detail", None) or getattr(error, "message", "")
        raise UnreadableInput(f"the form cannot be read: {said}") from None
    raise UnreadableInput("the form has neither a file named `file` nor a field `text`")


def _envelope(content: bytes, panel: str) -> Message | None:
    """A message packed in JSON; None where the JSON is itself the message, as a post or a conversation may be."""
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return None
    if not isinstance(document, dict) or not document or not set(document) <= _ENVELOPE:
        return None
    if panel == "post" and "content_base64" not in document:
        return None  # a post may be nothing but its text
    return _unpacked(document)


def _unpacked(document: dict[str, Any]) -> Message:
    text, packed, name = document.get("text"), document.get("content_base64"), document.get("name", "")
    if (text is None) == (packed is None):
        raise BadSetting("give exactly one of text and content_base64")
    if not isinstance(name, str) or not isinstance(text if packed is None else packed, str):
        raise BadSetting("name, text and content_base64 are strings")
    if packed is None:
        return Message(plain_name(name), str(text).encode("utf-8", "replace"))
    try:
        return Message(plain_name(name), base64.b64decode(str(packed), validate=True))
    except (binascii.Error, ValueError):
        raise BadSetting("content_base64 is not Base64") from None


def plain_name(name: str) -> str:
    """What a file is called, without folders and signs that are not shown."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    return "".join(c for c in last if c.isprintable())[:_NAME].strip()
