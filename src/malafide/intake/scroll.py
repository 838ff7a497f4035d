"""Where the text of a document grows: words in, one string with the places of its links out."""

from __future__ import annotations

from dataclasses import dataclass, field

from malafide.limits import MAX_LINKS, MAX_TEXT_CHARS


@dataclass(slots=True)
class Scroll:
    """The text of one page, sheet or slide. Links stand where their words stand; those without words have no place."""

    links: list[tuple[str, int, int]] = field(default_factory=list)  # target, start, end
    hidden: list[str] = field(default_factory=list)
    full: bool = False
    length: int = 0
    _pieces: list[str] = field(default_factory=list)
    _fresh: bool = True  # at the start of a line

    def words(self, text: str) -> None:
        if text and self.length + len(text) > MAX_TEXT_CHARS:
            self.full = True
            text = text[: MAX_TEXT_CHARS - self.length]
        if text:
            self._pieces.append(text)
            self.length += len(text)
            self._fresh = text[-1] == "\n"

    def line(self) -> None:
        """The next words begin a line of their own."""
        if not self._fresh:
            self.words("\n")

    def gap(self) -> None:
        """The next words stand apart on the same line."""
        if not self._fresh:
            self.words("  ")

    def link(self, target: str, start: int) -> None:
        """A link over all words since `start`, or over none."""
        target = " ".join(target.split())[:8_000]
        if target and len(self.links) < MAX_LINKS:
            self.links.append((target, start, self.length))

    @property
    def text(self) -> str:
        return "".join(self._pieces)
