"""The numbers of the credibility panel: every adjustment by name, and what a user may put in their place."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal

from malafide.errors import BadSetting

MissingImage = Literal["neutral", "abstain"]
Group = Literal["sentiment", "emotion"]
AGENTS: Final = ("TextAgent", "ImageAgent", "SourceAgent")
WEIGHTS: Final[Mapping[str, float]] = {"TextAgent": 0.35, "ImageAgent": 0.25, "SourceAgent": 0.40}


@dataclass(frozen=True, slots=True)
class Adjustments:
    """What each signal adds to its agent's score. What is unknown adds nothing, unless a user decides otherwise."""

    sentiment_positive: float = 0.1
    sentiment_negative: float = -0.1
    sentiment_neutral: float = 0.0
    sentiment_unknown: float = 0.0
    clickbait: float = -0.2
    no_clickbait: float = 0.05
    clickbait_unknown: float = 0.0
    emotion_anger: float = -0.15
    emotion_fear: float = -0.15
    emotion_disgust: float = -0.15
    emotion_joy: float = 0.05
    emotion_surprise: float = 0.05
    emotion_sadness: float = 0.0
    emotion_neutral: float = 0.0
    emotion_unknown: float = 0.0
    image_tampered: float = -0.3
    image_not_tampered: float = 0.1
    image_tampered_unknown: float = 0.0
    ai_generated_high: float = -0.25
    ai_generated_moderate: float = -0.1
    ai_generated_low: float = 0.05
    ai_generated_unclear: float = 0.0  # between low and moderate
    ai_generated_unknown: float = 0.0
    ai_generated_high_above: float = 0.7
    ai_generated_moderate_above: float = 0.4
    ai_generated_low_below: float = 0.2
    account_trust_factor: float = 0.4
    source_reliability_factor: float = 0.4
    behavioral_risk: float = -0.2
    no_behavioral_risk: float = 0.05
    behavioral_risk_unknown: float = 0.0
    missing_image: MissingImage = "neutral"

    def of(self, group: Group, word: str | None) -> float:
        """What a sentiment or emotion adds."""
        name = (
            f"{group}_{word.strip().lower()}"
            if word is not None and known(group, word)
            else f"{group}_unknown"
        )
        amount: float = getattr(self, name)
        return amount


_NAMES: Final = tuple(field.name for field in fields(Adjustments))
_KNOWN: Final[Mapping[Group, frozenset[str]]] = {
    "sentiment": frozenset({"positive", "negative", "neutral"}),
    "emotion": frozenset({"anger", "fear", "disgust", "joy", "surprise", "sadness", "neutral"}),
}


def known(group: Group, word: str | None) -> bool:
    """Whether a sentiment or emotion is one of those that have a number."""
    return word is not None and word.strip().lower() in _KNOWN[group]


def adjustments(decision_rules: Mapping[str, Any] | None) -> Adjustments:
    """The adjustments with the user's own in place.

    Names are those of `Adjustments`; groups may be nested: {"sentiment": {"POSITIVE": 0.2}}.
    """
    if decision_rules is None:
        return Adjustments()
    if not isinstance(decision_rules, Mapping):
        raise BadSetting(f"decision_rules is {decision_rules!r}; it must be an object of names and numbers")
    changes: dict[str, Any] = {}
    for name, value in _flat(decision_rules):
        if name not in _NAMES:
            raise BadSetting(f"decision_rules: there is no {name!r}; there are: {', '.join(_NAMES)}")
        if name == "missing_image":
            if value not in ("neutral", "abstain"):
                raise BadSetting(
                    f"decision_rules: missing_image is {value!r}; allowed are 'neutral' and 'abstain'"
                )
        elif isinstance(value, bool) or not isinstance(value, float | int) or not math.isfinite(value):
            raise BadSetting(f"decision_rules: {name} is {value!r}; it must be a number")
        changes[name] = value
    return replace(Adjustments(), **changes)


def _flat(decision_rules: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in decision_rules.items():
        if isinstance(value, Mapping):
            for inner, amount in value.items():
                yield f"{name}_{inner}".lower(), amount
        else:
            yield str(name), value


def normalised(agent_weights: Mapping[str, float] | None) -> dict[str, float]:
    """The weights by agent, adding up to 1. Agents that are not named keep their own weight."""
    if agent_weights is not None and not isinstance(agent_weights, Mapping):
        raise BadSetting(f"agent_weights is {agent_weights!r}; it must be an object of agents and weights")
    weights = dict(WEIGHTS)
    for agent, weight in (agent_weights or {}).items():
        if agent not in WEIGHTS:
            raise BadSetting(f"agent_weights: there is no agent {agent!r}; there are: {', '.join(AGENTS)}")
        if isinstance(weight, bool) or not isinstance(weight, float | int) or not 0.0 <= weight < math.inf:
            raise BadSetting(
                f"agent_weights: {agent} has {weight!r}; a weight is a number that is not negative"
            )
        weights[agent] = float(weight)
    total = weights["TextAgent"] + weights["ImageAgent"] + weights["SourceAgent"]
    if not 0.0 < total < math.inf:
        raise BadSetting(f"agent_weights: {dict(weights)!r} cannot be normalised; one must be above zero")
    return {agent: weight / total for agent, weight in weights.items()}
