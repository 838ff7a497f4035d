"""One contract over every voter of the honeypot panel, and over the tools they look at."""

from __future__ import annotations

import pytest

from malafide.benches.honeypot import TOOLS
from malafide.case import Case, Part
from malafide.contracts import schema
from malafide.intake.conversation import conversation_case, from_messages
from malafide.opinion import Abstention, Vote
from malafide.panel.agent import Voter, voters
from malafide.panel.hearing import examine
from malafide.panel.spec import agent_spec
from malafide.tools import tools

SCAM = conversation_case(
    from_messages(
        [
            {
                "sender": "scammer",
                "text": "I am calling from SBI fraud department, your account will be blocked today",
            },
            {"sender": "user", "text": "I am not comfortable with this"},
            {
                "sender": "scammer",
                "text": "Share the OTP immediately, do not tell anyone, or you will be arrested",
            },
            {"sender": "scammer", "text": "Share the OTP now. http://sbi-kyc-login.test/x"},
        ]
    )
)
EMPTY = conversation_case(from_messages([{"sender": "a", "text": "\ud800\u0000\u202e"}]))
MAIL = Case("0" * 16, "email", (Part("body", "body", "share the OTP immediately"),))


def test_there_are_five_or_more() -> None:
    assert len(voters.names()) >= 5


@pytest.mark.parametrize("voter", list(voters), ids=lambda v: v.name)
def test_every_voter_keeps_the_contract(voter: Voter) -> None:
    spec = agent_spec(voter.name)
    assert spec.name == voter.name and set(spec.tools) <= set(tools.names())
    assert isinstance(voter.think([]), Abstention)
    evidence = examine(SCAM, [tools.get(name) for name in TOOLS]).evidence
    outcome = voter.think(evidence)
    assert outcome == voter.think(evidence) and outcome.agent == voter.name
    if isinstance(outcome, Vote):
        assert outcome.scam and 0 <= outcome.confidence <= 1 and outcome.evidence
        assert all(e.holds_in(SCAM) for e in outcome.evidence)


@pytest.mark.parametrize("name", TOOLS)
def test_tools_for_conversations_find_nothing_in_mail_and_break_on_nothing(name: str) -> None:
    assert tools.get(name).run(MAIL) == []
    for case in (EMPTY, SCAM):
        for evidence in tools.get(name).run(case):
            assert evidence.holds_in(case) and evidence.found_by == name


def test_the_schema_has_exactly_the_fields_of_the_contract() -> None:
    fields = schema("honeypot")
    assert set(fields["required"]) == {
        "sessionId", "scamDetected", "confidence", "scamType", "totalMessagesExchanged", "extractedIntelligence",
        "agentNotes", "malafide",
    }  # fmt: skip
    inner = fields["$defs"]["ExtractedIntelligence"]["properties"]
    assert set(inner) == {"bankAccounts", "upiIds", "phishingLinks", "phoneNumbers", "suspiciousKeywords"}
    assert inner["suspiciousKeywords"]["maxItems"] == 7
