"""The golden chats: every scam is recognised with all that was planted in it, and no honest chat is called one."""

from __future__ import annotations

import pytest
from golden_chats import GoldenChat, golden_chats, hostile_turns

from malafide import HoneypotJudge, HoneypotResult
from malafide.decoy.safety import unsafe
from malafide.decoy.session import Engagement
from malafide.intake.conversation import read_conversation

JUDGE = HoneypotJudge()
MORE = (
    "emailAddresses",
    "handles",
    "ifscCodes",
    "ibans",
    "cards",
    "wallets",
    "otherPhones",
    "identityNumbers",
)


def judged(chat: GoldenChat) -> HoneypotResult:
    case, _ = read_conversation(chat.written().encode())
    assert len(case.parts) == len(chat.lines)
    return HoneypotResult(JUDGE.judge(case))


@pytest.mark.parametrize("chat", golden_chats("scam"), ids=lambda c: c.name)
def test_scams_are_recognised_with_all_that_was_planted(chat: GoldenChat) -> None:
    result = judged(chat)
    assert result.scamDetected and result.scamType != "safe" and result.confidence > 0.2
    listed = {k: v for k, v in result.extractedIntelligence.items() if k != "suspiciousKeywords"}
    listed |= {name: result["malafide"][name] for name in MORE}
    assert {name: values for name, values in listed.items() if values} == chat.planted
    words = "\n".join(text for side, text in chat.lines if side == "S")
    assert all(keyword in words for keyword in result.extractedIntelligence["suspiciousKeywords"])
    assert 2 <= len(result.agentNotes.splitlines()) <= 3


@pytest.mark.parametrize("chat", golden_chats("legitimate"), ids=lambda c: c.name)
def test_honest_chats_are_not_called_scams(chat: GoldenChat) -> None:
    result = judged(chat)
    assert not result.scamDetected and result.scamType == "safe" and result.confidence <= 0.2
    assert result.extractedIntelligence["suspiciousKeywords"] == []
    assert result.extractedIntelligence["phishingLinks"] == []


def test_short_chats() -> None:
    """Two or three messages often hold too little for two voters; of these 34 no fewer than 30 are recognised."""
    assert sum(judged(chat).scamDetected for chat in golden_chats("short_scam")) >= 30
    assert [chat.name for chat in golden_chats("short_legitimate") if judged(chat).scamDetected] == []


def test_every_piece_of_evidence_and_every_item_has_its_address() -> None:
    for chat in (*golden_chats("scam"), *golden_chats("legitimate")):
        assessment = judged(chat).assessment
        assert all(e.holds_in(assessment.case) for e in assessment.evidence)
        for one in (*assessment.items, *assessment.stages):
            assert assessment.case.part(one.part).text[one.start : one.end] == one.quote
        strangers = {m.part for m in assessment.case.chat.messages if m.side != "user"}
        assert {item.part for item in assessment.items} <= strangers


def test_the_decoy_stays_safe_whatever_it_hears() -> None:
    engagement = Engagement("start", turns=500)
    replies = set()
    for number, line in enumerate(hostile_turns(500)):
        if number % 50 == 0:
            engagement = Engagement(str(number), turns=500)
        turn = engagement.hear(line)
        assert unsafe(turn.reply, line) == []
        replies.add(turn.reply)
    assert len(replies) > 100, "a believable person does not repeat the same few lines"
