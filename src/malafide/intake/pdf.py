"""The bytes of a PDF in, a Case out: pages of text, links, pictures with codes, and what the document does by itself.

Everything happens within limits of pages, unpacked bytes and seconds; what they cut off is named in the limitations.
Nothing is fetched, and no program is called but the one of `pdf_rescue` for broken files.
"""

from __future__ import annotations

import io
import logging
import time
from typing import Any, Final, NoReturn

from pypdf import PdfReader, apply_configuration

from malafide.case import Act, Attachment, Case, Document, Mail, Span
from malafide.errors import UnreadableInput
from malafide.intake.assembly import Assembly
from malafide.intake.attachments import examine
from malafide.intake.pdf_about import later_edits, moment, said_about
from malafide.intake.pdf_acts import Deed, Inner, deeds, field_names, inner_files, own_deeds
from malafide.intake.pdf_images import codes_and_text, worth_reading
from malafide.intake.pdf_pages import BROKEN, OutOfTime, ReadPage, read_page
from malafide.intake.weblinks import find_urls
from malafide.intake.writing import Eyes
from malafide.limits import MAX_PDF_IMAGES, MAX_PDF_PAGES, MAX_PDF_SECONDS, MAX_PDF_STREAM, MAX_TEXT_CHARS

_LIMITS: Final[dict[str, Any]] = {
    "maximum_declared_stream_length": 2 * MAX_PDF_STREAM,
    "array_based_stream_maximum_output_length": MAX_PDF_STREAM,
    "lzw_maximum_output_length": MAX_PDF_STREAM,
    "run_length_maximum_output_length": MAX_PDF_STREAM,
    "zlib_maximum_output_length": MAX_PDF_STREAM,
    "brotli_maximum_output_length": MAX_PDF_STREAM,
    "stream_decoding_work_maximum_length": 2 * MAX_PDF_STREAM,
    "stream_parsing_work_maximum_count": 300_000,  # 1.2 s; a dense page of a manual has 5,000
    "page_tree_maximum_page_entries": 100_000,
    "page_tree_maximum_entries": 20_000,
    "xform_maximum_invocations_per_extraction": 300,
    "image_maximum_buffer_size": MAX_PDF_STREAM * 2,
    "jbig2dec_binary": None,
    "disable_legacy_handling": True,
}
_FEW: Final = 40  # characters: a page with fewer and a picture is taken for a picture
_SHAPES: Final = 150  # lines drawn on a page; the smallest code for a camera has 200 dark squares
_WORDY: Final = 3_000  # characters; a page with more is a report with charts
logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it reports every oddity of a broken file


def read_pdf(
    data: bytes,
    case_id: str,
    source: str = "",
    *,
    most_pages: int = MAX_PDF_PAGES,
    eyes: Eyes | None = None,
) -> Case:
    """The Case of a document."""
    eyes = eyes or Eyes()
    with apply_configuration(**_LIMITS):
        try:
            reader = PdfReader(
                io.BytesIO(data), root_object_recovery_limit=2_000, xref_stream_maximum_entries=200_000
            )
            locked = reader.is_encrypted and not _unlock(reader)
            pages = 0 if locked else len(reader.pages)
        except BROKEN as error:
            return _rescued(data, case_id, source, most_pages, eyes) or _refuse(type(error).__name__)
        if not locked and not pages:
            return _rescued(data, case_id, source, most_pages, eyes) or _refuse("no page")
        work = _Reading(reader, data, eyes)
        if locked:
            work.case.limit("The document is locked with a password, so nothing in it could be read.")
        else:
            work.read(pages, most_pages)
        return work.finish(case_id, source, pages, encrypted=reader.is_encrypted)


def _rescued(data: bytes, case_id: str, source: str, most_pages: int, eyes: Eyes) -> Case | None:
    from malafide.intake.pdf_rescue import rescue  # few files are broken

    return rescue(data, case_id, source, most_pages, eyes)


def _refuse(why: str) -> NoReturn:
    raise UnreadableInput(f"The PDF is broken and cannot be read ({why}). Ask the sender for a whole one.")


def _unlock(reader: PdfReader) -> bool:
    """Many documents are only locked against changes and open with no password."""
    try:
        return bool(reader.decrypt(""))
    except BROKEN:
        return False


class _Reading:
    """One document while it is read."""

    def __init__(self, reader: PdfReader, data: bytes, eyes: Eyes) -> None:
        self.case = Assembly(eyes)
        self._writing = eyes.writing
        self._reader = reader
        self._data = data
        self._acts: list[Act] = []
        self._fields: tuple[str, ...] = ()
        self._read = self._images = self._pictured = 0
        self._looked_into = 0
        self._lines_drawn: set[int] = set()  # pages with enough lines for a code

    def read(self, pages: int, most: int) -> None:
        deadline = time.monotonic() + MAX_PDF_SECONDS
        for number in range(1, min(pages, most) + 1):
            try:
                self._page(number, read_page(self._reader.pages[number - 1], deadline))
            except OutOfTime:
                self.case.limit(f"Reading took too long; page {number} and what follows were not read.")
                break
            except BROKEN as error:
                self.case.limit(f"Page {number} could not be read ({type(error).__name__}).")
            self._read = number
            if time.monotonic() > deadline and number < pages:
                self.case.limit(f"Reading took too long; only the first {number} of {pages} pages were read.")
                break
        if self._lines_drawn and self._writing is not None:
            self._look_at_drawings()
        if pages > most:
            self.case.limit(f"Only the first {most} of {pages} pages were read.")
        self._rest()

    def _look_at_drawings(self) -> None:
        """Codes that are drawn line by line show only when the page is drawn; the first two pages are."""
        from malafide.imaging.codes import read_codes
        from malafide.intake.pdf_rescue import drawn_pages

        for number, pixels in enumerate(drawn_pages(self._data), start=1):
            found = read_codes(pixels) if number in self._lines_drawn else ()
            for code in found:
                for start, end in find_urls(code.text):
                    self.case.add_link(code.text[start:end], "", "qr", None)

    def _rest(self) -> None:
        """What belongs to no page."""
        try:
            for deed in own_deeds(self._reader):
                self._do(deed)
            self._fields = field_names(self._reader)
            for inner in inner_files(self._reader):
                self._attach(inner)
        except BROKEN as error:
            self.case.limit(f"Part of the document's structure could not be read ({type(error).__name__}).")

    def _page(self, number: int, page: ReadPage) -> None:
        if page.broken:
            self.case.limit(f"Page {number} could not be read in full ({page.broken}).")
        part = f"page/{number}"
        self._images += len(page.images)
        pictured = len(page.text) < _FEW and any(map(worth_reading, page.images))
        self._pictured += pictured
        text, codes = self._look_into(number, page, pictured)
        self.case.add_part(part, "body", text)
        taken: list[tuple[int, int]] = []
        for box in page.boxes:
            words = box.words(page.chunks)
            start = text.find(words) if words else -1
            shown = Span(part, start, start + len(words)) if start >= 0 else None
            for deed in deeds(box.action, automatic=False):
                if deed.does != "open-link" or deed.automatic:
                    self._do(deed)
                else:
                    self.case.add_link(deed.words, words, "pdf", shown)
                    if shown is not None:
                        taken.append((shown.start, shown.end))
        self.case.add_urls(text, part, 0, "text", sorted(taken))
        for code in codes:
            for start, end in find_urls(code):
                self.case.add_link(code[start:end], "", "qr", None)
        if page.shapes >= _SHAPES and not codes and len(text) < _WORDY:
            self._lines_drawn.add(number)

    def _look_into(self, number: int, page: ReadPage, pictured: bool) -> tuple[str, list[str]]:
        """The page's text, with what is written in its picture if it is one, and what its codes say."""
        images = [image for image in page.images if worth_reading(image)]
        room = MAX_PDF_IMAGES - self._looked_into
        self._looked_into += min(room, len(images))
        if len(images) > room:
            self.case.limit(f"Only the first {MAX_PDF_IMAGES} pictures of the document were looked into.")
        reads = self._writing if pictured and self._writing and not self._writing.missing else None
        codes, lines, unread = codes_and_text(images[:room], reads) if images[:room] else ([], [], 0)
        if pictured and reads is None:
            why = f": {self._writing.missing}" if self._writing else ""
            self.case.limit(f"Page {number} is a picture whose writing was not read{why}.")
        elif reads and reads.unread:
            self.case.limit(f"What is written in the picture of page {number} could not all be read in time.")
        elif unread:
            self.case.limit(f"A picture on page {number} could not be decoded.")
        return "\n".join(filter(None, [page.text, *lines]))[:MAX_TEXT_CHARS], codes

    def _do(self, deed: Deed) -> None:
        act = self.case.add_act(deed.does, deed.words, automatic=deed.automatic)
        if act is None:
            return
        self._acts.append(act)
        if deed.does in ("open-link", "submit"):
            self.case.add_link(deed.words, "", "pdf", None)

    def _attach(self, inner: Inner) -> None:
        contents = examine(inner.data)
        part = f"attachment/{len(self.case.attachments) + 1}"
        self.case.add_part(part, "attachment", inner.name)
        self.case.attachments.append(
            Attachment(
                name=inner.name,
                declared_type="",
                real_type=contents.real_type,
                size=len(inner.data),
                part=part,
                inside=contents.inside,
                encrypted=contents.encrypted,
                macros=contents.macros,
            )
        )

    def finish(self, case_id: str, source: str, pages: int, *, encrypted: bool) -> Case:
        self.case.add_fields(self._fields)
        about = said_about(self._reader)
        for name, value in about.items():
            if value:
                self.case.add_part(f"header/{name}", "header", value)
        self.case.finish()
        facts = Document(
            format="pdf",
            pages=pages,
            read=self._read,
            acts=tuple(self._acts),
            fields=self._fields,
            producer=about.get("producer", ""),
            created=moment(self._reader, "creation_date"),
            modified=moment(self._reader, "modification_date"),
            edits=later_edits(self._data),
            images=self._images,
            pictured=self._pictured,
            encrypted=encrypted,
        )
        return Case(
            case_id,
            "document",
            tuple(self.case.parts),
            Mail(
                links=tuple(self.case.links),
                attachments=tuple(self.case.attachments),
                types=("application/pdf",),
            ),
            tuple(self.case.limitations),
            source,
            document=facts,
        )
