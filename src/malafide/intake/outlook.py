"""An Outlook .msg file in, the same dissection out that a raw mail gives."""

from __future__ import annotations

import io
import struct
from typing import TYPE_CHECKING, Final

from malafide.errors import UnreadableInput
from malafide.intake.mime import Dissection, Entity, RawHeaders, split_headers
from malafide.limits import MAX_DECODED_BYTES, MAX_PARTS

if TYPE_CHECKING:
    from oxmsg import Message

_TRANSPORT_HEADERS: Final = 0x007D
_HTML: Final = 0x1013
_MAX_PEOPLE: Final = 100
# What reading a hostile file may raise: the library has no error of its own.
_TROUBLE: Final = (
    *(OSError, ValueError, LookupError, TypeError, AttributeError, AssertionError, OverflowError),
    *(struct.error, RecursionError, MemoryError),
)


def dissect_msg(data: bytes) -> Dissection:
    from oxmsg import Message  # here, because few messages need it

    result = Dissection()
    try:
        _refuse_bomb(data)
        message = Message.load(io.BytesIO(data))
        result.messages.append(_headers(message, result))
        _add_texts(message, result)
    except _TROUBLE as error:
        raise UnreadableInput(
            "The input is an Office file but no readable message. Give it a mail (.eml, .msg) or text."
        ) from error
    try:
        _add_files(message, result)
    except _TROUBLE:
        result.limit("The attachments of the Outlook file could not all be read.")
    return result


def _refuse_bomb(data: bytes) -> None:
    """All streams are read at once; in a crooked file thousands of them may share the same bytes."""
    from olefile import OleFileIO  # type: ignore[import-untyped]

    with OleFileIO(io.BytesIO(data)) as file:
        if sum(entry.size for entry in file.direntries if entry is not None) > 2 * len(data):
            raise ValueError("streams larger than the file")


def _headers(message: Message, result: Dissection) -> RawHeaders:
    """The headers it travelled with; where it never travelled, what Outlook knows of them."""
    raw = (message.properties.str_prop_value(_TRANSPORT_HEADERS) or "").replace("\r\n", "\n").lstrip("\n")
    block = raw.encode("utf-8", "replace")
    headers = split_headers(block, 0, len(block), result)[0] if block else []
    known = {name for name, _ in headers}
    made: RawHeaders = []
    if "subject" not in known and message.subject:
        made.append(("subject", message.subject))
    if "from" not in known and message.sender:
        made.append(("from", message.sender))
    if "to" not in known and message.recipients:
        people = message.recipients[:_MAX_PEOPLE]
        made.append(("to", ", ".join(f'"{person.name}" <{person.email_address}>' for person in people)))
    if "date" not in known and message.sent_date is not None:
        made.append(("date", message.sent_date.strftime("%a, %d %b %Y %H:%M:%S +0000")))
    if not headers and not made and not message.message_class.startswith("IPM"):
        raise ValueError("no message properties")
    return [*headers, *((name, " ".join(value.replace("\0", "").split())) for name, value in made)]


def _add_texts(message: Message, result: Dissection) -> None:
    properties = message.properties
    html = properties.binary_prop_value(_HTML)
    charset = properties.body_encoding
    if html is None:
        html, charset = (properties.str_prop_value(_HTML) or "").encode("utf-8", "replace"), "utf-8"
    plain = (message.body or "").encode("utf-8", "replace")
    for kind, payload, label in (("text/plain", plain, "utf-8"), ("text/html", html, charset)):
        if payload.strip(b"\0 \r\n"):
            result.types.append(kind)
            result.entities.append(Entity(kind, label, "", "", "", payload[:MAX_DECODED_BYTES], group=1))


def _add_files(message: Message, result: Dissection) -> None:
    budget = MAX_DECODED_BYTES
    for file in message.attachments[:MAX_PARTS]:
        payload = file.file_bytes or b""
        budget -= len(payload)
        if budget < 0:
            result.limit(f"Only the first {MAX_DECODED_BYTES // 1_000_000} MB of attachments were read.")
            return
        kind = (file.mime_type or "application/octet-stream").replace("\0", "").lower()
        name = " ".join((file.file_name or "").replace("\0", "").split())[:500]
        result.types.append(kind)
        result.entities.append(Entity(kind, "", "", "attachment", name, payload))
