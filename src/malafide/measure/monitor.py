"""The classification log in, how it goes over time out: agreement, open answers, class mix, drift, timing.

No label is known here, so nothing is said about right and wrong: only whether mail or answers have changed.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from malafide.consensus.weighted import AGREEMENT_FROM
from malafide.measure.drift import Drift, Finding, agreement_of, compare, findings, mean, score_of
from malafide.measure.metrics import percentile
from malafide.record.classification_log import ClassificationLog, Logged
from malafide.verdict import Classification

MOST: Final = 200_000  # the latest entries looked at


@dataclass(frozen=True, slots=True)
class Bucket:
    """An hour, a day or a week of verdicts."""

    start: datetime
    cases: int
    answers: dict[Classification, int]
    uncertainty: float
    agreement: float | None  # mean
    consensus: float | None  # share with agreement of 0.7 or more
    score: float | None  # mean
    p50_ms: float
    p99_ms: float


@dataclass(frozen=True, slots=True)
class Watch:
    """What the log says."""

    step: str  # "hour", "day" or "week"
    buckets: tuple[Bucket, ...]
    whole: Bucket
    drift: Drift | None
    findings: tuple[Finding, ...]

    def as_json(self) -> dict[str, Any]:
        return {
            "from": self.buckets[0].start.isoformat(),
            "step": self.step,
            "whole": _bucket_json(self.whole),
            "drift": _drift_json(self.drift),
            "findings": [asdict(f) for f in self.findings],
            "buckets": [_bucket_json(b) for b in self.buckets],
        }


def recent(log: ClassificationLog, days: float, now: datetime) -> list[Logged]:
    """The latest entries of so many days. What is dated in the future is left out: a clock was wrong."""
    until = now + timedelta(hours=1)
    entries = (entry for entry in log.read(now - timedelta(days=days)) if entry.timestamp <= until)
    return list(deque(entries, maxlen=MOST))


def watch(entries: Iterable[Logged]) -> Watch | None:
    """All there is to see in the entries; None when there are none."""
    ordered = sorted(entries, key=lambda e: e.timestamp)
    if not ordered:
        return None
    step, length = _step(ordered[-1].timestamp - ordered[0].timestamp)
    groups: dict[datetime, list[Logged]] = {}
    for entry in ordered:
        groups.setdefault(_start(entry.timestamp, step), []).append(entry)
    at, last = _start(ordered[0].timestamp, step), _start(ordered[-1].timestamp, step)
    buckets = []
    while at <= last:
        buckets.append(_bucket(at, groups.get(at, [])))
        at += length
    drift = compare(ordered)
    whole = _bucket(ordered[0].timestamp, ordered)
    return Watch(step, tuple(buckets), whole, drift, tuple(findings(drift)))


def _step(span: timedelta) -> tuple[str, timedelta]:
    if span <= timedelta(days=3):
        return "hour", timedelta(hours=1)
    return ("day", timedelta(days=1)) if span <= timedelta(days=92) else ("week", timedelta(weeks=1))


def _start(moment: datetime, step: str) -> datetime:
    if step == "hour":
        return moment.replace(minute=0, second=0, microsecond=0)
    day = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    return day - timedelta(days=day.weekday()) if step == "week" else day


def _bucket(start: datetime, entries: Sequence[Logged]) -> Bucket:
    answers: Counter[Classification] = Counter(e.classification for e in entries)
    agreements = [a for e in entries if (a := agreement_of(e)) is not None]
    times = sorted(e.processing_time_ms for e in entries)
    return Bucket(
        start=start,
        cases=len(entries),
        answers=dict(answers),
        uncertainty=answers["UNCERTAIN"] / len(entries) if entries else 0.0,
        agreement=mean(agreements),
        consensus=mean([float(a >= AGREEMENT_FROM) for a in agreements]),
        score=mean([s for e in entries if (s := score_of(e)) is not None]),
        p50_ms=percentile(times, 0.5),
        p99_ms=percentile(times, 0.99),
    )


def _bucket_json(bucket: Bucket) -> dict[str, Any]:
    return {**asdict(bucket), "start": bucket.start.isoformat()}


def _drift_json(drift: Drift | None) -> dict[str, Any] | None:
    return None if drift is None else {**asdict(drift), "since": drift.since.isoformat()}
