"""The panels behind one face: the same contract as each panel's own door, and the right panel for what is dropped."""

from __future__ import annotations

import json

import pytest

from malafide import HoneypotJudge, Knowledge, SpamClassifier
from malafide.errors import UnknownName, UnreadableInput
from malafide.judging import PANELS, Step, bench, panel_of

MAIL = (
    b"From: Parcel desk <desk@parcels.example>\r\nTo: ana@example.com\r\nSubject: Your parcel is held\r\n\r\n"
    b"Your parcel is held. Pay the fee of 1.99 within 24 hours at http://192.0.2.7/pay or it is destroyed.\r\n"
)
CHAT = json.dumps(
    {
        "sessionId": "s1",
        "messages": [
            {
                "sender": "stranger",
                "text": "Your account is blocked today. Send the OTP now.",
                "timestamp": 1,
            },
            {"sender": "user", "text": "Which OTP?", "timestamp": 2},
            {"sender": "stranger", "text": "The code of your bank, or you go to jail.", "timestamp": 3},
        ],
    }
).encode()
POST = json.dumps(
    {"post_id": "p1", "text": "SHOCKING: this root cures everything, doctors hide it!"}
).encode()
SIGNALS = json.dumps(
    {
        "post_id": "p2",
        "nlp_signals": {"sentiment": "NEGATIVE", "clickbait": True, "emotion": "anger"},
        "source_signals": {"account_trust_score": 0.2, "source_reliability_score": 0.3, "behavioral_risk_flag": True},
    }
).encode()  # fmt: skip
INPUTS = {"spam": MAIL, "document": MAIL, "conversation": CHAT, "post": POST, "credibility": SIGNALS}


@pytest.mark.parametrize("panel", PANELS)
def test_every_panel_rules_and_tells_what_doors_list(panel: str) -> None:
    steps: list[Step] = []
    ruling = bench(panel, knowledge=Knowledge()).judge(INPUTS[panel], "given", steps.append)
    assert ruling.panel == panel and ruling.case_id and ruling.answer and ruling.summary
    assert 0 <= ruling.score <= 1 and 0 <= ruling.confidence <= 1 and 0 <= ruling.agreement <= 1
    assert json.loads(json.dumps(ruling.contract)) == ruling.contract
    assert steps or panel == "credibility"


def test_the_spam_bench_gives_what_the_classifier_gives() -> None:
    ruling = bench("spam", knowledge=Knowledge()).judge(MAIL)
    assert ruling.contract == SpamClassifier(knowledge=Knowledge()).classify(MAIL)
    assert ruling.is_open == (ruling.waiting is not None)


def test_the_agents_of_the_spam_panel_are_told_as_they_finish() -> None:
    steps: list[Step] = []
    bench("spam", knowledge=Knowledge()).judge(MAIL, "", steps.append)
    assert [s.actor for s in steps] == ["intake", "content-analyzer", "pattern-recognizer", "intent-analyzer"]


def test_the_conversation_bench_gives_what_the_judge_gives() -> None:
    messages = json.loads(CHAT)["messages"]
    ruling = bench("conversation", knowledge=Knowledge()).judge(CHAT)
    assert ruling.contract["scamDetected"] == HoneypotJudge().assess(messages).scamDetected


def test_a_path_in_a_post_is_never_opened(tmp_path: object) -> None:
    content = json.dumps({"post_id": "p", "text": "Look at this", "image": "/etc/hostname"}).encode()
    ruling = bench("post", knowledge=Knowledge()).judge(content)
    assert "hostname" not in json.dumps(ruling.contract)


@pytest.mark.parametrize(
    ("content", "panel"),
    [
        (MAIL, "spam"), (CHAT, "conversation"), (SIGNALS, "credibility"), (b"%PDF-1.7\n", "document"),
        (b"Hello there, how are you?", "spam"), (b"", "spam"), (b"{broken", "spam"),
        (b"Anna: hi\nBen: hello\nAnna: send me the gift card codes\n", "conversation"),
        (json.dumps({"text": "x", "account": {"handle": "a"}}).encode(), "post"),
    ],
)  # fmt: skip
def test_what_is_dropped_finds_its_panel(content: bytes, panel: str) -> None:
    assert panel_of(content) == panel


def test_refusals() -> None:
    with pytest.raises(UnknownName, match="there are: spam, document"):
        bench("astrology")
    with pytest.raises(UnreadableInput, match="JSON object"):
        bench("post", knowledge=Knowledge()).judge(b"[1]")
