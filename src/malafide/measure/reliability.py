"""Rows in, whether their confidence keeps its word out: calibration error, Brier score, risk by coverage.

`confidence` is the probability that the answer is right; of an UNCERTAIN case, that the side its score is on
is right. So every case has a side, and may be right or wrong.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from malafide.measure.rows import Row

BINS: Final = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """Cases of about the same confidence: what was promised and what was kept."""

    low: float
    high: float
    cases: int
    confidence: float  # mean promised
    right: float  # share that was right


def equal_width_bins(rows: Sequence[Row]) -> list[Bin]:
    """Ten bins of confidence 0-0.1, 0.1-0.2 and so on; empty ones are left out."""
    return _binned(rows, lambda row, _: min(int(row.confidence * BINS), BINS - 1), width=True)


def equal_mass_bins(rows: Sequence[Row]) -> list[Bin]:
    """Up to ten bins of about as many cases each. Equal confidences stay together: order plays no part."""
    return _binned(rows, lambda _, rank: min(int(rank * BINS), BINS - 1), width=False)


def _binned(rows: Sequence[Row], number: Callable[[Row, float], int], width: bool) -> list[Bin]:
    ordered = sorted(rows, key=lambda row: row.confidence)
    filled: dict[int, list[Row]] = {}
    at = 0
    for _, tied in groupby(ordered, key=lambda row: row.confidence):
        group = list(tied)
        rank = (at + len(group) / 2) / len(ordered)
        filled.setdefault(number(group[0], rank), []).extend(group)
        at += len(group)
    return [_bin(members, i, width) for i, members in sorted(filled.items())]


def _bin(members: Sequence[Row], number: int, width: bool) -> Bin:
    low, high = (
        (number / BINS, (number + 1) / BINS) if width else (members[0].confidence, members[-1].confidence)
    )
    return Bin(
        low=low,
        high=high,
        cases=len(members),
        confidence=math.fsum(row.confidence for row in members) / len(members),
        right=sum(row.leans_right for row in members) / len(members),
    )


def calibration_error(bins: Sequence[Bin]) -> float | None:
    """ECE: how far promised and kept lie apart, averaged over the cases."""
    total = sum(b.cases for b in bins)
    if not total:
        return None
    return math.fsum(b.cases * abs(b.confidence - b.right) for b in bins) / total


def brier(rows: Sequence[Row]) -> float | None:
    """The mean squared distance of the spam probability from the truth: 0 is perfect, 0.25 is a coin."""
    if not rows:
        return None
    return math.fsum((row.spam_probability - row.is_spam) ** 2 for row in rows) / len(rows)


@dataclass(frozen=True, slots=True)
class RiskPoint:
    """Answering only the surest `coverage` of the cases, `risk` of those answers would be wrong."""

    coverage: float
    risk: float
    confidence: float  # of the least sure case answered


def risk_coverage(rows: Sequence[Row]) -> list[RiskPoint]:
    """The curve, surest cases first, one point per confidence met."""
    points: list[RiskPoint] = []
    answered = wrong = 0
    ordered = sorted(rows, key=lambda row: -row.confidence)
    for confidence, tied in groupby(ordered, key=lambda row: row.confidence):
        group = list(tied)
        answered += len(group)
        wrong += sum(not row.leans_right for row in group)
        points.append(RiskPoint(answered / len(rows), wrong / answered, confidence))
    return points


def area_under_risk(rows: Sequence[Row]) -> float | None:
    """AURC: the mean risk over all coverages; cases of equal confidence are taken as if evenly mixed."""
    if not rows:
        return None
    total = 0.0
    answered, wrong = 0, 0.0
    ordered = sorted(rows, key=lambda row: -row.confidence)
    for _, tied in groupby(ordered, key=lambda row: row.confidence):
        group = list(tied)
        each = sum(not row.leans_right for row in group) / len(group)
        for _ in group:
            answered += 1
            wrong += each
            total += wrong / answered
    return total / len(rows)
