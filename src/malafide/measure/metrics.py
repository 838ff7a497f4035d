"""Labelled rows in, the rates of SPEC section 7 out. Pure functions; each figure says exactly what it counts.

A rate without cases to count is None, never 0. The intervals are Wilson's at 95 %, which stay honest near 0
and 1 where false alarms live.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from malafide.measure.rows import Label, Row
from malafide.verdict import Classification

FALSE_ALARM_COSTS: Final = 50  # misses that weigh as much as one ham called SPAM
_Z: Final = 1.959964  # 95 %

LABELS: Final[tuple[Label, ...]] = ("spam", "ham")
ANSWERS: Final[tuple[Classification, ...]] = ("SPAM", "UNCERTAIN", "HAM")


@dataclass(frozen=True, slots=True)
class Rate:
    """A share with its 95 % interval, and what it is a share of."""

    hits: int
    of: int

    @property
    def value(self) -> float | None:
        return self.hits / self.of if self.of else None

    @property
    def interval(self) -> tuple[float, float] | None:
        if not self.of:
            return None
        p, n = self.hits / self.of, self.of
        middle = (p + _Z * _Z / (2 * n)) / (1 + _Z * _Z / n)
        half = _Z * math.sqrt(p * (1 - p) / n + _Z * _Z / (4 * n * n)) / (1 + _Z * _Z / n)
        # At the ends the formula leaves a rounding error where the bound is exactly 0 or 1.
        low = 0.0 if self.hits == 0 else max(0.0, middle - half)
        high = 1.0 if self.hits == n else min(1.0, middle + half)
        return low, high


@dataclass(frozen=True, slots=True)
class Confusion:
    """How often each class got each answer."""

    counts: dict[tuple[Label, Classification], int]

    def of(self, label: Label, answer: Classification | None = None) -> int:
        if answer is not None:
            return self.counts.get((label, answer), 0)
        return sum(self.of(label, a) for a in ANSWERS)

    @property
    def total(self) -> int:
        return sum(self.counts.values())


def confusion(rows: Sequence[Row]) -> Confusion:
    return Confusion(dict(Counter((row.label, row.classification) for row in rows)))


@dataclass(frozen=True, slots=True)
class Rates:
    """The figures of a confusion matrix."""

    accuracy: Rate  # right answers of all cases; UNCERTAIN is wrong
    accuracy_decided: Rate  # right answers of those that were not UNCERTAIN
    precision: Rate  # spam among what was called SPAM
    recall: Rate  # spam called SPAM
    false_positive_rate: Rate  # ham called SPAM: false alarms
    false_negative_rate: Rate  # spam called HAM
    missed: Rate  # spam not called SPAM, so HAM or UNCERTAIN
    coverage: Rate  # cases that were not UNCERTAIN

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall."""
        caught, called, spam = self.precision.hits, self.precision.of, self.recall.of
        return 2 * caught / (called + spam) if called + spam else None

    @property
    def cost_ratio(self) -> float | None:
        """TCR: the cost of no filter over the cost of this one; above 1 it is worth having. None: no error.

        No filter misses every spam (cost 1 each). This one misses what it does not call SPAM (1 each) and
        raises false alarms (50 each). UNCERTAIN on spam is a miss, on ham no false alarm.
        """
        cost = FALSE_ALARM_COSTS * self.false_positive_rate.hits + self.missed.hits
        return self.missed.of / cost if cost else None


def rates(matrix: Confusion) -> Rates:
    spam, ham = matrix.of("spam"), matrix.of("ham")
    caught, alarms = matrix.of("spam", "SPAM"), matrix.of("ham", "SPAM")
    right = caught + matrix.of("ham", "HAM")
    decided = matrix.total - matrix.of("spam", "UNCERTAIN") - matrix.of("ham", "UNCERTAIN")
    return Rates(
        accuracy=Rate(right, matrix.total),
        accuracy_decided=Rate(right, decided),
        precision=Rate(caught, caught + alarms),
        recall=Rate(caught, spam),
        false_positive_rate=Rate(alarms, ham),
        false_negative_rate=Rate(matrix.of("spam", "HAM"), spam),
        missed=Rate(spam - caught, spam),
        coverage=Rate(decided, matrix.total),
    )


def consensus_rate(rows: Sequence[Row]) -> Rate:
    """Cases on which at least two agents spoke and agreed (agreement of 0.7 or more)."""
    return Rate(sum(row.consensus for row in rows), len(rows))


def auc(pairs: Sequence[tuple[float, bool]]) -> float | None:
    """The chance that a spam scores above a ham, ties counting half; of pairs (score, is spam)."""
    positives = sum(1 for _, positive in pairs if positive)
    negatives = len(pairs) - positives
    if not positives or not negatives:
        return None
    ordered = sorted(pairs)
    rank_sum = 0.0
    at = 0
    while at < len(ordered):
        end = at
        while end < len(ordered) and ordered[end][0] == ordered[at][0]:
            end += 1
        middle = (at + 1 + end) / 2  # ranks count from 1; equal scores share their mean rank
        rank_sum += middle * sum(1 for _, positive in ordered[at:end] if positive)
        at = end
    return (rank_sum - positives * (positives + 1) / 2) / (positives * negatives)


@dataclass(frozen=True, slots=True)
class Costs:
    """What the cases took."""

    p50_ms: float
    p99_ms: float
    mean_ms: float
    calls: int
    tokens: int
    money: float


def costs(rows: Sequence[Row]) -> Costs:
    times = sorted(row.elapsed_ms for row in rows)
    return Costs(
        p50_ms=percentile(times, 0.5),
        p99_ms=percentile(times, 0.99),
        mean_ms=math.fsum(times) / len(times) if times else 0.0,
        calls=sum(row.calls for row in rows),
        tokens=sum(row.tokens for row in rows),
        money=math.fsum(row.money for row in rows),
    )


def percentile(ordered: Sequence[float], share: float) -> float:
    """The nearest-rank percentile of sorted values; 0 of none."""
    if not ordered:
        return 0.0
    return ordered[min(len(ordered) - 1, max(0, math.ceil(share * len(ordered)) - 1))]
