"""An assessment of a conversation in, the contract's fields out: exactly these, and the rest under `malafide`."""

from __future__ import annotations

from typing import Annotated, Any

from annotated_types import MaxLen
from typing_extensions import TypedDict

from malafide.contracts import Unit


class ExtractedIntelligence(TypedDict):
    """Only what stands in the messages. Accounts are digits, links start with http:// or https://."""

    bankAccounts: list[str]
    upiIds: list[str]
    phishingLinks: list[str]
    phoneNumbers: list[str]
    suspiciousKeywords: Annotated[list[str], MaxLen(7)]


class HoneypotContract(TypedDict):
    """What the honeypot panel answers about a conversation."""

    sessionId: str
    scamDetected: bool
    confidence: Unit
    scamType: str
    totalMessagesExchanged: int
    extractedIntelligence: ExtractedIntelligence
    agentNotes: str
    malafide: dict[str, Any]


CONTRACT = HoneypotContract
