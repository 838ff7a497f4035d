"""Quotes in, places out: what a model claims to have read is looked up in what it was shown. Not there, not heard."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from malafide.case import Span
from malafide.minds.shown import Shown

_SHORTEST: Final = 4  # letters and digits; less stands in any message
_LONGEST: Final = 200


@dataclass(frozen=True, slots=True)
class Cited:
    """A quote that stands in the case, with what was said about it."""

    at: Span
    why: str


@dataclass(frozen=True, slots=True)
class Citations:
    """What of a report's quotes was found, and what was not."""

    found: tuple[Cited, ...]
    lost: tuple[str, ...]

    @property
    def share(self) -> float:
        """How much of what was claimed is there, 0 to 1."""
        total = len(self.found) + len(self.lost)
        return len(self.found) / total if total else 0.0


def cite(claims: Iterable[tuple[str, str]], shown: Sequence[Shown]) -> Citations:
    """Looks up (quote, why) pairs: exactly, after the same cleaning that the message went through."""
    found: dict[Span, Cited] = {}
    lost: list[str] = []
    for quote, why in claims:
        wanted = " ".join(quote.split()).strip('"“”„ ')[:_LONGEST].rstrip()
        span = None
        if sum(c.isalnum() for c in wanted) >= _SHORTEST:
            span = next((s for piece in shown if (s := piece.find(wanted)) is not None), None)
        if span is None:
            lost.append(wanted)
        else:
            found.setdefault(span, Cited(span, why))
    return Citations(tuple(found.values()), tuple(lost))
