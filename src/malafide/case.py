"""Bytes became a Case here: what is examined, as named parts of text that every claim must point into.

A Case is made by `malafide.intake` and read by everything after it. The text a tool may quote stands in
`parts`; what was understood about the message beyond its text (addresses, links, attachments, HTML tricks)
stands in `facts`, and each fact carries the span where it can be checked.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Literal


def case_id(data: bytes) -> str:
    """The id of the case those bytes become: the same input always has the same id."""
    return hashlib.sha256(data).hexdigest()[:16]


CaseKind = Literal["email", "document", "conversation", "post"]

Role = Literal[
    "header",  # one mail header, decoded; several of the same name are joined by newlines
    "subject",  # the subject line, decoded
    "body",  # what the reader sees
    "alternative",  # text sent along but not the one a mail reader shows (text/plain beside text/html)
    "hidden",  # text that is in the message but kept from the reader's eye, one piece per line
    "links",  # one link target per line, exactly as written
    "attachment",  # the name of an attachment, and the text found inside it
    "nested",  # a message inside the message
    "message",  # one message of a conversation
]


@dataclass(frozen=True, slots=True)
class Part:
    """A named stretch of text of the case. Evidence quotes it by offsets."""

    name: str
    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class Span:
    """An address in the case: `case.part(span.part).text[span.start:span.end]`."""

    part: str
    start: int
    end: int


LinkCarrier = Literal[
    "text", "anchor", "image", "form", "calendar", "attachment", "qr", "pdf", "office", "refresh"
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Link:
    """Somewhere the message leads. `image` is an anchor around a picture; a remote picture itself is no link."""

    target: str
    text: str
    carrier: LinkCarrier
    at: Span  # the target, in the part "links"
    shown_at: Span | None  # the visible words, in a body part; None when there are none


@dataclass(frozen=True, slots=True)
class Address:
    """A mailbox named in a header. `address` is lower case; `at` covers name and address as they stand."""

    name: str
    address: str
    at: Span

    @property
    def domain(self) -> str:
        return self.address.rpartition("@")[2]

    @property
    def local(self) -> str:
        return self.address.rpartition("@")[0]


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that came with the message: what it is called, what it claims to be, what it is."""

    name: str
    declared_type: str
    real_type: str  # from its first bytes; "" when they are not known
    size: int
    part: str  # the attachment part whose text starts with the name
    inside: tuple[str, ...] = ()  # names listed in an archive
    encrypted: bool = False
    macros: bool = False
    document: Document | None = None  # what it does, where it could be opened


HiddenReason = Literal["display", "size", "colour", "offscreen", "zero-width", "comment"]


@dataclass(frozen=True, slots=True)
class Hidden:
    """Words kept from the reader's eye. `at` points into the part "hidden" (zero-width: into the body)."""

    reason: HiddenReason
    at: Span


@dataclass(frozen=True, slots=True)
class Form:
    """An HTML form: where it sends what is typed, and which kinds of field it has ("password", "text", ...)."""

    action: str
    fields: tuple[str, ...]
    at: Span | None  # the action, in the part "links"


@dataclass(frozen=True, slots=True)
class Html:
    """What the HTML of a mail does, beyond its words."""

    hidden: tuple[Hidden, ...] = ()
    forms: tuple[Form, ...] = ()
    images: int = 0
    remote_images: int = 0
    linked_images: int = 0
    scripts: int = 0
    tags: int = 0
    source_size: int = 0
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class Header:
    """One header as it came, in order. `value` is decoded and unfolded."""

    name: str  # lower case
    value: str


@dataclass(frozen=True, slots=True)
class Mail:
    """The typed metadata of an e-mail."""

    headers: tuple[Header, ...] = ()
    sender: Address | None = None  # From
    senders: tuple[Address, ...] = ()  # every mailbox in From
    reply_to: Address | None = None
    return_path: Address | None = None
    recipients: tuple[Address, ...] = ()  # To and Cc
    date: datetime | None = None
    links: tuple[Link, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    html: Html | None = None
    plain_and_html: bool = False
    encodings: tuple[str, ...] = ()  # content-transfer-encoding of each text part, lower case
    charsets: tuple[str, ...] = ()  # declared charset of each text part, lower case
    types: tuple[str, ...] = ()  # content type of every MIME part, in order
    nested: int = 0  # messages inside this message

    def header(self, name: str) -> str | None:
        """The first header of that name (lower case), decoded, or None."""
        for header in self.headers:
            if header.name == name:
                return header.value
        return None

    def header_values(self, name: str) -> list[str]:
        return [h.value for h in self.headers if h.name == name]


Side = Literal["stranger", "user", "unknown"]


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation. Its words stand in the part `part`; `side` is whose they are."""

    number: int  # from 1, in order
    sender: str  # as it was given
    side: Side
    time: datetime | None = None
    verified: bool = False  # the platform vouches for the sender

    @property
    def part(self) -> str:
        return f"message/{self.number}"


@dataclass(frozen=True, slots=True)
class Chat:
    """The typed metadata of a conversation."""

    session: str
    messages: tuple[Message, ...]
    told_by: str = ""  # how it was told who is who, in plain words


DocumentFormat = Literal[
    "pdf", "docx", "xlsx", "pptx", "odt", "ods", "odp", "doc", "xls", "ppt", "rtf", "html"
]  # fmt: skip
DocumentAct = Literal[
    "script",  # runs a script or macros
    "launch",  # starts a program
    "submit",  # sends off what is typed in
    "fetch",  # fetches another file
    "open-link",
    "load-template",  # takes its looks, and the macros in them, from elsewhere
    "load-object",  # shows something that lies elsewhere
    "load-picture",
]


@dataclass(frozen=True, slots=True)
class Act:
    """Something a document does: runs a script, starts a program, sends off a form, opens a link by itself."""

    does: DocumentAct
    automatic: bool  # on opening or printing, without a click
    at: Span  # what it runs, in the part "acts"


@dataclass(frozen=True, slots=True)
class Document:
    """The typed metadata of a document. Its links and the files in it stand in `mail`, as those of a mail do."""

    format: DocumentFormat
    pages: int  # or sheets, or slides; 1 for what has no pages until it is printed
    read: int  # pages whose text was looked for
    acts: tuple[Act, ...] = ()
    fields: tuple[str, ...] = ()  # names of what can be filled in
    producer: str = ""
    created: datetime | None = None
    modified: datetime | None = None
    edits: int = 0  # times something was added behind the finished file
    images: int = 0
    pictured: int = 0  # pages that are a picture and hold next to no text
    encrypted: bool = False


@dataclass(frozen=True, eq=False)
class Case:
    """What is examined. Two cases are never equal; the `id` is a digest of the input bytes."""

    id: str
    kind: CaseKind
    parts: tuple[Part, ...]
    mail: Mail | None = None
    limitations: tuple[str, ...] = ()  # what could not be read, one plain sentence each
    source: str = ""  # file name or other origin, for people only
    chat: Chat | None = None
    document: Document | None = None

    @cached_property
    def _by_name(self) -> dict[str, Part]:
        # A conversation has thousands of parts. Of several with one name the first counts.
        return {part.name: part for part in reversed(self.parts)}

    def part(self, name: str) -> Part:
        return self._by_name[name]

    def has(self, name: str) -> bool:
        return name in self._by_name

    @cached_property
    def _by_roles(self) -> dict[tuple[Role, ...], tuple[Part, ...]]:
        return {}

    def of_role(self, *roles: Role) -> Iterator[Part]:
        """The parts of one of the roles, in order. A dozen tools ask for the same: each answer is kept."""
        found = self._by_roles.get(roles)
        if found is None:
            found = self._by_roles[roles] = tuple(part for part in self.parts if part.role in roles)
        return iter(found)

    @property
    def reading(self) -> str:
        """All that a reader sees, in one string: for counting, never for quoting."""
        return "\n".join(part.text for part in self.of_role("subject", "body", "message"))

    def quote(self, span: Span) -> str:
        return self.part(span.part).text[span.start : span.end]
