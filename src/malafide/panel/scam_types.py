"""Evidence in, the type of scam out: which scheme the weight of what was seen speaks for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from malafide.opinion import Step

# Kinds of evidence by the type they speak for; a kind that ends in a dot stands for the rest of its family. Scripts
# say it plainly and count in full, other kinds a third: they occur in many schemes.
_BY_TYPE: Final = {
    "bank_fraud": """scripts.kyc-expired scripts.compromised claims.bank asks.bank-details asks.card push.loss-of-access
        phishing.""",
    "upi_fraud": "asks.micro-payment asks.scan-to-receive asks.upi-payment",
    "phishing": "claims.look-alike claims.ip-link claims.foreign-link asks.click-link claims.short-link asks.password",
    "prize_scam": "scripts.prize families.lottery families.prize-notice claims.company-department push.scarcity",
    "refund_scam": "scripts.refund-due scripts.sent-too-much scripts.charged-order",
    "tech_support_scam": "scripts.infected-computer claims.tech-support asks.remote-access "
    "asks.run-steps phishing.tech-support",
    "government_impersonation": "claims.government scripts.case-against-you push.arrest-or-law asks.national-number",
    "parcel_scam": "scripts.parcel-fee",
    "job_scam": "scripts.easy-job families.money-mule-job",
    "investment_scam": "scripts.sure-profit asks.crypto families.crypto-investment "
    "families.multiply-money families.stock-tip",
    "romance_scam": "scripts.romance-lever claims.far-away-persona families.romance push.guilt",
    "family_emergency": "scripts.family-emergency claims.new-number families.new-number phishing.stranded-friend",
    "loan_scam": "scripts.instant-loan families.loan-offer",
    "utility_scam": "scripts.power-cut",
    "account_takeover": "scripts.code-by-mistake asks.code",
    "extortion": "scripts.blackmail extortion.",
    "marketplace_scam": "scripts.buyer-or-renter",
    "advance_fee": "asks.fee-first asks.costs families.",
    "gift_card_scam": "asks.gift-cards",
}
_TYPES: Final = {kind: name for name, kinds in _BY_TYPE.items() for kind in kinds.split()}
_PLAIN: Final = ("scripts.", "families.", "extortion.")
# Claims and demands that name their scheme as plainly as a script does.
_TELLING: Final = frozenset(
    ("claims.bank", "claims.government", "claims.tech-support", "claims.look-alike", "asks.micro-payment",
     "asks.scan-to-receive", "asks.upi-payment")
)  # fmt: skip
_GENERAL: Final = frozenset({"scripts.compromised"})  # said in half of all schemes
UNNAMED: Final = "social_engineering"
ASIDE: Final = 0.34


def type_of(kind: str) -> str | None:
    """The type that one kind of evidence speaks for, if any."""
    return _TYPES.get(kind) or _TYPES.get(kind.partition(".")[0] + ".")


def scam_type(steps: Sequence[Step]) -> str:
    """The type most of the weight is on."""
    weight: defaultdict[str, float] = defaultdict(float)
    for step in steps:
        name = type_of(step.label) if step.amount > 0 else None
        if name is not None:
            plain = step.label in _TELLING or (
                step.label in _TYPES and step.label.startswith(_PLAIN) and step.label not in _GENERAL
            )
            weight[name] += step.amount * (1.0 if plain else ASIDE)
    return max(sorted(weight), key=lambda name: weight[name]) if weight else UNNAMED
