"""The offline mind: evidence in, a score with its arithmetic out. No words are read here, only what tools observed.

Each piece of evidence is worth `SCALE * strength` in log-odds, times the weight its topic has for the agent (its
lens); evidence against a message counts a third less than evidence for it. Within one topic and direction only the
strongest counts in full, the next for half, the next for a quarter: ten synonyms are not ten proofs. The sum, with the
prior, goes through the logistic function.
docs/decisions/offline-scores.md tells how the numbers were found.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from malafide.evidence import Direction, Evidence, Topic
from malafide.opinion import Step

SCALE: Final = 4.0
# Before anything is seen a message is more likely wanted than not; a false alarm costs far more than a miss.
PRIOR: Final = -1.0
# Evidence against a message counts this much of its face value. With 1.0 and a prior low enough to keep newsletters
# safe, the prior alone called one phish in eight genuine; weighing accusations more lightly does both better.
CAUTION: Final = 0.65
# Confidence is half way when this much log-odds has been seen.
HALF_MASS: Final = 1.5

# What vouches for the sender rather than for the content. Set aside when the message asks for what only a
# deceiver needs, or pretends to be another: trust is not a bypass.
_TRUST: Final[frozenset[Topic]] = frozenset({"authentication", "subscription", "conversation", "transaction"})
_ALARM: Final[frozenset[Topic]] = frozenset({"request", "impersonation", "judge", "attachment"})
_ALARM_STRENGTH: Final = 0.4
# Topics that come together whenever something is sold, and so count as one: selling is not deceiving.
_TOGETHER: Final[Mapping[Topic, Topic]] = {"offer": "family", "marketing": "family"}

Lens = Mapping[Topic, float]


@dataclass(frozen=True, slots=True)
class Weighing:
    """The result of weighing: log-odds steps, and what they come to."""

    steps: tuple[Step, ...]
    score: float
    confidence: float
    set_aside: tuple[Evidence, ...]

    def side(self, direction: Direction) -> list[Step]:
        """The steps of one direction, heaviest first, as they all are."""
        return [s for s in self.steps if s.evidence is not None and s.evidence.direction == direction]


def weigh(evidence: Iterable[Evidence], lens: Lens) -> Weighing:
    """What the evidence comes to, seen through the lens. No evidence under the lens gives no steps at all."""
    seen = [e for e in evidence if lens.get(e.topic, 0.0) > 0.0]
    alarmed = any(
        e.direction == "deceptive" and e.topic in _ALARM and e.strength >= _ALARM_STRENGTH for e in seen
    )
    set_aside = tuple(e for e in seen if e.direction == "genuine" and e.topic in _TRUST) if alarmed else ()
    groups: defaultdict[tuple[Topic, Direction], dict[str, tuple[float, Evidence]]] = defaultdict(dict)
    for e in seen:
        if alarmed and e.direction == "genuine" and e.topic in _TRUST:
            continue
        against = e.direction == "deceptive"
        group = groups[_TOGETHER.get(e.topic, e.topic) if against else e.topic, e.direction]
        amount = SCALE * e.strength * lens[e.topic] * (CAUTION if against else -1.0)
        if e.kind not in group or abs(group[e.kind][0]) < abs(amount):
            group[e.kind] = (amount, e)
    steps: list[Step] = []
    for group in groups.values():
        for rank, (amount, e) in enumerate(sorted(group.values(), key=lambda a: (-abs(a[0]), a[1].kind))):
            steps.append(Step(e.kind, round(amount * 0.5**rank, 4), e))
    if not steps:
        return Weighing((), 0.5, 0.0, set_aside)
    steps.sort(key=lambda s: (-abs(s.amount), s.label))
    steps.insert(0, Step("prior", PRIOR))
    total = math.fsum(s.amount for s in steps)
    mass = math.fsum(abs(s.amount) for s in steps[1:])
    return Weighing(tuple(steps), round(logistic(total), 4), confidence_of(total - PRIOR, mass), set_aside)


def confidence_of(net: float, mass: float) -> float:
    """More evidence makes surer, and so does evidence that points one way: `net` is the sum, `mass` that of sizes."""
    return round(mass / (mass + HALF_MASS) * (0.5 + 0.5 * abs(net) / mass), 4) if mass else 0.0


def logistic(x: float) -> float:
    if x >= 0:
        return 1.0 / (1.0 + math.exp(-min(x, 700.0)))
    z = math.exp(max(x, -700.0))
    return z / (1.0 + z)
