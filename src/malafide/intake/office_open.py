"""The content of an OpenDocument file in, its pages of words and links out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from malafide.intake.scroll import Scroll

_MOST_PAGES: Final = 300
_WORDS: Final = frozenset(("p", "h"))
_UNSHOWN: Final = frozenset(("tracked-changes", "hidden-text", "annotation-end"))
_MOST_BLANKS: Final = 100


@dataclass(slots=True)
class OpenReader:
    """Reads `content.xml` of a text, a table or a presentation."""

    pages: list[Scroll] = field(default_factory=lambda: [Scroll()])
    events: list[str] = field(default_factory=list)  # scripts that run by themselves
    pictures: list[str] = field(default_factory=list)  # that are fetched from elsewhere
    objects: list[str] = field(default_factory=list)
    _anchors: list[tuple[str, int]] = field(default_factory=list)
    _paragraphs: int = 0
    _cells: int = 0
    _skipped: int = 0
    _begun: bool = False

    @property
    def scroll(self) -> Scroll:
        return self.pages[-1]

    def start(self, name: str, values: dict[str, str]) -> None:
        if self._skipped or name in _UNSHOWN:
            self._skipped += 1
            return
        href = values.get("href", "")
        if name in _WORDS:
            self._paragraphs += 1
        elif name == "tab":
            self.scroll.words("\t")
        elif name == "s":
            count = values.get("c", "1")
            self.scroll.words(
                " " * min(int(count) if count.isascii() and count.isdigit() else 1, _MOST_BLANKS)
            )
        elif name == "line-break":
            self.scroll.words("\n")
        elif name == "a":
            self._anchors.append((href, self.scroll.length))
        elif name == "table-cell":
            self._cells += 1
        elif name == "page":
            if self._begun and len(self.pages) < _MOST_PAGES:
                self.pages.append(Scroll())
            self._begun = True
        elif name == "event-listener" and href:
            self.events.append(href)
        elif name == "image" and "://" in href:
            self.pictures.append(href)
        elif name in ("object", "object-ole", "section-source", "script") and "://" in href:
            self.objects.append(href)

    def end(self, name: str) -> None:
        if self._skipped:
            self._skipped -= 1
        elif name in _WORDS:
            self._paragraphs -= 1
            if self._cells:
                self.scroll.gap()
            else:
                self.scroll.line()
        elif name == "a" and self._anchors:
            target, start = self._anchors.pop()
            if not target.startswith("#"):
                self.scroll.link(target, min(start, self.scroll.length))
        elif name == "table-cell":
            self._cells -= 1
        elif name == "table-row":
            self.scroll.line()

    def text(self, words: str) -> None:
        if self._paragraphs and not self._skipped:
            self.scroll.words(" ".join(words.split("\n")) if "\n" in words else words)
