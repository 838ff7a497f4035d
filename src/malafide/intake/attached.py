"""A document that came with a mail in; opened within the mail's budget, it becomes part of the mail's Case."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

from malafide.case import Act, Case, Document, Span
from malafide.errors import UnreadableInput
from malafide.intake.assembly import Assembly
from malafide.intake.charset import decode, html_charset
from malafide.intake.grafting import graft
from malafide.intake.mime import Entity
from malafide.intake.writing import MOST_PICTURES, Eyes, worth_reading
from malafide.limits import (
    MAX_ATTACHED_DOCUMENTS,
    MAX_ATTACHED_PAGES,
    MAX_HTML_BYTES,
    MAX_PDF_SECONDS,
    MAX_TEXT_CHARS,
)

OFFICE: Final = frozenset(("docx", "xlsx", "pptx", "odt", "ods", "odp", "doc", "xls", "ppt", "rtf"))
DOCUMENTS: Final = OFFICE | {"pdf"}
OPENED: Final = DOCUMENTS | {"msg"}  # what is opened when it comes with a mail
_LITTLE: Final = 300  # characters: a mail with fewer may say what it says in a picture


@dataclass(frozen=True, slots=True)
class Opened:
    """What opening a file gave: its words, each line behind a line break, and what it does."""

    text: str = ""
    document: Document | None = None
    inner: Case | None = None


def open_document(work: Assembly, data: bytes, kind: str, at: Span) -> Opened:
    """The words of an attached document; its links become links of the mail, and what could not be read is told."""
    work.opened += 1
    if work.opened > MAX_ATTACHED_DOCUMENTS:
        work.limit(f"Only the first {MAX_ATTACHED_DOCUMENTS} attached documents were opened.")
        return Opened()
    if work.opening > MAX_PDF_SECONDS:
        work.limit("Opening attached documents took too long; not all of them were opened.")
        return Opened()
    started = time.monotonic()
    try:
        return _open(work, data, kind, at)
    finally:
        work.opening += time.monotonic() - started


def _open(work: Assembly, data: bytes, kind: str, at: Span) -> Opened:
    name = {"pdf": "PDF", "msg": "message"}.get(kind, "document")
    try:
        inner = _read(data, kind, work.eyes)
    except UnreadableInput:
        work.limit(f"An attached {name} is broken and could not be read.")
        return Opened()
    for sentence in inner.limitations:
        work.limit(f"In an attached {name}: {sentence}")
    text, document = graft(work, inner, at.part, at.start)
    return Opened("\n" + text if text else "", document, inner)


def _read(data: bytes, kind: str, eyes: Eyes) -> Case:
    if kind == "pdf":
        from malafide.intake.pdf import read_pdf  # imports pypdf: 0.2 s, and few mails bring one

        return read_pdf(data, "", most_pages=MAX_ATTACHED_PAGES, eyes=eyes)
    if kind == "msg":
        return _message(data)
    from malafide.intake.office import read_office

    return read_office(data, kind, "", eyes=eyes)


def _message(data: bytes) -> Case:
    """A message that came as Outlook's file: its subject and text. So that there is an end, files in it stay shut."""
    from malafide.intake.assemble import assemble
    from malafide.intake.outlook import dissect_msg

    mail = dissect_msg(data)
    texts = [entity for entity in mail.entities if entity.disposition != "attachment"]
    if len(texts) < len(mail.entities):
        mail.limit("Files in it were not opened.")
    mail.entities = texts
    return assemble(mail, "", "")


def open_page(work: Assembly, entity: Entity) -> Opened | None:
    """What the scripts of an attached web page do; None for a page without any."""
    from malafide.intake.page_scripts import scripts_of

    payload = entity.payload[:MAX_HTML_BYTES]
    kept, leads = scripts_of(decode(payload, entity.charset or html_charset(payload)))
    for target in leads:
        work.add_link(target, "", "refresh", None)
    acts = (work.add_act("script", words, automatic=True) for words in kept)
    found: tuple[Act, ...] = tuple(act for act in acts if act is not None)
    return Opened(document=Document("html", pages=1, read=1, acts=found)) if found else None


def read_pictures(work: Assembly) -> None:
    """What is written in the pictures of a mail that says little else, as text that the reader sees."""
    writing = work.eyes.writing
    said = sum(len(part.text.strip()) for part in work.parts if part.role == "body")
    sizes = sorted(((worth_reading(data), n) for n, data in enumerate(work.shown[:50])), reverse=True)
    largest = [work.shown[n] for size, n in sizes[:MOST_PICTURES] if size]
    if writing is None or said >= _LITTLE or not largest:
        return
    if writing.missing:
        work.limit(f"The mail says little beside a picture whose writing was not read: {writing.missing}.")
        return
    for number, data in enumerate(largest, start=1):
        text = "\n".join(writing.lines_of(data))[:MAX_TEXT_CHARS]
        if text:
            part = f"picture/{number}"
            work.add_part(part, "body", text)
            work.add_urls(text, part, 0, "text")
    if writing.unread:
        work.limit("Not everything written in the pictures could be read in time.")
