"""The bytes of an office file in, a Case out: text, links, codes in pictures, macros, and what it loads from afar.

Nothing is run or fetched. The old formats and RTF are read by `office_old`, the zipped ones here, within the limits of
`office_package` and `xml_events`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, cast

from malafide.case import Case, DocumentFormat
from malafide.intake.office_case import OfficeCase
from malafide.intake.office_open import OpenReader
from malafide.intake.office_package import Package, Relation
from malafide.intake.office_sheets import SheetReader, StringReader
from malafide.intake.office_words import WordReader
from malafide.intake.ole import packed_files
from malafide.intake.scroll import Scroll
from malafide.intake.writing import Eyes

ZIPPED: Final = frozenset(("docx", "xlsx", "pptx", "odt", "ods", "odp"))
OLD: Final = frozenset(("doc", "xls", "ppt", "rtf"))
_STORIES: Final = ("header", "footer", "footnotes", "endnotes")
_MOST_PARTS: Final = 200  # sheets, slides or stories
_MOST_OBJECTS: Final = 10
_PICTURES: Final = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".webp")
_FAR: Final = ("http:", "https:", "ftp:", "mhtml:", "\\\\", "//", "file://///", "ms-", "mk:")


def read_office(data: bytes, kind: str, case_id: str, source: str = "", eyes: Eyes | None = None) -> Case:
    """The Case of an office file of that kind (one of ZIPPED or OLD)."""
    work = OfficeCase(cast("DocumentFormat", kind), eyes)
    if kind in OLD:
        from malafide.intake.office_old import read_old  # few files are that old

        read_old(data, work)
        return work.finish(case_id, source)
    package = Package(data)
    _READERS[kind](package, work)
    _about(package, work)
    _macros(package, work)
    _objects(package, work)
    work.look_at(_media(package))
    if package.cut and not work.locked:
        work.case.limit(f"Part of the document could not be read ({package.cut[0][:80]}).")
    return work.finish(case_id, source)


def _main(package: Package, usual: str) -> str:
    """The part with the text. Crooked files give it another name than the usual one."""
    named = (r.target for r in package.relations("") if r.kind == "officeDocument" and not r.external)
    return next(named, usual)


def _links(relations: list[Relation]) -> dict[str, str]:
    return {r.id: r.target for r in relations if r.kind == "hyperlink" and r.external}


def _read_words(package: Package, work: OfficeCase) -> None:
    main = _main(package, "word/document.xml")
    folder = main.rpartition("/")[0]
    scroll = Scroll()
    stories = [n for n in package.under(folder + "/") if n.rpartition("/")[2].startswith(_STORIES)]
    for part in [main, *stories[:_MOST_PARTS]]:
        relations = package.relations(part)
        reader = WordReader(_links(relations), scroll)
        if not package.tell(part, reader) and part == main:
            package.cut.append(main)
        for code in reader.codes:
            work.code(code)
        _loads(relations, work)
        scroll.line()
    for part in (f"{folder}/settings.xml", f"{folder}/webSettings.xml"):
        _loads(package.relations(part), work)
    work.page(scroll)


def _read_slides(package: Package, work: OfficeCase) -> None:
    for part in list(package.under("ppt/slides/slide"))[:_MOST_PARTS]:
        relations = package.relations(part)
        reader = WordReader(_links(relations))
        package.tell(part, reader)
        _loads(relations, work)
        work.page(reader.scroll)


def _read_sheets(package: Package, work: OfficeCase) -> None:
    shared = StringReader()
    package.tell("xl/sharedStrings.xml", shared)
    for part in list(package.under("xl/worksheets/"))[:_MOST_PARTS]:
        relations = package.relations(part)
        reader = SheetReader(shared.strings, _links(relations))
        package.tell(part, reader)
        for formula in reader.formulas:
            work.code(formula)
        _loads(relations, work)
        for drawing in (r.target for r in relations if r.kind == "drawing" and not r.external):
            words = WordReader(_links(package.relations(drawing)), reader.scroll)
            package.tell(drawing, words)
        work.page(reader.scroll)
    for part in package.under("xl/externalLinks/"):
        package.tell(part, _Dde(work))
    for part in list(package.under("xl/macrosheets/"))[:1]:
        work.does("script", part, automatic=False)
    if any(name.endswith("xl/workbook.bin") for name in package.names):
        work.case.limit("The spreadsheet is saved in a binary form (xlsb) that is not read.")


class _Dde:
    """A link from a workbook to another program."""

    def __init__(self, work: OfficeCase) -> None:
        self._work = work

    def start(self, name: str, values: dict[str, str]) -> None:
        if name == "ddeLink":
            self._work.code(f"{values.get('ddeService', '')}|'{values.get('ddeTopic', '')}'")

    def end(self, name: str) -> None:
        """Nothing closes here."""

    def text(self, words: str) -> None:
        """Words are in the sheets."""


def _loads(relations: list[Relation], work: OfficeCase) -> None:
    """What a part takes from elsewhere as soon as it is opened."""
    for relation in relations:
        if not relation.external or not relation.target.lower().startswith(_FAR):
            continue
        if relation.kind == "attachedTemplate":
            work.does("load-template", relation.target, automatic=True)
        elif relation.kind in ("oleObject", "frame", "subDocument", "package", "control"):
            work.does("load-object", relation.target, automatic=True)
        elif relation.kind == "image":
            work.does("load-picture", relation.target, automatic=True)


def _read_open(package: Package, work: OfficeCase) -> None:
    manifest = package.read("META-INF/manifest.xml") or b""
    if b"encryption-data" in manifest:
        work.locked = True
        return
    reader = OpenReader()
    if not package.tell("content.xml", reader):
        package.cut.append("content.xml")
    for script in reader.events[:20]:
        work.does("script", script, automatic=True)
    for far in reader.objects[:20]:
        work.does("load-object", far, automatic=True)
    for far in reader.pictures[:20]:
        work.does("load-picture", far, automatic=True)
    basic = [
        n
        for n in package.names
        if n.startswith(("Basic/", "Scripts/")) and not n.endswith(("-lb.xml", "-lc.xml"))
    ]
    if basic:
        work.does("script", basic[0], automatic=bool(reader.events))
    for scroll in reader.pages:
        work.page(scroll)


_READERS: Final[dict[str, Callable[[Package, OfficeCase], None]]] = {
    "docx": _read_words,
    "xlsx": _read_sheets,
    "pptx": _read_slides,
    "odt": _read_open,
    "ods": _read_open,
    "odp": _read_open,
}


def _about(package: Package, work: OfficeCase) -> None:
    found = package.about()
    work.about(
        producer=found.get("Application") or found.get("generator") or "",
        author=found.get("creator") or found.get("initial-creator") or "",
        title=found.get("title") or "",
        created=found.get("created") or found.get("creation-date") or "",
        modified=found.get("modified") or found.get("date") or "",
    )


def _macros(package: Package, work: OfficeCase) -> None:
    project = next((n for n in package.names if n.lower().endswith("vbaproject.bin")), None)
    if project is not None:
        from malafide.intake.office_vba import macro_lines

        work.script(*macro_lines(package.read(project) or b""))


def _objects(package: Package, work: OfficeCase) -> None:
    """Files packed into the document, such as a program behind an icon."""
    names = [n for n in package.names if "/embeddings/" in n and n.endswith(".bin")]
    for name in names[:_MOST_OBJECTS]:
        for shown, content in packed_files(package.read(name) or b""):
            work.file(shown, content)


def _media(package: Package) -> Callable[[], list[bytes]]:
    names = [
        n
        for n in package.names
        if ("/media/" in n or n.startswith("Pictures/")) and n.lower().endswith(_PICTURES)
    ]
    return lambda: [content for name in names[:20] if (content := package.read(name))]
