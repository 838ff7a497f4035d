"""A part's text and the spans found in it, in; the text cut into marked and unmarked segments, out.

Shared by all renderers. Put together, the segments of a text are the text: nothing is lost or said twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from malafide.evidence import Direction


@dataclass(frozen=True, slots=True)
class Mark:
    """A span to be marked, and the number of the evidence it belongs to."""

    number: int
    start: int
    end: int
    direction: Direction


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of text under the same marks. `closes` are the numbers whose span ends with it."""

    start: int
    end: int
    marks: tuple[Mark, ...] = ()

    @property
    def direction(self) -> Direction | None:
        """What the stretch is marked as; where marks differ, the deceptive one is shown."""
        if not self.marks:
            return None
        return "deceptive" if any(m.direction == "deceptive" for m in self.marks) else "genuine"

    @property
    def closes(self) -> tuple[Mark, ...]:
        return tuple(m for m in self.marks if m.end == self.end)

    @property
    def opens(self) -> tuple[Mark, ...]:
        return tuple(m for m in self.marks if m.start == self.start)


@dataclass(frozen=True, slots=True)
class Elision:
    """Unmarked text that a renderer leaves out."""

    start: int
    end: int


Piece = Segment | Elision


def cut(length: int, marks: Iterable[Mark]) -> list[Segment]:
    """The segments of a text of that length. Marks may overlap; what lies outside the text is cut off."""
    inside: list[Mark] = []
    for mark in marks:
        start, end = max(0, mark.start), min(length, mark.end)
        if start < end:
            inside.append(Mark(mark.number, start, end, mark.direction))
    bounds = sorted({0, length, *(m.start for m in inside), *(m.end for m in inside)})
    starting: dict[int, list[Mark]] = {}
    for mark in inside:
        starting.setdefault(mark.start, []).append(mark)
    segments: list[Segment] = []
    active: list[Mark] = []
    for start, end in pairwise(bounds):
        active = [m for m in active if m.end > start] + starting.get(start, [])
        segments.append(Segment(start, end, tuple(sorted(active, key=lambda m: m.number))))
    return segments


def excerpt(text: str, segments: Sequence[Segment], context: int, opening: int) -> list[Piece]:
    """The marked segments with so much text around them; longer unmarked stretches become elisions.

    `opening` is how much of the very beginning is always shown, since a reader knows a mail by how it starts.
    """
    pieces: list[Piece] = []
    for i, segment in enumerate(segments):
        if segment.marks:
            pieces.append(segment)
            continue
        before = opening if i == 0 else context
        after = 0 if i == len(segments) - 1 else context
        pieces.extend(_shorten(text, segment, before, after))
    return pieces


# A gap shorter than this is not worth a reader's stumble.
_LEAST_ELISION = 60


def _shorten(text: str, segment: Segment, before: int, after: int) -> list[Piece]:
    start = _word_end(text, segment.start + before, segment.end)
    stop = _word_start(text, segment.end - after, segment.start) if after else segment.end
    if stop - start < _LEAST_ELISION:
        return [segment]
    pieces: list[Piece] = [Elision(start, stop)]
    if segment.start < start:
        pieces.insert(0, Segment(segment.start, start))
    if stop < segment.end:
        pieces.append(Segment(stop, segment.end))
    return pieces


_LONGEST_WORD = 40


def _word_end(text: str, at: int, most: int) -> int:
    for i in range(min(at, most), min(at + _LONGEST_WORD, most)):
        if text[i].isspace():
            return i
    return min(at, most)


def _word_start(text: str, at: int, least: int) -> int:
    for i in range(max(at, least), max(at - _LONGEST_WORD, least), -1):
        if text[i - 1].isspace():
            return i
    return max(at, least)
