"""Confidence is a probability: fitted, monotone, modest with few cases."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from malafide.consensus.calibration import BUILT_IN, Calibration, fit


def test_a_fit_recovers_how_often_a_score_is_right() -> None:
    rng = random.Random(7)
    truth = Calibration(0.6, 0.4, 0, "truth")
    pairs = [
        (s, rng.random() < truth.spam_probability(s)) for s in (rng.uniform(0.02, 0.98) for _ in range(6000))
    ]
    fitted = fit(pairs, "made")
    assert fitted.slope == pytest.approx(0.6, abs=0.1)
    assert fitted.cases == 6000


def test_a_clean_separation_does_not_claim_certainty() -> None:
    fitted = fit([(0.9, True)] * 5 + [(0.1, False)] * 5, "few")
    assert 0.8 < fitted.spam_probability(0.9) < 0.995


def test_one_class_alone_teaches_nothing() -> None:
    assert fit([(0.9, True)] * 50, "spam only").slope == 1.0


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_higher_score_is_never_less_likely_spam(a: float, b: float) -> None:
    low, high = sorted((a, b))
    assert BUILT_IN.spam_probability(low) <= BUILT_IN.spam_probability(high)
    assert BUILT_IN.confidence("SPAM", high) == pytest.approx(1 - BUILT_IN.confidence("HAM", high), abs=2e-4)
    leaning = BUILT_IN.spam_probability(low) if low >= 0.5 else 1 - BUILT_IN.spam_probability(low)
    assert BUILT_IN.confidence("UNCERTAIN", low) == pytest.approx(leaning, abs=1e-4)
