"""Text in, words that mix alphabets out: "раypal" with two Cyrillic letters reads like Latin and is not."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

_MOST_CHARS: Final = 50_000
# Letters of these scripts pass for Latin ones; others beside Latin are an honest mix (日本語 and ASCII).
_LOOKALIKE_SCRIPTS: Final = frozenset({"CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE"})
_HONEST: Final = frozenset("µμΩΩπΔβαλσ")  # stand beside Latin letters in units and formulas


@lru_cache(maxsize=2048)
def script(character: str) -> str:
    """The script of a letter, "" for what is no letter."""
    if not character.isalpha():
        return ""
    return unicodedata.name(character, "").partition(" ")[0]


def mixed_words(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of every word that has both Latin letters and look-alike ones of another script."""
    if text.isascii():
        return
    start = -1
    for i, character in enumerate(text[:_MOST_CHARS] + " "):
        if character.isalpha():
            if start < 0:
                start = i
        elif start >= 0:
            word = text[start:i]
            if not word.isascii() and len(word) >= 3 and _is_mixed(word):
                yield start, i
            start = -1


def _is_mixed(word: str) -> bool:
    scripts = [script(c) for c in word if c not in _HONEST]
    foreign = sum(s in _LOOKALIKE_SCRIPTS for s in scripts)
    return 0 < foreign and "LATIN" in scripts
