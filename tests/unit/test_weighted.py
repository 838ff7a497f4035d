"""The spam consensus, to the digit."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from malafide.consensus.weighted import WEIGHTS, agree, conflict, contribute, decide
from malafide.evidence import Evidence
from malafide.opinion import Opinion, Step

NAMES = list(WEIGHTS)


def opinion(agent: str, score: float, confidence: float = 0.8, evidence: Evidence | None = None) -> Opinion:
    steps = (Step("prior", -1.0), *((Step(evidence.kind, 2.0, evidence),) if evidence else ()))
    recommendation = "SPAM" if score >= 0.7 else "HAM" if score <= 0.3 else "UNCERTAIN"
    return Opinion(agent, score, confidence, recommendation, "words", steps, {})


def three(content: float, pattern: float, intent: float) -> list[Opinion]:
    return [opinion(n, s) for n, s in zip(NAMES, (content, pattern, intent), strict=True)]


def test_the_score_is_weighted_by_weight_and_confidence() -> None:
    opinions = [opinion(NAMES[0], 0.9, 0.5), opinion(NAMES[1], 0.8, 1.0), opinion(NAMES[2], 0.7, 0.25)]
    by_hand = (0.30 * 0.5 * 0.9 + 0.35 * 1.0 * 0.8 + 0.35 * 0.25 * 0.7) / (
        0.30 * 0.5 + 0.35 * 1.0 + 0.35 * 0.25
    )
    decision = decide(opinions, WEIGHTS)
    assert decision.score == pytest.approx(by_hand, abs=2e-6)
    assert decision.agreement == pytest.approx(0.8)
    assert decision.classification == "SPAM"


@pytest.mark.parametrize(
    ("scores", "answer"),
    [
        ((0.7, 0.7, 0.7), "SPAM"),
        ((0.699, 0.699, 0.699), "UNCERTAIN"),
        ((0.3, 0.3, 0.3), "HAM"),
        ((0.301, 0.301, 0.301), "UNCERTAIN"),
        ((1.0, 0.7, 1.0), "SPAM"),
        ((1.0, 0.69, 1.0), "UNCERTAIN"),  # agreement 0.69
        ((0.0, 0.3, 0.0), "HAM"),
        ((0.0, 0.31, 0.0), "UNCERTAIN"),
        ((0.95, 0.1, 0.95), "UNCERTAIN"),
    ],
)
def test_thresholds(scores: tuple[float, float, float], answer: str) -> None:
    decision = decide(three(*scores), WEIGHTS)
    assert decision.classification == answer
    assert (decision.uncertainty_reason is not None) == (answer == "UNCERTAIN")


def test_weights_are_renormalised_over_who_answered() -> None:
    decision = decide([opinion(NAMES[0], 0.9), opinion(NAMES[2], 0.8)], WEIGHTS)
    assert [c.weight for c in decision.contributions] == pytest.approx([0.30 / 0.65, 0.35 / 0.65])
    assert decision.classification == "SPAM"


@pytest.mark.parametrize("count", [0, 1])
def test_fewer_than_two_opinions_is_uncertain(count: int) -> None:
    decision = decide([opinion(NAMES[0], 0.99)][:count], WEIGHTS)
    assert decision.classification == "UNCERTAIN"
    assert decision.uncertainty_reason
    assert decision.score == (0.5 if count == 0 else 0.99)


def test_a_failure_never_reads_as_safe() -> None:
    safe = three(0.05, 0.05, 0.05)
    assert decide(safe, WEIGHTS).classification == "HAM"
    barred = decide(safe, WEIGHTS, ["links"])
    assert barred.classification == "UNCERTAIN"
    assert "links" in (barred.uncertainty_reason or "")
    assert decide(three(0.9, 0.9, 0.9), WEIGHTS, ["links"]).classification == "SPAM"


def test_conflict_names_dissenter_evidence_and_the_stronger_side() -> None:
    found = Evidence(
        "link.ip-host", "link", "deceptive", 0.7, "links", 0, 4, "http", "links", "It leads to a machine."
    )
    opinions = [opinion(NAMES[0], 0.1), opinion(NAMES[1], 0.9, evidence=found), opinion(NAMES[2], 0.15)]
    words = conflict(opinions)
    assert "pattern-recognizer says 0.90" in words
    assert "It leads to a machine." in words


scores = st.floats(0, 1, allow_nan=False)


@given(st.lists(st.tuples(scores, st.floats(0.001, 1)), min_size=1, max_size=3))
def test_the_sum_is_the_score_and_stays_in_range(pairs: list[tuple[float, float]]) -> None:
    opinions = [opinion(n, s, c) for n, (s, c) in zip(NAMES, pairs, strict=False)]
    decision = decide(opinions, WEIGHTS)
    assert math.isclose(
        math.fsum(c.amount for c in contribute(opinions, WEIGHTS)), decision.score, abs_tol=1e-9
    )
    assert min(s for s, _ in pairs) - 1e-5 <= decision.score <= max(s for s, _ in pairs) + 1e-5
    assert 0.0 <= agree(opinions) <= 1.0
