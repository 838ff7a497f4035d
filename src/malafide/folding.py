"""One spelling for matching: text is folded so that a rule meets its phrase however it is dressed up.

Case, accents, typographic quotes, white space (line ends stay) and letters borrowed from other scripts to
look Latin are made plain. Each character becomes exactly one, so offsets in the folded text are offsets in
the original; only characters of no width (and accents written apart from their letter) are dropped, and
then `Folded.origin` maps back.
"""

from __future__ import annotations

import codecs
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

# Letters of Greek and Cyrillic (and a few symbols) that pass for Latin ones in common fonts. Our own table,
# from looking at them; only look-alikes, no transliteration. Greek capitals stand here where they look like
# another letter than their small form does; trade marks would become letters stuck to the word before.
_LOOKALIKES: Final = {
    "а": "a", "в": "b", "с": "c", "е": "e", "н": "h", "і": "i", "ј": "j", "к": "k", "м": "m", "о": "o",
    "р": "p", "ѕ": "s", "т": "t", "у": "y", "х": "x", "ԁ": "d", "ԛ": "q", "ԝ": "w", "ү": "y", "һ": "h",
    "ӏ": "l", "ɡ": "g", "α": "a", "β": "b", "ε": "e", "ι": "i", "κ": "k", "ν": "v", "ο": "o", "ρ": "p",
    "τ": "t", "υ": "u", "χ": "x", "Η": "h", "Μ": "m", "Ν": "n", "Υ": "y", "Ζ": "z", "ᴀ": "a", "ʙ": "b",
    "ᴄ": "c", "ᴅ": "d", "ᴇ": "e", "ꜰ": "f", "ɢ": "g", "ʜ": "h", "ɪ": "i", "ᴊ": "j", "ᴋ": "k", "ʟ": "l",
    "ᴍ": "m", "ɴ": "n", "ᴏ": "o", "ᴘ": "p", "ʀ": "r", "ꜱ": "s", "ᴛ": "t", "ᴜ": "u", "ᴠ": "v", "ᴡ": "w",
    "ʏ": "y", "ᴢ": "z", "ı": "i", "ß": "s", "ø": "o", "æ": "a", "œ": "o", "ł": "l", "đ": "d", "ð": "d",
    "þ": "p", "ħ": "h", "‘": "'", "’": "'", "ʼ": "'", "´": "'", "`": "'", "“": '"', "”": '"', "„": '"',
    "«": '"', "»": '"', "–": "-", "—": "-", "‑": "-", "−": "-", "‐": "-", "…": ".", "·": ".", "•": "*",
    "™": " ", "℠": " ",
}  # fmt: skip

# Characters that take no room on screen.
ZERO_WIDTH: Final = frozenset(
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b"
    "\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\u206a\u206b\u206c\u206d\u206e\u206f\ufe0e"
    "\ufe0f\ufeff"
)

# More characters than any honest message uses; hostile input must not make the table grow without end.
_MOST_LEARNED: Final = 20_000


def _fold_character(character: str) -> str:
    if character in ZERO_WIDTH or "\U000e0000" <= character <= "\U000e007f":
        return ""
    if character.isspace():
        return "\n" if character == "\n" else " "
    if "\ud800" <= character <= "\udfff":  # half a character, left over from broken text: cannot be encoded
        return " "
    if character in _LOOKALIKES:
        return _LOOKALIKES[character]
    plain = unicodedata.normalize("NFKD", character)[:1].lower()[:1]
    if plain.isspace():
        return " "
    if plain in ZERO_WIDTH or unicodedata.category(plain) in ("Mn", "Me"):
        return ""
    return _LOOKALIKES.get(plain, plain)


class _Table(dict[int, str]):
    """A translation table that learns each character the first time it is met."""

    def __missing__(self, code: int) -> str:
        folded = _fold_character(chr(code))
        if len(self) < _MOST_LEARNED:
            self[code] = folded
        return folded


_table = _Table()
_ascii: Final = bytes(ord(_table[code]) for code in range(128)) + bytes(range(128, 256))


@dataclass(frozen=True, slots=True)
class Folded:
    """Text in its plain spelling. `origin` is None when offsets are the same as in the original."""

    text: str
    origin: tuple[int, ...] | None

    @property
    def plain(self) -> bytes:
        """The text with one byte for each character."""
        return single_bytes(self.text)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The offsets in the original text of folded[start:end]."""
        if self.origin is None:
            return start, end
        return self.origin[start], self.origin[end - 1] + 1


@lru_cache(maxsize=64)
def fold(text: str) -> Folded:
    folded = _plain(text)
    if len(folded) == len(text):
        return Folded(folded, None)
    return Folded(folded, tuple(i for i, character in enumerate(text) if _table[ord(character)]))


def _plain(text: str) -> str:
    if text.isascii():  # as bytes: half the time that `translate` of text takes
        return text.encode().translate(_ascii).decode()
    # Other text has few different characters: replacing each throughout costs a third of `translate`; folding is
    # idempotent, so the order does not matter.
    characters = set(text)
    if len(characters) > 200:
        return text.translate(_table)
    for character in characters:
        plain = _table[ord(character)]
        if not character.isascii() or plain != character.lower():
            text = text.replace(character, plain)
    return text.lower()


# Characters above the first 256 that phrases name; all others become one byte that no folded text holds ("ÿ" is
# folded to "y").
_SIGNS: Final = {"€": b"\x80", "₹": b"\x81"}
_OTHER: Final = b"\xff"


def _substitute(error: UnicodeError) -> tuple[bytes, int]:
    assert isinstance(error, UnicodeEncodeError)
    return b"".join(_SIGNS.get(c, _OTHER) for c in error.object[error.start : error.end]), error.end


codecs.register_error("malafide.single-bytes", _substitute)


def single_bytes(text: str) -> bytes:
    """Text as bytes, one for each character, so that offsets stay the same and expressions are small."""
    return text.encode("latin-1", "malafide.single-bytes")
