"""Text in, words out that are spelled to deceive: with letters of two alphabets, or invisible signs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import Any, Final

import re2

from malafide.folding import ZERO_WIDTH, fold

_MOST_CHARS: Final = 50_000
_MOST_PLACES: Final = 200
# Greek, Cyrillic, Armenian, Cherokee: letters that pass for Latin ones. Other scripts mix honestly.
_LOOKALIKE: Final = re.compile("[\u0370-\u058f\u13a0-\u13ff]")
_WORD: Final = re.compile(r"[^\W\d_]+")
_HONEST: Final = frozenset("µμΩΩπΔβαλσ")  # stand beside Latin letters in units and formulas
# A soft hyphen tells where a word may break, direction marks and variation selectors have their uses.
_USEFUL: Final = frozenset("\u00ad\ufe0e\ufe0f\u200e\u200f")
_SPLITTER: Final = re.compile("[" + "".join(sorted(ZERO_WIDTH - _USEFUL)) + "]")


def searchable(text: str) -> str:
    """The text as RE2 takes it: halves of characters, which a hand-made Case may hold, become "?"."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode(errors="replace").decode()
    return text


Matcher = Callable[[bytes, int, int], list[tuple[int, int]]]


def matcher(expression: Any, *, at_start: bool = False) -> Matcher:
    """A function of bytes, start and end that gives where an RE2 expression and its groups match, (-1, -1) for nowhere.

    Past the `search` of the package: its generator and match object take half of the 5 us of a search.
    """
    where = re2._Anchor.ANCHOR_START if at_start else re2._Anchor.UNANCHORED
    match: Matcher = partial(expression._regexp.Match, where)
    return match


def found(expression: Any, text: str) -> Iterator[tuple[int, int]]:
    """Where an RE2 expression matches, one place after another. ASCII goes as bytes: half the time, the same places."""
    if not text.isascii():
        yield from (match.span() for match in expression.finditer(searchable(text)))
        return
    source, match, at = text.encode(), matcher(expression), 0
    while at <= len(source):
        start, end = match(source, at, len(source))[0]
        if start < 0:
            return
        yield start, end
        at = end if end > at else at + 1


@lru_cache(maxsize=2048)
def script(character: str) -> str:
    """The script of a letter, "" for what is no letter."""
    if not character.isalpha():
        return ""
    return unicodedata.name(character, "").partition(" ")[0]


def mixed_words(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of every word that has both Latin letters and look-alike ones of another script."""
    if text.isascii() or _LOOKALIKE.search(text) is None:
        return
    for match in _WORD.finditer(text[:_MOST_CHARS]):
        word = match[0]
        if len(word) >= 3 and not word.isascii() and _is_mixed(word):
            yield match.span()


def _is_mixed(word: str) -> bool:
    foreign = [c for c in word if _LOOKALIKE.match(c) and c not in _HONEST]
    if not foreign or not any(script(c) == "LATIN" for c in word):
        return False
    # "PDFфайл" is a slip of a writer with two keyboards; only letters that pass for Latin ones deceive.
    return all(fold(c).text.isascii() for c in foreign)


def splits(text: str) -> list[int]:
    """Where signs of no width stand between two Latin letters. Between words they pad newsletters."""
    if text.isascii():
        return []
    found: list[int] = []
    for match in _SPLITTER.finditer(text[:_MOST_CHARS]):
        at = match.start()
        if 0 < at < len(text) - 1 and script(text[at - 1]) == "LATIN" == script(text[at + 1]):
            found.append(at)
            if len(found) == _MOST_PLACES:
                break
    return found
