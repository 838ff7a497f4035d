"""Case in, evidence out: what the rules of `rules/judge.yml` find."""

from __future__ import annotations

from malafide.case import Case
from malafide.evidence import Evidence
from malafide.rules.rulebook import rule_evidence
from malafide.tools import tool


@tool("judge")
def judge(case: Case) -> list[Evidence]:
    """Text that addresses whoever decides about the message instead of its reader."""
    return rule_evidence(case, "judge")
