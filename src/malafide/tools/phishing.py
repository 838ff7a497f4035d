"""Case in, evidence out: what the rules of `rules/phishing.yml` find."""

from __future__ import annotations

from malafide.case import Case
from malafide.evidence import Evidence
from malafide.rules.rulebook import rule_evidence
from malafide.tools import tool


@tool("phishing")
def phishing(case: Case) -> list[Evidence]:
    """Known phishing scripts: full mailboxes, held parcels, blocked cards, fake invoices and their like."""
    return rule_evidence(case, "phishing")
