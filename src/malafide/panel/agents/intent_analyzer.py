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
    "learned-content": 0.9,
    "learned-intent": 1.0,
    "learned-structure": 0.9,
    "precedent": 1.0,
    # Seen on the way, not this agent's craft.
    "link": 0.8,
    "pressure": 0.8,
    "route": 0.5,
    "structure": 0.6,
    "language": 0.4,
}

# What evidence says about the aim behind the message: by its kind, else by what its kind begins with, else by topic.
_SPEAKS_FOR: Final[dict[Intent, str]] = {
    "FINANCIAL_SCAM": """
        extortion. families.next-of-kin families.dead-depositor families.move-the-fund families.share-of-the-sum
        families.millions-for-a-stranger families.fraud-persona families.business-proposal families.dying-donor
        families.contact-from-search families.compensation-fund families.lottery families.prize-notice
        families.romance families.new-number families.money-mule-job families.multiply-money families.stock-tip
        families.crypto-investment families.crypto-airdrop families.loan-offer families.premium-rate
        families.domain-slam phishing.renewal-charged phishing.quick-task phishing.new-bank-details
        phishing.toll-or-fine phishing.stranded-friend phishing.payroll-notice requests.transfer-money
        requests.gift-cards requests.send-crypto requests.pay-small-fee requests.cash-transfer-service
        requests.favour-of-stranger requests.call-to-cancel requests.private-address requests.other-channel""",
    "DATA_HARVESTING": """
        families.reward-survey requests.personal-data-list requests.identity-documents requests.national-number
        requests.bank-details requests.card-data requests.update-details requests.attached-form
        requests.mobile-number requests.refund-to-account phishing.records-incomplete phishing.tax-refund""",
    "ACCESS_PHISHING": "phishing. requests.",
    "MALWARE_DISTRIBUTION": """
        attachments. requests.enable-macros requests.remote-access requests.install-update
        phishing.tech-support phishing.protection-expired""",
}
_BY_KIND: Final = {kind: intent for intent, kinds in _SPEAKS_FOR.items() for kind in kinds.split()}
_BY_TOPIC: Final[dict[Topic, Intent]] = {
    "impersonation": "ACCESS_PHISHING",
    "offer": "FALSE_PROMISE",
    "family": "FALSE_PROMISE",
    "marketing": "FALSE_PROMISE",
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
    group = evidence.kind.partition(".")[0] + "."
    return _BY_KIND.get(evidence.kind) or _BY_KIND.get(group) or _BY_TOPIC.get(evidence.topic)


def _report(weighing: Weighing) -> dict[str, object]:
    against, for_ = weighing.side("deceptive"), weighing.side("genuine")
    wanted = _intents(weighing.score, for_, against)
    heavy = sum(abs(s.amount) for s in for_)
    total = heavy + sum(s.amount for s in against)
    return {
        "primary_intent": wanted[0],
        "secondary_intents": wanted[1:3],
        "legitimacy_score": round(heavy / total, 4) if total else 0.5,
        "trust_signals": sentences(for_, 5),
        "deception_indicators": sentences(against, 8),
    }


def _intents(score: float, for_: Sequence[Step], against: Sequence[Step]) -> list[Intent]:
    """The aims, likeliest first. What sells to the reader without deceiving is marketing."""
    if score > HAM_UP_TO:
        return _ranked(against) or ["INFORMATIONAL"]
    honest = _ranked(for_)
    if "FALSE_PROMISE" in _ranked(against):
        honest.insert(0 if not honest or honest[0] == "INFORMATIONAL" else 1, "MARKETING")
    return honest or ["INFORMATIONAL"]


def _ranked(steps: Sequence[Step]) -> list[Intent]:
    weight: defaultdict[Intent, float] = defaultdict(float)
    for step in steps:
        intent = intent_of(step.evidence) if step.evidence is not None else None
        if intent is not None:
            weight[intent] += abs(step.amount)
    return sorted(weight, key=lambda intent: -weight[intent])
