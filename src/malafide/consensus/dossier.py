"""Evidence in, what a report says about a conversation out: stages, keywords and notes. Nothing is decided here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from malafide.case import Case
from malafide.consensus.majority import fold_keywords
from malafide.evidence import Evidence
from malafide.folding import fold

Stage = Literal["contact", "trust", "hook", "pressure", "demand"]
STAGES: Final[tuple[Stage, ...]] = ("contact", "trust", "hook", "pressure", "demand")
_STAGE_OF: Final[dict[str, Stage]] = {
    "claims": "trust", "scripts": "hook", "push": "pressure", "asks": "demand",
}  # fmt: skip


_OPENING: Final = 80  # characters of the first message that are shown


@dataclass(frozen=True, slots=True)
class Turn:
    """The message in which a stage of the scam begins, and the words that show it."""

    stage: Stage
    message: int
    quote: str
    part: str
    start: int
    end: int
    sentence: str


def message_number(part: str) -> int:
    return int(part.rpartition("/")[2])


def timeline(case: Case, evidence: Sequence[Evidence]) -> tuple[Turn, ...]:
    """How it developed: where the stranger made contact, and where each further stage first shows."""
    turns: list[Turn] = []
    chat = case.chat
    first = next((m for m in chat.messages if m.side != "user"), None) if chat else None
    if first is not None and (text := case.part(first.part).text).strip():
        end = len(text) if len(text) <= _OPENING else text.rfind(" ", 0, _OPENING) + 1 or _OPENING
        turns.append(
            Turn("contact", first.number, text[:end], first.part, 0, end, "The stranger makes contact.")
        )
    for stage in STAGES[1:]:
        found = [e for e in evidence if e.direction == "deceptive" and _STAGE_OF.get(e.found_by) == stage]
        # A demand is what weighs; being sent to a link is not yet one.
        if stage == "demand":
            found = [e for e in found if e.strength >= 0.4] or found
        if found:
            e = min(found, key=lambda e: (message_number(e.part), e.start))
            turns.append(Turn(stage, message_number(e.part), e.quote, e.part, e.start, e.end, e.sentence))
    return tuple(turns)


# Words worth a line in a report, most telling first. Reported as they stand in the messages.
_KEYWORDS: Final = tuple(
    word.strip()
    for word in """
    otp, upi pin, cvv, gift card, anydesk, teamviewer, arrest, warrant, digital arrest, kyc, seed phrase,
    processing fee,
    verification fee, registration fee, customs, lottery, prize, winner, won, cashback, reward, refund, blocked,
    suspended,
    compromised, hacked, virus, malware, infected, remote access, social security number, bank account, account number,
    password, credit card, card number, bitcoin, usdt, crypto, guaranteed, double your money, profit, invest, urgent,
    immediately, hurry, verify, verification, confirm, legal action, police, expire, expires, last chance,
    limited, claim,
    click, link, download, transfer, deposit, send money, wire, fee, secret, confidential, emergency, hospital,
    accident,
    task, part time job, work from home, loan, parcel, electricity, disconnected, qr code, upi, pay, jaldi,
    turant, paise,
    bhejo, band ho, giraftar, inaam
    """.split(",")
)  # fmt: skip


def keywords(case: Case, evidence: Sequence[Evidence]) -> list[str]:
    """The suspicious words, exactly as the stranger wrote them: first those in quoted evidence, heaviest first."""
    deceptive = sorted((e for e in evidence if e.direction == "deceptive"), key=lambda e: -e.strength)
    found = [word for e in deceptive for word in _words_in(e.quote)]
    if case.chat is not None and len(found) < 40:
        for message in case.chat.messages[:400]:
            if message.side != "user":
                found.extend(_words_in(case.part(message.part).text))
    return fold_keywords(dict.fromkeys(found))


@lru_cache(maxsize=4_096)
def _words_in(text: str) -> tuple[str, ...]:
    folded = fold(text)
    padded = f" {''.join(c if c.isalnum() else ' ' for c in folded.text)} "
    found = []
    for word in _KEYWORDS:
        at = padded.find(f" {word} ")
        if at >= 0:
            start, end = folded.span(at, at + len(word))
            found.append(text[start:end])
    return tuple(found)


_NAMES: Final = {
    "bank_fraud": "bank impersonation fraud", "upi_fraud": "a UPI payment fraud", "phishing": "phishing",
    "prize_scam": "a prize or lottery scam", "refund_scam": "a refund scam",
    "tech_support_scam": "a technical support scam",
    "government_impersonation": "impersonation of an authority", "parcel_scam": "a parcel scam",
    "job_scam": "a job scam",
    "investment_scam": "an investment scam", "romance_scam": "a romance scam",
    "family_emergency": "a false emergency of a relative", "loan_scam": "a loan scam", "utility_scam": "a utility scam",
    "account_takeover": "theft of an account by its code", "extortion": "extortion",
    "marketplace_scam": "a marketplace scam",
    "advance_fee": "an advance-fee scam", "gift_card_scam": "a gift card scam",
}  # fmt: skip
_LEVERS: Final = {
    "push.haste": "haste", "push.deadline": "short deadlines", "push.loss-of-access": "fear of losing access",
    "push.arrest-or-law": "fear of arrest", "push.secrecy": "isolation and secrecy", "push.scarcity": "scarcity",
    "push.refuses-proof": "refusal of proof", "push.guilt": "guilt", "push.insists": "repeated demands after a refusal",
    "push.escalates": "growing pressure", "scripts.prize": "greed", "scripts.sure-profit": "greed",
    "scripts.easy-job": "the wish for easy income", "scripts.romance-lever": "affection",
    "scripts.family-emergency": "worry for a relative", "claims.government": "authority", "claims.bank": "authority",
    "claims.tech-support": "authority", "claims.assures-genuine": "reassurance",
    "scripts.refund-due": "hope of money back",
    "scripts.blackmail": "shame",
}  # fmt: skip
_WANTED: Final = {
    "asks.code": "one-time codes", "asks.password": "sign-in data", "asks.card": "card data",
    "asks.bank-details": "bank data",
    "asks.national-number": "identity numbers", "asks.documents": "identity documents", "asks.gift-cards": "gift cards",
    "asks.untraceable": "an untraceable payment", "asks.costs": "a charge in advance",
    "asks.crypto": "crypto payments", "asks.fee-first": "a fee in advance",
    "asks.micro-payment": "a small test payment",
    "asks.send-money": "a transfer of money", "asks.remote-access": "remote access",
    "asks.scan-to-receive": "a QR or PIN payment",
    "asks.personal-data": "personal data", "asks.click-link": "a visit to a link",
    "asks.other-channel": "a move to another channel",
    "asks.upi-payment": "a UPI payment", "asks.run-steps": "steps on the own computer",
    "asks.verify-you": "a verification of data",
}  # fmt: skip


def named(scam_type: str) -> str:
    """The type in plain words."""
    return _NAMES.get(scam_type, scam_type.replace("_", " "))


def notes(scam: bool, scam_type: str, evidence: Sequence[Evidence], stages: Sequence[Turn]) -> str:
    """Two or three professional lines: technique, psychology, pattern."""
    against = sorted((e for e in evidence if e.direction == "deceptive"), key=lambda e: -e.strength)
    if not scam:
        return _quiet_notes(evidence, against)
    wanted = _listed(_said(against, _WANTED), 3) or "cooperation"
    technique = f"Technique: {named(scam_type)}; the other party seeks {wanted}."
    levers = _listed(_said(against, _LEVERS), 4)
    psychology = (
        f"Psychology: works with {levers}."
        if levers
        else "Psychology: builds on trust rather than on pressure."
    )
    path = ", ".join(
        f"{turn.stage} (message {turn.message})" for turn in sorted(stages, key=lambda t: t.message)
    )
    pattern = f"Pattern: {against[0].sentence if against else 'a demand without a reason.'} Stages: {path}."
    return "\n".join((technique, psychology, pattern))


def _quiet_notes(evidence: Sequence[Evidence], against: Sequence[Evidence]) -> str:
    for_ = list(dict.fromkeys(e.sentence for e in evidence if e.direction == "genuine"))[:2]
    lines = [
        "No scam was found in this conversation.",
        " ".join(for_) or "Little in it speaks for or against the other party.",
    ]
    if against:
        lines.append(f"Worth watching: {against[0].sentence}")
    return "\n".join(lines)


def _said(evidence: Sequence[Evidence], words: dict[str, str]) -> list[str]:
    return list(dict.fromkeys(words[e.kind] for e in evidence if e.kind in words))


def _listed(words: Sequence[str], most: int) -> str:
    words = list(words)[:most]
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1] if words else ""
