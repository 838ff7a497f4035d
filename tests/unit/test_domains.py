"""Hosts, owners and what a browser makes of a hostile target."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from malafide.knowledge.brands import mentions, owners, owns
from malafide.knowledge.domains import known_suffix, label, parse, readable, registrable
from malafide.knowledge.hosts import is_free_mail, kinds, often_abused, unwrap


@pytest.mark.parametrize(
    ("target", "host"),
    [
        ("https://www.example.com/a?b#c", "www.example.com"),
        ("http://good.example@evil.test/x", "evil.test"),
        ("http://good.example:80@evil.test:8080/x", "evil.test"),
        ("HTTP:\\\\Evil.TEST\\a", "evil.test"),
        ("http:evil.test/a", "evil.test"),
        ("https:///evil.test./p", "evil.test"),
        ("http://%65vil.test/", "evil.test"),
        ("http://evil。test/", "evil.test"),
        ("http://ev\til.te\nst/", "evil.test"),
        ("//evil.test/x", "evil.test"),
        ("www.example.com/page", "www.example.com"),
        ("example.com:8080/page", "example.com"),
        ("http://exаmple.com/", "xn--exmple-4nf.com"),
        ("http://[::1]/", "::1"),
        ("report.pdf", ""),
        ("page.html?x=1", ""),
        ("mailto:ann@example.com", ""),
        ("javascript:alert(1)", ""),
        ("#top", ""),
        ("", ""),
    ],
)
def test_host_is_where_a_browser_would_go(target: str, host: str) -> None:
    assert parse(target).host == host


@pytest.mark.parametrize(
    ("written", "address", "disguised"),
    [
        ("192.0.2.7", "192.0.2.7", False),
        ("3221225991", "192.0.2.7", True),
        ("0xC0000207", "192.0.2.7", True),
        ("0300.0.02.07", "192.0.2.7", True),
        ("192.0.519", "192.0.2.7", True),
        ("%31%39%32.0.2.7", "192.0.2.7", True),
    ],
)
def test_numbers_are_read_as_addresses(written: str, address: str, disguised: bool) -> None:
    url = parse(f"http://{written}/login")
    assert (url.host, url.numeric, url.disguised) == (address, True, disguised)


@pytest.mark.parametrize(
    "host", ["1.2.3.4.5", "999.1.1.1", "0x.example", "12345678901234567890", "7.example.com"]
)
def test_what_is_no_address_stays_a_name(host: str) -> None:
    assert not parse(f"http://{host}/").numeric


@pytest.mark.parametrize(
    ("host", "owner"),
    [
        ("a.b.example.co.uk", "example.co.uk"),
        ("someone.github.io", "someone.github.io"),
        ("pay.com.evil.test", "evil.test"),
        ("co.uk", "co.uk"),
        ("192.0.2.7", "192.0.2.7"),
        ("", ""),
        ("Example.COM.", "example.com"),
    ],
)
def test_registrable(host: str, owner: str) -> None:
    assert registrable(host) == owner


def test_pieces_of_a_target() -> None:
    url = parse("https://ann:secret@shop.example.com:8443/a/b?c=d#e")
    assert (url.scheme, url.userinfo, url.port) == ("https", "ann:secret", 8443)
    assert (url.path, url.query, url.fragment, url.owner) == ("/a/b", "c=d", "e", "example.com")
    assert label(url.owner) == "example"


def test_readable_shows_the_letters() -> None:
    assert readable("xn--exmple-4nf.com") == "exаmple.com"
    assert readable("xn--\x00.com") == "xn--\x00.com"
    assert known_suffix("shop.example.de") and not known_suffix("report.docx")


@given(st.text(max_size=300))
def test_nothing_raises_on_open_input(text: str) -> None:
    for target in (
        text,
        "http://" + text,
        "https://www.google.com/url?q=" + text,
        "https://urldefense.com/v3/__" + text,
    ):
        url = parse(target)
        assert registrable(url.host) is not None
        assert readable(url.host) is not None
        assert len(unwrap(url)) <= 4
        kinds(url.host, url.path)
        owners(url.host)


@pytest.mark.parametrize(
    ("target", "hosts"),
    [
        ("https://www.google.de/url?q=https://evil.test/a&sa=D", ["evil.test"]),
        (
            "https://eur01.safelinks.protection.outlook.com/?url=http%3A%2F%2Fevil.test%2Fa&data=1",
            ["evil.test"],
        ),
        ("https://urldefense.com/v3/__https://evil.test/x__;!!abc", ["evil.test"]),
        ("https://urldefense.proofpoint.com/v2/url?u=https-3A__evil.test_x&d=1", ["evil.test"]),
        ("https://www.bing.com/ck/a?p=1&u=a1aHR0cHM6Ly9ldmlsLnRlc3QvYQ", ["evil.test"]),
        ("https://l.facebook.com/l.php?u=https%3A%2F%2Fevil.test", ["evil.test"]),
        ("https://www.google.com/amp/s/www.google.com/amp/s/evil.test", ["www.google.com", "evil.test"]),
        ("https://example.com/?url=https://evil.test", []),
        ("https://www.google.com/search?q=https://evil.test", []),
    ],
)
def test_unwrap(target: str, hosts: list[str]) -> None:
    assert [url.host for url in unwrap(parse(target))] == hosts


def test_unwrapping_ends() -> None:
    inner = "https://evil.test"
    for _ in range(30):
        inner = "https://www.google.com/amp/s/" + inner.removeprefix("https://")
    assert len(unwrap(parse(inner))) == 4


def test_kinds_of_places() -> None:
    assert "shorteners" in kinds("bit.ly", "/abc")
    assert "pages" in kinds("anything.weebly.com")
    assert "forms" in kinds("docs.google.com", "/forms/d/1") and "forms" not in kinds(
        "docs.google.com", "/document/1"
    )
    assert "buckets" in kinds("name.blob.core.windows.net")
    assert not kinds("www.example.com")
    assert is_free_mail("yahoo.co.jp") and is_free_mail("gmail.com") and not is_free_mail("alerts.yahoo.com")
    assert often_abused("a.example.top") and not often_abused("example.com")


def test_brands_by_host() -> None:
    assert [brand.name for brand in owners("mail.paypal.com")] == ["PayPal"]
    assert owners("amazon.co.jp") and owners("blog.google") and owners("www.gov.uk")
    for stranger in (
        "paypal.support",
        "paypal.tk",
        "paypal.com.evil.test",
        "someone.blogspot.com",
        "a.onmicrosoft.com",
    ):
        assert owners(stranger) == ()
    assert owns(owners("youtube.com")[0], "accounts.google.com")


def test_brands_by_name() -> None:
    text = "Your PаyPal account; ups and downs; UPS parcel; pineapples; Bank of America, Apple ID."
    assert [mention.name for mention in mentions(text)] == ["PayPal", "UPS", "Bank of America", "Apple ID"]
    first = mentions(text)[0]
    assert text[first.start : first.end] == "PаyPal"
    assert [mention.common for mention in mentions("Apple and Netflix")] == [True, False]
