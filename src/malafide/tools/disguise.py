"""Case in, evidence out: words dressed up so that people read them and filters do not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import re2

from malafide.case import Case, Part, Span
from malafide.evidence import Evidence, Strength
from malafide.knowledge.scripts import found, mixed_words, searchable, splits
from malafide.tools import tool
from malafide.tools._noting import noting

_TOOL: Final = "disguise"
_note: Final = noting(_TOOL, "structure")
_MOST_CHARS: Final = 50_000
_DOTTED = re2.compile(r"\b[A-Za-z](?:[.*_|~'`^][A-Za-z]){4,}\b")


@tool(_TOOL)
def disguise(case: Case) -> list[Evidence]:
    """Words dressed up against filters: invisible signs, letters of other alphabets, letters set apart."""
    evidence: list[Evidence] = []
    for part in case.of_role("body"):
        text = searchable(part.text[:_MOST_CHARS])
        if not text.isascii():
            evidence.extend(_invisible(case, part, text))
            evidence.extend(_alphabets(case, part, text))
        evidence.extend(_set_apart(case, part, text))
    return evidence


def _invisible(case: Case, part: Part, text: str) -> Iterator[Evidence]:
    places = splits(text)
    if places:
        at = Span(part.name, places[0] - 1, places[0] + 2)
        strength: Strength = "strong" if len(places) >= 3 else "weak"
        yield from _note(
            case, at, "invisible-signs", strength,
            f"Invisible signs stand inside words ({len(places)} times); filters stumble over them.",
        )  # fmt: skip


def _alphabets(case: Case, part: Part, text: str) -> Iterator[Evidence]:
    places = [span for span, _ in zip(mixed_words(text), range(20), strict=False)]
    if places:
        word = text[slice(*places[0])]
        yield from _note(
            case, Span(part.name, places[0][0], min(places[0][1], places[0][0] + 60)), "mixed-alphabets",
            "strong" if len(places) >= 2 else "moderate",
            f"The word {word[:40]!r} is put together from letters of two alphabets that look alike.",
        )  # fmt: skip


def _set_apart(case: Case, part: Part, text: str) -> Iterator[Evidence]:
    start, end = next(found(_DOTTED, text), (0, 0))
    if end and not text[start:end].isupper():
        yield from _note(
            case, Span(part.name, start, end), "letters-apart", "weak",
            f"The letters of a word are set apart ({text[start:end][:40]}), to hide it from filters.",
        )  # fmt: skip
