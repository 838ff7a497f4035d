"""Rows in, every measure of SPEC section 7 out, together and as the JSON that is saved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from malafide.measure.metrics import (
    ANSWERS,
    LABELS,
    Confusion,
    Costs,
    Rate,
    Rates,
    auc,
    confusion,
    consensus_rate,
    costs,
    rates,
)
from malafide.measure.reliability import (
    Bin,
    RiskPoint,
    area_under_risk,
    brier,
    calibration_error,
    equal_mass_bins,
    equal_width_bins,
    risk_coverage,
)
from malafide.measure.rows import Row
from malafide.measure.tables import (
    AgentRecord,
    PatternRecord,
    Threshold,
    agent_records,
    pattern_records,
    thresholds,
)

# One line each, in the order people ask: what the figure is, in words that need no handbook.
MEANINGS: Final = {
    "accuracy": "right answers of all cases; UNCERTAIN counts as wrong",
    "accuracy_decided": "right answers of those it decided",
    "precision": "of what it called SPAM, how much was spam",
    "recall": "of the spam, how much it called SPAM",
    "f1": "precision and recall in one figure",
    "false_positive_rate": "ham called SPAM: false alarms",
    "false_negative_rate": "spam called HAM",
    "missed": "spam not called SPAM, so HAM or UNCERTAIN",
    "coverage": "cases it decided, so not UNCERTAIN",
    "consensus_rate": "cases on which its agents agreed (0.7 or more)",
    "auc": "chance that a spam scores above a ham",
    "ece": "how far confidence is from being right, on average",
    "brier": "squared distance of the spam probability from the truth; 0 is perfect",
    "aurc": "mean risk if only the surest cases were answered; lower is better",
    "tcr": "cost of no filter over its cost, a false alarm costing 50 misses; above 1 pays",
}


@dataclass(frozen=True, slots=True)
class Calibration:
    """ECE over ten bins, both ways of binning."""

    equal_width: float | None
    equal_mass: float | None


@dataclass(frozen=True, slots=True)
class Measures:
    """All there is to say about a set of judged cases."""

    confusion: Confusion
    rates: Rates
    consensus: Rate
    auc: float | None
    ece: Calibration  # decided and undecided
    ece_decided: Calibration
    brier: float | None
    bins: tuple[Bin, ...]  # of equal width, for the reliability diagram
    risk: tuple[RiskPoint, ...]
    aurc: float | None
    thresholds: tuple[Threshold, ...]
    agents: tuple[AgentRecord, ...]
    patterns: tuple[PatternRecord, ...]
    costs: Costs

    def named_rates(self) -> dict[str, Rate]:
        r = self.rates
        return {
            "accuracy": r.accuracy,
            "accuracy_decided": r.accuracy_decided,
            "precision": r.precision,
            "recall": r.recall,
            "false_positive_rate": r.false_positive_rate,
            "false_negative_rate": r.false_negative_rate,
            "missed": r.missed,
            "coverage": r.coverage,
            "consensus_rate": self.consensus,
        }


def measure(rows: Sequence[Row]) -> Measures:
    """Every measure of the rows."""
    matrix = confusion(rows)
    bins = equal_width_bins(rows)
    decided = [row for row in rows if row.decided]
    return Measures(
        confusion=matrix,
        rates=rates(matrix),
        consensus=consensus_rate(rows),
        auc=auc([(row.score, row.is_spam) for row in rows]),
        ece=Calibration(calibration_error(bins), calibration_error(equal_mass_bins(rows))),
        ece_decided=Calibration(
            calibration_error(equal_width_bins(decided)), calibration_error(equal_mass_bins(decided))
        ),
        brier=brier(rows),
        bins=tuple(bins),
        risk=tuple(risk_coverage(rows)),
        aurc=area_under_risk(rows),
        thresholds=tuple(thresholds(rows)),
        agents=tuple(agent_records(rows)),
        patterns=tuple(pattern_records(rows)),
        costs=costs(rows),
    )


def as_json(measures: Measures) -> dict[str, Any]:
    """`performance_metrics.json`: plain figures on top, then their counts and intervals, then the tables."""
    named = measures.named_rates()
    return {
        "cases": measures.confusion.total,
        "confusion_matrix": {
            label: {answer: measures.confusion.of(label, answer) for answer in ANSWERS} for label in LABELS
        },
        **{name: _rounded(rate.value) for name, rate in named.items()},
        "f1": _rounded(measures.rates.f1),
        "auc": _rounded(measures.auc),
        "ece": _rounded(measures.ece.equal_width),
        "ece_equal_mass": _rounded(measures.ece.equal_mass),
        "ece_decided": _rounded(measures.ece_decided.equal_width),
        "ece_decided_equal_mass": _rounded(measures.ece_decided.equal_mass),
        "brier": _rounded(measures.brier),
        "aurc": _rounded(measures.aurc),
        "tcr": _rounded(measures.rates.cost_ratio),
        "meanings": MEANINGS,
        "counts": {name: [rate.hits, rate.of] for name, rate in named.items()},
        "intervals_95": {name: _interval(rate) for name, rate in named.items()},
        "costs": asdict(measures.costs),
        "reliability_bins": [asdict(b) for b in measures.bins],
        "risk_coverage": [asdict(p) for p in thinned(measures.risk, 100)],
        "thresholds": [_threshold(t) for t in measures.thresholds],
        "agents": [_agent(a) for a in measures.agents],
        "patterns": [_pattern(p) for p in measures.patterns],
    }


def thinned(points: Sequence[RiskPoint], most: int) -> list[RiskPoint]:
    """At most so many points of a curve, evenly taken, with its last one."""
    if len(points) <= most:
        return list(points)
    return [points[round(i * (len(points) - 1) / (most - 1))] for i in range(most)]


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def _interval(rate: Rate) -> list[float] | None:
    return [round(bound, 6) for bound in rate.interval] if rate.interval else None


def _threshold(t: Threshold) -> dict[str, Any]:
    r = t.rates
    return {
        "spam_from": t.spam_from,
        "ham_up_to": t.ham_up_to,
        "in_use": t.in_use,
        "accuracy": _rounded(r.accuracy.value),
        "false_positive_rate": _rounded(r.false_positive_rate.value),
        "false_negative_rate": _rounded(r.false_negative_rate.value),
        "missed": _rounded(r.missed.value),
        "coverage": _rounded(r.coverage.value),
        "tcr": _rounded(r.cost_ratio),
    }


def _agent(a: AgentRecord) -> dict[str, Any]:
    return {
        "agent": a.agent,
        "answered": _rounded(a.answered.value),
        "accuracy": _rounded(a.accuracy.value),
        "accuracy_decided": _rounded(a.accuracy_decided.value),
        "auc": _rounded(a.auc),
        "mean_confidence": _rounded(a.confidence),
        "agrees_with_verdict": _rounded(a.with_verdict.value),
    }


def _pattern(p: PatternRecord) -> dict[str, Any]:
    return {
        "pattern": p.kind,
        "direction": p.direction,
        "spam_hits": p.spam.hits,
        "ham_hits": p.ham.hits,
        "spam_share": _rounded(p.spam.value),
        "ham_share": _rounded(p.ham.value),
        "lift": _rounded(p.lift),
        "log_odds": _rounded(p.log_odds),
        "speaks_for_the_wrong_side": p.against,
    }
