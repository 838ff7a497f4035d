"""Case in, evidence out: the rules of `rules/offers.yml`."""

from __future__ import annotations

from malafide.case import Case
from malafide.evidence import Evidence
from malafide.rules.rulebook import rule_evidence
from malafide.tools import tool


@tool("offers")
def offers(case: Case) -> list[Evidence]:
    """Offers too good to be true, and the tone they are made in."""
    return rule_evidence(case, "offers")
