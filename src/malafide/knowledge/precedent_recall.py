"""Neighbours in, a summary out: what earlier labelled cases say about one, ready to become evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from malafide.case import Case
from malafide.knowledge.precedent_record import Neighbour

if TYPE_CHECKING:
    from malafide.knowledge.precedents import Precedents

# Below this, the label of the nearest precedent from another collection is little better than a guess.
ALIKE: Final = 0.4
_NEIGHBOURS: Final = 10


@dataclass(frozen=True, slots=True)
class Recall:
    """What the precedents say. Shares are of the neighbours that are alike at all, weighted by similarity."""

    neighbours: tuple[Neighbour, ...]  # those alike, most alike first
    near_duplicates: tuple[Neighbour, ...]  # those of them from one campaign with the case
    average_similarity: float  # 0 when nothing is alike
    shares: dict[str, float]  # label -> share, largest first

    @property
    def spam_share(self) -> float:
        return self.shares.get("spam", 0.0)

    @property
    def label(self) -> str | None:
        """The label most of the weight is on, or None when nothing is alike."""
        return next(iter(self.shares), None)

    @property
    def sentence(self) -> str:
        """Such as: Like 4 earlier mails labelled spam, nearest 0.91: "..." (empty when nothing is alike)."""
        label = self.label
        if label is None:
            return ""
        agreeing = [one for one in self.neighbours if one.label == label]
        word = "Nearly the same as" if agreeing[0].near_duplicate else "Like"
        mails = "1 earlier mail" if len(agreeing) == 1 else f"{len(agreeing)} earlier mails"
        against = len(self.neighbours) - len(agreeing)
        but = f" ({against} labelled otherwise)" if against else ""
        nearest = f'nearest {agreeing[0].similarity:.2f}: "{agreeing[0].excerpt}"'
        return f"{word} {mails} labelled {label}{but}, {nearest}"


def recall(store: Precedents, case: Case, *, panel: str = "spam", leave_out: str = "") -> Recall:
    """Ask the precedents about a case. One that is itself stored finds itself unless its id is left out."""
    return summary(store.search(case.reading, _NEIGHBOURS, panel=panel, leave_out=leave_out, least=ALIKE))


def summary(found: list[Neighbour]) -> Recall:
    alike = tuple(one for one in found if one.similarity >= ALIKE)
    weights: dict[str, float] = {}
    for one in alike:  # the fourth power: one near-duplicate outweighs several that are merely alike
        weights[one.label] = weights.get(one.label, 0.0) + one.similarity**4
    total = sum(weights.values())
    ordered = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
    return Recall(
        neighbours=alike,
        near_duplicates=tuple(one for one in alike if one.near_duplicate),
        average_similarity=sum(one.similarity for one in alike) / len(alike) if alike else 0.0,
        shares={label: weight / total for label, weight in ordered},
    )
