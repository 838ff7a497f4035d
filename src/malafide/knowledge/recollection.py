"""What the precedents say about a case: evidence that names the earlier mails it is like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from malafide.case import Case, Part, Span
from malafide.evidence import Evidence, Strength, observe
from malafide.knowledge.precedent_recall import Recall, recall

if TYPE_CHECKING:
    from malafide.knowledge.precedents import Precedents

_QUOTE: Final = 80
# The share of the weight that must be on one label before likeness says anything.
_CLEAR: Final = 0.75


# The labels of a panel that speak against a case and for it.
_LABELS: Final = {"spam": ("spam", "ham"), "conversation": ("scam", "not_scam")}


class Recollection:
    """The witness that remembers labelled cases of one panel: mail, or conversations."""

    name = "precedents"

    def __init__(self, store: Precedents, panel: str = "spam") -> None:
        self._store = store
        self._panel = panel

    def __call__(self, case: Case, evidence: Sequence[Evidence]) -> list[Evidence]:  # noqa: ARG002
        found = recall(self._store, case, panel=self._panel)
        place = next((p for p in case.of_role("body", "subject", "message") if p.text.strip()), None)
        strength = strength_of(found)
        if strength is None or place is None or found.label not in _LABELS[self._panel]:
            return []
        return [
            observe(
                case,
                _opening(place),
                f"precedents.{'same' if found.near_duplicates else 'like'}-{found.label}",
                "precedent",
                strength,
                found.sentence if found.sentence.endswith(".") else f"{found.sentence}.",
                direction="deceptive" if found.label == _LABELS[self._panel][0] else "genuine",
                tool=self.name,
            )
        ]


def strength_of(found: Recall) -> Strength | None:
    """A mail of the same campaign says much, likeness little, and mixed labels nothing."""
    if not found.neighbours or next(iter(found.shares.values())) < _CLEAR:
        return None
    if found.near_duplicates:
        return "strong" if len(found.near_duplicates) > 1 else "moderate"
    return "weak" if len(found.neighbours) > 2 else "slight"


def _opening(part: Part) -> Span:
    start = len(part.text) - len(part.text.lstrip())
    line_end = part.text.find("\n", start)
    return Span(part.name, start, min(start + _QUOTE, len(part.text) if line_end < 0 else line_end))
