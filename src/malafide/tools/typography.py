"""Case in, evidence out: how loud the text is set, and what is padded onto it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import re2

from malafide.case import Case, Part, Span
from malafide.evidence import Evidence
from malafide.knowledge.scripts import found, searchable
from malafide.tools import tool
from malafide.tools._noting import noting

_TOOL: Final = "typography"
_note: Final = noting(_TOOL, "structure")
_MOST_CHARS: Final = 8_000
_EMPTY_ROOM = re2.compile(r"\n[\s\x{00a0}]{14,}\n")
_SHOUTED = re2.compile(r"[A-Z][A-Z',\-]{2,}(?: [A-Z0-9][A-Z0-9',\-!]*){4,}")
_UPPER: Final = bytes(range(65, 91))
_LOWER: Final = bytes(range(97, 123))
_LAST_LINES: Final = 6
_CONSONANTS: Final = frozenset("bcdfghjklmnpqrstvwxzBCDFGHJKLMNPQRSTVWXZ")


@tool(_TOOL)
def typography(case: Case) -> list[Evidence]:
    """How loud the text is set: capitals, exclamation marks, empty room, random strings at the end."""
    evidence: list[Evidence] = []
    for part in case.of_role("body"):
        text = searchable(part.text[:_MOST_CHARS])
        if len(text) >= 80:
            evidence.extend(_loud(case, part, text))
            evidence.extend(_padding(case, part, text))
        break
    return evidence


def _loud(case: Case, part: Part, text: str) -> Iterator[Evidence]:
    # Counted in bytes, by what is left when letters are taken out: 5 us where a loop takes 300.
    letters = text.encode("ascii", "ignore")
    upper = len(letters) - len(letters.translate(None, _UPPER))
    lower = len(letters) - len(letters.translate(None, _LOWER))
    if upper > 120 and upper > 0.35 * (upper + lower):
        match = _SHOUTED.search(text)
        if match is not None:
            yield from _note(
                case,
                Span(part.name, *match.span()),
                "capitals",
                "weak",
                "Much of the text shouts in capital letters.",
            )
    marks = text.count("!")
    if marks >= 5 and marks > len(text) / 400:
        first = text.find("!!") if "!!" in text else text.find("!")
        start = max(0, text.rfind("\n", 0, first) + 1, first - 80)
        yield from _note(
            case,
            Span(part.name, start, first + 1),
            "exclamations",
            "weak",
            f"The text has {marks} exclamation marks.",
        )
    money = text.find("$$$")
    if money >= 0:
        yield from _note(
            case,
            Span(part.name, money, money + 3),
            "money-signs",
            "weak",
            "Money signs are used to catch the eye.",
        )


def _padding(case: Case, part: Part, text: str) -> Iterator[Evidence]:
    room, end = next(found(_EMPTY_ROOM, text), (0, 0))
    if text.count("\n", room, end) >= 12 and text[end:].strip():
        rest = text[end:].lstrip()
        start = text.find(rest[:20], end)
        yield from _note(
            case, Span(part.name, start, start + min(len(rest), 100)), "after-empty-room", "weak",
            "After a long empty stretch, more text follows that the reader is not meant to reach.",
        )  # fmt: skip
    tail = _random_tail(part.text)
    if tail is not None:
        yield from _note(
            case, Span(part.name, *tail), "random-string", "moderate",
            "It ends in a random string, which makes every copy of a mass mail different.",
        )  # fmt: skip


def _random_tail(text: str) -> tuple[int, int] | None:
    """One of the last lines, when it is one long word that no person would write.

    Not the last alone: a few words added below must not hide it.
    """
    end = len(text.rstrip())
    for _ in range(_LAST_LINES):
        start = text.rfind("\n", 0, end) + 1
        found = _random_line(text[start:end].strip(), end)
        if found is not None or start == 0:
            return found
        end = len(text[:start].rstrip())
    return None


def _random_line(line: str, end: int) -> tuple[int, int] | None:
    start = end - len(line)
    if not 8 <= len(line) <= 120 or " " in line or any(c in line for c in "/@=.:<>_*#+~"):
        return None
    letters = line.replace("-", "")
    if not letters.isalnum() or not letters.isascii():
        return None
    turns = sum(a.isdigit() != b.isdigit() for a, b in pairwise(letters))
    run = longest = 0
    for character in letters:
        run = run + 1 if character in _CONSONANTS else 0
        longest = max(longest, run)
    return (start, end) if turns >= 4 or (longest >= 6 and letters.isalpha()) else None
