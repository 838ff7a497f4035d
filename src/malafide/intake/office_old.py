"""A .doc, .xls, .ppt or .rtf file in, the same pages, acts and files out that the zipped formats give."""

from __future__ import annotations

from malafide.intake.attachments import has_macros
from malafide.intake.office_case import OfficeCase
from malafide.intake.office_vba import macro_lines
from malafide.intake.ole import packed_files, read_ole
from malafide.intake.rtf import RtfReader


def read_old(data: bytes, work: OfficeCase) -> None:
    """Read an old file into the case."""
    if work.kind == "rtf":
        _rtf(data, work)
        return
    file = read_ole(data)
    work.locked = file.locked
    if file.broken:
        work.case.limit("The document is damaged; not all of it could be read.")
    for code in file.codes:
        work.code(code)
    if has_macros(data):
        work.script(*macro_lines(data))
    elif file.macro_sheet:
        work.does("script", "Excel 4.0 macro sheet", automatic=False)
    for name, content in file.objects:
        work.file(name, content)
    if not file.locked:
        work.page(file.scroll)


def _rtf(data: bytes, work: OfficeCase) -> None:
    reader = RtfReader(data)
    reader.read()
    if reader.cut:
        work.case.limit("The document is too large or nested too deep; not all of it was read.")
    for code in reader.codes:
        work.code(code)
    for far in reader.templates:
        work.does("load-template", far, automatic=True)
    for content in reader.objects:
        for name, inner in packed_files(content):
            work.file(name, inner)
    work.page(reader.scroll)
