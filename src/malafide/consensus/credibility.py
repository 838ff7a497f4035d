"""The credibility panel's arithmetic: signals of many posts in, each agent's score and the aggregate out.

Pure, and done on whole columns at once: one post is a column of length one, so that a batch and a single post can
never differ. Every agent starts at 0.5; the steps are added in the order of the trace, because the last digit of a
sum of floats depends on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from malafide.consensus.credibility_rules import AGENTS, Adjustments, Group
from malafide.signals.given import Given

Column = NDArray[np.float64]
Columns = Any  # a Given whose fields are the columns of many posts
Band = Literal["high", "medium", "low"]
START: Final = 0.5
NEUTRAL: Final = 0.5  # what an absent assessment or picture counts for
PLACES: Final = 4
# The population standard deviation of numbers from 0 to 1 is at most this.
_WIDEST: Final = 0.5


@dataclass(frozen=True, slots=True)
class Scores:
    """Columns over posts. `shares` are the weights after normalising; 0 where an agent abstained."""

    text: Column
    image: Column
    source: Column
    shares: Mapping[str, Column]
    final: Column
    deviation: Column
    agreement: Column


def band(agreement: float) -> Band:
    """How well the agents agree, in a word."""
    return "high" if agreement >= 0.8 else "medium" if agreement >= 0.5 else "low"


def score(posts: Sequence[Given], rules: Adjustments, weights: Mapping[str, float]) -> Scores:
    """The scores of all posts. `weights` add up to 1."""
    columns: Columns = Given._make(zip(*posts, strict=True) if posts else ((),) * len(Given._fields))
    text, image, source = _text(columns, rules), _image(columns, rules), _source(columns, rules)
    speaks = np.ones(len(posts), np.bool_)
    if rules.missing_image == "abstain":
        speaks = np.array(columns.image, np.bool_)
    shares = _shares(speaks, weights)
    final = text * shares["TextAgent"] + image * shares["ImageAgent"] + source * shares["SourceAgent"]
    deviation = _deviation(text, image, source, speaks)
    agreement = np.maximum(0.0, 1.0 - deviation / _WIDEST)
    return Scores(text, image, source, shares, final, deviation, agreement)


def _text(posts: Columns, rules: Adjustments) -> Column:
    value = START + _words(posts.sentiment, "sentiment", rules)
    value = value + _flags(posts.clickbait, rules.clickbait, rules.no_clickbait, rules.clickbait_unknown)
    value = value + _words(posts.emotion, "emotion", rules)
    return _clamped((value + _numbers(posts.content_credibility, NEUTRAL)) / 2.0)


def _image(posts: Columns, rules: Adjustments) -> Column:
    value = START + _flags(
        posts.tampered, rules.image_tampered, rules.image_not_tampered, rules.image_tampered_unknown
    )
    value = value + ai_adjustment(_numbers(posts.ai_probability, np.nan), rules)
    return np.where(np.array(posts.image, np.bool_), _clamped(value), NEUTRAL)


def ai_adjustment(probability: Column, rules: Adjustments) -> Column:
    """What the probability that a picture is generated adds; NaN is unknown."""
    return np.select(
        [
            np.isnan(probability),
            probability > rules.ai_generated_high_above,
            probability > rules.ai_generated_moderate_above,
            probability < rules.ai_generated_low_below,
        ],
        [
            rules.ai_generated_unknown,
            rules.ai_generated_high,
            rules.ai_generated_moderate,
            rules.ai_generated_low,
        ],
        rules.ai_generated_unclear,
    )


def _source(posts: Columns, rules: Adjustments) -> Column:
    # Unknown is the middle, which adds nothing whatever the factor.
    value = START + (_numbers(posts.account_trust, 0.5) - 0.5) * rules.account_trust_factor
    value = value + (_numbers(posts.source_reliability, 0.5) - 0.5) * rules.source_reliability_factor
    value = value + _flags(
        posts.behavioral_risk, rules.behavioral_risk, rules.no_behavioral_risk, rules.behavioral_risk_unknown
    )
    return _clamped(value)


def _shares(speaks: NDArray[np.bool_], weights: Mapping[str, float]) -> dict[str, Column]:
    """The weights over the agents that speak: where the ImageAgent abstains, the others share its weight."""
    others = weights["TextAgent"] + weights["SourceAgent"]
    if others <= 0.0:  # nobody else has weight: an abstention leaves text and source to count alike
        alone = {"TextAgent": 0.5, "ImageAgent": 0.0, "SourceAgent": 0.5}
    else:
        alone = {agent: weights[agent] / others for agent in ("TextAgent", "SourceAgent")} | {
            "ImageAgent": 0.0
        }
    return {agent: np.where(speaks, weights[agent], alone[agent]) for agent in AGENTS}


def _deviation(text: Column, image: Column, source: Column, speaks: NDArray[np.bool_]) -> Column:
    """The population standard deviation over the agents that speak."""
    count = 2.0 + speaks
    third = np.where(speaks, image, 0.0)
    mean = (text + third + source) / count
    apart = np.where(speaks, (image - mean) ** 2, 0.0)
    deviation: Column = np.sqrt(((text - mean) ** 2 + apart + (source - mean) ** 2) / count)
    return deviation


def _words(words: Sequence[str | None], group: Group, rules: Adjustments) -> Column:
    amounts = {word: rules.of(group, word) for word in set(words)}
    return np.array([amounts[word] for word in words], np.float64)


def _flags(flags: Sequence[bool | None], yes: float, no: float, unknown: float) -> Column:
    amounts = {True: yes, False: no, None: unknown}
    return np.array([amounts[flag] for flag in flags], np.float64)


def _numbers(numbers: Sequence[float | None], absent: float) -> Column:
    column = np.array(numbers, np.float64)  # None becomes NaN, which no given number can be
    return np.where(np.isnan(column), absent, column)


def _clamped(column: Column) -> Column:
    return np.clip(column, 0.0, 1.0)
