"""Writes small office files: lines, links, pictures, macros and what they load, as the benchmark and the tests need."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from xml.sax.saxutils import escape, quoteattr

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_A = "http://schemas.openxmlformats.org/drawingml/2006/main"
_S = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"

Relations = list[tuple[str, str]]  # kind and target of each, all of them elsewhere


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    """A zip file of those parts, the same bytes every time."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in parts.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            file.writestr(info, content)
    return out.getvalue()


def relations(listed: Relations) -> str:
    rows = "".join(
        f'<Relationship Id="r{n}" Type="{_R}/{kind}" Target={quoteattr(target)} TargetMode="External"/>'
        for n, (kind, target) in enumerate(listed, start=1)
    )
    return f'<?xml version="1.0"?><Relationships xmlns="{_RELATIONS}">{rows}</Relationships>'


def _rows(text: str) -> list[tuple[str, str]]:
    """Lines as words and target; `[words](target)` alone on a line is a link."""
    found = []
    for row in text.strip("\n").split("\n"):
        if row.startswith("[") and row.endswith(")") and "](" in row:
            words, _, target = row[1:-1].partition("](")
            found.append((words, target))
        elif row != "---":
            found.append((row, ""))
    return found


def docx(
    text: str,
    *,
    loads: Relations | None = None,
    codes: tuple[str, ...] = (),
    parts: Mapping[str, str | bytes] | None = None,
) -> bytes:
    """A Word document. `loads` are relationships of its settings, `codes` fields, `parts` whatever else is in it."""
    listed: Relations = []
    body = []
    for words, target in _rows(text):
        run = f'<w:r><w:t xml:space="preserve">{escape(words)}</w:t></w:r>'
        if target:
            listed.append(("hyperlink", target))
            run = f'<w:hyperlink r:id="r{len(listed)}">{run}</w:hyperlink>'
        body.append(f"<w:p>{run}</w:p>")
    for code in codes:
        body.append(
            '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r>'
            f"<w:r><w:instrText>{escape(code)}</w:instrText></w:r>"
            '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>field</w:t></w:r>'
            '<w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>'
        )
    head = f'<w:document xmlns:w="{_W}" xmlns:r="{_R}"><w:body>'
    return zipped(
        {
            "[Content_Types].xml": "<Types/>",
            "word/document.xml": f"{head}{''.join(body)}</w:body></w:document>",
            "word/_rels/document.xml.rels": relations(listed),
            "word/_rels/settings.xml.rels": relations(loads or []),
            **(parts or {}),
        }
    )


def xlsx(
    text: str, *, formulas: tuple[str, ...] = (), parts: Mapping[str, str | bytes] | None = None
) -> bytes:
    """A workbook: every line a row, its cells apart by two blanks."""
    listed: Relations = []
    rows, links = [], []
    for number, (words, target) in enumerate(_rows(text), start=1):
        cells = "".join(
            f'<c r="{chr(65 + n)}{number}" t="inlineStr"><is><t>{escape(cell.strip())}</t></is></c>'
            for n, cell in enumerate(words.split("  "))
        )
        rows.append(f'<row r="{number}">{cells}</row>')
        if target:
            listed.append(("hyperlink", target))
            links.append(f'<hyperlink ref="A{number}" r:id="r{len(listed)}"/>')
    for n, formula in enumerate(formulas):
        rows.append(f'<row><c r="Z{n + 1}"><f>{escape(formula)}</f><v>0</v></c></row>')
    sheet = f'<worksheet xmlns="{_S}" xmlns:r="{_R}"><sheetData>{"".join(rows)}</sheetData>'
    return zipped(
        {
            "[Content_Types].xml": "<Types/>",
            "xl/worksheets/sheet1.xml": f"{sheet}<hyperlinks>{''.join(links)}</hyperlinks></worksheet>",
            "xl/worksheets/_rels/sheet1.xml.rels": relations(listed),
            **(parts or {}),
        }
    )


def pptx(text: str) -> bytes:
    """A presentation; a line of `---` begins a new slide."""
    parts: dict[str, str | bytes] = {"[Content_Types].xml": "<Types/>"}
    for number, slide in enumerate(text.strip("\n").split("\n---\n"), start=1):
        listed: Relations = []
        body = []
        for words, target in _rows(slide):
            click = ""
            if target:
                listed.append(("hyperlink", target))
                click = f'<a:hlinkClick r:id="r{len(listed)}"/>'
            body.append(f"<a:p><a:r><a:rPr>{click}</a:rPr><a:t>{escape(words)}</a:t></a:r></a:p>")
        parts[f"ppt/slides/slide{number}.xml"] = (
            f'<p:sld xmlns:p="urn:p" xmlns:a="{_A}" xmlns:r="{_R}"><p:txBody>{"".join(body)}</p:txBody></p:sld>'
        )
        parts[f"ppt/slides/_rels/slide{number}.xml.rels"] = relations(listed)
    return zipped(parts)


def odt(text: str, *, parts: Mapping[str, str | bytes] | None = None) -> bytes:
    """An OpenDocument text."""
    body = "".join(
        f"<t:p><t:a x:href={quoteattr(target)}>{escape(words)}</t:a></t:p>"
        if target
        else f"<t:p>{escape(words)}</t:p>"
        for words, target in _rows(text)
    )
    names = 'xmlns:o="urn:o" xmlns:t="urn:t" xmlns:x="http://www.w3.org/1999/xlink"'
    return zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": f"<o:document {names}><o:text>{body}</o:text></o:document>",
            **(parts or {}),
        }
    )
