"""A raw score in, a probability out: how often an answer like this is right."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from malafide.minds.offline import logistic
from malafide.verdict import Classification


@dataclass(frozen=True, slots=True)
class Calibration:
    """Monotone in the score, two parameters: p(spam) = logistic(slope * logit(score) + offset)."""

    slope: float
    offset: float
    cases: int  # how many labelled cases it was fitted on
    origin: str  # where those came from, for people

    def spam_probability(self, score: float) -> float:
        bounded = min(max(score, 0.001), 0.999)
        return logistic(self.slope * math.log(bounded / (1.0 - bounded)) + self.offset)

    def confidence(self, classification: Classification, score: float) -> float:
        """The probability that the answer is right; for an open answer, that the side it leans to is."""
        p = self.spam_probability(score)
        if classification == "SPAM":
            return round(p, 4)
        if classification == "HAM":
            return round(1.0 - p, 4)
        return round(max(p, 1.0 - p), 4)


# Fitted by benchmarks/calibration.py on public mail of 2002 and 2022-23; other mail may differ, learning refits it.
BUILT_IN: Final = Calibration(slope=1.0, offset=0.0, cases=0, origin="not fitted yet")
