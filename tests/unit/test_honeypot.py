"""The honeypot panel as a whole: given votes, sides, overrides, growing conversations."""

from __future__ import annotations

from pathlib import Path

import pytest

from malafide import Conversation, HoneypotJudge, assess_conversation
from malafide.case import Case
from malafide.contracts import schema
from malafide.errors import BadSetting, UnreadableInput
from malafide.evidence import Evidence, observe
from malafide.intake.conversation import read_conversation

SCAM = [
    {
        "sender": "scammer",
        "text": "I am calling from SBI fraud department. Your account will be blocked in 2 hours.",
    },
    {"sender": "user", "text": "My account is 99887766554, is that the one? My number is 9000000001"},
    {
        "sender": "scammer",
        "text": "Share the OTP immediately. Call me on 9876543210, send 1 rupee to help.desk@ybl",
    },
]
HONEST = [
    {"sender": "user", "text": "Where is my order? It should have come yesterday"},
    {
        "sender": "support",
        "text": "Sorry! Your order is out for delivery and will arrive today between 2 and 4 pm.",
    },
]


def test_the_contract_validates_against_its_schema() -> None:
    import jsonschema

    for messages in (SCAM, HONEST):
        jsonschema.validate(dict(assess_conversation(messages, session="s1")), schema("honeypot"))


def test_what_the_user_says_is_not_the_strangers() -> None:
    found = assess_conversation(SCAM).extractedIntelligence
    assert (
        found["bankAccounts"] == []
        and found["phoneNumbers"] == ["9876543210"]
        and found["upiIds"] == ["help.desk@ybl"]
    )


def test_roles_are_inferred_where_names_do_not_tell() -> None:
    renamed = [{**m, "sender": {"scammer": "Raj", "user": "Anna"}[m["sender"]]} for m in SCAM]
    result = assess_conversation(renamed)
    assert result["malafide"]["roles"] == {"Raj": "stranger", "Anna": "user"} and result.scamDetected


def test_given_votes_are_counted_and_nothing_is_taken_from_them() -> None:
    votes = [
        {
            "agentName": "a",
            "isScam": True,
            "confidence": 0.9,
            "scamType": "upi_fraud",
            "reasoning": "pays 9111111111",
        },
        {"agentName": "b", "vote": "scam", "confidence": 0.7, "scamType": "upi_fraud"},
        {"agentName": "c", "vote": "legitimate", "confidence": 0.6},
        {"agentName": "d", "vote": "suspicious", "confidence": 0.5},
    ]
    result = assess_conversation(SCAM, votes)
    assert result.scamDetected and result.confidence == 0.8 and result.scamType == "upi_fraud"
    assert "9111111111" not in str(result.extractedIntelligence)
    tie = assess_conversation(SCAM, [votes[0], votes[2]])
    assert not tie.scamDetected and tie.confidence <= 0.2 and tie.scamType == "safe"
    assert tie.extractedIntelligence["suspiciousKeywords"] == []


@pytest.mark.parametrize(
    "vote",
    [{"vote": "maybe?"}, {"vote": True, "confidence": 7}, {"vote": "scam", "confidence": "high"}, "scam", {}],
)
def test_what_is_no_vote_is_refused(vote: object) -> None:
    with pytest.raises(BadSetting):
        assess_conversation(SCAM, [vote])  # type: ignore[list-item]


ALARMED = [{"vote": "scam", "confidence": 0.9, "scamType": "phishing"}] * 4


def test_a_fitting_answer_to_the_users_question_overrules_keyword_votes() -> None:
    result = assess_conversation(HONEST, ALARMED)
    assert not result.scamDetected and result["malafide"]["overruled"]


def test_an_official_opening_followed_by_a_demand_is_not_safe() -> None:
    turned = [
        *HONEST,
        {"sender": "support", "text": "To release it share your card number and the OTP you receive."},
    ]
    result = assess_conversation(turned, ALARMED)
    assert result.scamDetected and result["malafide"]["overruled"] is None


def test_nothing_to_go_on_is_the_middle_answer() -> None:
    result = assess_conversation([{"sender": "scammer", "text": "ok"}])
    assert (
        not result.scamDetected
        and result["malafide"]["answer"] == "suspicious"
        and result["malafide"]["reason"]
    )


def test_a_growing_conversation_ends_like_the_whole_one() -> None:
    conversation = Conversation(session="s1")
    for message in SCAM:
        last = conversation.append(message["sender"], message["text"])
    whole = assess_conversation(SCAM, session="s1")
    drop = ("case_id", "trace")
    assert {k: v for k, v in last["malafide"].items() if k not in drop} == {
        k: v for k, v in whole["malafide"].items() if k not in drop
    }
    assert {k: v for k, v in last.items() if k != "malafide"} == {
        k: v for k, v in whole.items() if k != "malafide"
    }
    with pytest.raises(UnreadableInput):
        Conversation().assess()


def test_a_witness_that_breaks_is_named_and_nothing_is_called_safe() -> None:
    class Broken:
        name = "precedents"

        def __call__(self, case: Case, evidence: object) -> list[Evidence]:
            raise ZeroDivisionError

    result = HoneypotJudge(witnesses=[Broken()]).assess(HONEST)  # type: ignore[list-item]
    assert result["malafide"]["answer"] == "suspicious" and "precedents failed" in str(
        result["malafide"]["trace"]
    )


def test_a_witness_is_heard() -> None:
    from malafide.case import Span

    class Precedents:
        name = "precedents"

        def __call__(self, case: Case, evidence: object) -> list[Evidence]:
            at = Span("message/1", 0, 2)
            return [
                observe(case, at, "precedent.alike", "precedent", "strong", "Like a scam.", tool="precedents")
            ]

    result = HoneypotJudge(witnesses=[Precedents()]).assess(HONEST)  # type: ignore[list-item]
    assert any(e["kind"] == "precedent.alike" for e in result["malafide"]["evidence"])


def test_phones_abroad_only_when_asked_for() -> None:
    chat = [{"sender": "scammer", "text": "call me on +44 7700 900123"}]
    assert HoneypotJudge().assess(chat).extractedIntelligence["phoneNumbers"] == []
    assert HoneypotJudge(abroad=True).assess(chat).extractedIntelligence["phoneNumbers"] == ["+447700900123"]


def test_official_links_are_not_phishing_links() -> None:
    case, _ = read_conversation(
        "Scammer: I am from Amazon rewards, you won! see https://www.amazon.com/x and pay the processing fee at "
        "http://amaz0n-win.test/a, share the OTP now"
    )
    found = HoneypotJudge().judge(case)
    assert found.decision.scam and found.intelligence["phishingLinks"] == ["http://amaz0n-win.test/a"]


def test_labelled_conversations_are_remembered(tmp_path: Path) -> None:
    from malafide.knowledge.precedent_record import Precedent, Provenance
    from malafide.knowledge.precedents import Precedents
    from malafide.knowledge.recollection import Recollection

    store = Precedents(tmp_path / "p.sqlite")
    text = "\n".join(m["text"] for m in SCAM)
    store.store(
        Precedent("old", "scam", text + " hello", Provenance("person", "ann", "2024-01-01"), "conversation")
    )
    result = HoneypotJudge(witnesses=[Recollection(store, "conversation")]).assess(SCAM)
    found = [e for e in result["malafide"]["evidence"] if e["topic"] == "precedent"]
    assert found and found[0]["direction"] == "deceptive"
    store.close()
