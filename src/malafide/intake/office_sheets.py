"""A sheet of a spreadsheet in, its rows as lines, its links and the formulas that reach out of it out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from malafide.intake.scroll import Scroll
from malafide.limits import MAX_LINKS, MAX_TEXT_CHARS

_MOST_STRINGS: Final = 100_000
_MOST_FORMULAS: Final = 50
_LONGEST: Final = 4_000


@dataclass(slots=True)
class StringReader:
    """The words that cells share, in order."""

    strings: list[str] = field(default_factory=list)
    full: bool = False
    _pieces: list[str] = field(default_factory=list)
    _reads: bool = False
    _sounds: int = 0  # within how words are spoken
    _length: int = 0

    def start(self, name: str, values: dict[str, str]) -> None:  # noqa: ARG002
        if name == "t":
            self._reads = not self._sounds
        elif name == "rPh":
            self._sounds += 1

    def end(self, name: str) -> None:
        if name == "t":
            self._reads = False
        elif name == "rPh":
            self._sounds -= 1
        elif name == "si":
            self.full = self.full or len(self.strings) == _MOST_STRINGS
            if not self.full:
                self.strings.append("".join(self._pieces))
            self._pieces.clear()

    def text(self, words: str) -> None:
        if self._reads and self._length < 2 * MAX_TEXT_CHARS:
            self._length += len(words)
            self._pieces.append(words)


@dataclass(slots=True)
class SheetReader:
    """Reads one sheet. `strings` are the shared words, `targets` the addresses its relationships give by id."""

    strings: Sequence[str]
    targets: Mapping[str, str]
    scroll: Scroll = field(default_factory=Scroll)
    formulas: list[str] = field(default_factory=list)  # that leave the workbook
    _cell: str = ""  # its address, such as B7
    _shared: bool = False
    _reads: str = ""
    _value: list[str] = field(default_factory=list)
    _formula: list[str] = field(default_factory=list)
    _places: dict[str, tuple[int, int]] = field(default_factory=dict)

    def start(self, name: str, values: dict[str, str]) -> None:
        if name == "c":
            self._cell, self._shared = values.get("r", ""), values.get("t") == "s"
        elif name in ("v", "t", "f"):
            self._reads = "formula" if name == "f" else "value"
        elif name == "hyperlink":
            self._link(values)

    def end(self, name: str) -> None:
        if name in ("v", "t", "f"):
            self._reads = ""
        elif name == "c":
            self._finish()
        elif name == "row":
            self.scroll.line()

    def text(self, words: str) -> None:
        if self._reads == "value":
            self._value.append(words)
        elif self._reads == "formula":
            self._formula.append(words)

    def _finish(self) -> None:
        value = "".join(self._value)
        if self._shared:
            number = int(value) if value.isascii() and value.isdigit() and len(value) < 9 else -1
            value = self.strings[number] if 0 <= number < len(self.strings) else ""
        if value.strip():
            self.scroll.gap()
            start = self.scroll.length
            self.scroll.words(value)
            if len(self._places) < 50 * MAX_LINKS:
                self._places[self._cell] = (start, self.scroll.length)
            self._reach("".join(self._formula)[:_LONGEST], start)
        elif self._formula:
            self._reach("".join(self._formula)[:_LONGEST], self.scroll.length)
        self._value.clear()
        self._formula.clear()

    def _reach(self, formula: str, start: int) -> None:
        """A formula that makes a link, or that hands something to another program: name|'topic'!item."""
        if (made := formula.upper().find('HYPERLINK("')) >= 0:
            self.scroll.link(formula[made + 11 :].partition('"')[0], start)
        elif _program(formula) and len(self.formulas) < _MOST_FORMULAS:
            self.formulas.append(" ".join(formula.split()))

    def _link(self, values: dict[str, str]) -> None:
        target = self.targets.get(values.get("id", ""), "")
        if not target or len(self.scroll.links) >= MAX_LINKS:
            return
        start, end = self._places.get(values.get("ref", "").partition(":")[0], (0, 0))
        self.scroll.links.append((" ".join(target.split())[:_LONGEST], start, end))


def _program(formula: str) -> bool:
    """Whether a formula begins with the name of a program and a stroke; strokes in words mean nothing."""
    name, stroke, _ = formula.lstrip("=+-@ ").partition("|")
    return (
        bool(stroke)
        and 0 < len(name) < 200
        and name.replace("_", "").replace(".", "").replace("\\", "").isalnum()
    )
