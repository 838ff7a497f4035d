"""Case in, evidence out: which known scripts of scams a conversation follows."""

from __future__ import annotations

from malafide.case import Case
from malafide.evidence import Evidence
from malafide.tools import tool
from malafide.tools._chat import rule_evidence


@tool("scripts")
def scripts(case: Case) -> list[Evidence]:
    """Which known scripts a conversation follows: prize, refund, police, parcel, romance, job and others."""
    return rule_evidence(case, "scripts")
