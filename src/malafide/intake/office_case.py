"""Where the Case of an office file grows, whatever its format: pages, acts, files, pictures, and words about itself."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final

from malafide.case import Act, Attachment, Case, Document, DocumentAct, DocumentFormat, Mail, Span
from malafide.intake.assembly import Assembly
from malafide.intake.attachments import examine
from malafide.intake.scroll import Scroll
from malafide.intake.weblinks import find_urls
from malafide.intake.writing import MOST_PICTURES, Eyes, worth_reading
from malafide.limits import MAX_OFFICE_PICTURES, MAX_PDF_PAGES, MAX_TEXT_CHARS

_FEW: Final = 40  # characters: a document with fewer and a picture is taken for a picture
_LONGEST: Final = 1_000  # characters kept of what a document does
_FETCHES: Final = ("INCLUDETEXT", "INCLUDEPICTURE", "LINK", "IMPORT")
_TYPES: Final = {
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "odt": "application/vnd.oasis.opendocument.text",
    "ods": "application/vnd.oasis.opendocument.spreadsheet",
    "odp": "application/vnd.oasis.opendocument.presentation",
    "doc": "application/msword",
    "xls": "application/vnd.ms-excel",
    "ppt": "application/vnd.ms-powerpoint",
    "rtf": "application/rtf",
}


class OfficeCase:
    """One office file while it is read."""

    def __init__(self, kind: DocumentFormat, eyes: Eyes | None) -> None:
        self.case = Assembly(eyes)
        self.kind = kind
        self.locked = False
        self._acts: list[Act] = []
        self._pages = self._read = self._images = self._pictured = 0
        self._letters = 0
        self._about: dict[str, str] = {}

    def page(self, scroll: Scroll) -> None:
        """The text of a page, sheet or slide, with its links where their words stand."""
        self._pages += 1
        if self._pages > MAX_PDF_PAGES:
            self.case.limit(f"Only the first {MAX_PDF_PAGES} pages of the document were read.")
            return
        self._read += 1
        if scroll.full:
            self.case.limit(f"Only the first {MAX_TEXT_CHARS} characters of a page were read.")
        part = f"page/{self._pages}"
        text = scroll.text.replace("\0", "").rstrip()
        self._letters += len(text.strip())
        self.case.add_part(part, "body", text)
        taken: list[tuple[int, int]] = []
        for target, start, end in scroll.links:
            words = text[start:end]
            start += len(words) - len(words.lstrip())
            end = start + len(words.strip())
            shown = Span(part, start, end) if end > start else None
            self.case.add_link(target, text[start:end], "office", shown)
            taken.extend([(start, end)] if shown else [])
        self.case.add_urls(text, part, 0, "text", sorted(taken))
        for words in scroll.hidden:
            self.case.add_hidden("display", words)

    def does(self, what: DocumentAct, words: str, *, automatic: bool) -> None:
        act = self.case.add_act(what, " ".join(words.split())[:_LONGEST], automatic=automatic)
        if act is not None:
            self._acts.append(act)

    def script(self, lines: list[str], runs_by_itself: bool) -> None:
        for line in lines:
            self.does("script", line, automatic=runs_by_itself)

    def code(self, code: str) -> None:
        """A field or formula: one that hands something to another program, or takes something from elsewhere."""
        first = code.split(None, 1)[0].upper() if code.strip() else ""
        if first in ("DDE", "DDEAUTO") or "|" in code:
            self.does("launch", code, automatic=first == "DDEAUTO" or "|" in code)
        elif first in _FETCHES and "://" in code:
            self.does("load-picture" if first == "INCLUDEPICTURE" else "load-object", code, automatic=True)

    def file(self, name: str, data: bytes) -> None:
        """A file packed into the document."""
        contents = examine(data)
        part = f"attachment/{len(self.case.attachments) + 1}"
        name = " ".join(name.split())[:300] or "unnamed"
        self.case.add_part(part, "attachment", name)
        self.case.attachments.append(
            Attachment(
                name,
                "",
                contents.real_type,
                len(data),
                part,
                contents.inside,
                contents.encrypted,
                contents.macros,
            )
        )

    def look_at(self, pictures: Callable[[], list[bytes]]) -> None:
        """Codes in the pictures are links; what is written in them counts where the document says little else."""
        seen = [data for data in pictures() if worth_reading(data)]
        self._images += len(seen)
        for data in seen[:MAX_OFFICE_PICTURES]:
            for code in self.case.codes.texts(data):
                for start, end in find_urls(code):
                    self.case.add_link(code[start:end], "", "qr", None)
        if len(seen) > MAX_OFFICE_PICTURES:
            self.case.limit(
                f"Only the first {MAX_OFFICE_PICTURES} pictures of the document were looked into."
            )
        if seen and self._letters < _FEW:
            self._pictured = 1
            self._write_out(seen)

    def _write_out(self, pictures: list[bytes]) -> None:
        writing = self.case.eyes.writing
        if writing is None or writing.missing:
            why = f": {writing.missing}" if writing is not None else ""
            self.case.limit(f"The document is a picture whose writing was not read{why}.")
            return
        lines = [line for data in pictures[:MOST_PICTURES] for line in writing.lines_of(data)]
        text = "\n".join(lines)[:MAX_TEXT_CHARS]
        if text:
            part = f"picture/{len(self.case.attachments) + 1}"
            self.case.add_part(part, "body", text)
            self.case.add_urls(text, part, 0, "text")

    def about(self, **said: str) -> None:
        """What the file says about itself; words become parts."""
        self._about = {name: " ".join(words.replace("\0", "").split())[:300] for name, words in said.items()}

    def document(self) -> Document:
        """What is known of the document beyond its text."""
        return Document(
            format=self.kind,
            pages=max(self._pages, 1),
            read=self._read,
            acts=tuple(self._acts),
            producer=self._about.get("producer", ""),
            created=_moment(self._about.get("created", "")),
            modified=_moment(self._about.get("modified", "")),
            images=self._images,
            pictured=self._pictured,
            encrypted=self.locked,
        )

    def finish(self, case_id: str, source: str) -> Case:
        if self.locked:
            self.case.limit("The document is locked with a password, so nothing in it could be read.")
        for name in ("producer", "author", "title"):
            if self._about.get(name):
                self.case.add_part(f"header/{name}", "header", self._about[name])
        self.case.finish()
        facts = Mail(
            links=tuple(self.case.links),
            attachments=tuple(self.case.attachments),
            html=self.case.html(),
            types=(_TYPES[self.kind],),
        )
        parts, limits = tuple(self.case.parts), tuple(self.case.limitations)
        return Case(case_id, "document", parts, facts, limits, source, document=self.document())


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text) if text else None
    except ValueError:
        return None
