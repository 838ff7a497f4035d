"""A model's story of a verdict in, the story or what is wrong with it out: no story may contradict the numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import re2

from malafide.verdict import Classification

_NUMBER: Final = re2.compile(r"\d+(?:[.,]\d+)?")
_ANSWER: Final = re2.compile(r"\b(SPAM|HAM|UNCERTAIN)\b")
# What cannot be said of a message with that answer.
_CONTRADICTS: Final[dict[Classification, tuple[str, ...]]] = {
    "SPAM": (
        "is safe",
        "is legitimate",
        "is genuine",
        "is harmless",
        "not spam",
        "is wanted",
        "can be trusted",
    ),
    "HAM": ("is spam", "is a scam", "is phishing", "is deceptive", "is fraud", "is unwanted", "is malicious"),
    "UNCERTAIN": ("is safe", "is certainly", "is clearly spam", "no doubt"),
}


def contradiction(story: str, answer: Classification, numbers: Iterable[float]) -> str | None:
    """Why the story cannot stand beside that answer and those numbers; None when it can."""
    if not story:
        return "it is empty"
    known = {round(n, digits) for n in numbers for digits in (1, 2, 3)}
    known |= {round(n * 100) for n in known}
    for match in _NUMBER.finditer(story):
        if float(match.group().replace(",", ".")) not in known:
            return f"it names the number {match.group()}, which was not computed"
    for match in _ANSWER.finditer(story):
        if match.group() != answer:
            return f"it says {match.group()} where the answer is {answer}"
    said = story.lower()
    for phrase in _CONTRADICTS[answer]:
        if phrase in said:
            return f"it says {phrase!r} where the answer is {answer}"
    return None
