"""What the voters of the honeypot panel share: weighing what they look at, and making a vote of it.

The arithmetic is that of the offline mind: log-odds by strength,
halved for each further piece on one side of one topic.
A voter weighs its own tools in full and sees what the others found only on the way. It votes when its score is clear
(0.6 and above, or 0.4 and below with something that speaks for the stranger) and abstains in between.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from malafide.evidence import Direction, Evidence, Topic
from malafide.minds.offline import CAUTION, PRIOR, SCALE, confidence_of, logistic
from malafide.opinion import Abstention, Step, Vote
from malafide.panel.scam_types import scam_type

SCAM_FROM: Final = 0.6
SAFE_UP_TO: Final = 0.4
# How much a voter makes of what it sees only on the way. At 0.2 a second vote was often missing in short chats, at 0.5
# all voters said the same.
ASIDE: Final = 0.35
# ... and how much of its own it must have seen to vote scam: more than one weak sign, such as a word of haste.
OWN_FROM: Final = 0.75
# Trust is not a bypass: with one such demand, or somebody posing as another, nothing vouches for the stranger.
_TRUST: Final[frozenset[Topic]] = frozenset({"authentication", "conversation", "transaction"})
_ALARM: Final[frozenset[Topic]] = frozenset({"request", "impersonation", "link", "judge"})
_ALARM_STRENGTH: Final = 0.7


def cast(
    name: str, evidence: Sequence[Evidence], focus: str, tools: Mapping[str, float]
) -> Vote | Abstention:
    """The vote of one voter. `tools` are those it weighs in full, or otherwise than on the way."""
    own = [e for e in evidence if e.found_by in tools]
    if not own:
        return Abstention(name, f"Nothing in this conversation speaks to {focus}.")
    steps = _steps(evidence, tools)
    total = math.fsum(step.amount for step in steps)
    mass = math.fsum(abs(step.amount) for step in steps[1:])
    score = round(logistic(total), 4)
    genuine = any(step.amount < 0 for step in steps[1:])
    confidence = confidence_of(total - PRIOR, mass)
    if score >= SCAM_FROM and _own_share(steps, tools) >= OWN_FROM:
        kind = scam_type(steps)
        return Vote(name, True, confidence, kind, score, _analysis(steps, focus), steps)
    if score <= SAFE_UP_TO and genuine:
        return Vote(name, False, confidence, "safe", score, _analysis(steps, focus), steps)
    return Abstention(name, f"What was seen of {focus} does not decide: a score of {score:.2f}.")


def _own_share(steps: Sequence[Step], tools: Mapping[str, float]) -> float:
    own = (s for s in steps if s.evidence is not None and s.evidence.found_by in tools)
    return math.fsum(s.amount for s in own if s.amount > 0)


def _steps(evidence: Sequence[Evidence], tools: Mapping[str, float]) -> tuple[Step, ...]:
    alarmed = any(
        e.direction == "deceptive" and e.topic in _ALARM and e.strength >= _ALARM_STRENGTH for e in evidence
    )
    groups: defaultdict[tuple[str, Topic, Direction], list[Step]] = defaultdict(list)
    for e in evidence:
        against = e.direction == "deceptive"
        if not against and alarmed and e.topic in _TRUST:
            continue
        weight = tools.get(e.found_by, ASIDE)
        amount = SCALE * e.strength * weight * (CAUTION if against else -1.0)
        groups[e.found_by, e.topic, e.direction].append(Step(e.kind, amount, e))
    steps: list[Step] = []
    for group in groups.values():
        for rank, step in enumerate(sorted(group, key=lambda s: (-abs(s.amount), s.label))[:6]):
            steps.append(Step(step.label, round(step.amount * 0.5**rank, 4), step.evidence))
    steps.sort(key=lambda s: (-abs(s.amount), s.label))
    return (Step("prior", PRIOR), *steps)


def _analysis(steps: Sequence[Step], focus: str) -> str:
    against = _sentences([s for s in steps if s.amount > 0 and s.evidence is not None], 3)
    for_ = _sentences([s for s in steps if s.amount < 0 and s.evidence is not None], 2)
    lines = [f"Looked at {focus}."]
    if against:
        lines.append("Against the stranger: " + " ".join(against))
    if for_:
        lines.append("In their favour: " + " ".join(for_))
    return " ".join(lines)


def _sentences(steps: Sequence[Step], most: int) -> list[str]:
    return list(dict.fromkeys(s.evidence.sentence for s in steps if s.evidence is not None))[:most]
