"""Case in, evidence out: the rules of `rules/families.yml`."""

from __future__ import annotations

from malafide.case import Case
from malafide.evidence import Evidence
from malafide.rules.rulebook import rule_evidence
from malafide.tools import tool


@tool("families")
def families(case: Case) -> list[Evidence]:
    """Known scripts of scams and of bulk selling, by what the message is about."""
    return rule_evidence(case, "families")
