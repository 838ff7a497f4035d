"""One spelling for matching: text is folded so that a rule meets its phrase however it is dressed up.

Case, accents, typographic quotes, white space (line ends stay) and letters borrowed from other scripts to look Latin are
made plain. Each character becomes exactly one, so offsets in the folded text are offsets in the original;
only characters of no width are dropped, and then `Folded.origin` maps back.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

# Letters of Greek and Cyrillic (and a few symbols) that pass for Latin ones in common fonts. Our own table,
# from looking at them; only look-alikes, no transliteration.
_LOOKALIKES: Final = {
    "а": "a", "в": "b", "с": "c", "е": "e", "н": "h", "і": "i", "ј": "j", "к": "k", "м": "m", "о": "o", "р": "p",
    "ѕ": "s", "т": "t", "у": "y", "х": "x", "ԁ": "d", "ԛ": "q", "ԝ": "w", "ү": "y", "һ": "h", "ӏ": "l", "ɡ": "g",
    "α": "a", "β": "b", "ε": "e", "ι": "i", "κ": "k", "ν": "v", "ο": "o", "ρ": "p", "τ": "t", "υ": "u", "χ": "x",
    "ı": "i", "ß": "s", "ø": "o", "æ": "a", "œ": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "p", "ħ": "h",
    "‘": "'", "’": "'", "ʼ": "'", "´": "'", "`": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"',
    "–": "-", "—": "-", "‑": "-", "−": "-", "‐": "-", "…": ".", "·": ".", "•": "*",
}  # fmt: skip

# Characters that take no room on screen.
ZERO_WIDTH: Final = frozenset("\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\u206a\u206b\u206c\u206d\u206e\u206f\ufe0e\ufe0f\ufeff")  # fmt: skip


def _fold_character(character: str) -> str:
    if character in ZERO_WIDTH:
        return ""
    if character.isspace():
        return "\n" if character == "\n" else " "
    plain = unicodedata.normalize("NFKD", character)[:1].lower()[:1] or " "
    if plain.isspace():
        return " "
    return _LOOKALIKES.get(plain, plain)


class _Table(dict[int, str]):
    """A translation table that learns each character the first time it is met."""

    def __missing__(self, code: int) -> str:
        folded = _fold_character(chr(code))
        self[code] = folded
        return folded


_table = _Table()


@dataclass(frozen=True, slots=True)
class Folded:
    """Text in its plain spelling. `origin` is None when offsets are the same as in the original."""

    text: str
    origin: tuple[int, ...] | None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The offsets in the original text of folded[start:end]."""
        if self.origin is None:
            return start, end
        return self.origin[start], self.origin[end - 1] + 1


@lru_cache(maxsize=64)
def fold(text: str) -> Folded:
    folded = text.lower() if text.isascii() else text
    if not text.isascii() or not text.isprintable():
        folded = folded.translate(_table)
    if len(folded) == len(text):
        return Folded(folded, None)
    return Folded(folded, tuple(i for i, character in enumerate(text) if _table[ord(character)]))
