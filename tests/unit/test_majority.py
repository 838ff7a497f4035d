"""The contract's rules for votes, each as a table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from malafide.consensus.majority import (
    common_type,
    count,
    fold_keywords,
    is_scam,
    not_scam_confidence,
    safe_origin,
    scam_confidence,
)
from malafide.evidence import STRENGTHS, Direction, Evidence, Topic
from malafide.opinion import Vote


def vote(scam: bool, confidence: float = 0.8, kind: str = "bank_fraud") -> Vote:
    return Vote("v", scam, confidence, kind if scam else "safe", 0.5, "", ())


def seen(
    kind: str, strength: str = "moderate", direction: Direction = "deceptive", topic: Topic = "request"
) -> Evidence:
    return Evidence(
        kind, topic, direction, STRENGTHS[strength], "message/1", 0, 1, "x", kind.partition(".")[0], "S."
    )


@pytest.mark.parametrize(
    ("scam", "safe", "expected"),
    [
        (0, 0, False), (1, 0, False), (2, 0, True), (1, 1, False), (2, 1, True), (2, 2, False), (3, 2, True),
        (2, 3, False), (5, 0, True), (0, 5, False), (1, 4, False), (3, 3, False), (4, 3, True),
    ],
)  # fmt: skip
def test_more_than_half_and_at_least_two(scam: int, safe: int, expected: bool) -> None:
    assert is_scam([vote(True)] * scam + [vote(False)] * safe) is expected


def test_confidence_is_the_mean_of_those_who_say_scam() -> None:
    assert scam_confidence([vote(True, 0.9), vote(True, 0.6), vote(False, 0.1)]) == 0.75
    assert scam_confidence([]) == 0.0


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1)), max_size=12))
def test_confidence_stays_in_its_band(votes: list[tuple[bool, float]]) -> None:
    cast = [vote(scam, confidence) for scam, confidence in votes]
    decision = count(cast)
    assert 0.0 <= not_scam_confidence(cast) <= 0.2
    assert decision.scam == is_scam(cast)
    assert decision.scam or (decision.confidence <= 0.2 and decision.scam_type == "safe")


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        ([], "safe"),
        ([("a", 0.5)], "a"),
        ([("a", 0.5), ("b", 0.9), ("a", 0.1)], "a"),
        ([("a", 0.5), ("b", 0.9)], "b"),  # named as often: the one held with more confidence
        ([("b", 0.5), ("a", 0.5)], "a"),  # as sure: by name, so that the answer is always the same
    ],
)
def test_the_type_most_scam_voters_name(kinds: list[tuple[str, float]], expected: str) -> None:
    assert common_type([vote(True, c, k) for k, c in kinds] + [vote(False)]) == expected


@pytest.mark.parametrize(
    ("votes", "failed", "answer"),
    [
        ([], (), "suspicious"),
        ([vote(False)], (), "suspicious"),
        ([vote(False), vote(False)], (), "not_scam"),
        ([vote(False), vote(False)], ("claims",), "suspicious"),
        ([vote(True), vote(False)], (), "suspicious"),
        ([vote(True), vote(True)], ("claims",), "scam"),
    ],
)
def test_the_middle_answer_has_a_reason(votes: list[Vote], failed: tuple[str, ...], answer: str) -> None:
    decision = count(votes, failed=failed)
    assert decision.answer == answer and decision.reason.endswith(".")


def test_a_safe_origin_overrules_votes_and_says_so() -> None:
    decision = count([vote(True)] * 4, safe_by_origin="The user asked first.")
    assert (
        not decision.scam and decision.answer == "not_scam" and decision.overruled == "The user asked first."
    )
    assert decision.confidence <= 0.2


ASKED = seen("users.asks-about-own-business", direction="genuine", topic="transaction")
VERIFIED = seen("claims.verified", "strong", "genuine", "authentication")


@pytest.mark.parametrize(
    ("evidence", "safe"),
    [
        ([], False),
        ([ASKED], True),
        ([VERIFIED], True),
        ([ASKED, seen("push.haste", "weak", topic="pressure")], True),
        ([ASKED, seen("asks.click-link", "weak")], True),
        ([ASKED, seen("asks.code", "strong")], False),  # trust is no bypass
        ([VERIFIED, seen("asks.send-money")], False),
        ([VERIFIED, seen("asks.payee", topic="number")], False),
        ([ASKED, seen("claims.look-alike", "strong", topic="link")], False),
        ([ASKED, seen("push.secrecy", "strong", topic="pressure")], False),
        ([ASKED, seen("judge.instructions", "strong", topic="judge")], False),
    ],
)
def test_origin_is_safe_only_without_a_demand(evidence: list[Evidence], safe: bool) -> None:
    assert (safe_origin(evidence) is not None) is safe


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        (["OTP", "otp", "share OTP"], ["OTP"]),
        (["verification", "verify", "KYC"], ["verify", "KYC"]),
        (["block", "blocked", "prize"], ["block", "prize"]),
        (["send money", "money"], ["money"]),
        (["transfer", "transaction"], ["transfer", "transaction"]),
        ([f"{c}word{c}" for c in "abcdefghij"], [f"{c}word{c}" for c in "abcdefg"]),
    ],
)
def test_keywords_are_few_and_different(words: list[str], kept: list[str]) -> None:
    assert fold_keywords(words) == kept


@given(st.lists(st.text(max_size=20), max_size=30))
def test_keywords_are_never_invented(words: list[str]) -> None:
    kept = fold_keywords(words)
    assert len(kept) <= 7 and set(kept) <= set(words) and len(set(kept)) == len(kept)
