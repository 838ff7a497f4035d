"""Cases that wait in, their order out: first those whose label would settle most.

A label says most where the panel is least sure, and it speaks for every waiting mail that is like the labelled one.
So the next case asked about is the one whose doubt, its own and that of its likes not asked about yet, is largest.
Imports numpy: import it late.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from malafide.knowledge.embedding import embed, words
from malafide.record.review import Waiting

# Cosine from which on a label says something about the other mail too; below it mail is merely in one language.
_ALIKE: Final = 0.7


@dataclass(frozen=True, slots=True)
class Question:
    """A case to ask a person about."""

    case: Waiting
    doubt: float  # 0: sure, 1: anything may be true
    likes: int  # how many other waiting cases are like it


def doubt_of(case: Waiting) -> float:
    """How open the case is: by a score in the middle, or by agents that contradict each other."""
    return max(1.0 - abs(2.0 * case.score - 1.0), 1.0 - case.agreement)


def most_informative_first(cases: Sequence[Waiting]) -> list[Question]:
    """All cases, in the order in which to ask about them."""
    if not cases:
        return []
    vectors = np.array([embed(words(case.text)) for case in cases], np.float64)
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors /= np.where(length > 0, length, 1.0)
    alike = vectors @ vectors.T
    alike[alike < _ALIKE] = 0.0
    np.fill_diagonal(alike, 1.0)
    doubt = np.array([doubt_of(case) for case in cases])
    likes = (alike > 0).sum(axis=1) - 1
    left, unsettled = set(range(len(cases))), np.ones(len(cases))
    order: list[Question] = []
    while left:
        gain = alike @ (doubt * unsettled)
        best = max(
            left, key=lambda i: (round(float(gain[i]), 9), round(float(doubt[i]), 9), cases[i].case_id)
        )
        left.remove(best)
        unsettled = np.minimum(unsettled, 1.0 - alike[best])
        order.append(Question(cases[best], round(float(doubt[best]), 4), int(likes[best])))
    return order
