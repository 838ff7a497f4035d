"""Case in, evidence out: what the rules of `rules/extortion.yml` find."""

from __future__ import annotations

from malafide.case import Case
from malafide.evidence import Evidence
from malafide.rules.rulebook import rule_evidence
from malafide.tools import tool


@tool("extortion")
def extortion(case: Case) -> list[Evidence]:
    """Blackmail: recordings, stolen data, attacks and violence that payment is said to prevent."""
    return rule_evidence(case, "extortion")
