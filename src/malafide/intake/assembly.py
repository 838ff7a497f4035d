"""Where a Case grows: parts, links and hidden pieces are added one by one, and each gets its span at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from malafide.case import (
    Act,
    Attachment,
    DocumentAct,
    Form,
    Hidden,
    HiddenReason,
    Html,
    Link,
    LinkCarrier,
    Part,
    Role,
    Span,
)
from malafide.intake.headers import from_base64
from malafide.intake.html import Rendered
from malafide.intake.invisible import find_invisible
from malafide.intake.weblinks import find_urls
from malafide.intake.writing import Eyes
from malafide.limits import MAX_HTML_BYTES, MAX_LINKS, MAX_TEXT_CHARS

_MAX_HIDDEN: Final = 2_000


class Assembly:
    """The parts and facts of one case while it is put together."""

    def __init__(self, eyes: Eyes | None = None) -> None:
        self.eyes = eyes or Eyes()
        self.parts: list[Part] = []
        self.limitations: list[str] = []
        self.links: list[Link] = []
        self.attachments: list[Attachment] = []
        self.pages: list[Rendered] = []  # the HTML of the mail itself
        self.html_left = MAX_HTML_BYTES
        self.codes = self.eyes.codes
        self.shown: list[
            bytes
        ] = []  # pictures of a mail, kept only if there is time to read what is written in them
        self.opened = 0  # attached documents that were opened
        self.opening = 0.0  # seconds that took
        self._targets: list[str] = []
        self._targets_length = 0
        self._hidden: list[Hidden] = []
        self._unseen: list[str] = []
        self._unseen_length = 0
        self._forms: list[Form] = []
        self._deeds: list[str] = []
        self._deeds_length = 0
        self._fields: list[str] = []

    def limit(self, sentence: str) -> None:
        if sentence not in self.limitations:
            self.limitations.append(sentence)

    def add_part(self, name: str, role: Role, text: str) -> None:
        self.parts.append(Part(name, role, text))

    def add_link(self, target: str, text: str, carrier: LinkCarrier, shown_at: Span | None) -> Span | None:
        if len(self.links) == MAX_LINKS or self._targets_length + len(target) > MAX_TEXT_CHARS:
            self.limit(f"Only the first {len(self.links)} links of the message were looked at.")
            return None
        at = Span("links", self._targets_length, self._targets_length + len(target))
        self._targets.append(target)
        self._targets_length += len(target) + 1
        self.links.append(Link(target, text, carrier, at, shown_at))
        return at

    def add_urls(
        self,
        text: str,
        part: str,
        offset: int,
        carrier: LinkCarrier,
        taken: Sequence[tuple[int, int]] = (),
    ) -> None:
        """The addresses written in text that stands at `offset` in `part`, save where a link is already."""
        position = 0
        for start, end in find_urls(text):
            while position < len(taken) and taken[position][1] <= start:
                position += 1
            if position == len(taken) or taken[position][0] >= end:
                url = text[start:end]
                self.add_link(url, url, carrier, Span(part, offset + start, offset + end))

    def add_page(self, page: Rendered, part: str, offset: int, carrier: LinkCarrier | None = None) -> None:
        """The links and tricks of an HTML page whose text stands at `offset` in `part`."""
        for sentence in page.limitations:
            self.limit(sentence)
        actions: dict[str, Span | None] = {}
        taken: list[tuple[int, int]] = []
        for anchor in page.anchors:
            shown = None
            if anchor.end:
                shown = Span(part, offset + anchor.start, offset + anchor.end)
                taken.append((anchor.start, anchor.end))
            way = carrier if carrier and anchor.carrier != "form" else anchor.carrier
            at = self.add_link(anchor.target, page.text[anchor.start : anchor.end], way, shown)
            if anchor.carrier == "form":
                actions[anchor.target] = at
        self.add_urls(page.text, part, offset, carrier or "text", taken)
        for picture in page.embedded:
            data = from_base64(picture.encode("ascii", "ignore"))
            if self.eyes.writing is not None:
                self.shown.append(data)
            for code in self.codes.texts(data):
                for start, end in find_urls(code):
                    self.add_link(code[start:end], "", "qr", None)
        for reason, text in page.hidden:
            self.add_hidden(reason, text)
        for start, end in find_invisible(page.text):
            self._hidden.append(Hidden("zero-width", Span(part, offset + start, offset + end)))
        for action, fields in page.forms:
            self._forms.append(Form(action, tuple(fields), actions.get(action)))

    def add_act(self, does: DocumentAct, words: str, *, automatic: bool) -> Act | None:
        """Something a document does; what it acts on becomes a line of the part "acts"."""
        if not words or self._deeds_length + len(words) > MAX_TEXT_CHARS or len(self._deeds) == MAX_LINKS:
            return None
        at = Span("acts", self._deeds_length, self._deeds_length + len(words))
        self._deeds.append(words)
        self._deeds_length += len(words) + 1
        return Act(does, automatic, at)

    def add_fields(self, names: Sequence[str]) -> None:
        self._fields.extend(names)

    def add_hidden(self, reason: HiddenReason, text: str) -> None:
        room = MAX_TEXT_CHARS - self._unseen_length
        if len(text) > room or len(self._unseen) == _MAX_HIDDEN:
            self.limit("The message hides more text than is read; only the beginning was looked at.")
            text = text[:room].rstrip() if len(self._unseen) < _MAX_HIDDEN and room > 0 else ""
        if text:
            start = self._unseen_length
            self._hidden.append(Hidden(reason, Span("hidden", start, start + len(text))))
            self._unseen.append(text)
            self._unseen_length += len(text) + 1

    def finish(self) -> None:
        """Make the parts that were gathered along the way."""
        if self._deeds:
            self.add_part("acts", "hidden", "\n".join(self._deeds))
        if self._fields:
            self.add_part("fields", "header", "\n".join(self._fields))
        if self._unseen:
            self.add_part("hidden", "hidden", "\n".join(self._unseen))
        if self._targets:
            self.add_part("links", "links", "\n".join(self._targets))

    def html(self) -> Html | None:
        if not self.pages and not self._forms and not self._hidden:
            return None
        return Html(
            hidden=tuple(self._hidden),
            forms=tuple(self._forms),
            images=sum(page.images for page in self.pages),
            remote_images=sum(page.remote_images for page in self.pages),
            linked_images=sum(page.linked_images for page in self.pages),
            scripts=sum(page.scripts for page in self.pages),
            tags=sum(page.tags for page in self.pages),
            source_size=sum(page.source_size for page in self.pages),
            truncated=any(page.truncated for page in self.pages),
        )
