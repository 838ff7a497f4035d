"""Conversations in their forms: who said what, and who is who."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from malafide.errors import MalafideError, UnreadableInput
from malafide.intake.conversation import MAX_MESSAGES, from_messages, read_conversation

MAIL = (
    "From: Desk <desk@bank-help.test>\nTo: Ann <ann@example.com>\nSubject: Re: account\n\nSend it now.\n\n"
    "On Mon, 1 Jan 2024 at 10:00, Ann <ann@example.com> wrote:\n> What do you need?\n>\n"
    "> On Sun, 31 Dec 2023, Desk <desk@bank-help.test> wrote:\n>> Your account is blocked.\n"
)
MAILBOX = (
    "From a@b Mon Jan  1 10:00:00 2024\nFrom: Desk <d@x.test>\nTo: Ann <ann@example.com>\n"
    "Date: Mon, 1 Jan 2024 10:00:00 +0000\nSubject: hi\n\nYour account is blocked.\n\n"
    "From a@b Mon Jan  1 11:00:00 2024\nFrom: Ann <ann@example.com>\nTo: Desk <d@x.test>\n"
    "Date: Mon, 1 Jan 2024 11:00:00 +0000\nSubject: Re: hi\n\nWhat?\n\n> Your account is blocked.\n"
)
WHATSAPP = "12/03/2024, 21:15 - Chats are end-to-end encrypted.\n12/03/2024, 21:15 - Bot: a\n13/03/2024, 1:15 - Me: b"
HISTORY = json.dumps(
    {"conversationHistory": [{"sender": "scammer", "text": "a"}], "message": {"sender": "user", "text": "b"}}
)
PIECES = ["a", {"type": "link", "text": "b"}]
TELEGRAM = json.dumps(
    {"name": "x", "messages": [{"type": "service"}, {"type": "message", "from": "Raj", "text": PIECES}]}
)
INLINE = "caller: Hello? Is it: you? receiver: Yes. caller: Pay at: once"
FORMS = [
    (INLINE, ["Hello? Is it: you?", "Yes.", "Pay at: once"], "sus"),
    ("Scammer: hello\nVictim: hi\nand more\nScammer: pay", ["hello", "hi\nand more", "pay"], "sus"),
    ("[12/03/24, 9:15:02 PM] +91 98765 43210: a\nb\n[12/03/24, 9:16:02 PM] Anna: c", ["a\nb", "c"], "su"),
    (WHATSAPP, ["a", "b"], "su"),
    (
        '{"messages": [{"sender": "scammer", "text": "a"}, {"role": "user", "content": "b"}]}',
        ["a", "b"],
        "su",
    ),
    ('[{"from": "stranger", "body": "a"}, {"from": "me", "body": "b"}]', ["a", "b"], "su"),
    ('{"sender": "scammer", "text": "a"}\n{"sender": "user", "text": "b"}', ["a", "b"], "su"),
    (HISTORY, ["a", "b"], "su"),
    (TELEGRAM, ["ab"], "s"),
    (MAIL, ["Your account is blocked.", "What do you need?", "Send it now."], "sus"),
    (MAILBOX, ["Your account is blocked.", "What?"], "su"),
]


@pytest.mark.parametrize(("text", "words", "sides"), FORMS)
def test_forms(text: str, words: list[str], sides: str) -> None:
    case, _ = read_conversation(text.encode())
    assert case.chat is not None
    assert [case.part(m.part).text for m in case.chat.messages] == words
    assert "".join(m.side[0] for m in case.chat.messages) == sides


def test_names_that_do_not_tell_are_left_open() -> None:
    case, _ = read_conversation("Anil: hello\nRaj: hi")
    assert case.chat is not None and {m.side for m in case.chat.messages} == {"unknown"}


def test_votes_and_session_come_along() -> None:
    case, session = read_conversation(
        '{"sessionId": "s7", "messages": [{"sender": "x", "text": "a"}], "votes": [{"vote": "scam"}]}'
    )
    assert case.chat is not None and case.chat.session == "s7" and len(session.votes) == 1


def test_times_are_read() -> None:
    said = from_messages([{"sender": "a", "text": "b",
    "timestamp": t} for t in (1_700_000_000, 1_700_000_000_000, "2023-11-14T22:13:20Z", "soon")]).said  # fmt: skip
    assert [one.time.isoformat() if one.time else None for one in said] == [
        "2023-11-14T22:13:20+00:00"
    ] * 3 + [None]


@pytest.mark.parametrize(
    "text", ["", "   ", "{", "{}", '{"messages": []}', '{"messages": [1]}', "[]", "just some words",
    '{"messages": [{"sender": "x"}]}', "[" * 10_000, '{"a":' * 5_000]
)  # fmt: skip
def test_what_is_no_conversation_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(UnreadableInput) as refusal:
        read_conversation(text)
    assert "\n" not in str(refusal.value)


def test_too_many_messages_are_named() -> None:
    text = json.dumps([{"sender": "x", "text": "a"}] * (MAX_MESSAGES + 3))
    case, _ = read_conversation(text)
    assert len(case.parts) == MAX_MESSAGES and "3 messages" in case.limitations[0]


@given(st.one_of(st.text(max_size=300), st.binary(max_size=300)))
def test_anything_is_read_or_refused(data: str | bytes) -> None:
    try:
        case, _ = read_conversation(data)
    except MalafideError:
        return
    assert case.chat is not None and len(case.parts) == len(case.chat.messages)


def test_a_mail_that_quotes_nobody_is_one_message() -> None:
    case, _ = read_conversation(
        b"From: Desk <d@x.test>\nTo: ann@example.com\nSubject: hi\n\nSend the code.\n"
    )
    assert case.chat is not None and [m.sender for m in case.chat.messages] == ["Desk"]
