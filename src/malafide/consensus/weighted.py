"""The spam panel's consensus: three opinions in, a score whose sum is printed and one of three answers out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from malafide.evidence import Evidence
from malafide.opinion import Opinion
from malafide.verdict import Classification, Contribution

WEIGHTS: Final[Mapping[str, float]] = {
    "content-analyzer": 0.30,
    "pattern-recognizer": 0.35,
    "intent-analyzer": 0.35,
}
SPAM_FROM: Final = 0.7
HAM_UP_TO: Final = 0.3
AGREEMENT_FROM: Final = 0.7
NO_OPINION: Final = 0.5


@dataclass(frozen=True, slots=True)
class Decision:
    """The arithmetic of a verdict, before words."""

    classification: Classification
    score: float
    agreement: float
    contributions: tuple[Contribution, ...]
    uncertainty_reason: str | None


def decide(opinions: Sequence[Opinion], weights: Mapping[str, float], failed: Sequence[str] = ()) -> Decision:
    """Weighted by weight and confidence, normalised over the agents that answered.

    `failed` names tools and agents that broke: a failure never reads as safe, so it bars HAM.
    """
    contributions = contribute(opinions, weights)
    score = round(math.fsum(c.amount for c in contributions), 6) if contributions else NO_OPINION
    agreement = agree(opinions)
    classification, reason = _answer(opinions, score, agreement)
    if classification == "HAM" and failed:
        classification = "UNCERTAIN"
        reason = f"{_listed(failed)} failed, so the message cannot be called safe."
    return Decision(classification, score, agreement, contributions, reason)


def contribute(opinions: Sequence[Opinion], weights: Mapping[str, float]) -> tuple[Contribution, ...]:
    """Each agent's share of the score; the shares add up to it."""
    total_weight = math.fsum(weights[o.agent] for o in opinions)
    total = math.fsum(weights[o.agent] * o.confidence for o in opinions)
    if total <= 0.0:
        return ()
    return tuple(
        Contribution(
            agent=o.agent,
            weight=weights[o.agent] / total_weight,
            confidence=o.confidence,
            score=o.score,
            amount=round(weights[o.agent] * o.confidence * o.score / total, 6),
        )
        for o in opinions
    )


def agree(opinions: Sequence[Opinion]) -> float:
    """1 - (highest - lowest score). Fewer than two opinions cannot disagree: 1."""
    if not opinions:
        return 1.0
    scores = [o.score for o in opinions]
    return round(1.0 - (max(scores) - min(scores)), 6)


def _answer(opinions: Sequence[Opinion], score: float, agreement: float) -> tuple[Classification, str | None]:
    if not opinions:
        return "UNCERTAIN", "No agent found anything to go on in this message."
    if len(opinions) < 2:
        return (
            "UNCERTAIN",
            f"Only the {opinions[0].agent} had something to go on; one opinion is not a panel.",
        )
    if agreement < AGREEMENT_FROM:
        return "UNCERTAIN", conflict(opinions)
    if score >= SPAM_FROM:
        return "SPAM", None
    if score <= HAM_UP_TO:
        return "HAM", None
    side = "deceptive" if score > 0.5 else "genuine"
    return "UNCERTAIN", (
        f"The evidence leans {side} but does not decide: "
        f"the score {score:.2f} lies between {HAM_UP_TO} and {SPAM_FROM}."
    )


def conflict(opinions: Sequence[Opinion]) -> str:
    """Which agent dissents, on which evidence, and whose evidence is stronger."""
    middle = sorted(o.score for o in opinions)[len(opinions) // 2]
    dissenter = max(opinions, key=lambda o: (abs(o.score - middle), o.agent))
    rest = [o for o in opinions if o is not dissenter]
    if len(opinions) == 2:
        dissenter, rest = max(opinions, key=lambda o: o.score), [min(opinions, key=lambda o: o.score)]
    mine, theirs = strongest(dissenter), max((strongest(o) for o in rest), key=lambda pair: pair[0])
    lines = [
        f"The agents disagree: the {dissenter.agent} says {dissenter.score:.2f}, "
        + " and ".join(f"the {o.agent} {o.score:.2f}" for o in rest)
        + "."
    ]
    if mine[1] is not None:
        lines.append(f"The {dissenter.agent} relies on this: {mine[1].sentence}")
    if theirs[1] is not None and theirs[1] != mine[1]:
        lines.append(f"Against it stands: {theirs[1].sentence}")
    if mine[1] is not None and theirs[1] is not None and mine[1] != theirs[1]:
        stronger = dissenter.agent if mine[0] > theirs[0] else "others"
        lines.append(f"The stronger single piece of evidence is with the {stronger}.")
    return " ".join(lines)


def strongest(opinion: Opinion) -> tuple[float, Evidence | None]:
    """The heaviest evidence on the side the opinion leans to, and its weight in log-odds."""
    sign = 1.0 if opinion.score >= 0.5 else -1.0
    steps = [s for s in opinion.steps if s.evidence is not None and s.amount * sign > 0]
    if not steps:
        return 0.0, None
    best = max(steps, key=lambda s: abs(s.amount))
    return abs(best.amount), best.evidence


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
