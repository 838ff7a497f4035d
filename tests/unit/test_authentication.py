"""What the receiving server wrote about the sender, in the spellings of several houses, and forged."""

import pytest
from header_mail import kinds, mail
from hypothesis import given
from hypothesis import strategies as st

from malafide.case import Address, Header, Mail, Span
from malafide.knowledge.authentication import aligned, results
from malafide.tools.authentication import authentication

MICROSOFT = (
    "spf=pass (sender IP is 192.0.2.7) smtp.mailfrom=example.com; dkim=pass (signature was verified) "
    "header.d=example.com;dmarc=pass action=none header.from=example.com;compauth=pass reason=100"
)
GOOGLE = (
    "mx.example.net; dkim=pass header.i=@example.com header.s=s1 header.b=abc; spf=pass (example.net: domain "
    "of anna@example.com designates 192.0.2.7) smtp.mailfrom=anna@example.com; dmarc=pass "
    "(p=REJECT sp=REJECT dis=NONE) header.from=example.com"
)
POSTFIX = "mx.example.net; dkim=pass (2048-bit key; unprotected) header.d=example.com header.i=@example.com"


def made(*headers: tuple[str, str], sender: str = "anna@example.com") -> Mail:
    address = Address("", sender, Span("header/from", 0, 1))
    return Mail(headers=tuple(Header(n, v) for n, v in headers), sender=address, senders=(address,))


@pytest.mark.parametrize(
    "written", [MICROSOFT, GOOGLE, POSTFIX, "mx.example.net 1; dmarc = pass header.from=example.com"]
)
def test_confirmed(written: str) -> None:
    assert aligned(made(("authentication-results", written))) == "example.com"


@pytest.mark.parametrize(
    "written",
    [
        "mx.example.net; spf=pass smtp.mailfrom=bounce.example.org; dkim=pass header.d=example.org",
        "mx.example.net; spf=pass smtp.mailfrom=example.com; dmarc=fail header.from=example.com",
        "mx.example.net; dkim=none header.d=none; spf=none",
        "mx.example.net; (dmarc=pass header.from=example.com) spf=none",
        'mx.example.net; spf=fail reason="x; dmarc=pass header.from=example.com"',
        "",
    ],
)
def test_not_confirmed(written: str) -> None:
    assert aligned(made(("authentication-results", written))) is None


def test_only_the_topmost_header_counts() -> None:
    forged = ("authentication-results", "mx.example.net; dmarc=pass header.from=example.com")
    real = ("authentication-results", "mx.example.net; dmarc=none; spf=none")
    received = ("received", "from a by b")
    assert aligned(made(real, received, forged)) is None
    assert aligned(made(("arc-authentication-results", "i=1; " + forged[1]))) is None


def test_filters_of_one_server_each_write_a_header() -> None:
    first = ("authentication-results", "mx.example.net; spf=none")
    second = ("authentication-results", "mx.example.net; dkim=pass header.d=example.com")
    other = ("authentication-results", "mx.elsewhere.test; dkim=pass header.d=example.com")
    assert aligned(made(first, second)) == "example.com"
    assert aligned(made(first, other)) is None


def test_received_spf_stands_in() -> None:
    written = (
        "Pass (mx.example.net: domain of example.com designates 192.0.2.7 as permitted) client-ip=192.0.2.7;"
    )
    (result,) = results(made(("received-spf", written)))
    assert (result.method, result.outcome, result.domain) == ("spf", "pass", "example.com")


@given(st.text(alphabet=st.sampled_from('spf=dkim;()" \\.@pass_d/'), max_size=300))
def test_hostile_headers_never_raise(written: str) -> None:
    results(made(("authentication-results", written), ("received-spf", written)))


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (MICROSOFT, {"confirmed"}),
        (
            "mx.example.net; spf=softfail smtp.mailfrom=example.com; dmarc=fail header.from=example.com",
            {"spf-softfail", "dmarc-fail"},
        ),
        ("mx.example.net; spf=pass smtp.mailfrom=example.org", {"other-domain"}),
        ("mx.example.net; spf=none smtp.mailfrom=example.com; dkim=none", {"none"}),
        (
            "spf=fail smtp.mailfrom=example.com; dkim=none header.d=none;compauth=fail reason=001",
            {"spf-fail", "compauth-fail"},
        ),
    ],
)
def test_evidence(written: str, expected: set[str]) -> None:
    assert kinds(authentication, mail(Authentication_Results=written)) == expected


def test_silence_without_the_header() -> None:
    assert authentication(mail()) == []
