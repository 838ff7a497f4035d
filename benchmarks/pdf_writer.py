"""Writes small PDFs: lines of text, links, pictures, scripts and files, as the benchmark and the tests need them."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text; with a `link` it can be clicked."""

    text: str
    link: str = ""
    size: int = 11


@dataclass(frozen=True, slots=True)
class Picture:
    """Grey pixels, row by row, and a link over it if there is one."""

    pixels: bytes
    width: int
    height: int
    link: str = ""


Item = Line | Picture


@dataclass(slots=True)
class Pdf:
    """A document to be written. `pages` are lists of lines and pictures, from top to bottom."""

    pages: list[list[Item]] = field(default_factory=list)
    info: dict[str, str] = field(default_factory=dict)
    catalog: str = ""  # further entries of the catalog, such as /OpenAction << ... >>
    files: dict[str, bytes] = field(default_factory=dict)

    def bytes(self) -> bytes:
        return _Writer().write(self)


def pdf(text: str, **options: object) -> bytes:
    """One page of plain lines; `[words](target)` alone on a line is a link. A line of `---` begins a new page."""
    pages: list[list[Item]] = [[]]
    for row in text.strip("\n").split("\n"):
        if row == "---":
            pages.append([])
        elif row.startswith("[") and row.endswith(")") and "](" in row:
            words, _, target = row[1:-1].partition("](")
            pages[-1].append(Line(words, target))
        else:
            pages[-1].append(Line(row))
    return Pdf(pages, **options).bytes()  # type: ignore[arg-type]


class _Writer:
    def __init__(self) -> None:
        self.objects: list[bytes] = []

    def add(self, body: bytes | str) -> int:
        self.objects.append(body if isinstance(body, bytes) else body.encode("latin-1", "replace"))
        return len(self.objects)

    def stream(self, data: bytes, entries: str = "") -> int:
        packed = zlib.compress(data)
        head = f"<< {entries} /Filter /FlateDecode /Length {len(packed)} >>\nstream\n"
        return self.add(head.encode() + packed + b"\nendstream")

    def write(self, document: Pdf) -> bytes:
        root, tree = self.add(""), self.add("")
        font = self.add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
        kids = [self.page(page, tree, font) for page in document.pages]
        self.objects[tree - 1] = (
            f"<< /Type /Pages /Count {len(kids)} /Kids [{' '.join(f'{k} 0 R' for k in kids)}] >>".encode()
        )
        names = self.embedded(document.files)
        self.objects[root - 1] = f"<< /Type /Catalog /Pages {tree} 0 R {names} {document.catalog} >>".encode(
            "latin-1", "replace"
        )
        about = " ".join(f"/{key} {_string(value)}" for key, value in document.info.items())
        return self.whole(root, self.add(f"<< {about} >>"))

    def page(self, items: list[Item], tree: int, font: int) -> int:
        y, drawn, boxes, pictures = 790.0, [], [], []
        for item in items:
            if isinstance(item, Line):
                y -= item.size * 1.4
                drawn.append(f"BT /F1 {item.size} Tf 1 0 0 1 56 {y:.1f} Tm {_string(item.text)} Tj ET")
                box = (56.0, y - 3, 56 + len(item.text) * item.size * 0.55, y + item.size)
            else:
                side = 140.0
                y -= side + 8
                entries = (
                    f"/Type /XObject /Subtype /Image /Width {item.width} /Height {item.height} "
                    "/ColorSpace /DeviceGray /BitsPerComponent 8"
                )
                pictures.append(self.stream(item.pixels, entries))
                drawn.append(f"q {side} 0 0 {side} 56 {y:.1f} cm /I{len(pictures)} Do Q")
                box = (56.0, y, 56 + side, y + side)
            if item.link:
                action = f"<< /Type /Action /S /URI /URI {_string(item.link)} >>"
                rect = " ".join(f"{n:.1f}" for n in box)
                boxes.append(self.add(f"<< /Type /Annot /Subtype /Link /Rect [{rect}] /A {action} >>"))
        content = self.stream("\n".join(drawn).encode("latin-1", "replace"))
        images = " ".join(f"/I{n} {number} 0 R" for n, number in enumerate(pictures, start=1))
        return self.add(
            f"<< /Type /Page /Parent {tree} 0 R /MediaBox [0 0 595 842] /Contents {content} 0 R "
            f"/Resources << /Font << /F1 {font} 0 R >> /XObject << {images} >> >> "
            f"/Annots [{' '.join(f'{b} 0 R' for b in boxes)}] >>"
        )

    def embedded(self, files: dict[str, bytes]) -> str:
        listed = []
        for name, data in files.items():
            held = self.stream(data, "/Type /EmbeddedFile")
            spec = self.add(f"<< /Type /Filespec /F {_string(name)} /EF << /F {held} 0 R >> >>")
            listed.append(f"{_string(name)} {spec} 0 R")
        return f"/Names << /EmbeddedFiles << /Names [{' '.join(listed)}] >> >>" if listed else ""

    def whole(self, root: int, info: int) -> bytes:
        out = bytearray(b"%PDF-1.7\n")
        places = []
        for number, body in enumerate(self.objects, start=1):
            places.append(len(out))
            out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
        start = len(out)
        out += f"xref\n0 {len(places) + 1}\n0000000000 65535 f \n".encode()
        out += b"".join(f"{place:010d} 00000 n \n".encode() for place in places)
        out += f"trailer\n<< /Size {len(places) + 1} /Root {root} 0 R /Info {info} 0 R >>\n".encode()
        return bytes(out + f"startxref\n{start}\n%%EOF\n".encode())


def _string(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return f"({escaped})"
