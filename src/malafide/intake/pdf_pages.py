"""One page of a PDF in, its text, its links with the words they lie under, and its pictures out."""

from __future__ import annotations

import struct
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from pypdf import PageObject
from pypdf.errors import DependencyError, PyPdfError
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, StreamObject

from malafide.errors import MalafideError
from malafide.limits import MAX_LINKS, MAX_TEXT_CHARS

# What reading a broken or hostile file raises, the library's own words: "broken files might cause other exceptions".
BROKEN: Final = (
    PyPdfError, DependencyError, MalafideError, OSError, ValueError, SyntaxError, EOFError, IndexError, KeyError,
    TypeError, OverflowError, MemoryError, ZeroDivisionError, AttributeError, NotImplementedError, RuntimeError,
    AssertionError, struct.error, zlib.error,
)  # fmt: skip
_MOST_ANNOTATIONS: Final = 400  # of a page
_MOST_CHUNKS: Final = 20_000
_DRAWS: Final = (b"re", b"h", b"l")  # a rectangle, the end of an outline, a line
_SLACK: Final = 3.0  # points that words may stand outside the box of their link
_MOST_WORDS: Final = 200  # characters of a link's words


class OutOfTime(RuntimeError):
    """Reading takes too long; what was read so far counts."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Words and where they begin on the page, in points from below left."""

    text: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Box:
    """A link of a page: the action behind it and the rectangle it covers."""

    action: DictionaryObject
    left: float
    low: float
    right: float
    high: float

    def words(self, chunks: list[Chunk]) -> str:
        """What stands in the rectangle."""
        inside = [
            chunk.text.strip()
            for chunk in chunks
            if self.left - _SLACK <= chunk.x <= self.right and self.low - _SLACK <= chunk.y <= self.high
        ]
        return " ".join(filter(None, inside))[:_MOST_WORDS]


@dataclass(slots=True)
class ReadPage:
    """What one page holds."""

    text: str = ""
    boxes: list[Box] = field(default_factory=list)
    chunks: list[Chunk] = field(default_factory=list)
    images: list[StreamObject] = field(default_factory=list)
    broken: str = ""  # why its text could not be read
    shapes: int = 0  # lines and areas drawn: a code may be drawn instead of being a picture


def read_page(page: PageObject, deadline: float) -> ReadPage:
    """The page, as far as it can be read before the deadline (of `time.monotonic`)."""
    found = ReadPage()
    try:
        found.boxes = list(_boxes(page))
        found.images = list(_images(page))
    except BROKEN as error:
        found.broken = type(error).__name__
    try:
        found.text = _text(page, found, deadline)
    except OutOfTime:
        raise
    except BROKEN as error:
        found.broken = type(error).__name__
        found.text = "\n".join(chunk.text.strip() for chunk in found.chunks)
    return found


def _text(page: PageObject, found: ReadPage, deadline: float) -> str:
    steps = 0
    chunks = found.chunks

    def in_time(operator: Any, _args: Any, _cm: Any, _tm: Any) -> None:
        nonlocal steps
        steps += 1
        found.shapes += operator in _DRAWS
        if steps % 256 == 0 and time.monotonic() > deadline:
            raise OutOfTime

    def note(text: str, cm: Any, tm: Any, _font: Any, _size: Any) -> None:
        if text.strip() and len(chunks) < _MOST_CHUNKS:
            x = tm[4] * cm[0] + tm[5] * cm[2] + cm[4]
            y = tm[4] * cm[1] + tm[5] * cm[3] + cm[5]
            chunks.append(Chunk(text, float(x), float(y)))

    text = page.extract_text(visitor_operand_before=in_time, visitor_text=note)
    lines = (line.rstrip() for line in text[: 2 * MAX_TEXT_CHARS].replace("\0", "").split("\n"))
    clean = "\n".join(lines).encode("utf-8", "replace").decode("utf-8")
    return clean.strip()[:MAX_TEXT_CHARS]


def _boxes(page: PageObject) -> Iterator[Box]:
    annotations = resolved(page.get("/Annots"))
    if not isinstance(annotations, ArrayObject):
        return
    for entry in annotations[:_MOST_ANNOTATIONS]:
        annotation = resolved(entry)
        if not isinstance(annotation, DictionaryObject):
            continue
        for key in ("/A", "/AA"):
            action = resolved(annotation.get(key))
            if isinstance(action, DictionaryObject):
                yield Box(action, *_rectangle(resolved(annotation.get("/Rect"))))


def _rectangle(rect: object) -> tuple[float, float, float, float]:
    if not isinstance(rect, ArrayObject) or len(rect) != 4:
        return 0.0, 0.0, -1.0, -1.0
    a, b, c, d = (float(resolved(n)) for n in rect)
    return min(a, c), min(b, d), max(a, c), max(b, d)


def _images(page: PageObject) -> Iterator[StreamObject]:
    resources = resolved(page.get("/Resources"))
    objects = resolved(resources.get("/XObject")) if isinstance(resources, DictionaryObject) else None
    if not isinstance(objects, DictionaryObject):
        return
    for entry in list(objects.values())[:MAX_LINKS]:
        item = resolved(entry)
        if isinstance(item, StreamObject) and item.get("/Subtype") == "/Image":
            yield item


def resolved(value: object) -> Any:
    """What a reference refers to."""
    return value.get_object() if hasattr(value, "get_object") else value


def name_of(value: object) -> str:
    return str(value) if isinstance(value, NameObject) else ""
