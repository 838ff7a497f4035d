"""The offline mind: what evidence comes to."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from malafide.evidence import Direction, Evidence, Topic
from malafide.minds.offline import logistic, weigh

LENS = {"pressure": 1.0, "offer": 1.0, "request": 1.0, "conversation": 1.0, "link": 0.5}


def seen(kind: str, topic: Topic, strength: float = 0.4, direction: Direction = "deceptive") -> Evidence:
    return Evidence(kind, topic, direction, strength, "body", 0, 1, "x", "tool", f"Says {kind}.")


def test_the_score_is_the_logistic_of_its_steps() -> None:
    weighing = weigh([seen("a", "pressure"), seen("b", "link", 0.7)], LENS)
    assert [s.amount for s in weighing.steps] == pytest.approx([-1.0, 4 * 0.4 * 0.65, 4 * 0.7 * 0.5 * 0.65])
    assert weighing.score == pytest.approx(logistic(sum(s.amount for s in weighing.steps)), abs=1e-4)


def test_ten_synonyms_are_not_ten_proofs() -> None:
    one = weigh([seen("a", "pressure")], LENS)
    ten = weigh([seen(f"a{i}", "pressure") for i in range(10)], LENS)
    two_topics = weigh([seen("a", "pressure"), seen("b", "offer"), seen("c", "request")], LENS)
    gain = sum(s.amount for s in ten.steps[1:])
    assert gain < 2 * sum(s.amount for s in one.steps[1:])
    assert two_topics.score > ten.score


def test_what_comes_with_selling_counts_as_one() -> None:
    lens = {"offer": 1.0, "marketing": 1.0, "family": 1.0, "request": 1.0}
    selling = weigh([seen("a", "offer"), seen("b", "marketing"), seen("c", "family")], lens)
    assert [s.amount for s in selling.steps[1:]] == pytest.approx([1.04, 0.52, 0.26])
    assert weigh([seen("a", "offer"), seen("b", "request"), seen("c", "family")], lens).score > selling.score


def test_the_same_kind_twice_counts_once() -> None:
    assert weigh([seen("a", "offer"), seen("a", "offer", 0.2)], LENS) == weigh([seen("a", "offer")], LENS)


def test_nothing_under_the_lens_gives_no_steps() -> None:
    weighing = weigh([seen("a", "route")], LENS)
    assert weighing.steps == () and weighing.confidence == 0.0


def test_trust_is_set_aside_when_the_message_asks_for_what_a_deceiver_needs() -> None:
    trust = seen("thread", "conversation", 0.7, "genuine")
    mild = weigh([trust, seen("ask", "request", 0.2)], LENS)
    grave = weigh([trust, seen("ask", "request", 0.7)], LENS)
    assert mild.set_aside == () and any(s.evidence == trust for s in mild.steps)
    assert grave.set_aside == (trust,) and all(s.evidence != trust for s in grave.steps)


pieces = st.builds(
    seen,
    st.sampled_from("abcdef"),
    st.sampled_from(sorted(LENS)),
    st.sampled_from([0.1, 0.2, 0.4, 0.7, 1.0]),
    st.sampled_from(["deceptive", "genuine"]),
)


@given(st.lists(pieces, max_size=20), pieces)
def test_more_deception_never_lowers_the_score(found: list[Evidence], extra: Evidence) -> None:
    before, after = weigh(found, LENS), weigh([*found, extra], LENS)
    assert 0.0 <= after.score <= 1.0 and 0.0 <= after.confidence <= 1.0
    if before.steps and after.steps and extra.direction == "deceptive":
        assert after.score >= before.score - 1e-9


@given(st.floats(-1000, 1000))
def test_logistic_never_overflows(x: float) -> None:
    assert 0.0 <= logistic(x) <= 1.0 and math.isclose(logistic(x) + logistic(-x), 1.0, abs_tol=1e-12)
