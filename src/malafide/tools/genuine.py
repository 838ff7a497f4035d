"""Case in, evidence out: the rules of `rules/genuine.yml`."""

from __future__ import annotations

from malafide.case import Case
from malafide.evidence import Evidence
from malafide.rules.rulebook import rule_evidence
from malafide.tools import tool

# What anyone can write under a mail; a real answer says in its headers what it answers.
_NEEDS_A_THREAD = "genuine.quoted-reply"


@tool("genuine")
def genuine(case: Case) -> list[Evidence]:
    """What people and businesses write to those they really deal with."""
    found = rule_evidence(case, "genuine")
    mail = case.mail
    if mail is not None and mail.header("message-id") is not None:
        answers = mail.header("in-reply-to") is not None or mail.header("references") is not None
        found = [e for e in found if answers or e.kind != _NEEDS_A_THREAD]
    return found
