"""Senders whose addresses do not fit together, and harmless look-alikes."""

import pytest
from header_mail import kinds, mail

from malafide.tools.recipients import recipients
from malafide.tools.sender import looks_random, sender

EIGHT = ("anna", "bert", "cleo", "dora", "emil", "fred", "gina", "hugo")


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, set()),
        ({"From": '"service@bank.example" <x@evil.test>'}, {"name-is-other-address"}),
        ({"From": '"anna@example.com" <anna@example.com>'}, set()),
        ({"From": '"Bank.example Service" <info@evil.test>'}, {"name-is-other-domain"}),
        ({"From": '"Example" <news@mail.example.com>'}, set()),
        ({"From": '"Example Help" <x@evil.test>', "To": "ben@example.net"}, {"name-of-readers-organisation"}),
        ({"Reply-To": "prize.office@gmail.com"}, {"reply-to-free-mailbox"}),
        ({"Reply-To": "anna@gmail.com"}, set()),
        ({"Reply-To": "office@other.test"}, {"reply-to-elsewhere"}),
        ({"Reply-To": "staff@lists.test", "List-Post": "<mailto:staff@lists.test>"}, set()),
        ({"From": "a.person@gmail.com", "Reply-To": "b.person@gmail.com"}, {"reply-to-other-mailbox"}),
        ({"From": "x7k2m9q4@example.com"}, {"random-address"}),
        ({"From": "info@k3x9q2z7.test"}, {"random-domain"}),
        ({"From": "peter1982@gmail.com"}, set()),
        ({"From": "PRIZE OFFICE <office@example.com>"}, {"shouted-name"}),
        ({"From": "Winner"}, {"no-address"}),
        ({"From": None}, {"missing"}),
        ({"Return-Path": "<someone@gmail.com>"}, {"really-a-free-mailbox"}),
        ({"Return-Path": "<bounce-17@mailer.test>"}, set()),
    ],
)
def test_sender(changes: dict[str, str | None], expected: set[str]) -> None:
    assert kinds(sender, mail(**changes)) == expected


@pytest.mark.parametrize(
    ("changes", "body", "expected"),
    [
        ({}, "Hi Ben, how are you?", set()),
        ({"To": "undisclosed-recipients:;"}, "Hello", {"nobody"}),
        ({"To": "anna@example.com"}, "A note", {"own-sender"}),
        ({"To": "anna@example.com", "List-Unsubscribe": "<mailto:leave@example.com>"}, "A note", set()),
        ({"Subject": "ben@example.net, your parcel waits"}, "Hello", {"address-in-subject"}),
        ({"To": "ben.c77@example.net"}, "Dear ben.c77,\nyou won", {"greeted-by-address"}),
        ({"To": "ben@example.net"}, "Dear Ben,\nsee you", set()),
        ({"To": ", ".join(f"web{i}@shop{i}.test" for i in range(6))}, "Hello", {"alphabet"}),
        (
            {"To": ", ".join(f"{n}@{n}-shop.test" for n in EIGHT)},
            "Hello",
            {"crowd"},
        ),
        (
            {"To": ", ".join(f"{n}@example.net" for n in EIGHT)},
            "Hello",
            set(),
        ),
    ],
)
def test_recipients(changes: dict[str, str | None], body: str, expected: set[str]) -> None:
    assert kinds(recipients, mail(body, **changes)) == expected


@pytest.mark.parametrize("word", ["x7k2m9q4", "lkjhgfdsqwrt", "9x25wspgup"])
def test_random_words(word: str) -> None:
    assert looks_random(word)


@pytest.mark.parametrize(
    "word", ["anna", "newsletter", "peter1982", "support24", "bounce-12-a3-b4", "strengths"]
)
def test_words_people_choose(word: str) -> None:
    assert not looks_random(word)
