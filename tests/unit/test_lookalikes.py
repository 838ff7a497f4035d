"""Names made to be taken for another's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from malafide.intake import read_bytes
from malafide.knowledge.imitation import imitates
from malafide.tools.lookalikes import lookalikes


@pytest.mark.parametrize(
    ("host", "manner", "name"),
    [
        ("paypa1.example", "letters", "PayPal"),
        ("rnicrosoft.example", "letters", "Microsoft"),
        ("xn--pypal-4ve.com", "letters", "PayPal"),
        ("paypall.example", "spelling", "PayPal"),
        ("payapl.example", "spelling", "PayPal"),
        ("netfllx.example", "letters", "Netflix"),
        ("paypal.com.evil.test", "address", "PayPal"),
        ("www.amazon.co.jp.evil.test", "address", "Amazon"),
        ("paypal-secure-login.example", "bait", "PayPal"),
        ("secure-paypal.example", "bait", "PayPal"),
        ("paypalverification.example", "bait", "PayPal"),
        ("usps-redelivery.example", "bait", "USPS"),
        ("netflix-rewards.example", "lure", "Netflix"),
        ("apple-support-login.example", "lure", "Apple"),
        ("coinbase-xq.example", "addition", "Coinbase"),
        ("paypal.support", "ending", "PayPal"),
        ("paypal.evil.test", "subdomain", "PayPal"),
        ("paypal-login.weebly.com", "bait", "PayPal"),
    ],
)
def test_imitations(host: str, manner: str, name: str) -> None:
    found = imitates(host)
    assert found is not None
    assert (found.manner, found.brand.name) == (manner, name)


@pytest.mark.parametrize(
    "host",
    [
        "paypal.com", "paypal.co.uk", "e.paypal.com", "amazon.co.jp", "www.example.com",
        "pineapples.example", "chess.example", "purchase-support.example", "finance.example",
        "thecloud.example", "discovery.example", "orange-juice.example", "www.citi.example.edu",
        "paypal.zendesk.com", "192.0.2.7", "localhost", "",
    ],
)  # fmt: skip
def test_harmless_names(host: str) -> None:
    assert imitates(host) is None


@given(st.text(max_size=120))
def test_open_input(host: str) -> None:
    imitates(host)
    imitates(host + ".example.com")


def _mail(link: str, sender: str = "news@shop.example") -> bytes:
    return (
        f"From: Shop <{sender}>\r\nTo: ann@reader.example\r\nSubject: hello\r\n"
        "Content-Type: text/html\r\n\r\n"
        f'<p>Hello</p><a href="{link}">open</a>'
    ).encode()


def test_link_and_sender_are_looked_at() -> None:
    case = read_bytes(_mail("http://paypal-login.example/x", "team@netfllx.example"))
    found = lookalikes(case)
    assert [evidence.kind for evidence in found] == ["lookalikes.letters", "lookalikes.bait"]
    assert all(evidence.holds_in(case) and evidence.topic == "impersonation" for evidence in found)
    assert "Netflix" in found[0].sentence


def test_name_in_path_beside_sign_in() -> None:
    found = lookalikes(read_bytes(_mail("http://garden.example/paypal/login.php")))
    assert [evidence.kind for evidence in found] == ["lookalikes.path"]
    assert lookalikes(read_bytes(_mail("http://news.example/paypal/results"))) == []
    assert lookalikes(read_bytes(_mail("https://www.paypal.com/paypal/login"))) == []


def test_many_links_to_a_host_are_one_finding() -> None:
    links = "".join(f'<a href="http://paypal-login.example/{i}">x</a>' for i in range(100))
    case = read_bytes(b"From: a@shop.example\r\nContent-Type: text/html\r\n\r\n" + links.encode())
    assert len(lookalikes(case)) == 1
