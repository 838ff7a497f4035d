"""Whatever arrives, the answer is a Case with exact spans or a refusal, in bounded time."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from malafide.case import Case
from malafide.errors import MalafideError
from malafide.intake import read_bytes, read_text

SEED = (
    b"Return-Path: <bounce@example.net>\nReceived: from a.example; Mon, 3 Mar 2025 10:00:00 +0100\n"
    b'From: =?utf-8?q?Caf=C3=A9?= "Bank, Ltd" <a@example.com>\nTo: b@example.org, "C" <c@example.org>\n'
    b"Reply-To: d@example.net\nSubject: =?iso-8859-1?b?Y2Fm6Q==?= now\nDate: Mon, 3 Mar 2025 10:00:00 +0100\n"
    b'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="out"\n\n--out\n'
    b'Content-Type: multipart/alternative; boundary="in"\n\n--in\nContent-Type: text/plain; charset=utf-8\n'
    b"Content-Transfer-Encoding: quoted-printable\n\nHello =E2=82=AC http://a.example/x?y=3D1\n--in\n"
    b"Content-Type: text/html; charset=utf-8\n\n<html><head><style>.x{display:none}@media{.y{display:block}}"
    b"</style></head><body bgcolor=#fff><p class=x>gone</p><a href='http://b.example/'>go <img alt=pic></a>"
    b"<font color=white>white</font><form action=http://c.example/><input type=password></form>"
    b"pay\xe2\x80\x8bpal<!-- note --></body></html>\n--in--\n--out\n"
    b'Content-Type: application/zip; name="a.zip"\nContent-Transfer-Encoding: base64\n\nUEsDBAoAAAA=\n--out\n'
    b"Content-Type: message/rfc822\n\nFrom: e@example.com\nSubject: inner\n\nwww.d.example\n--out--\n"
)
FRAGMENTS = (
    *(
        b"<div>",
        b"</p>",
        b"<a href=",
        b"'",
        b'"',
        b"--out\n",
        b"--in--\n",
        b"\n\n",
        b"\r",
        b"\0",
        b"=?utf-8?b?",
    ),
    *(
        b"?=",
        b"\xff\xfe",
        b"&#xD800;",
        b"charset=utf-7",
        b"+2AA-",
        b"<!--",
        b"-->",
        b"<style>",
        b"{",
        b"}",
        b"@",
    ),
    *(
        b"<",
        b">",
        b"(",
        b",",
        b";",
        b"base64",
        b"text/html",
        b"multipart/mixed",
        b"style='display:none;'",
        b"\xe2",
    ),
)


def assert_exact(case: Case) -> None:
    facts = case.mail
    assert facts is not None
    assert len({part.name for part in case.parts}) == len(case.parts)
    for part in case.parts:
        part.text.encode("utf-8")
    for link in facts.links:
        assert case.quote(link.at) == link.target != ""
        assert link.shown_at is None or case.quote(link.shown_at) == link.text != ""
    for address in (*facts.senders, *facts.recipients, facts.reply_to, facts.return_path):
        assert address is None or address.address in case.quote(address.at).lower()
    for attachment in facts.attachments:
        assert case.part(attachment.part).text.startswith(attachment.name)
    if facts.html is not None:
        assert all(case.quote(hidden.at) for hidden in facts.html.hidden)
        for form in facts.html.forms:
            assert form.at is None or case.quote(form.at) == form.action


def examine(data: bytes) -> None:
    try:
        case = read_bytes(data)
    except MalafideError:
        return
    assert_exact(case)


def test_the_seed_itself_is_exact() -> None:
    case = read_bytes(SEED)
    assert_exact(case)
    assert case.mail is not None
    assert case.mail.html is not None
    assert {hidden.reason for hidden in case.mail.html.hidden} == {"display", "colour", "zero-width"}


@given(st.binary(max_size=2_000))
@settings(max_examples=150, deadline=None)
def test_random_bytes(data: bytes) -> None:
    examine(data)
    examine(b"From: a@example.com\nSubject: x\n" + data)
    examine(b"From: a@example.com\nSubject: x\nContent-Type: text/html\n\n" + data)


@given(st.text(max_size=1_000))
@settings(max_examples=100, deadline=None)
def test_random_text(text: str) -> None:
    for whole in (text, "Subject: x\nFrom: " + text, "<html>" + text):
        try:
            assert_exact(read_text(whole))
        except MalafideError:
            continue


@given(st.integers(0, 2**32), st.integers(1, 12))
@settings(max_examples=250, deadline=None)
def test_mutated_mail(seed: int, changes: int) -> None:
    chance = random.Random(seed)
    data = bytearray(SEED)
    for _ in range(changes):
        at = chance.randrange(len(data))
        match chance.randrange(4):
            case 0:
                data[at : at + chance.randrange(1, 60)] = b""
            case 1:
                data[at:at] = chance.choice(FRAGMENTS) * chance.choice((1, 1, 3, 50))
            case 2:
                data[at] = chance.randrange(256)
            case _:
                start = chance.randrange(len(data))
                data[at:at] = data[start : start + chance.randrange(200)]
    examine(bytes(data))


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=200))
@settings(max_examples=150, deadline=None)
def test_fragments_of_html(pieces: list[bytes]) -> None:
    examine(b"From: a@example.com\nSubject: x\nContent-Type: text/html\n\n" + b"x".join(pieces))
