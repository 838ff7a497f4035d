"""Case in, evidence out: what the rules of `rules/judge.yml` find, and the same orders in other scripts."""

from __future__ import annotations

from malafide.case import Case, Span
from malafide.evidence import Evidence, observe
from malafide.rules.rulebook import rule_evidence
from malafide.tools import tool
from malafide.tools._orders import orders


@tool("judge")
def judge(case: Case) -> list[Evidence]:
    """Text that addresses whoever decides about the message instead of its reader."""
    return [*rule_evidence(case, "judge"), *_in_other_scripts(case)]


def _in_other_scripts(case: Case) -> list[Evidence]:
    for part in case.of_role("subject", "body", "hidden", "attachment", "nested"):
        for start, end in orders(part.text):
            says = "It orders an automatic reader to drop its instructions or to call the message safe."
            span = Span(part.name, start, end)
            return [observe(case, span, "judge.order-in-other-script", "judge", "strong", says, tool="judge")]
    return []
