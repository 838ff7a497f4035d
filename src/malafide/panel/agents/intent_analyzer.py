"""The intent analyzer: what the sender says against what the sender wants. Evidence in, opinion with intents out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final, Literal

from malafide.evidence import Evidence, Topic
from malafide.minds.offline import Lens, Weighing
from malafide.opinion import Abstention, Opinion, Step
from malafide.panel.agent import agent
from malafide.panel.reasoning import HAM_UP_TO, reason, sentences

Intent = Literal[
    "INFORMATIONAL",
    "TRANSACTIONAL",
    "RELATIONSHIP",
    "MARKETING",
    "FINANCIAL_SCAM",
    "DATA_HARVESTING",
    "MALWARE_DISTRIBUTION",
    "ACCESS_PHISHING",
    "FALSE_PROMISE",
]

LENS: Final[Lens] = {
    "request": 1.0,
    "impersonation": 1.0,
    "sender": 1.0,
    "judge": 1.0,
    "family": 1.0,
    "authentication": 0.9,
    "attachment": 0.9,
    "offer": 0.9,
    "number": 0.9,
    "marketing": 0.9,
    "conversation": 1.0,
    "transaction": 1.0,
    "subscription": 0.8,
    "learned": 1.0,
    # Seen on the way, not this agent's craft.
    "link": 0.8,
    "pressure": 0.8,
    "route": 0.5,
    "structure": 0.6,
    "language": 0.4,
}

# What evidence says about the aim behind the message: by the first words of its kind, then by its topic.
_BY_KIND: Final[dict[str, Intent]] = {}
_BY_TOPIC: Final[dict[Topic, Intent]] = {
    "impersonation": "ACCESS_PHISHING",
    "link": "ACCESS_PHISHING",
    "attachment": "MALWARE_DISTRIBUTION",
    "offer": "FALSE_PROMISE",
    "family": "FALSE_PROMISE",
    "marketing": "MARKETING",
    "number": "FINANCIAL_SCAM",
    "conversation": "RELATIONSHIP",
    "transaction": "TRANSACTIONAL",
    "subscription": "INFORMATIONAL",
}


@agent("intent-analyzer")
def intent_analyzer(evidence: Sequence[Evidence]) -> Opinion | Abstention:
    focus = "who asks whom for what, whether that fits, and what complying would cost"
    return reason("intent-analyzer", evidence, LENS, focus, _report)


def intent_of(evidence: Evidence) -> Intent | None:
    """The aim that one piece of evidence speaks for, if any."""
    for prefix, intent in _BY_KIND.items():
        if evidence.kind.startswith(prefix):
            return intent
    return _BY_TOPIC.get(evidence.topic)


def _report(weighing: Weighing) -> dict[str, object]:
    against, for_ = weighing.side("deceptive"), weighing.side("genuine")
    wanted = _ranked(for_ if weighing.score <= HAM_UP_TO else against) or ["INFORMATIONAL"]
    heavy = sum(abs(s.amount) for s in for_)
    total = heavy + sum(s.amount for s in against)
    return {
        "primary_intent": wanted[0],
        "secondary_intents": wanted[1:3],
        "legitimacy_score": round(heavy / total, 4) if total else 0.5,
        "trust_signals": sentences(for_, 5),
        "deception_indicators": sentences(against, 8),
    }


def _ranked(steps: Sequence[Step]) -> list[Intent]:
    weight: defaultdict[Intent, float] = defaultdict(float)
    for step in steps:
        intent = intent_of(step.evidence) if step.evidence is not None else None
        if intent is not None:
            weight[intent] += abs(step.amount)
    return sorted(weight, key=lambda intent: -weight[intent])
