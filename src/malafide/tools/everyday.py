"""Case in, evidence out: what honest counterparts say in a conversation."""

from __future__ import annotations

from malafide.case import Case
from malafide.evidence import Evidence
from malafide.tools import tool
from malafide.tools._chat import rule_evidence


@tool("everyday")
def everyday(case: Case) -> list[Evidence]:
    """What honest counterparts say in a conversation: warnings, time to think, their own places, plain life."""
    return rule_evidence(case, "everyday")
