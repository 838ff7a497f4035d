"""Case in, evidence out: the rules of `rules/marketing.yml`."""

from __future__ import annotations

from malafide.case import Case
from malafide.evidence import Evidence
from malafide.rules.rulebook import rule_evidence
from malafide.tools import tool


@tool("marketing")
def marketing(case: Case) -> list[Evidence]:
    """Habits of mail that nobody asked for."""
    return rule_evidence(case, "marketing")
