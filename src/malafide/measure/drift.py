"""Two windows of logged verdicts in, whether anything changed between them out, in figures and in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from malafide.record.classification_log import Logged
from malafide.verdict import Classification

_SCORE_BINS: Final = 10
_LEAST_IN_WINDOW: Final = 30  # below, a comparison shows chance alone
_LATEST_SHARE: Final = 0.25
_Z: Final = 1.959964
# The usual reading of a population stability index: below 0.1 stable, from 0.25 another population.
_SOME_DRIFT: Final = 0.1
_MUCH_DRIFT: Final = 0.25
_SMALL_SHIFT: Final = 0.05  # of a mean score or a rate: no person would notice less


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence on what changed, and whether it matters."""

    sentence: str
    matters: bool


@dataclass(frozen=True, slots=True)
class Shift:
    """A difference between the latest and the earlier window with its 95 % interval."""

    before: float
    now: float
    margin: float

    @property
    def by(self) -> float:
        return self.now - self.before

    @property
    def matters(self) -> bool:
        return abs(self.by) > self.margin and abs(self.by) >= _SMALL_SHIFT


@dataclass(frozen=True, slots=True)
class Drift:
    """The earlier window against the latest quarter of the verdicts."""

    since: datetime
    before: int
    now: int
    stability: float  # population stability index of the scores
    chance: float  # what the index reaches by chance in 1 of 20 windows of these sizes
    score: Shift
    uncertainty: Shift
    spam: Shift


def agreement_of(entry: Logged) -> float | None:
    """How far the agents agreed; None when fewer than two spoke."""
    scores = [s for s in entry.agent_scores.values() if s is not None]
    return 1.0 - (max(scores) - min(scores)) if len(scores) >= 2 else None


def score_of(entry: Logged) -> float | None:
    """The final score; where a line lacks it, the mean of the agents'."""
    if entry.score is not None:
        return entry.score
    return mean([s for s in entry.agent_scores.values() if s is not None])


def mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None


def compare(ordered: Sequence[Logged]) -> Drift | None:
    """The latest quarter of the verdicts against those before; None when either window is too small."""
    latest = round(len(ordered) * _LATEST_SHARE)
    if latest < _LEAST_IN_WINDOW:
        return None
    before, now = ordered[:-latest], ordered[-latest:]
    scores_before = [s for e in before if (s := score_of(e)) is not None]
    scores_now = [s for e in now if (s := score_of(e)) is not None]
    if len(scores_before) < _LEAST_IN_WINDOW or len(scores_now) < _LEAST_IN_WINDOW:
        return None
    return Drift(
        since=now[0].timestamp,
        before=len(before),
        now=len(now),
        stability=stability_index(scores_before, scores_now),
        chance=_chance(len(scores_before), len(scores_now)),
        score=shift(scores_before, scores_now),
        uncertainty=_rate_shift(before, now, "UNCERTAIN"),
        spam=_rate_shift(before, now, "SPAM"),
    )


def stability_index(before: Sequence[float], now: Sequence[float]) -> float:
    """PSI over ten bins of equal width, half a case added to each so that an empty bin is not infinite."""
    total = 0.0
    for a, b in zip(_shares(before), _shares(now), strict=True):
        total += (b - a) * math.log(b / a)
    return total


def _shares(scores: Sequence[float]) -> list[float]:
    counts = [0.5] * _SCORE_BINS
    for score in scores:
        counts[min(int(score * _SCORE_BINS), _SCORE_BINS - 1)] += 1
    return [count / (len(scores) + 0.5 * _SCORE_BINS) for count in counts]


def _chance(before: int, now: int) -> float:
    """Without drift the index is about (1/n + 1/m) times a chi-square of 9 degrees; its 95 % point."""
    return 16.919 * (1 / before + 1 / now)


def shift(before: Sequence[float], now: Sequence[float]) -> Shift:
    """The difference of two means and its 95 % margin."""
    margin = _Z * math.sqrt(_squared_error(before) + _squared_error(now))
    return Shift(math.fsum(before) / len(before), math.fsum(now) / len(now), margin)


def _squared_error(values: Sequence[float]) -> float:
    mean = math.fsum(values) / len(values)
    return math.fsum((v - mean) ** 2 for v in values) / max(len(values) - 1, 1) / len(values)


def _rate_shift(before: Sequence[Logged], now: Sequence[Logged], answer: Classification) -> Shift:
    return shift(
        [float(e.classification == answer) for e in before], [float(e.classification == answer) for e in now]
    )


def findings(drift: Drift | None) -> list[Finding]:
    """What changed, one sentence each."""
    if drift is None:
        needed = round(_LEAST_IN_WINDOW / _LATEST_SHARE)
        return [Finding(f"Too few verdicts to say whether anything changed; {needed} are needed.", False)]
    return [
        _stability_finding(drift),
        _shift_finding("The mean score", drift.score),
        _shift_finding("The share left UNCERTAIN", drift.uncertainty),
        _shift_finding("The share called SPAM", drift.spam),
    ]


def _stability_finding(drift: Drift) -> Finding:
    index = f"(stability index {drift.stability:.2f}; up to {drift.chance:.2f} is chance)"
    if drift.stability <= max(drift.chance, _SOME_DRIFT):
        return Finding(f"Scores are spread as before {index}.", False)
    if drift.stability < _MUCH_DRIFT:
        return Finding(f"Scores are spread somewhat differently {index}: keep an eye on it.", False)
    return Finding(
        f"Scores are spread quite differently {index}: other mail comes in, or something in its handling "
        "changed. Label a sample of it and validate.",
        True,
    )


def _shift_finding(what: str, change: Shift) -> Finding:
    figures = (
        f"{change.before:.3f} before, {change.now:.3f} now, difference {change.by:+.3f} ± {change.margin:.3f}"
    )
    if change.matters:
        return Finding(f"{what} {'rose' if change.by > 0 else 'fell'}: {figures}.", True)
    if abs(change.by) > change.margin:
        return Finding(f"{what} moved a little, too little to matter: {figures}.", False)
    return Finding(f"{what} is as before, within chance: {figures}.", False)
