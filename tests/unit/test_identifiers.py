"""Identifiers: what is found, in which form, and what is left alone."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from malafide.knowledge.identifiers import identifiers

FOUND = [
    # phones and accounts are told apart by their digits and by the words around them
    ("call me on 9876543210", [("phone", "9876543210")]),
    ("my number is +91-98765 43210.", [("phone", "+919876543210")]),
    ("098765 43210 pe phone karo", [("phone", "9876543210")]),
    ("a/c no: 9876543210", [("bank_account", "9876543210")]),
    (
        "account 1234567890123456, call 9123456780",
        [("bank_account", "1234567890123456"), ("phone", "9123456780")],
    ),
    ("transfer to 5010 0123 4567 89 HDFC", [("bank_account", "50100123456789")]),
    ("account number 002301557890", [("bank_account", "002301557890")]),
    ("Your account is blocked, call 9876543210", [("phone", "9876543210")]),
    # spaced, dotted, in words, in other digits
    ("9 8 7 6 5 4 3 2 1 0 is my whatsapp", [("phone", "9876543210")]),
    ("9.8.7.6.5.4.3.2.1.0 call", [("phone", "9876543210")]),
    ("nine eight seven six five four three two one zero", [("phone", "9876543210")]),
    ("call nine triple eight 0 1 2 3 4 five", [("phone", "9888012345")]),
    ("plus nine one 98765 43210", [("phone", "+919876543210")]),
    ("call 98765O3210", [("phone", "9876503210")]),
    ("call ९८७६५४३२१०", [("phone", "9876543210")]),
    # UPI against e-mail
    ("pay shop.99@okaxis.", [("upi", "shop.99@okaxis")]),
    ("pay 9123456780@ybl", [("upi", "9123456780@ybl")]),
    ("pay rahul.k (at) ybl", [("upi", "rahul.k@ybl")]),
    ("pay rahul_9@ okhdfcbank", [("upi", "rahul_9@okhdfcbank")]),
    ("write to help@shop.example", [("email", "help@shop.example")]),
    ("write to me at help@shop.example", [("email", "help@shop.example")]),
    ("name (at) shop (dot) example", [("email", "name@shop.example")]),
    ("upi://pay?pa=shop9@ybl&am=1", [("upi", "shop9@ybl")]),
    # links
    ("see http://a-b.example/x?id=1. Now", [("link", "http://a-b.example/x?id=1")]),
    ("hxxps://a[.]example/x", [("link", "https://a.example/x")]),
    ("go to pay-now.example/verify", [("link", "http://pay-now.example/verify")]),
    ("open pay dash now dot com slash go", [("link", "http://pay-now.com/go")]),
    # the rest
    ("IFSC HDFC0001234", [("ifsc", "HDFC0001234")]),
    ("card 4111 1111 1111 1111", [("card", "4111111111111111")]),
    ("IBAN DE89 3704 0044 0532 0130 00", [("iban", "DE89370400440532013000")]),
    ("telegram @crypto_raj or t.me/raj_vip", [("telegram", "@crypto_raj"), ("telegram", "@raj_vip")]),
    ("wa.me/919876543210", [("whatsapp", "+919876543210")]),
    ("call +44 7700 900123", [("foreign_phone", "+447700900123")]),
]
LEFT_ALONE = [
    "account ending 3456", "A/c XXXXXX6755 is blocked", "Rs. 15,000 and 1,00,00,000",
    "order 402938475610 is on its way",
    "tracking number 123456789012", "badge SBI-12345678901", "meet me at home. done.Next please", "look at sbi today",
    "card 4111 1111 1111 1112 is wrong", "see report.pdf", "12.03.2024 at 10.30", "the rate is 5 at the moment",
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), FOUND, ids=[text for text, _ in FOUND])
def test_found_in_the_contracts_form(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(one.kind, one.value) for one in identifiers(text)] == expected


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_left_alone(text: str) -> None:
    assert identifiers(text) == ()


@given(st.text(alphabet="0123456789 .-+@()abcdotnie/:hx\u0967\U0001f600", max_size=200))
def test_every_item_has_an_address_and_none_overlap(text: str) -> None:
    found = identifiers(text)
    assert all(0 <= one.start < one.end <= len(text) for one in found)
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))


@pytest.mark.parametrize("unit", ["9 ", "a@", "nine ", "http://", "[.]", "1-", "@a", "dot com ", "(at)"])
def test_hostile_text_takes_no_time(unit: str) -> None:
    assert len(identifiers(unit * 20_000)) <= 200
