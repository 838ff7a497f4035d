"""The credibility panel's aggregation, against a calculation of its own and on everything that may be missing."""

from __future__ import annotations

import json
import math
import statistics
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given as each
from hypothesis import strategies as st

from malafide import MalafideError, MultiAgentReasoningSystem
from malafide.consensus.credibility import band
from malafide.contracts import schema
from malafide.errors import BadSetting, BadSignal

PLAIN = {"sentiment": "NEUTRAL", "emotion": "neutral", "clickbait": False}
MIDDLE = {"account_trust_score": 0.5, "source_reliability_score": 0.5, "behavioral_risk_flag": False}


def process(
    nlp: dict[str, Any] | None = None,
    source: dict[str, Any] | None = None,
    image: dict[str, Any] | None = None,
    assessment: dict[str, Any] | None = None,
    **options: Any,
) -> dict[str, Any]:
    panel = MultiAgentReasoningSystem(**options)
    return dict(panel.process_post("p", PLAIN | (nlp or {}), MIDDLE | (source or {}), image, assessment))


def score(*args: Any, **options: Any) -> float:
    value: float = process(*args, **options)["final_credibility_score"]
    return value


def test_a_post_by_hand() -> None:
    # text (0.5 - 0.1 - 0.2 - 0.15 + 0.25) / 2 = 0.15; image 0.5 - 0.3 - 0.25 = 0 (held); source 0.5 - 0.16 - 0.12 - 0.2
    result = MultiAgentReasoningSystem().process_post(
        "p",
        {"sentiment": "NEGATIVE", "emotion": "anger", "clickbait": True},
        {"account_trust_score": 0.1, "source_reliability_score": 0.2, "behavioral_risk_flag": True},
        {"image_tampered": True, "ai_generated_probability": 0.8, "ocr_text": "FAKE"},
        {"content_credibility_score": 0.25, "risk_category": "high"},
    )
    assert list(result) == ["final_credibility_score", "agent_agreement_level", "reasoning_trace"]
    assert result["final_credibility_score"] == round(0.35 * 0.15 + 0.4 * 0.02, 4) == 0.0605
    assert result["agent_agreement_level"] == round(1 - statistics.pstdev([0.15, 0.0, 0.02]) / 0.5, 4)
    assert any("held to 0.0000" in line for line in result["reasoning_trace"])


@pytest.mark.parametrize(
    ("nlp", "text"),
    [
        ({}, 0.55),
        ({"sentiment": "POSITIVE"}, 0.65),
        ({"sentiment": "negative"}, 0.45),
        ({"sentiment": "MIXED"}, 0.55),
        ({"sentiment": None}, 0.55),
        ({"clickbait": True}, 0.3),
        ({"clickbait": None}, 0.5),
        ({"emotion": "Fear"}, 0.4),
        ({"emotion": "disgust"}, 0.4),
        ({"emotion": "surprise"}, 0.6),
        ({"emotion": "sadness"}, 0.55),
        ({"emotion": "boredom"}, 0.55),
        ({"emotion": None}, 0.55),
    ],
)
def test_the_text_agent(nlp: dict[str, Any], text: float) -> None:
    only = {"agent_weights": {"TextAgent": 1, "ImageAgent": 0, "SourceAgent": 0}}
    assert score(nlp, **only) == round((text + 0.5) / 2, 4)
    assert score(nlp, assessment={"content_credibility_score": 1.0}, **only) == round((text + 1) / 2, 4)


@pytest.mark.parametrize(
    ("image", "expected"),
    [
        (None, 0.5),
        ({}, 0.5),
        ({"image_tampered": False, "ai_generated_probability": 0.3}, 0.6),
        ({"tampered": True, "ai_generated_probability": 0.3}, 0.2),
        ({"image_tampered": None, "ai_generated_probability": None}, 0.5),
        ({"image_tampered": False}, 0.6),
        ({"image_tampered": False, "ai_generated_probability": 0.7}, 0.5),
        ({"image_tampered": False, "ai_generated_probability": 0.71}, 0.35),
        ({"image_tampered": False, "ai_generated_probability": 0.4}, 0.6),
        ({"image_tampered": False, "ai_generated_probability": 0.2}, 0.6),
        ({"image_tampered": False, "ai_generated_probability": 0.19}, 0.65),
    ],
)
def test_the_image_agent(image: dict[str, Any] | None, expected: float) -> None:
    only = {"agent_weights": {"TextAgent": 0, "ImageAgent": 1, "SourceAgent": 0}}
    assert score(image=image, **only) == expected


def test_the_source_agent() -> None:
    only = {"agent_weights": {"TextAgent": 0, "ImageAgent": 0, "SourceAgent": 2}}
    assert score(source={"account_trust_score": 1, "source_reliability_score": 0.75}, **only) == 0.85
    assert score(source={"behavioral_risk_flag": True}, **only) == 0.3
    assert score(source=dict.fromkeys(MIDDLE), **only) == 0.5


def test_unknown_is_said_and_adds_nothing() -> None:
    trace = process(dict.fromkeys(PLAIN), dict.fromkeys(MIDDLE), {"image_tampered": None})["reasoning_trace"]
    assert sum("unknown" in line and ("+0.0000" in line or "mean" in line) for line in trace) == 9


@pytest.mark.parametrize(
    ("group", "value"),
    [
        ({"account_trust_score": 1.01}, "from 0 to 1"),
        ({"account_trust_score": -0.1}, "from 0 to 1"),
        ({"source_reliability_score": math.nan}, "from 0 to 1"),
        ({"source_reliability_score": "0.5"}, "from 0 to 1"),
        ({"account_trust_score": True}, "from 0 to 1"),
        ({"behavioral_risk_flag": "yes"}, "true or false"),
        ({"behavioral_risk_flag": 1}, "true or false"),
    ],
)
def test_a_bad_signal_is_refused_by_name(group: dict[str, Any], value: str) -> None:
    with pytest.raises(BadSignal, match=f"post 'p': {next(iter(group))} is .*{value}"):
        process(source=group)


@pytest.mark.parametrize(
    "options",
    [
        {"agent_weights": {"Nobody": 1}},
        {"agent_weights": {"TextAgent": -1}},
        {"agent_weights": {"TextAgent": 0, "ImageAgent": 0, "SourceAgent": 0}},
        {"agent_weights": {"TextAgent": math.inf}},
        {"decision_rules": {"no_such": 1}},
        {"decision_rules": {"clickbait": "low"}},
        {"decision_rules": {"missing_image": "skip"}},
        {"decision_rules": [1]},
    ],
)
def test_bad_settings_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(BadSetting):
        MultiAgentReasoningSystem(**options)


def test_decision_rules_replace_any_adjustment() -> None:
    rules = {
        "clickbait": -0.5,
        "sentiment": {"POSITIVE": 0.0},
        "emotion_joy": -0.1,
        "account_trust_factor": 1.0,
    }
    nlp = {"sentiment": "POSITIVE", "emotion": "joy", "clickbait": True}
    text = (0.5 - 0.5 - 0.1 + 0.5) / 2
    source = 0.5 + (0.9 - 0.5) * 1.0 + 0.05
    expected = round(text * 0.35 + 0.5 * 0.25 + source * 0.4, 4)
    assert score(nlp, {"account_trust_score": 0.9}, decision_rules=rules) == expected


def test_an_absent_picture_may_abstain() -> None:
    result = process(decision_rules={"missing_image": "abstain"})
    assert result["final_credibility_score"] == round((0.525 * 0.35 + 0.55 * 0.40) / 0.75, 4)
    assert result["agent_agreement_level"] == round(1 - statistics.pstdev([0.525, 0.55]) / 0.5, 4)
    assert "ImageAgent: no image signals, abstains" in result["reasoning_trace"]
    seen = {"image_tampered": False, "ai_generated_probability": 0.1}
    assert process(image=seen, decision_rules={"missing_image": "abstain"}) == process(image=seen)


UNIT = st.floats(0, 1)
FLAG = st.booleans() | st.none()


@each(UNIT | st.none(), UNIT | st.none(), FLAG, FLAG, UNIT | st.none(), FLAG)
def test_scores_stay_in_range_and_batch_equals_single(
    trust: float | None,
    credibility: float | None,
    risk: bool | None,
    bait: bool | None,
    ai: float | None,
    cut: bool | None,
) -> None:
    post: dict[str, Any] = {
        "nlp_signals": {"sentiment": "NEGATIVE", "emotion": "fear", "clickbait": bait},
        "source_signals": {"account_trust_score": trust, "behavioral_risk_flag": risk},
        "image_signals": {"image_tampered": cut, "ai_generated_probability": ai},
        "misinformation_assessment": {"content_credibility_score": credibility},
    }
    panel = MultiAgentReasoningSystem()
    single = panel.process_post("a", **post)
    assert 0 <= single["final_credibility_score"] <= 1 and 0 <= single["agent_agreement_level"] <= 1
    assert panel.process_batch([{"post_id": "a", **post}]) == {"a": single}


def test_a_batch_goes_on_after_bad_posts(tmp_path: Path) -> None:
    good = {"nlp_signals": PLAIN, "source_signals": MIDDLE}
    bad = {"post_id": "bad", "source_signals": {"account_trust_score": 7}}
    posts: list[Any] = [
        {"post_id": "a", **good},
        bad,
        "no post",
        {"post_id": "a", **good},
        {"post_id": 5, **good},
    ]
    out = tmp_path / "agent_outputs.json"
    results = MultiAgentReasoningSystem().process_batch([*posts, {"post_id": "empty"}], out, details=True)
    assert list(results) == ["a", "bad", "post_3", "a#4", "5", "empty"]
    assert [name for name, row in results.items() if "error" in row] == ["bad", "post_3", "a#4", "empty"]
    assert json.loads(out.read_text()) == results
    details = results["5"]["malafide"]  # type: ignore[typeddict-item]
    assert details["agent_scores"] == {"TextAgent": 0.525, "ImageAgent": 0.5, "SourceAgent": 0.55}


def test_the_contract_has_a_schema() -> None:
    from jsonschema import Draft202012Validator

    results = MultiAgentReasoningSystem().process_batch(
        [{"post_id": "a", "nlp_signals": PLAIN}, {"post_id": "b"}]
    )
    validator = Draft202012Validator(schema("credibility"))
    validator.validate(results)
    assert not validator.is_valid({"a": {**results["a"], "final_credibility_score": 2}})


def test_bands() -> None:
    assert [band(x) for x in (1.0, 0.8, 0.79, 0.5, 0.49, 0.0)] == [
        "high",
        "high",
        "medium",
        "medium",
        "low",
        "low",
    ]


def test_refusals_are_malafides_own() -> None:
    assert issubclass(BadSignal, MalafideError)
