"""Case in, evidence out: what the rules of `rules/requests.yml` find."""

from __future__ import annotations

from malafide.case import Case
from malafide.evidence import Evidence
from malafide.rules.rulebook import rule_evidence
from malafide.tools import tool


@tool("requests")
def requests(case: Case) -> list[Evidence]:
    """What the reader is asked for: credentials, codes, money, documents, another channel."""
    return rule_evidence(case, "requests")
