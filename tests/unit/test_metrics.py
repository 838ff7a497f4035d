"""Every measure against tables worked out by hand."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from measured import ANY_ROWS, MIXED, row, rows

from malafide.measure.measures import MEANINGS, as_json, measure, thinned
from malafide.measure.metrics import Rate, auc, confusion, consensus_rate, costs, percentile, rates
from malafide.measure.reliability import (
    area_under_risk,
    brier,
    calibration_error,
    equal_mass_bins,
    equal_width_bins,
    risk_coverage,
)
from malafide.measure.rows import Row, Seen, Vote
from malafide.measure.tables import agent_records, pattern_records, thresholds


def test_rates_of_a_known_matrix() -> None:
    r = rates(confusion(MIXED))
    counted = {
        "accuracy": (21, 30),
        "accuracy_decided": (21, 24),
        "precision": (6, 8),
        "recall": (6, 10),
        "false_positive_rate": (2, 20),
        "false_negative_rate": (1, 10),
        "missed": (4, 10),
        "coverage": (24, 30),
    }
    assert {name: (getattr(r, name).hits, getattr(r, name).of) for name in counted} == counted
    assert r.f1 == pytest.approx(2 * 0.75 * 0.6 / (0.75 + 0.6))
    assert r.cost_ratio == pytest.approx(10 / (50 * 2 + 4))


def test_nothing_to_count_is_none_and_no_error_is_no_ratio() -> None:
    nothing = rates(confusion([]))
    assert (nothing.accuracy.value, nothing.precision.interval, nothing.f1, nothing.cost_ratio) == (None,) * 4
    perfect = rates(confusion(rows(spam_as_spam=3, ham_as_ham=4)))
    assert (perfect.cost_ratio, perfect.f1) == (None, 1.0)
    only_ham = rates(confusion(rows(ham_as_ham=4)))
    assert (only_ham.recall.value, only_ham.false_positive_rate.value) == (None, 0.0)


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [(0, 10, 0.0, 0.2775), (1, 10, 0.0179, 0.4042), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0)],
)
def test_wilson_intervals(hits: int, of: int, low: float, high: float) -> None:
    assert Rate(hits, of).interval == pytest.approx((low, high), abs=1e-4)


@given(st.integers(1, 500), st.data())
def test_an_interval_holds_its_rate(of: int, data: st.DataObject) -> None:
    rate = Rate(data.draw(st.integers(0, of)), of)
    assert rate.interval is not None and rate.value is not None
    low, high = rate.interval
    assert 0.0 <= low <= rate.value <= high <= 1.0


def test_consensus_needs_two_who_speak() -> None:
    silent = replace(row("ham", "UNCERTAIN", 0.5), votes=(Vote("a", None, None, "UNCERTAIN"),))
    apart = row("ham", "UNCERTAIN", 0.5, agreement=0.69)
    rate = consensus_rate([row("ham", "HAM", 0.1, agreement=0.7), silent, apart])
    assert (rate.hits, rate.of) == (1, 3)


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([(0.9, True), (0.1, False)], 1.0),
        ([(0.1, True), (0.9, False)], 0.0),
        ([(0.5, True), (0.5, False)], 0.5),
        ([(0.8, True), (0.4, True), (0.6, False), (0.2, False)], 0.75),
        ([(0.5, True), (0.5, False), (0.9, True), (0.1, False)], 0.875),
        ([(0.5, True)], None),
        ([], None),
    ],
)
def test_auc(pairs: list[tuple[float, bool]], expected: float | None) -> None:
    assert auc(pairs) == expected


def test_calibration_by_hand() -> None:
    # 0.95 promised: 3 of 4 right. 0.55 promised: 1 of 2 right (UNCERTAIN counts by the side of its score).
    sure = [row("spam", "SPAM", 0.9, 0.95)] * 3 + [row("ham", "SPAM", 0.9, 0.95)]
    unsure = [row("spam", "UNCERTAIN", 0.6, 0.55), row("spam", "UNCERTAIN", 0.4, 0.55)]
    bins = equal_width_bins(sure + unsure)
    assert [(b.low, b.cases, b.right) for b in bins] == [(0.5, 2, 0.5), (0.9, 4, 0.75)]
    assert calibration_error(bins) == pytest.approx((2 * 0.05 + 4 * 0.2) / 6)
    assert calibration_error(equal_width_bins(sure)) == pytest.approx(0.2)
    assert calibration_error([]) is None


def test_equal_mass_bins_keep_ties_together() -> None:
    graded = [row("spam", "SPAM", 0.9, 0.5 + i / 100) for i in range(40)]
    assert [b.cases for b in equal_mass_bins(graded)] == [4] * 10
    assert [b.cases for b in equal_mass_bins([row("spam", "SPAM", 0.9, 0.8)] * 40)] == [40]
    assert equal_mass_bins(graded) == equal_mass_bins(graded[::-1])


def test_brier_by_hand() -> None:
    cases = [row("spam", "SPAM", 0.9, 0.9), row("spam", "HAM", 0.1, 0.8), row("ham", "UNCERTAIN", 0.4, 0.6)]
    assert brier(cases) == pytest.approx((0.1**2 + 0.8**2 + 0.4**2) / 3)
    assert brier([]) is None


def test_risk_by_coverage() -> None:
    cases = [
        row("spam", "SPAM", 0.9, 0.9),
        row("ham", "SPAM", 0.9, 0.8),
        row("ham", "HAM", 0.1, 0.7),
        row("ham", "HAM", 0.1, 0.6),
    ]
    assert [(p.coverage, p.risk) for p in risk_coverage(cases)] == [
        (0.25, 0.0), (0.5, 0.5), (0.75, pytest.approx(1 / 3)), (1.0, 0.25),
    ]  # fmt: skip
    assert area_under_risk(cases) == pytest.approx((0 + 1 / 2 + 1 / 3 + 1 / 4) / 4)
    tied = [replace(case, confidence=0.8) for case in cases]
    assert area_under_risk(tied) == pytest.approx(0.25)  # the mean risk, whatever the order
    assert area_under_risk([]) is None


def test_thresholds_in_use_give_the_answers_that_were_given() -> None:
    odd = [
        row("spam", "UNCERTAIN", 0.95, agreement=0.5),  # the agents disagree
        replace(row("ham", "UNCERTAIN", 0.1), votes=(Vote("a", 0.1, 0.5, "HAM"),)),  # only one spoke
        row("ham", "UNCERTAIN", 0.05),  # a tool failed: not to be called safe
    ]
    table = thresholds(MIXED + odd)
    in_use = next(t for t in table if t.in_use)
    assert in_use.rates == rates(confusion(MIXED + odd))
    assert [t.spam_from for t in table] == sorted(t.spam_from for t in table)
    loosest, strictest = table[0].rates, table[-1].rates
    assert loosest.coverage.hits == 30 and strictest.coverage.hits == 0
    assert loosest.false_positive_rate.hits == 5  # the open ham at 0.5 become SPAM
    assert loosest.missed.hits == 2


def test_agents_by_hand() -> None:
    votes = (("SPAM", 0.9), ("HAM", 0.2), ("UNCERTAIN", 0.5))
    labels = ("spam", "spam", "ham")
    cases = [
        replace(
            row("spam" if label == "spam" else "ham", "SPAM", 0.9),
            votes=(Vote("a", score, 0.4, word), Vote("b", None, None, "UNCERTAIN")),  # type: ignore[arg-type]
        )
        for label, (word, score) in zip(labels, votes, strict=True)
    ]
    a, b = agent_records(cases)
    assert (a.accuracy, a.accuracy_decided, a.with_verdict) == (Rate(1, 3), Rate(1, 2), Rate(1, 3))
    assert (a.auc, a.confidence, a.answered) == (0.5, pytest.approx(0.4), Rate(3, 3))
    assert (b.answered, b.auc, b.confidence, b.accuracy) == (Rate(0, 3), None, None, Rate(0, 3))


def test_patterns_by_hand() -> None:
    bad, good = Seen("link.bad", "deceptive"), Seen("thread.reply", "genuine")
    cases = [row("spam", "SPAM", 0.9, seen=(bad, good))] * 8 + [row("spam", "SPAM", 0.9)] * 2
    cases += [row("ham", "HAM", 0.1, seen=(bad,))] * 2 + [row("ham", "HAM", 0.1)] * 28
    by_kind = {p.kind: p for p in pattern_records(cases)}
    link = by_kind["link.bad"]
    assert (link.spam, link.ham) == (Rate(8, 10), Rate(2, 30))
    assert link.lift == pytest.approx((8 / 10) / (10 / 40))
    assert link.log_odds == pytest.approx(math.log(8.5 / 2.5) - math.log(2.5 / 28.5))
    assert not link.against
    assert by_kind["thread.reply"].against  # said genuine, found in spam alone
    assert pattern_records([]) == []


def test_costs_and_percentiles() -> None:
    cases = [
        replace(row("ham", "HAM", 0.1), elapsed_ms=float(i), calls=1, tokens=10, money=0.5)
        for i in range(1, 101)
    ]
    spent = costs(cases)
    assert (spent.p50_ms, spent.p99_ms, spent.mean_ms) == (50.0, 99.0, 50.5)
    assert (spent.calls, spent.tokens, spent.money) == (100, 1000, 50.0)
    assert percentile([], 0.5) == 0.0


@given(ANY_ROWS)
def test_any_rows_are_measured_and_saved(cases: list[Row]) -> None:
    saved = as_json(measure(cases))
    again = json.loads(json.dumps(saved, allow_nan=False))
    assert again["cases"] == len(cases)
    for name in ("accuracy", "recall", "coverage", "ece", "brier", "aurc", "auc"):
        assert again[name] is None or 0.0 <= again[name] <= 1.0
    assert sum(sum(answers.values()) for answers in again["confusion_matrix"].values()) == len(cases)
    assert set(MEANINGS) <= set(again)


def test_a_long_curve_is_thinned_with_its_ends() -> None:
    points = risk_coverage([row("spam", "SPAM", 0.9, i / 1000) for i in range(1000)])
    few = thinned(points, 50)
    assert (len(few), few[0], few[-1]) == (50, points[0], points[-1])
