"""Header words, parameters and addresses."""

import pytest

from malafide.intake.addresses import parse_addresses
from malafide.intake.headers import decode_words, parameters, parse_date


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("plain", "plain"),
        ("=?utf-8?B?Y2Fmw6k=?= time", "café time"),
        ("=?utf-8?q?caf=C3?= =?utf-8?q?=A9?=", "café"),
        ("=?iso-8859-1?Q?a_b?= =?utf-8?q?c?=", "a bc"),
        ("a =?utf-8?q?b?= c", "a b c"),
        ("=?x-none?q?abc?=", "abc"),
        ("=?utf-8?b?!!!?=", ""),
        ("=?utf-8?q?one=0D=0ABcc:_two?=", "one Bcc: two"),
        ("=?utf-8?q?open", "=?utf-8?q?open"),
    ],
)
def test_encoded_words(raw: str, text: str) -> None:
    assert decode_words(raw)[0] == text


@pytest.mark.parametrize(
    ("raw", "value", "found"),
    [
        ("text/HTML", "text/html", {}),
        ('text/plain; charset="utf-8"; x=1', "text/plain", {"charset": "utf-8", "x": "1"}),
        ('a/b; name="semi;colon"', "a/b", {"name": "semi;colon"}),
        ("a/b; name*=utf-8''caf%C3%A9.txt", "a/b", {"name": "café.txt"}),
        ("a/b; name*0=long; name*1=er.txt", "a/b", {"name": "longer.txt"}),
        ('a/b; name="open', "a/b", {"name": "open"}),
    ],
)
def test_parameters(raw: str, value: str, found: dict[str, str]) -> None:
    assert parameters(raw) == (value, found)


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        ("ann@example.com", [("", "ann@example.com", "ann@example.com")]),
        ("Ann <Ann@Example.com>", [("Ann", "ann@example.com", "Ann <Ann@Example.com>")]),
        ('"Doe, Ann" <a@example.com>', [("Doe, Ann", "a@example.com", '"Doe, Ann" <a@example.com>')]),
        ("Doe, Ann <a@example.com>", [("Doe, Ann", "a@example.com", "Doe, Ann <a@example.com>")]),
        ("a@example.com (Ann)", [("Ann", "a@example.com", "a@example.com (Ann)")]),
        ('"bank@example.com" <x@example.net>', [("bank@example.com", "x@example.net", None)]),
        ("a@example.com, b@example.com;", [("", "a@example.com", None), ("", "b@example.com", None)]),
        (
            "friends: a@example.com, b@example.com;",
            [("", "a@example.com", None), ("", "b@example.com", None)],
        ),
        ("undisclosed-recipients:;", []),
        ("<>", []),
        ("Only A Name", [("Only A Name", "", "Only A Name")]),
        ("=?utf-8?q?a=40b.example=3E=2C?= <x@example.net>", [("a@b.example>,", "x@example.net", None)]),
        ("", []),
    ],
)
def test_addresses(raw: str, found: list[tuple[str, str, str | None]]) -> None:
    text, encoded = decode_words(raw)
    addresses = parse_addresses("..." + text, [(s + 3, e + 3) for s, e in encoded], "header/from")
    plain = parse_addresses(text, encoded, "header/from", 5)
    assert [(a.name, a.address) for a in plain] == [(name, address) for name, address, _ in found]
    for address, (_, _, quote) in zip(plain, found, strict=True):
        assert quote is None or (" " * 5 + text)[address.at.start : address.at.end] == quote
    assert len(addresses) >= len(plain)


def test_many_addresses_and_commas_take_no_time() -> None:
    text = ", ".join(f"u{i}@example.com" for i in range(1000))
    assert len(parse_addresses(text, [], "header/to")) == 100
    assert parse_addresses("," * 20_000, [], "header/to") == ()


@pytest.mark.parametrize(
    "raw", ["", "soon", "Mon, 99 Mar 2025 99:00:00 +9999", "1" * 500, "Fri, 31 Dec 9999 23:59:59 -2400"]
)
def test_dates_that_are_none(raw: str) -> None:
    assert parse_date(raw) is None
