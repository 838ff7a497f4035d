"""Text in, runs of digits out, however they are written: spaced, dotted, in words, in other scripts' digits.

    "98765-43210", "9 8 7 6 5 4 3 2 1 0", "nine eight double seven ...", "98765O3210"

Says only which digits stand where; what they mean is for `identifiers` to say.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import re2

# English, and Hindi as it is written in Latin letters.
WORDS: Final = {
    "zero": "0", "oh": "0", "shunya": "0", "sunya": "0", "one": "1", "ek": "1", "two": "2", "three": "3",
    "teen": "3", "tin": "3", "four": "4", "char": "4", "chaar": "4", "five": "5", "paanch": "5", "panch": "5",
    "six": "6", "chhe": "6", "cheh": "6", "chhah": "6", "seven": "7", "saat": "7", "sat": "7", "eight": "8",
    "aath": "8", "nine": "9", "nau": "9",
}  # fmt: skip
_TIMES: Final = {"double": 2, "triple": 3}
_TOKEN: Final = re2.compile(r"[0-9]+|[A-Za-z]+|\s+|[^\sA-Za-z0-9]")
_LIGHT: Final = frozenset(" .-–‑()/*_,'|•·:[]{}~\u00a0\u202f\t\ufe0f\u20e3\u2011\u2012")
_LEAST: Final = 9  # digits of a run worth reporting
_WIDEST_GAP: Final = 4
_LETTERS: Final = {"o": "0", "l": "1", "i": "1"}  # letters in place of digits, between digits


@dataclass(slots=True)
class Run:
    """Digits that stand together at text[start:end]. `groups` are the lengths they were written in."""

    digits: str = ""
    start: int = 0
    end: int = 0
    plus: bool = False
    groups: list[int] = field(default_factory=list)
    commas: bool = False
    worded: bool = False


def plain_digits(text: str) -> str:
    """The text with the digits of every script as 0 to 9, each in its place."""
    if text.isascii():
        return text
    return "".join(
        str(unicodedata.digit(c)) if not c.isascii() and unicodedata.digit(c, None) is not None else c
        for c in text
    )


def runs(text: str) -> Iterator[Run]:
    """Every run of nine digits or more, in order."""
    run, gap, times, plus, begun = Run(), "", 1, False, -1
    for match in _TOKEN.finditer(text):
        token = match.group()
        digits, factor = _digits(token, run, text, match.end())
        if factor:
            times = factor
            begun = begun if begun >= 0 else match.start()
            continue
        if digits:
            if run.digits and (_apart(run, gap, digits) or plus):
                if len(run.digits) >= _LEAST:
                    yield run
                run = Run()
            if not run.digits:
                run = Run(start=begun if begun >= 0 else match.start(), plus=plus)
            run.commas = run.commas or gap == ","
            run.worded = run.worded or token[0].isalpha()
            run.digits += digits * times
            run.groups.append(len(digits * times))
            run.end, gap, times, plus, begun = match.end(), "", 1, False, -1
            continue
        if token == "+" or token.lower() == "plus":
            if len(run.digits) >= _LEAST:
                yield run
            run, gap, plus, begun = Run(), "", True, match.start()
            continue
        if not _LIGHT.issuperset(token) or len(gap) + len(token) > _WIDEST_GAP or "\n" in token:
            if len(run.digits) >= _LEAST:
                yield run
            run, gap, times, plus, begun = Run(), "", 1, False, -1
            continue
        gap += token
    if len(run.digits) >= _LEAST:
        yield run


def _digits(token: str, run: Run, text: str, end: int) -> tuple[str, int]:
    """The digits a token stands for ("" for none), and how often the next counts if it says so."""
    if token[0].isdigit() and token[0].isascii():
        return token, 0
    if not token[0].isalpha():
        return "", 0
    low = token.lower()
    if low in WORDS:
        return WORDS[low], 0
    if low in _TIMES:
        return "", _TIMES[low]
    if low == "do" and run.worded:
        return "2", 0
    # One letter for a digit, with digits on both sides and nothing between.
    if low in _LETTERS and run.digits and run.end == end - 1 and text[end : end + 1].isdigit():
        return _LETTERS[low], 0
    return "", 0


def _apart(run: Run, gap: str, digits: str) -> bool:
    """Whether the digits begin another number: the one so far is whole, or what follows is."""
    glued = not gap
    if glued:
        return False
    if len(digits) >= _LEAST and len(run.digits) > 4:
        return True
    if run.groups[-1] >= _LEAST and len(run.digits) >= _LEAST:
        return True
    if run.groups in ([5, 5], [4, 3, 3], [3, 3, 4]) and run.digits[0] in "6789":
        return True
    if run.plus and len(run.digits) >= 12 and run.digits.startswith("91"):
        return True
    if "," in gap and len(gap) > 1 and len(run.digits) >= _LEAST:
        return True
    return run.worded and len(run.digits) >= 10 and run.digits[0] in "6789" and len(gap) > 1
