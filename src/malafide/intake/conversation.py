"""A conversation in, a Case out: from JSON, a transcript, a WhatsApp or Telegram export, or a thread of mails.

Whoever reads one message at a time (`append`) gets a new Case that shares all earlier parts with the old one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from malafide.case import Case, Chat, Message, Part
from malafide.errors import InputTooLarge, UnreadableInput
from malafide.intake.charset import decode, without_surrogates
from malafide.intake.speakers import name_sides
from malafide.limits import MAX_INPUT_BYTES

MAX_MESSAGES: Final = 20_000
MAX_MESSAGE_CHARS: Final = 20_000
_MOST_NAME: Final = 120


@dataclass(frozen=True, slots=True)
class Said:
    """One message as it came: who, what, when. `side` is "" where the input does not say whose words they are."""

    sender: str
    text: str
    time: datetime | None = None
    verified: bool = False


@dataclass(frozen=True, slots=True)
class Session:
    """What an input holds: the messages, the session's id if it has one, and votes if some were made elsewhere."""

    said: tuple[Said, ...]
    session: str = ""
    votes: tuple[Mapping[str, Any], ...] = ()
    owner: str = ""  # the name of the user, where the input tells
    left_out: int = 0  # messages over the limit


def read_conversation(data: bytes | str, source: str = "") -> tuple[Case, Session]:
    """The Case of a conversation in any of the known forms, and what else the input held."""
    session = read_session(data)
    return conversation_case(session, source), session


def read_session(data: bytes | str) -> Session:
    """What the input holds, its form recognised."""
    from malafide.intake.chat_exports import whatsapp
    from malafide.intake.chat_json import from_json, looks_like_json
    from malafide.intake.mail_thread import looks_like_thread, mail_thread
    from malafide.intake.transcript import transcript

    if len(data) > MAX_INPUT_BYTES:
        raise InputTooLarge(f"The input has {len(data):,} bytes; at most {MAX_INPUT_BYTES:,} are read.")
    if isinstance(data, bytes) and looks_like_thread(data):
        return mail_thread(data)
    text = without_surrogates(data) if isinstance(data, str) else _decoded(data)
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    if not text.strip():
        raise UnreadableInput(
            "The input is empty. Give it a chat: JSON, an export, or lines of 'Name: words'."
        )
    if looks_like_json(text):
        return from_json(text)
    if looks_like_thread(text.encode()):
        return mail_thread(text.encode())
    found = whatsapp(text) or transcript(text)
    if not found:
        raise UnreadableInput(
            "No conversation was found in the input. Give it JSON with messages of sender and text, a WhatsApp or "
            "Telegram export, a thread of mails, or lines of 'Name: words'."
        )
    return Session(tuple(found))


def _decoded(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return decode(data, "utf-16")
    return decode(data.removeprefix(b"\xef\xbb\xbf"))


def from_messages(messages: Iterable[Mapping[str, Any]], session: str = "") -> Session:
    """A session from messages as a program has them: mappings with sender, text and perhaps timestamp."""
    from malafide.intake.chat_json import said_of

    said: list[Said] = []
    left_out = 0
    for number, message in enumerate(messages, start=1):
        one = said_of(message, number)
        if one is not None and len(said) < MAX_MESSAGES:
            said.append(one)
        else:
            left_out += one is not None
    return Session(tuple(said), session, left_out=left_out)


def conversation_case(session: Session, source: str = "") -> Case:
    """The Case of a session. Sides are told by the names where these tell; the rest is left "unknown"."""
    said = session.said[:MAX_MESSAGES]
    if not any(one.text.strip() for one in said):
        raise UnreadableInput("The conversation has no words. Give it at least one message with text.")
    left_out = session.left_out + len(session.said) - len(said)
    sides, told_by = name_sides([one.sender for one in said], session.owner)
    messages = tuple(
        Message(number, one.sender[:_MOST_NAME], side, one.time, one.verified)
        for number, (one, side) in enumerate(zip(said, sides, strict=True), start=1)
    )
    parts = tuple(_part(number, one.text) for number, one in enumerate(said, start=1))
    limitations = (
        [f"{left_out:,} messages after the first {MAX_MESSAGES:,} were not read."] if left_out else []
    )
    if cut := sum(len(one.text) > MAX_MESSAGE_CHARS for one in said):
        limitations.append(f"Of {cut} messages only the first {MAX_MESSAGE_CHARS:,} characters were read.")
    digest = _digest(said)
    chat = Chat(session.session or digest, messages, told_by)
    return Case(digest, "conversation", parts, None, tuple(limitations), source, chat)


def append(case: Case, one: Said) -> Case:
    """The conversation with one more message. Parts are shared; sides told by names stay as they were told."""
    if case.chat is None:
        raise UnreadableInput("Only to a conversation can a message be appended.")
    number = len(case.chat.messages) + 1
    if number > MAX_MESSAGES:
        raise InputTooLarge(f"The conversation has {number:,} messages; at most {MAX_MESSAGES:,} are read.")
    senders = [*(m.sender for m in case.chat.messages), one.sender]
    sides, told_by = name_sides(senders)
    new = Message(number, one.sender[:_MOST_NAME], sides[-1], one.time, one.verified)
    messages = (*resided(case.chat.messages, sides), new)
    part = _part(number, one.text)
    digest = hashlib.sha256(f"{case.id}\0{one.sender}\0{one.text}".encode("utf-8", "replace")).hexdigest()[
        :16
    ]
    chat = Chat(case.chat.session, messages, told_by)
    return Case(digest, case.kind, (*case.parts, part), None, case.limitations, case.source, chat)


def resided(messages: Sequence[Message], sides: Sequence[Any]) -> list[Message]:
    """The messages with these sides; those that keep theirs are not made anew."""
    pairs = zip(messages, sides[: len(messages)], strict=True)
    return [m if m.side == side else replace(m, side=side) for m, side in pairs]


def _part(number: int, text: str) -> Part:
    return Part(f"message/{number}", "message", without_surrogates(text)[:MAX_MESSAGE_CHARS])


def _digest(said: Sequence[Said]) -> str:
    digest = hashlib.sha256()
    for one in said:
        digest.update(f"{one.sender}\0{one.text}\0".encode("utf-8", "replace"))
    return digest.hexdigest()[:16]
