"""Numbers in text: what they are, where they stand, and when they mean something."""

from itertools import pairwise

import pytest
import re2
from header_mail import kinds, mail
from hypothesis import given
from hypothesis import strategies as st

from malafide.knowledge.numbers import amount_value, extract
from malafide.knowledge.scripts import found
from malafide.knowledge.wallets import is_wallet, keccak256
from malafide.tools.numbers import numbers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("call +1 (808) 555-0123 now", [("phone", "+18085550123")]),
        ("call 1-888-555-0147 now", [("phone", "8885550147")]),
        ("WhatsApp +44 7911 123456", [("phone", "+447911123456")]),
        ("ring me at 9876543210", [("phone", "9876543210")]),
        ("tel 030 12345678", [("phone", "03012345678")]),
        ("9876543210 20250101 12", [("phone", "9876543210")]),
        ("IBAN DE89 3704 0044 0532 0130 00 BIC X", [("iban", "DE89370400440532013000")]),
        ("IBAN DE89 3704 0044 0532 0130 01", []),
        ("card 4111 1111 1111 1111", [("card", "4111111111111111")]),
        ("card 4111 1111 1111 1112", []),
        ("pay ramesh.k@okaxis.", [("upi", "ramesh.k@okaxis")]),
        ("write to ramesh@example.com", []),
        ("it costs US$25 million", [("amount", "US$25 million")]),
        ("it costs 10.500.000,00 EUR", [("amount", "10.500.000,00 EUR")]),
        ("it costs Rs. 5,000/-", [("amount", "Rs. 5,000")]),
        ("on 2025-10-11 at 12:30 from 192.168.100.200", []),
        ("see http://a.test/?id=12345678901234", []),
    ],
)
def test_extract(text: str, expected: list[tuple[str, str]]) -> None:
    found = extract(text)
    assert [(n.kind, n.value) for n in found] == expected
    assert all(text[n.start : n.end] for n in found)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("$1,250,000.00", 1.25e6),
        ("10.500.000,00 EUR", 1.05e7),
        ("US$25 million", 2.5e7),
        ("€9,99", 9.99),
        ("5k USD", 5e3),
    ],
)
def test_amounts(written: str, value: float) -> None:
    assert amount_value(written) == pytest.approx(value)


# Addresses from the public specifications of the formats.
BITCOIN = "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"
SEGWIT = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
ETHEREUM = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"


@pytest.mark.parametrize("word", [BITCOIN, SEGWIT, SEGWIT.upper(), ETHEREUM, ETHEREUM.lower()])
def test_wallets(word: str) -> None:
    assert is_wallet(word)
    assert [n.kind for n in extract(f"send it to {word} today")] == ["wallet"]


@pytest.mark.parametrize(
    "word", [BITCOIN[:-1] + "b", SEGWIT[:-1] + "5", ETHEREUM[:-1] + "D", "0x" + "0" * 40]
)
def test_a_wrong_checksum_is_no_wallet(word: str) -> None:
    assert not is_wallet(word)


def test_keccak_knows_the_empty_text() -> None:
    assert keccak256(b"").hex().startswith("c5d2460186f7233c927e7db2dcc703c0")
    with pytest.raises(ValueError, match="136 bytes"):
        keccak256(b"x" * 136)


@pytest.mark.parametrize(
    ("text", "sender", "expected"),
    [
        ("Send 500 USD in Bitcoin to " + BITCOIN, "a@example.com", {"wallet"}),
        ("You inherit US$25,000,000.00 of my late client.", "a@example.com", {"fortune"}),
        ("The city spends $25 million on a bridge.", "a@example.com", set()),
        (
            "Your subscription was renewed. Call 1-808-555-0123.",
            "bill.desk@gmail.com",
            {"bill-from-free-mailbox"},
        ),
        ("Your subscription was renewed. Call 1-888-555-0123.", "a@example.com", {"bill-to-call-about"}),
        ("Let us have lunch. Call 1-808-555-0123.", "anna@gmail.com", set()),
        ("pay to ramesh@okaxis today", "a@example.com", {"payment-address"}),
        ("log in as root@localhost today", "a@example.com", set()),
    ],
)
def test_tool(text: str, sender: str, expected: set[str]) -> None:
    assert kinds(numbers, mail(text, From=sender)) == expected


@given(st.text(alphabet=st.sampled_from("0123456789 +-().@$€abcDE/x1,"), max_size=200))
def test_whatever_is_found_stands_there(text: str) -> None:
    found = extract(text)
    assert all(0 <= n.start < n.end <= len(text) for n in found)
    assert all(a.end <= b.start for a, b in pairwise(found))


@pytest.mark.parametrize("text", ["", "a", "1 22 333", "ü 1 é 22", "12"])
def test_places_are_the_same_whichever_way_they_are_looked_for(text: str) -> None:
    for pattern in (r"\d+", r"\b", r"x*", r"(?m)^\w"):
        expression = re2.compile(pattern)
        assert list(found(expression, text)) == [match.span() for match in expression.finditer(text)]
