"""The pattern recognizer: known schemes, disguises and tricks. Evidence in, opinion with `patterns_found` out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from malafide.evidence import Evidence
from malafide.minds.offline import Lens, Weighing
from malafide.opinion import Abstention, Opinion
from malafide.panel.agent import agent
from malafide.panel.reasoning import reason

RiskLevel = Literal["LOW", "MEDIUM", "HIGH", "CRITICAL"]

LENS: Final[Lens] = {
    "family": 1.0,
    "impersonation": 1.0,
    "link": 1.0,
    "structure": 1.0,
    "route": 1.0,
    "attachment": 1.0,
    "judge": 1.0,
    "sender": 0.9,
    "number": 0.9,
    "marketing": 0.9,
    "subscription": 0.8,
    "conversation": 0.8,
    "learned-content": 0.9,
    "learned-intent": 0.9,
    "learned-structure": 1.0,
    "precedent": 1.0,
    # Seen on the way, not this agent's craft.
    "authentication": 0.7,
    "transaction": 0.7,
    "request": 0.7,
    "pressure": 0.7,
    "offer": 0.7,
    "language": 0.5,
}


@agent("pattern-recognizer")
def pattern_recognizer(evidence: Sequence[Evidence]) -> Opinion | Abstention:
    focus = "known schemes, impersonation, links, structure and how the mail was made"
    return reason("pattern-recognizer", evidence, LENS, focus, _report)


def _report(weighing: Weighing) -> dict[str, object]:
    return {
        "patterns_found": [step.label for step in weighing.side("deceptive")][:15],
        "risk_level": risk_level(weighing.score),
    }


def risk_level(score: float) -> RiskLevel:
    if score >= 0.9:
        return "CRITICAL"
    if score >= 0.7:
        return "HIGH"
    return "MEDIUM" if score > 0.3 else "LOW"
