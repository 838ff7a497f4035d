"""A mail taken apart in, a Case out: which part of it the reader sees, and every fact with its span."""

from __future__ import annotations

from typing import Final

from malafide.case import (
    Address,
    Attachment,
    Case,
    Form,
    Header,
    Hidden,
    HiddenReason,
    Html,
    Link,
    LinkCarrier,
    Mail,
    Part,
    Role,
    Span,
)
from malafide.intake.addresses import parse_addresses
from malafide.intake.attachments import examine
from malafide.intake.charset import decode
from malafide.intake.headers import decode_words, parse_date
from malafide.intake.html import Rendered, render
from malafide.intake.invisible import find_invisible
from malafide.intake.mime import Dissection, Entity, RawHeaders
from malafide.intake.weblinks import find_urls
from malafide.limits import MAX_LINKS, MAX_TEXT_CHARS

_SHOWN_AS_TEXT: Final = frozenset(("text/plain", "text/enriched", "text/richtext"))
_TEXT_INSIDE: Final = ("text/", "message/", "application/json", "application/xml", "application/ics")


class Assembly:
    """The parts and facts of one case while it is put together."""

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self.limitations: list[str] = []
        self.links: list[Link] = []
        self._targets: list[str] = []
        self._targets_length = 0
        self.hidden: list[Hidden] = []
        self._unseen: list[str] = []
        self._unseen_length = 0
        self.forms: list[Form] = []
        self.pages: list[Rendered] = []  # the HTML of the mail itself
        self.attachments: list[Attachment] = []

    def limit(self, sentence: str) -> None:
        if sentence not in self.limitations:
            self.limitations.append(sentence)

    def add_part(self, name: str, role: Role, text: str) -> None:
        self.parts.append(Part(name, role, text))

    def add_link(self, target: str, text: str, carrier: LinkCarrier, shown_at: Span | None) -> Span | None:
        if len(self.links) == MAX_LINKS or self._targets_length > MAX_TEXT_CHARS:
            self.limit(f"The message has more than {MAX_LINKS} links; the rest were not looked at.")
            return None
        at = Span("links", self._targets_length, self._targets_length + len(target))
        self._targets.append(target)
        self._targets_length += len(target) + 1
        self.links.append(Link(target, text, carrier, at, shown_at))
        return at

    def add_hidden(self, reason: HiddenReason, text: str) -> None:
        if self._unseen_length + len(text) > MAX_TEXT_CHARS:
            self.limit(f"Only the first {MAX_TEXT_CHARS} characters of hidden text were read.")
            return
        self.hidden.append(
            Hidden(reason, Span("hidden", self._unseen_length, self._unseen_length + len(text)))
        )
        self._unseen.append(text)
        self._unseen_length += len(text) + 1

    def add_page(self, page: Rendered, part: str, offset: int, carrier: LinkCarrier | None = None) -> None:
        """The links and tricks of an HTML page whose text stands at `offset` in `part`."""
        for sentence in page.limitations:
            self.limit(sentence)
        spans: dict[str, Span | None] = {}
        taken: list[tuple[int, int]] = []
        for anchor in page.anchors:
            shown = None
            if anchor.end > anchor.start:
                shown = Span(part, offset + anchor.start, offset + anchor.end)
                taken.append((anchor.start, anchor.end))
            way = carrier if carrier and anchor.carrier != "form" else anchor.carrier
            at = self.add_link(anchor.target, page.text[anchor.start : anchor.end], way, shown)
            if anchor.carrier == "form":
                spans[anchor.target] = at
        self.add_urls(page.text, part, offset, carrier or "text", taken)
        for reason, text in page.hidden:
            self.add_hidden(reason, text)
        for start, end in find_invisible(page.text):
            self.hidden.append(Hidden("zero-width", Span(part, offset + start, offset + end)))
        for action, fields in page.forms:
            self.forms.append(Form(action, fields, spans.get(action)))

    def add_urls(
        self, text: str, part: str, offset: int, carrier: LinkCarrier, taken: list[tuple[int, int]] = []
    ) -> None:
        position = 0
        for start, end in find_urls(text):
            while position < len(taken) and taken[position][1] <= start:
                position += 1
            if position < len(taken) and taken[position][0] < end:
                continue
            self.add_link(text[start:end], text[start:end], carrier, Span(part, offset + start, offset + end))

    def finish(self) -> None:
        if self._unseen:
            self.add_part("hidden", "hidden", "\n".join(self._unseen))
        if self._targets:
            self.add_part("links", "links", "\n".join(self._targets))

    def html(self) -> Html | None:
        if not self.pages and not self.forms:
            return None
        return Html(
            hidden=tuple(self.hidden),
            forms=tuple(self.forms),
            images=sum(page.images for page in self.pages),
            remote_images=sum(page.remote_images for page in self.pages),
            linked_images=sum(page.linked_images for page in self.pages),
            scripts=sum(page.scripts for page in self.pages),
            tags=sum(page.tags for page in self.pages),
            source_size=sum(page.source_size for page in self.pages),
            truncated=any(page.truncated for page in self.pages),
        )


def assemble(mail: Dissection, case_id: str, source: str) -> Case:
    """The Case of a mail."""
    work = Assembly()
    work.limitations.extend(mail.limitations)
    headers = mail.messages[0] if mail.messages else []
    decoded = [(name, *decode_words(raw)) for name, raw in headers]
    subject = next((text for name, text, _ in decoded if name == "subject"), None)
    if subject is not None:
        work.add_part("subject", "subject", subject)
    own = [entity for entity in mail.entities if entity.message == 0]
    shown, beside, files = _sort(own)
    _add_body(work, "body", "body", "", shown)
    if beside:
        text = "\n\n".join(_plain(entity, work) for entity in beside)
        work.add_part("alternative", "alternative", text[:MAX_TEXT_CHARS])
    for entity in files:
        _add_attachment(work, entity)
    for number in range(1, len(mail.messages)):
        _add_nested(work, mail, number)
    work.finish()
    addresses = _add_headers(work, decoded)
    texts = [entity for entity in mail.entities if entity.type.startswith("text/")]
    senders = addresses.get("from", ())
    first = {name: next((a for a in several if a.address), None) for name, several in addresses.items()}
    dates = next((text for name, text, _ in decoded if name == "date"), "")
    facts = Mail(
        headers=tuple(Header(name, text) for name, text, _ in decoded),
        sender=first.get("from") or (senders[0] if senders else None),
        senders=senders,
        reply_to=first.get("reply-to"),
        return_path=first.get("return-path"),
        recipients=tuple(a for name in ("to", "cc") for a in addresses.get(name, ()) if a.address),
        date=parse_date(dates) if dates else None,
        links=tuple(work.links),
        attachments=tuple(work.attachments),
        html=work.html(),
        plain_and_html=bool(beside),
        encodings=tuple(entity.encoding for entity in texts),
        charsets=tuple(entity.charset for entity in texts),
        types=tuple(mail.types),
        nested=max(0, len(mail.messages) - 1),
    )
    return Case(case_id, "email", tuple(work.parts), facts, tuple(work.limitations), source)


def assemble_text(subject: str | None, text: str, is_html: bool, case_id: str, source: str) -> Case:
    """The Case of a message of which only the words are known."""
    work = Assembly()
    if subject is not None:
        work.add_part("subject", "subject", subject)
    kind = "text/html" if is_html else "text/plain"
    entity = Entity(kind, "utf-8", "", "", "", text.encode("utf-8"))
    _add_body(work, "body", "body", "", [entity])
    work.finish()
    facts = Mail(links=tuple(work.links), html=work.html(), types=(kind,))
    return Case(case_id, "email", tuple(work.parts), facts, tuple(work.limitations), source)


_ADDRESS_HEADERS: Final = ("from", "reply-to", "return-path", "to", "cc")


def _add_headers(
    work: Assembly, decoded: list[tuple[str, str, list[tuple[int, int]]]]
) -> dict[str, tuple[Address, ...]]:
    """One part per header name; the mailboxes of those that hold some."""
    joined: dict[str, list[str]] = {}
    lengths: dict[str, int] = {}
    addresses: dict[str, tuple[Address, ...]] = {}
    for name, text, encoded in decoded:
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
    shown: list[Entity] = []
    files: list[Entity] = []
    for entity in entities:
        is_text = entity.type in _SHOWN_AS_TEXT or entity.type == "text/html"
        if (
            is_text
            and entity.disposition != "attachment"
            and (not entity.name or entity.disposition == "inline" or entity is entities[0])
        ):
            shown.append(entity)
        else:
            files.append(entity)
    with_html = {entity.group for entity in shown if entity.group and entity.type == "text/html"}
    if not with_html:
        return shown, [], files
    beside = [entity for entity in shown if entity.group in with_html and entity.type != "text/html"]
    return [entity for entity in shown if entity not in beside], beside, files


def _plain(entity: Entity, work: Assembly) -> str:
    text = decode(entity.payload[: 4 * MAX_TEXT_CHARS], entity.charset).strip()
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > MAX_TEXT_CHARS:
        work.limit(f"Only the first {MAX_TEXT_CHARS} characters of the text were read.")
        text = text[:MAX_TEXT_CHARS]
    return text


def _add_body(work: Assembly, part: str, role: Role, before: str, shown: list[Entity]) -> None:
    """Join the texts that are shown, each with its links at its own offset."""
    texts = [before] if before else []
    length = len(before)
    for entity in shown:
        gap = 2 if texts else 0
        page = None
        if entity.type == "text/html":
            page = render(decode(entity.payload, entity.charset))
            text = page.text
            if part == "body":
                work.pages.append(page)
        else:
            text = _plain(entity, work)
        if length + gap + len(text) > MAX_TEXT_CHARS and texts:
            work.limit(f"Only the first {MAX_TEXT_CHARS} characters of the text were read.")
            break
        if page is not None:
            work.add_page(page, part, length + gap)
        else:
            work.add_urls(text, part, length + gap, "text")
        if text:
            texts.append(text)
            length += gap + len(text)
    work.add_part(part, role, "\n\n".join(texts))


def _add_nested(work: Assembly, mail: Dissection, number: int) -> None:
    headers: RawHeaders = mail.messages[number]
    subject = next((decode_words(raw)[0] for name, raw in headers if name == "subject"), "")
    shown, _, files = _sort([entity for entity in mail.entities if entity.message == number])
    _add_body(work, f"nested/{number}", "nested", subject, shown)
    for entity in files:
        _add_attachment(work, entity)


def _add_attachment(work: Assembly, entity: Entity) -> None:
    part = f"attachment/{len(work.attachments) + 1}"
    contents = examine(entity.payload)
    text = entity.name or entity.type
    offset = len(text) + 1
    is_page = contents.real_type in ("html", "svg") or entity.type in ("text/html", "image/svg+xml")
    if is_page or entity.name.lower().endswith((".htm", ".html", ".shtml", ".xhtml")):
        page = render(decode(entity.payload, entity.charset))
        work.add_page(page, part, offset, "attachment")
        text += "\n" + page.text
    elif entity.type == "text/calendar" or contents.real_type == "ics":
        inner = _plain(entity, work).replace("\n ", "").replace("\n\t", "")
        work.add_urls(inner, part, offset, "calendar")
        text += "\n" + inner
    elif entity.type.startswith(_TEXT_INSIDE) and not contents.real_type:
        inner = _plain(entity, work)
        work.add_urls(inner, part, offset, "attachment")
        text += "\n" + inner
    work.add_part(part, "attachment", text)
    work.attachments.append(
        Attachment(
            name=entity.name,
            declared_type=entity.type,
            real_type=contents.real_type,
            size=len(entity.payload),
            part=part,
            inside=contents.inside,
            encrypted=contents.encrypted,
            macros=contents.macros,
        )
    )
