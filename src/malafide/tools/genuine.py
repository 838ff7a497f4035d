"""Case in, evidence out: the rules of `rules/genuine.yml`."""

from __future__ import annotations

from malafide.case import Case
from malafide.evidence import Evidence
from malafide.rules.rulebook import rule_evidence
from malafide.tools import tool


@tool("genuine")
def genuine(case: Case) -> list[Evidence]:
    """What people and businesses write to those they really deal with."""
    return rule_evidence(case, "genuine")
