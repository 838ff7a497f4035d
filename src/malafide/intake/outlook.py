"""An Outlook .msg file in, the same dissection out that a raw mail gives."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final

from malafide.errors import UnreadableInput
from malafide.intake.mime import Dissection, Entity, RawHeaders, split_headers
from malafide.limits import MAX_DECODED_BYTES, MAX_PARTS

if TYPE_CHECKING:
    from oxmsg import Message

_TRANSPORT_HEADERS: Final = 0x007D
# What a reader of a hostile OLE file may raise: there is no common base below Exception.
_TROUBLE: Final = (OSError, ValueError, LookupError, TypeError, AttributeError, AssertionError, OverflowError)


def dissect_msg(data: bytes) -> Dissection:
    from oxmsg import Message  # here, because few messages need it

    result = Dissection()
    try:
        message = Message.load(data)
        result.messages.append(_headers(message, result))
        _add_texts(message, result)
    except (*_TROUBLE, struct.error, RecursionError, MemoryError) as error:
        raise UnreadableInput(
            "The input is an Office file but no readable message. Give it a mail (.eml, .msg) or text."
        ) from error
    try:
        _add_files(message, result)
    except (*_TROUBLE, struct.error, RecursionError, MemoryError):
        result.limit("The attachments of the Outlook file could not all be read.")
    return result


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
    if "to" not in known:
        people = [f'"{person.name}" <{person.email_address}>' for person in message.recipients[:100]]
        if people:
            made.append(("to", ", ".join(people)))
    if "date" not in known and message.sent_date is not None:
        made.append(("date", message.sent_date.strftime("%a, %d %b %Y %H:%M:%S %z")))
    if not headers and not made and not message.message_class.startswith("IPM"):
        raise ValueError("no message properties")
    return [*headers, *((name, " ".join(value.split())) for name, value in made)]


def _add_texts(message: Message, result: Dissection) -> None:
    for kind, text in (("text/plain", message.body), ("text/html", message.html_body)):
        if text and text.strip("\0 \r\n"):
            payload = text.encode("utf-8", "replace")[:MAX_DECODED_BYTES]
            result.types.append(kind)
            result.entities.append(Entity(kind, "utf-8", "", "", "", payload, group=1))


def _add_files(message: Message, result: Dissection) -> None:
    budget = MAX_DECODED_BYTES
    for file in message.attachments[:MAX_PARTS]:
        payload = file.file_bytes or b""
        budget -= len(payload)
        if budget < 0:
            result.limit(f"Only the first {MAX_DECODED_BYTES // 1_000_000} MB of attachments were read.")
            return
        kind = (file.mime_type or "application/octet-stream").lower()
        name = " ".join((file.file_name or "").replace("\0", "").split())[:500]
        result.types.append(kind)
        result.entities.append(Entity(kind, "", "", "attachment", name, payload))
