"""Signals as they are given from outside, in; typed signals out, or one sentence on what is wrong with them.

None is "unknown": nobody measured it. It is never turned into a number here.
"""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from malafide.errors import BadSignal


class Given(NamedTuple):
    """The signals of one post that the credibility panel scores. `image` is False when there are none of a picture."""

    sentiment: str | None = None
    emotion: str | None = None
    clickbait: bool | None = None
    content_credibility: float | None = None
    image: bool = False
    tampered: bool | None = None
    ai_probability: float | None = None
    ocr_text: str = ""
    account_trust: float | None = None
    source_reliability: float | None = None
    behavioral_risk: bool | None = None


_NOTHING: Final[Mapping[str, Any]] = {}


def given(
    nlp_signals: Mapping[str, Any] | None,
    source_signals: Mapping[str, Any] | None,
    image_signals: Mapping[str, Any] | None,
    misinformation_assessment: Mapping[str, Any] | None,
) -> Given:
    """The four groups of signals, checked. What a group does not hold is unknown."""
    nlp = _group("nlp_signals", nlp_signals)
    source = _group("source_signals", source_signals)
    image = _group("image_signals", image_signals)
    assessment = _group("misinformation_assessment", misinformation_assessment)
    tampered = "image_tampered" if "image_tampered" in image else "tampered"
    return Given(
        _word(nlp, "sentiment"),
        _word(nlp, "emotion"),
        _flag(nlp, "clickbait"),
        _unit(assessment, "content_credibility_score"),
        bool(image),
        _flag(image, tampered),
        _unit(image, "ai_generated_probability"),
        _word(image, "ocr_text") or "",
        _unit(source, "account_trust_score"),
        _unit(source, "source_reliability_score"),
        _flag(source, "behavioral_risk_flag"),
    )


def _group(name: str, value: Mapping[str, Any] | None) -> Mapping[str, Any]:
    if value is None:
        return _NOTHING
    if type(value) is not dict and not isinstance(value, Mapping):
        raise BadSignal(f"{name} is {_shown(value)}; it must be an object of signals, or absent")
    return value


def _word(group: Mapping[str, Any], name: str) -> str | None:
    value = group.get(name)
    if value is None or type(value) is str:
        return value
    raise BadSignal(f"{name} is {_shown(value)}; it must be text, or null when unknown")


def _flag(group: Mapping[str, Any], name: str) -> bool | None:
    value = group.get(name)
    if value is None or value is True or value is False:
        return value
    raise BadSignal(f"{name} is {_shown(value)}; it must be true or false, or null when unknown")


def _unit(group: Mapping[str, Any], name: str) -> float | None:
    value = group.get(name)
    if value is None:
        return None
    # bool is an int to Python, and NaN compares false with everything: both are refused here.
    if isinstance(value, float | int) and not isinstance(value, bool) and 0.0 <= value <= 1.0:
        return float(value)
    raise BadSignal(f"{name} is {_shown(value)}; it must be a number from 0 to 1, or null when unknown")


def _shown(value: object) -> str:
    return reprlib.repr(value)  # short, whatever was sent
