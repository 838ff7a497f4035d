"""Case in, evidence out: what the rules of `rules/pressure.yml` find."""

from __future__ import annotations

from malafide.case import Case
from malafide.evidence import Evidence
from malafide.rules.rulebook import rule_evidence
from malafide.tools import tool


@tool("pressure")
def pressure(case: Case) -> list[Evidence]:
    """Urgency, threats, scarcity and secrecy: what keeps the reader from thinking."""
    return rule_evidence(case, "pressure")
