"""A mail taken apart in, a Case out: which part of it the reader sees, and every fact with its span."""

from __future__ import annotations

from typing import Final

from malafide.case import Address, Attachment, Case, Document, Header, Mail, Role, Span
from malafide.intake.addresses import parse_addresses
from malafide.intake.assembly import Assembly
from malafide.intake.attached import OPENED, Opened, open_document, open_page, read_pictures
from malafide.intake.attachments import examine
from malafide.intake.charset import decode, html_charset
from malafide.intake.grafting import graft_files
from malafide.intake.headers import decode_words, parse_date
from malafide.intake.html import Rendered, render
from malafide.intake.mime import Dissection, Entity
from malafide.intake.pictures import PICTURES
from malafide.intake.writing import Eyes
from malafide.limits import MAX_HTML_BYTES, MAX_TEXT_CHARS

DecodedHeader = tuple[str, str, list[tuple[int, int]]]  # name, text, and which of it came encoded

_SHOWN_AS_TEXT: Final = frozenset(("text/plain", "text/enriched", "text/richtext"))
_TEXT_INSIDE: Final = ("text/", "message/", "application/json", "application/xml")
_PAGE_NAMES: Final = (".htm", ".html", ".shtml", ".xhtml", ".svg")
_ADDRESS_HEADERS: Final = frozenset(("from", "reply-to", "return-path", "to", "cc"))


def assemble(mail: Dissection, case_id: str, source: str, eyes: Eyes | None = None) -> Case:
    """The Case of a mail."""
    work = Assembly(eyes)
    work.limitations.extend(mail.limitations)
    headers = [(name, *decode_words(raw)) for name, raw in mail.messages[0]]
    subject = next((text for name, text, _ in headers if name == "subject"), None)
    if subject is not None:
        work.add_part("subject", "subject", subject)
    shown, beside, files = _sort([entity for entity in mail.entities if entity.message == 0])
    _add_text(work, "body", "body", "", shown)
    if beside:
        text = "\n\n".join(_plain(entity, work) for entity in beside)
        work.add_part("alternative", "alternative", text[:MAX_TEXT_CHARS])
    for entity in files:
        _add_attachment(work, entity)
    for number in range(1, len(mail.messages)):
        _add_nested(work, mail, number)
    if work.shown:
        read_pictures(work)
    if work.codes.unread:
        work.limit("Some pictures were too large to look for codes in them.")
    work.finish()
    addresses = _add_headers(work, headers)
    facts = _facts(work, mail, headers, addresses, bool(beside))
    return Case(case_id, "email", tuple(work.parts), facts, tuple(work.limitations), source)


def assemble_text(subject: str | None, body: Entity, case_id: str, source: str) -> Case:
    """The Case of a message of which only the words are known."""
    work = Assembly()
    if subject is not None:
        work.add_part("subject", "subject", subject)
    _add_text(work, "body", "body", "", [body])
    work.finish()
    facts = Mail(links=tuple(work.links), html=work.html(), types=(body.type,))
    return Case(case_id, "email", tuple(work.parts), facts, tuple(work.limitations), source)


def assemble_page(body: Entity, case_id: str, source: str, eyes: Eyes) -> Case:
    """The Case of a web page that is given as a document: what is seen of it, and what its scripts do."""
    work = Assembly(eyes)
    _add_text(work, "body", "body", "", [body])
    opened = open_page(work, body)
    if work.shown:
        read_pictures(work)
    work.finish()
    document = opened.document if opened is not None else Document("html", pages=1, read=1)
    facts = Mail(links=tuple(work.links), html=work.html(), types=(body.type,))
    parts, limits = tuple(work.parts), tuple(work.limitations)
    return Case(case_id, "document", parts, facts, limits, source, document=document)


def _facts(
    work: Assembly,
    mail: Dissection,
    headers: list[DecodedHeader],
    addresses: dict[str, tuple[Address, ...]],
    plain_and_html: bool,
) -> Mail:
    texts = [entity for entity in mail.entities if entity.type.startswith("text/")]
    senders = addresses.get("from", ())
    first = {name: next((a for a in several if a.address), None) for name, several in addresses.items()}
    date = next((text for name, text, _ in headers if name == "date"), "")
    return Mail(
        headers=tuple(Header(name, text) for name, text, _ in headers),
        sender=first.get("from") or (senders[0] if senders else None),
        senders=senders,
        reply_to=first.get("reply-to"),
        return_path=first.get("return-path"),
        recipients=tuple(a for name in ("to", "cc") for a in addresses.get(name, ()) if a.address),
        date=parse_date(date) if date else None,
        links=tuple(work.links),
        attachments=tuple(work.attachments),
        html=work.html(),
        plain_and_html=plain_and_html,
        encodings=tuple(entity.encoding for entity in texts),
        charsets=tuple(entity.charset for entity in texts),
        types=tuple(mail.types),
        nested=len(mail.messages) - 1,
    )


def _add_headers(work: Assembly, headers: list[DecodedHeader]) -> dict[str, tuple[Address, ...]]:
    """One part per header name; the mailboxes of those that hold some."""
    joined: dict[str, list[str]] = {}
    lengths: dict[str, int] = {}
    addresses: dict[str, tuple[Address, ...]] = {}
    for name, text, encoded in headers:
        offset = lengths.get(name, 0)
        if offset + len(text) > MAX_TEXT_CHARS:
            work.limit(f"Only the first {MAX_TEXT_CHARS} characters of the {name} headers were read.")
            continue
        joined.setdefault(name, []).append(text)
        lengths[name] = offset + len(text) + 1
        if name in _ADDRESS_HEADERS and text:
            found = parse_addresses(text, encoded, "header/" + name, offset)
            addresses[name] = addresses.get(name, ()) + found
    for name, several in joined.items():
        work.add_part("header/" + name, "header", several[0] if len(several) == 1 else "\n".join(several))
    return addresses


def _sort(entities: list[Entity]) -> tuple[list[Entity], list[Entity], list[Entity]]:
    """What a mail reader shows, what it leaves aside for the HTML, and what it lists as files."""
    texts: list[Entity] = []
    files: list[Entity] = []
    for entity in entities:
        if _is_shown(entity, entity is entities[0]):
            texts.append(entity)
        elif not entity.group or entity.name or not entity.type.startswith("text/x-"):
            files.append(entity)  # the others are further versions of the text, such as AMP
    with_html = {entity.group for entity in texts if entity.group and entity.type == "text/html"}
    shown = [entity for entity in texts if entity.type == "text/html" or entity.group not in with_html]
    beside = [entity for entity in texts if entity.type != "text/html" and entity.group in with_html]
    return shown, beside, files


def _is_shown(entity: Entity, is_first: bool) -> bool:
    if entity.type not in _SHOWN_AS_TEXT and entity.type != "text/html":
        return False
    if entity.disposition == "attachment":
        return False
    return not entity.name or entity.disposition == "inline" or is_first


def _plain(entity: Entity, work: Assembly) -> str:
    text = decode(entity.payload[: 4 * MAX_TEXT_CHARS], entity.charset)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = text.removeprefix("\ufeff").strip()
    if len(text) > MAX_TEXT_CHARS or len(entity.payload) > 4 * MAX_TEXT_CHARS:
        work.limit(f"Only the first {MAX_TEXT_CHARS} characters of the text were read.")
        text = text[:MAX_TEXT_CHARS]
    return text


def _page(entity: Entity, work: Assembly) -> Rendered:
    """An HTML entity rendered, within what may still be read of HTML."""
    payload = entity.payload
    if len(payload) > work.html_left:
        work.limit(f"The message has more than {MAX_HTML_BYTES / 1e6:.0f} MB of HTML; the rest was not read.")
        payload = payload[: work.html_left]
    work.html_left -= len(payload)
    page = render(decode(payload, entity.charset or html_charset(payload)).removeprefix("\ufeff"))
    page.truncated = page.truncated or len(payload) < len(entity.payload)
    return page


def _add_text(work: Assembly, part: str, role: Role, before: str, shown: list[Entity]) -> None:
    """Join the texts that are shown, each with its links at its own offset."""
    texts = [before] if before else []
    length = len(before)
    for entity in shown:
        offset = length + 2 if texts else 0
        page = _page(entity, work) if entity.type == "text/html" else None
        text = _plain(entity, work) if page is None else page.text
        if offset + len(text) > MAX_TEXT_CHARS and texts:
            work.limit(f"Only the first {MAX_TEXT_CHARS} characters of the text were read.")
            break
        if page is None:
            work.add_urls(text, part, offset, "text")
        else:
            work.add_page(page, part, offset)
            if part == "body":
                work.pages.append(page)
        if text:
            texts.append(text)
            length = offset + len(text)
    work.add_part(part, role, "\n\n".join(texts))


def _add_nested(work: Assembly, mail: Dissection, number: int) -> None:
    subject = next((decode_words(raw)[0] for name, raw in mail.messages[number] if name == "subject"), "")
    shown, _, files = _sort([entity for entity in mail.entities if entity.message == number])
    _add_text(work, f"nested/{number}", "nested", subject, shown)
    for entity in files:
        _add_attachment(work, entity)


def _add_attachment(work: Assembly, entity: Entity) -> None:
    part = f"attachment/{len(work.attachments) + 1}"
    contents = examine(entity.payload)
    text = entity.name or entity.type
    offset = len(text) + 1
    opened: Opened | None = None
    is_page = contents.real_type in ("html", "svg") or entity.type in ("text/html", "image/svg+xml")
    if is_page or (not contents.real_type and entity.name.lower().endswith(_PAGE_NAMES)):
        page = _page(entity, work)
        work.add_page(page, part, offset, "attachment")
        opened = open_page(work, entity)
        text += "\n" + page.text
    elif entity.type == "text/calendar" or contents.real_type == "ics":
        inner = _plain(entity, work).replace("\n ", "").replace("\n\t", "")
        work.add_urls(inner, part, offset, "calendar")
        text += "\n" + inner
    elif entity.type.startswith(_TEXT_INSIDE) and not contents.real_type:
        inner = _plain(entity, work)
        work.add_urls(inner, part, offset, "attachment")
        text += "\n" + inner
    elif contents.real_type in PICTURES:
        for inner in work.codes.texts(entity.payload):
            work.add_urls(inner, part, len(text) + 1, "qr")
            text += "\n" + inner
        if work.eyes.writing is not None:
            work.shown.append(entity.payload)
    elif contents.real_type in OPENED:
        opened = open_document(work, entity.payload, contents.real_type, Span(part, offset, offset))
        text += opened.text
    work.add_part(part, "attachment", text)
    document = opened.document if opened is not None else None
    work.attachments.append(
        Attachment(
            name=entity.name,
            declared_type=entity.type,
            real_type=contents.real_type,
            size=len(entity.payload),
            part=part,
            inside=contents.inside,
            encrypted=contents.encrypted if document is None else document.encrypted and not document.read,
            macros=contents.macros,
            document=document,
        )
    )
    if contents.unlisted:
        work.limit("An attached archive could not be looked into.")
    if opened is not None and opened.inner is not None:
        graft_files(work, opened.inner)
