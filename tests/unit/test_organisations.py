"""Who a mail claims to be, against where it comes from."""

from __future__ import annotations

import pytest

from malafide.case import Case
from malafide.evidence import Evidence
from malafide.intake import read_bytes
from malafide.tools.organisations import organisations


def _case(sender: str, body: str = "Hello, see below.", headers: str = "") -> Case:
    return read_bytes(
        (
            f"{headers}From: {sender}\r\nTo: ann@reader.example\r\nSubject: hello\r\n"
            f"Content-Type: text/html; charset=utf-8\r\n\r\n<p>{body}</p>"
        ).encode()
    )


def _found(case: Case) -> list[Evidence]:
    found = organisations(case)
    assert all(evidence.holds_in(case) for evidence in found)
    return found


@pytest.mark.parametrize(
    ("sender", "kind", "strength"),
    [
        ("PayPal <service@evil.test>", "organisations.impostor", 0.7),
        ('"PayPal Security Team" <a@evil.test>', "organisations.impostor", 0.7),
        ("BinanceMail <a@evil.test>", "organisations.impostor", 0.7),
        ("NETFLIX <a@evil.test>", "organisations.impostor", 0.7),
        ('"Apple Support" <a@evil.test>', "organisations.impostor", 0.7),
        ("LEDGER <a@evil.test>", "organisations.impostor", 0.7),
        ('"PayPal" <paypal12@gmail.com>', "organisations.free-mailbox", 0.7),
        ('"Microsoft account team" <a@name.onmicrosoft.com>', "organisations.impostor", 0.7),
        ('"PayPal Fan Garden" <a@evil.test>', "organisations.impostor", 0.4),
        ("PayPal <a@paypal-login.example>", "organisations.impostor", 0.4),
        ("Service <paypal.service@evil.test>", "organisations.address", 0.2),
    ],
)
def test_impostors(sender: str, kind: str, strength: float) -> None:
    assert [(e.kind, e.strength, e.direction) for e in _found(_case(sender))] == [
        (kind, strength, "deceptive")
    ]


@pytest.mark.parametrize(
    "sender",
    [
        "PayPal <service@paypal.com>",
        "PayPal <service@mail.paypal.co.uk>",
        "Amazon.co.jp <a@amazon.co.jp>",
        "YouTube <no-reply@accounts.google.com>",
        "Chase Miller <chase@garden.example>",
        "Chase <chase@garden.example>",
        "Ann Apple <ann@garden.example>",
        '"Ann Lee (PayPal)" <ann@garden.example>',
        '"Ann Lee via Dropbox" <ann@garden.example>',
        "ups and downs <a@garden.example>",
        "Pineapple Shop <a@garden.example>",
        "ann@garden.example",
    ],
)
def test_honest_names(sender: str) -> None:
    assert _found(_case(sender)) == []


LINK = '<a href="https://evil.test/x">open</a>'


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (
            f"Confirm your details. {LINK}<p>© 2024 PayPal. All rights reserved.</p>",
            "organisations.copyright",
        ),
        (f"Confirm your details. {LINK}<p>The PayPal Team</p>", "organisations.signature"),
        (f"Dear PayPal customer, {LINK}", "organisations.greeting"),
    ],
)
def test_claims_in_the_text(body: str, kind: str) -> None:
    assert [(e.kind, e.strength) for e in _found(_case("Notice <a@evil.test>", body))] == [(kind, 0.4)]
    listed = _case("Notice <a@evil.test>", body, "List-Post: <mailto:list@garden.example>\r\n")
    assert _found(listed) == []


@pytest.mark.parametrize(
    "body",
    [
        f"I read that PayPal raised its fees. {LINK}",
        f"You can pay with PayPal, Visa or Klarna. {LINK}",
        "<p>The PayPal Team</p>",  # nothing is asked
        '<p>© 2024 PayPal</p><a href="https://www.paypal.com/">open</a>',
    ],
)
def test_mere_mentions(body: str) -> None:
    assert _found(_case("Ann <ann@garden.example>", body)) == []


def test_proven_organisation() -> None:
    passed = "Authentication-Results: mx.reader.example; dmarc=pass header.from=paypal.com\r\n"
    (found,) = _found(_case("PayPal <service@paypal.com>", headers=passed))
    assert (found.kind, found.direction, found.topic) == ("organisations.proven", "genuine", "authentication")
    free = "Authentication-Results: mx.reader.example; dmarc=pass header.from=gmail.com\r\n"
    assert _found(_case("Google <ann@gmail.com>", headers=free)) == []
