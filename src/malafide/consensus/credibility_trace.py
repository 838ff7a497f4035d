"""Scores in, the reasoning trace out: one line per step, each with what it added and where that led.

Written for batches: the lines are most of the work of the whole panel, so those that few combinations of signals can
give are made once, and the others by one formatting each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from malafide.consensus.credibility import NEUTRAL, PLACES, START, Scores, ai_adjustment, band
from malafide.consensus.credibility_rules import AGENTS, Adjustments, Group, known
from malafide.signals.given import Given

Lines = tuple[str, ...]
_BAIT: Final = {True: "clickbait", False: "no clickbait", None: "clickbait unknown"}
_EDITED: Final = {True: "image tampered", False: "image not tampered", None: "tampering unknown"}
_RISK: Final = {True: "behavioural risk", False: "no behavioural risk", None: "behavioural risk unknown"}


class Decision(NamedTuple):
    """What the panel holds about one post. `agents` and `weights` are by agent; None is who abstained."""

    score: float
    agreement: float
    trace: Lines
    agents: tuple[float, float | None, float]
    weights: tuple[float, float, float]


def decisions(posts: Sequence[Given], scores: Scores, rules: Adjustments) -> Iterator[Decision]:
    """The decision on each post, in order."""
    writer = _Writer(rules)
    columns = (
        scores.text, scores.image, scores.source, scores.final, scores.deviation, scores.agreement,
        *(scores.shares[agent] for agent in AGENTS),
        ai_adjustment(np.array([post.ai_probability for post in posts], np.float64), rules),
    )  # fmt: skip
    rows = zip(*(column.tolist() for column in columns), strict=True)
    abstains = rules.missing_image == "abstain"
    for post, row in zip(posts, rows, strict=True):
        text, image, source, final, deviation, agreement, *weights, generated = row
        # numpy rounds by multiplying first, which turns some ties; Python's rounding is exact.
        final, agreement = round(final, PLACES), round(agreement, PLACES)
        agents = text, None if abstains and not post.image else image, source
        shares = weights[0], weights[1], weights[2]
        trace = (
            *writer.text(post.sentiment, post.clickbait, post.emotion),
            _assessment(post.content_credibility, text),
            *(writer.image(post, image, generated) if post.image else writer.no_image),
            *writer.source(post, source),
            _sum(agents, shares, final),
            f"AggregatorAgent: agreement 1 - {deviation:.4f} / 0.5 = {agreement:.4f} ({band(agreement)})",
        )
        yield Decision(final, agreement, trace, agents, shares)


class _Writer:
    """Writes the agents' lines under one set of rules."""

    def __init__(self, rules: Adjustments) -> None:
        self._rules = rules
        self._texts: dict[tuple[str | None, bool | None, str | None], Lines] = {}
        self._tampering = dict(
            zip(_EDITED, _flags(rules, "image_tampered", "image_not_tampered"), strict=True)
        )
        self._risks = dict(zip(_RISK, _flags(rules, "behavioral_risk", "no_behavioral_risk"), strict=True))
        held = "abstains" if rules.missing_image == "abstain" else f"stays at {NEUTRAL:.4f}"
        self.no_image: Lines = (f"ImageAgent: no image signals, {held}",)

    def text(self, sentiment: str | None, clickbait: bool | None, emotion: str | None) -> Lines:
        key = sentiment, clickbait, emotion
        lines = self._texts.get(key)
        if lines is None:
            lines = self._texts[key] = self._text(*key)
        return lines

    def _text(self, sentiment: str | None, clickbait: bool | None, emotion: str | None) -> Lines:
        rules = self._rules
        tone, feeling = rules.of("sentiment", sentiment), rules.of("emotion", emotion)
        bait = dict(zip(_BAIT, _flags(rules, "clickbait", "no_clickbait"), strict=True))[clickbait]
        first = START + tone
        second = first + bait
        return (
            f"TextAgent: starts at {START:.4f}",
            _step("TextAgent", _word("sentiment", sentiment), tone, first),
            _step("TextAgent", _BAIT[clickbait], bait, second),
            _step("TextAgent", _word("emotion", emotion), feeling, second + feeling),
        )

    def image(self, post: Given, image: float, generated: float) -> Lines:
        edited, probability = self._tampering[post.tampered], post.ai_probability
        first = START + edited
        last = first + generated
        said = "AI generation unknown" if probability is None else f"AI generation {probability:.4f}"
        lines = (
            f"ImageAgent: starts at {START:.4f}",
            _step("ImageAgent", _EDITED[post.tampered], edited, first),
            f"ImageAgent: {said} {generated:+.4f} -> {last:.4f}{_held(last, image)}",
        )
        if post.ocr_text:
            return (*lines, f"ImageAgent: OCR text of {len(post.ocr_text)} characters, no effect")
        return lines

    def source(self, post: Given, source: float) -> Lines:
        rules, trust, reliability = self._rules, post.account_trust, post.source_reliability
        added = 0.0 if trust is None else (trust - 0.5) * rules.account_trust_factor
        more = 0.0 if reliability is None else (reliability - 0.5) * rules.source_reliability_factor
        risk = self._risks[post.behavioral_risk]
        first = START + added
        second = first + more
        last = second + risk
        trusted = "unknown" if trust is None else f"{trust:.4f}"
        reliable = "unknown" if reliability is None else f"{reliability:.4f}"
        return (
            f"SourceAgent: starts at {START:.4f}",
            f"SourceAgent: account trust {trusted} {added:+.4f} -> {first:.4f}",
            f"SourceAgent: source reliability {reliable} {more:+.4f} -> {second:.4f}",
            f"SourceAgent: {_RISK[post.behavioral_risk]} {risk:+.4f} -> {last:.4f}{_held(last, source)}",
        )


def _flags(rules: Adjustments, yes: str, no: str) -> tuple[float, float, float]:
    """What true, false and unknown add."""
    return getattr(rules, yes), getattr(rules, no), getattr(rules, f"{yes}_unknown")


def _assessment(credibility: float | None, text: float) -> str:
    if credibility is None:
        return f"TextAgent: content credibility unknown, mean with {NEUTRAL:.4f} -> {text:.4f}"
    return f"TextAgent: content credibility {credibility:.4f}, mean with it -> {text:.4f}"


def _sum(agents: tuple[float, float | None, float], weights: tuple[float, ...], final: float) -> str:
    text, image, source = agents
    middle = "" if image is None else f"ImageAgent {weights[1]:.4f} x {image:.4f} + "
    return (
        f"AggregatorAgent: TextAgent {weights[0]:.4f} x {text:.4f} + {middle}"
        f"SourceAgent {weights[2]:.4f} x {source:.4f} = {final:.4f}"
    )


def _word(group: Group, word: str | None) -> str:
    if word is None:
        return f"{group} unknown"
    return f"{group} {' '.join(word.split())[:40]}{'' if known(group, word) else ' (no rule for it)'}"


def _step(agent: str, said: str, amount: float, value: float) -> str:
    return f"{agent}: {said} {amount:+.4f} -> {value:.4f}"


def _held(value: float, held: float) -> str:
    return "" if value == held else f", held to {held:.4f}"
