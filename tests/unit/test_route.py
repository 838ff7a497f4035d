"""Ways mail takes and what bulk mailers get wrong about them, with honest mail beside."""

import pytest
from header_mail import kinds, mail
from hypothesis import given
from hypothesis import strategies as st

from malafide.case import Header, Mail
from malafide.knowledge.headers import hops, moment
from malafide.tools.mailer import mailer
from malafide.tools.route import route
from malafide.tools.subject import subject

HOP = "by mx.example.net (Postfix) with ESMTP id 1; Mon, 5 May 2025 10:00:01 +0000"


@pytest.mark.parametrize(
    ("written", "greeting", "reverse", "address"),
    [
        (
            f"from mail.a.test (rev.a.test. [93.184.216.34]) {HOP}",
            "mail.a.test",
            "rev.a.test",
            "93.184.216.34",
        ),
        (f"from unknown (HELO mail.a.test) (93.184.216.34) {HOP}", "mail.a.test", "unknown", "93.184.216.34"),
        (f"from rev.a.test ([93.184.216.34] helo=pc) {HOP}", "pc", "rev.a.test", "93.184.216.34"),
        (f"from mail.a.test (93.184.216.34) {HOP}", "mail.a.test", "", "93.184.216.34"),
        (f"from mail.a.test (2001:4860::8) {HOP}", "mail.a.test", "", "2001:4860::8"),
        ("(qmail 43039 invoked from network); 22 Aug 2002 13:54:58 -0000", "", "", ""),
        ("from", "", "", ""),
    ],
)
def test_received_in_its_spellings(written: str, greeting: str, reverse: str, address: str) -> None:
    case = mail(Received=written)
    assert case.mail is not None
    (hop,) = hops(case.mail)
    assert (hop.greeting, hop.reverse, hop.address) == (greeting, reverse, address)


@given(st.text(alphabet=st.sampled_from("from by helo=HELO()[];.: 1@x"), max_size=200))
def test_hostile_received_never_raises(written: str) -> None:
    for hop in hops(Mail(headers=(Header("received", written), Header("received", "from a (" + written)))):
        assert hop.is_public in (True, False)


@pytest.mark.parametrize(
    "written", ["", "soon", "Mon, 99 Foo 2025", "Mon, 5 May 99999 10:00:00 +9999999", "\x00"]
)
def test_no_moment(written: str) -> None:
    assert moment(written) is None


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, set()),
        ({"Date": None}, {"no-date"}),
        ({"Date": "soon"}, {"unreadable-date"}),
        ({"Date": "Mon, 5 May 2025 10:00:00 -1900"}, {"impossible-time-zone"}),
        ({"Date": "Mon, 5 May 2025 23:59:00 +1300"}, set()),
        ({"Date": "Thu, 8 May 2025 10:00:00 +0000"}, {"date-in-future"}),
        ({"Date": "Thu, 31 Jul 1980 07:20:54 +0000"}, {"date-long-past"}),
        ({"Date": "Sun, 4 May 2025 20:00:00 +0000"}, set()),
        ({"Message-ID": None}, {"no-message-id"}),
        ({"Message-ID": "57X222qI7z"}, {"malformed-message-id"}),
        ({"Message-ID": "<123@mx.example.net>"}, {"message-id-of-reader"}),
        ({"Received": f"from hotmail.com (relay.a.test [93.184.216.34]) {HOP}"}, {"greets-as-other"}),
        ({"Received": f"from 93.184.216.34 (mail.a.test [93.184.216.34]) {HOP}"}, {"greets-with-number"}),
        ({"Received": f"from office (mail.a.test [93.184.216.34]) {HOP}"}, {"greets-without-domain"}),
        ({"Received": f"from mx.example.net (mail.a.test [93.184.216.34]) {HOP}"}, {"greets-as-receiver"}),
        ({"Received": f"from a.test (dsl-93-184-216-34.pool.a.test [93.184.216.34]) {HOP}"}, {"home-line"}),
        ({"From": "anna@gmail.com"}, {"not-from-that-webmail"}),
        (
            {
                "From": "anna@gmail.com",
                "Received": f"from mail-1.google.com (mail-1.google.com [93.184.216.34]) {HOP}",
            },
            set(),
        ),
    ],
)
def test_route(changes: dict[str, str | None], expected: set[str]) -> None:
    assert kinds(route, mail(**changes)) == expected


OUTLOOK = "<000001c8a1b2$0a1b2c3d$0a0a0a0a@example.com>"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, set()),
        (
            {
                "X-Mailer": "Microsoft Outlook Express 6.00.2900",
                "Message-ID": OUTLOOK,
                "X-MimeOLE": "Produced By",
            },
            set(),
        ),
        ({"X-Mailer": "Microsoft Outlook Express 6.00.2900"}, {"not-that-program"}),
        ({"X-Mailer": "The Bat! (v2.00)", "Message-ID": "<1234567.20250505100000@example.com>"}, set()),
        ({"X-Mailer": "The Bat! (v2.00)"}, {"not-that-program"}),
        ({"X-Mailer": "Advanced Mass Sender 3"}, {"bulk-program"}),
        ({"X-MSMail-Priority": "Normal"}, {"half-an-outlook"}),
        ({"X-Priority": "1 (Highest)"}, {"marked-urgent"}),
        ({"X-Priority": "3"}, set()),
        ({"MIME-Version": None, "Content-Type": "text/html"}, {"no-mime-version"}),
    ],
)
def test_mailer(changes: dict[str, str | None], expected: set[str]) -> None:
    assert kinds(mailer, mail(**changes)) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Minutes of Monday", set()),
        ("READ THIS OFFER TODAY", {"capitals"}),
        ("NATO and the EU", set()),
        ("Win now!!!", {"exclamations"}),
        ("Happy birthday!", set()),
        ("Cheap watches           kq7fzt", {"random-tail"}),
        ("ADV: cheap watches", {"advertisement"}),
        ("Adventure holidays", set()),
        ("Your p\u0430yment", {"foreign-letters"}),
        ("Ваш счёт", set()),
        ("Your pay\u200bment", {"invisible"}),
        ("🎁 for you", {"pictures"}),
        ("Re: your order", {"false-reply"}),
    ],
)
def test_subject(line: str, expected: set[str]) -> None:
    assert kinds(subject, mail(Subject=line)) == expected


def test_a_real_reply_is_none_of_that() -> None:
    assert kinds(subject, mail(Subject="Re: minutes", In_Reply_To="<1@example.net>")) == set()
    assert kinds(subject, mail("> the minutes\n> of Monday\nYes.", Subject="Re: minutes")) == set()
