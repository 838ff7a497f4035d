"""The text of a Word document or a slide in, words, links, field codes and what hides among them out.

Both formats name paragraphs, runs and tables alike (p, r, t, tr, tc), so one reader serves for both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from malafide.intake.scroll import Scroll

_OFF: Final = frozenset(("0", "false", "off", "none"))
_MOST_FIELDS: Final = 50  # open within each other
_LONGEST_CODE: Final = 4_000


@dataclass(slots=True)
class _Field:
    """A place whose words Word works out: its code, and where its result begins."""

    code: str = ""
    start: int = -1  # -1 while the code itself is being told


@dataclass(slots=True)
class WordReader:
    """Reads one part. `targets` are the addresses that its relationships give by id."""

    targets: Mapping[str, str]
    scroll: Scroll = field(default_factory=Scroll)
    codes: list[str] = field(default_factory=list)  # of fields that are no plain links
    _reads: str = ""  # "words" or "code": what characters are now
    _fields: list[_Field] = field(default_factory=list)
    _anchors: list[tuple[str, int]] = field(default_factory=list)
    _run: tuple[str, int] | None = None
    _skipped: int = 0  # elements open within one that is not shown
    _cells: int = 0
    _properties: bool = False
    _vanished: bool = False

    def start(self, name: str, values: dict[str, str]) -> None:
        if self._skipped or name in ("Fallback", "del", "moveFrom"):
            self._skipped += 1
        elif name in ("t", "instrText"):
            self._reads = "words" if name == "t" else "code"
        elif name in ("rPr", "endParaRPr"):
            self._properties = True
        elif name == "vanish":
            self._vanished = self._properties and values.get("val", "1").lower() not in _OFF
        elif name == "hyperlink":
            self._anchors.append((self.targets.get(values.get("id", ""), ""), self.scroll.length))
        elif name == "hlinkClick":
            self._clicked(self.targets.get(values.get("id", ""), ""))
        elif name == "fldChar":
            self._field(values.get("fldCharType", ""))
        elif name == "fldSimple" and len(self._fields) < _MOST_FIELDS:
            self._fields.append(_Field(values.get("instr", "")[:_LONGEST_CODE], self.scroll.length))
        elif name == "tc":
            self._cells += 1
        elif name == "tab" and not self._properties:
            self.scroll.words("\t")
        elif name in ("br", "cr"):
            self.scroll.words("\n")

    def end(self, name: str) -> None:
        if self._skipped:
            self._skipped -= 1
        elif name in ("t", "instrText"):
            self._reads = ""
        elif name in ("rPr", "endParaRPr"):
            self._properties = False
        elif name == "r":
            if self._run is not None:
                self.scroll.link(*self._run)
            self._run, self._vanished = None, False
        elif name == "p":
            if self._cells:
                self.scroll.gap()
            else:
                self.scroll.line()
            self._vanished = False
        elif name == "tc":
            self._cells = max(0, self._cells - 1)
        elif name == "tr":
            self.scroll.line()
        elif name == "hyperlink" and self._anchors:
            self.scroll.link(*self._anchors.pop())
        elif name == "fldSimple":
            self._close()

    def text(self, words: str) -> None:
        if self._skipped or not self._reads:
            return
        if self._reads == "code":
            if self._fields and self._fields[-1].start < 0:
                self._fields[-1].code = (self._fields[-1].code + words)[:_LONGEST_CODE]
        elif self._vanished:
            self.scroll.hidden.append(words)
        else:
            self.scroll.words(words)

    def _clicked(self, target: str) -> None:
        """In the properties of a run it is a link over its words, elsewhere over a picture or a shape."""
        if not target:
            return
        if self._properties:
            self._run = (target, self.scroll.length)
        else:
            self.scroll.link(target, self.scroll.length)

    def _field(self, kind: str) -> None:
        if kind == "begin" and len(self._fields) < _MOST_FIELDS:
            self._fields.append(_Field())
        elif kind == "separate" and self._fields:
            self._fields[-1].start = self.scroll.length
        elif kind == "end":
            self._close()

    def _close(self) -> None:
        if not self._fields:
            return
        done = self._fields.pop()
        target = field_link(done.code)
        if target:
            self.scroll.link(target, self.scroll.length if done.start < 0 else done.start)
        elif done.code.strip() and len(self.codes) < _MOST_FIELDS:
            self.codes.append(" ".join(done.code.split()))


def field_link(code: str) -> str:
    """The address in `HYPERLINK "address"`; "" for other codes and for places in the document itself."""
    words = code.split(None, 1)
    if len(words) != 2 or words[0].upper() != "HYPERLINK":
        return ""
    rest = words[1].strip()
    if rest.startswith("\\l"):
        return ""
    return rest[1:].partition('"')[0] if rest.startswith('"') else rest.split()[0]
