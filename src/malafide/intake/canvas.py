"""The words of a page in document order in, its visible text out, with the hidden pieces kept apart.

Text goes out with a pending gap, so that white space never ends a line, a link or the whole.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from malafide.case import HiddenReason, LinkCarrier
from malafide.limits import MAX_TEXT_CHARS

_WORD: Final = re.compile(r"[^\W\d_]{2,20}")
# Shorter comments are notes of whoever wrote the template; counted on newsletters and modern bulk mail.
_MIN_COMMENT_CHARS: Final = 100
_MIN_COMMENT_WORDS: Final = 15
_MAX_UNSEEN: Final = 20_000  # text nodes of one hidden piece


@dataclass(slots=True)
class Anchor:
    """A link as found; its words stand at start:end of the text, end is 0 when it has none."""

    target: str
    carrier: LinkCarrier
    start: int = 0
    end: int = 0


class Canvas:
    def __init__(self) -> None:
        self.hidden: list[tuple[HiddenReason, str]] = []
        self.full = False
        self.anchor: Anchor | None = None  # whose words are being read
        self.anchor_words = False  # whether it has words of its own, not only those of a picture
        self.literal = 0  # open <pre> and <textarea>
        self._pieces: list[str] = []
        self._length = 0
        self._gap = ""  # what stands between the last visible text and the next
        self._unseen: list[str] = []  # the hidden piece being read
        self._unseen_reason: HiddenReason = "display"

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    def words(self, text: str, hidden: HiddenReason | None) -> None:
        if hidden is not None:
            self._hide(text, hidden)
            return
        if self.literal:
            self.anchor_words = True
            self._emit(text)
            return
        flat = " ".join(text.split())
        if not flat:
            if text and not self._gap:
                self._gap = " "
            return
        if text[0].isspace() and not self._gap:
            self._gap = " "
        self.anchor_words = True
        self._emit(flat)
        if text[-1].isspace():
            self._gap = " "

    def aside(self, text: str, hidden: HiddenReason | None) -> None:
        """Text that stands in an attribute but is shown, apart from the words around it."""
        text = " ".join(text.split())
        if hidden is not None:
            self._hide(f" {text} ", hidden)
        elif text:
            self._gap = self._gap or " "
            self._emit(text)
            self._gap = " "

    def break_line(self, gap: str) -> None:
        if len(gap) > len(self._gap) or self._gap == " ":
            self._gap = gap
        if self._unseen:
            self._unseen.append(" ")

    def next_line(self) -> None:
        """A <br>: the second one in a row leaves an empty line."""
        self.break_line("\n\n" if self._gap == "\n" else "\n")

    def comment(self, text: str) -> None:
        if _MIN_COMMENT_CHARS <= len(text) <= MAX_TEXT_CHARS:
            text = " ".join(text.split())
            if reads_as_prose(text):
                self.hidden.append(("comment", text))

    def end_hidden(self) -> None:
        """The hidden piece ends here."""
        if self._unseen:
            text = " ".join("".join(self._unseen).split())
            self._unseen.clear()
            if text:
                self.hidden.append((self._unseen_reason, text))

    def _hide(self, text: str, reason: HiddenReason) -> None:
        if self._unseen and reason != self._unseen_reason:
            self.end_hidden()
        self._unseen_reason = reason
        if len(self._unseen) < _MAX_UNSEEN:
            self._unseen.append(text)

    def _emit(self, text: str) -> None:
        room = MAX_TEXT_CHARS - self._length - 2
        if len(text) > room:
            self.full = True
            text = text[: max(room, 0)]
        if not text:
            return
        if self._unseen:
            self.end_hidden()
        if self._gap:
            if self._length:
                self._pieces.append(self._gap)
                self._length += len(self._gap)
            self._gap = ""
        anchor = self.anchor
        if anchor is not None and not anchor.end:
            anchor.start = self._length
        self._pieces.append(text)
        self._length += len(text)
        if anchor is not None:
            anchor.end = self._length


def reads_as_prose(text: str) -> bool:
    """Whether a comment holds words for a filter to count, rather than markup, code or a program's note."""
    if text.startswith(("[if", "[endif", "<![", ">")) or "[endif]" in text or "mso" in text[:60].lower():
        return False
    marks = sum(text.count(mark) for mark in "{}<>=;/_#|")
    words = len(_WORD.findall(text[:20_000]))
    return words >= _MIN_COMMENT_WORDS and marks * 4 < words
