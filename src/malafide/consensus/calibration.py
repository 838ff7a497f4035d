"""A raw score in, a probability out: how often an answer like this is right."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from malafide.minds.offline import logistic
from malafide.verdict import Classification

_PULL: Final = 2.0


@dataclass(frozen=True, slots=True)
class Calibration:
    """Monotone in the score, two parameters: p(spam) = logistic(slope * logit(score) + offset)."""

    slope: float
    offset: float
    cases: int  # how many labelled cases it was fitted on
    origin: str  # where those came from, for people

    def spam_probability(self, score: float) -> float:
        return logistic(self.slope * _logit(score) + self.offset)

    def confidence(self, classification: Classification, score: float) -> float:
        """The probability that the answer is right; for an open answer, that the side it leans to is."""
        p = self.spam_probability(score)
        spam = classification == "SPAM" or (classification == "UNCERTAIN" and score >= 0.5)
        return round(p if spam else 1.0 - p, 4)


# benchmarks/calibration.py fits slope 1.9 and offset 0.76 on public mail of 2002 and 2022-23. That mail was looked at
# while the rules were written; other mail will fit worse, so only two thirds of the fit is claimed. Learning refits it.
BUILT_IN: Final = Calibration(slope=1.3, offset=0.5, cases=4913, origin="public mail of 2002 and 2022-23")


def fit(scored: Sequence[tuple[float, bool]], origin: str, *, balanced: bool = True) -> Calibration:
    """The calibration under which (score, is spam) pairs are likeliest.

    `balanced` counts both classes alike, for data whose mix says nothing about the mail to come.
    """
    points = [(_logit(score), spam) for score, spam in scored]
    slope, offset = fit_line(points, balanced=balanced)
    return Calibration(slope, offset, len(points), origin)


def fit_line(points: Sequence[tuple[float, bool]], *, balanced: bool) -> tuple[float, float]:
    """(slope, offset) of the logistic line through (x, is spam) points.

    Newton's method, with a light pull toward slope 1 and offset 0 so that a handful of points, or a clean
    separation, does not make it claim certainty. The slope is never negative.
    """
    spam = sum(1 for _, is_spam in points if is_spam)
    ham = len(points) - spam
    if not spam or not ham:
        return 1.0, 0.0
    weigh = (
        {True: len(points) / (2 * spam), False: len(points) / (2 * ham)}
        if balanced
        else {True: 1.0, False: 1.0}
    )
    slope, offset = 1.0, 0.0
    for _ in range(50):
        g0, g1 = _PULL * (slope - 1.0), _PULL * offset
        h00, h01, h11 = _PULL, 0.0, _PULL
        for x, is_spam in points:
            p = logistic(slope * x + offset)
            error, spread = weigh[is_spam] * (p - is_spam), weigh[is_spam] * p * (1.0 - p)
            g0, g1 = g0 + error * x, g1 + error
            h00, h01, h11 = h00 + spread * x * x, h01 + spread * x, h11 + spread
        determinant = h00 * h11 - h01 * h01
        step0, step1 = (h11 * g0 - h01 * g1) / determinant, (h00 * g1 - h01 * g0) / determinant
        slope, offset = max(0.05, slope - step0), offset - step1
        if abs(step0) + abs(step1) < 1e-9:
            break
    return round(slope, 4), round(offset, 4)


def _logit(score: float) -> float:
    bounded = min(max(score, 0.001), 0.999)
    return math.log(bounded / (1.0 - bounded))
