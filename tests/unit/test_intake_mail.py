"""Raw mail and text become the right parts and facts, and every span is exact."""

import base64
import io
import zipfile

import pytest

from malafide.case import Address, Case, Span
from malafide.errors import InputTooLarge, UnreadableInput
from malafide.intake import read_bytes, read_text
from malafide.limits import MAX_INPUT_BYTES, MAX_LINKS, MAX_PARTS

HEADERS = b"From: Ann <ann@example.com>\nTo: bob@example.org\nSubject: Lunch\n"


def mail(body: bytes, *headers: bytes) -> Case:
    return read_bytes(HEADERS + b"".join(header + b"\n" for header in headers) + b"\n" + body)


def multipart(kind: bytes, *parts: bytes) -> Case:
    body = b"".join(b"--frontier\n" + part + b"\n" for part in parts) + b"--frontier--\n"
    return mail(body, b"Content-Type: multipart/" + kind + b'; boundary="frontier"')


def names(case: Case) -> list[str]:
    return [part.name for part in case.parts if part.role != "header"]


def attach(data: bytes, name: str, kind: str = "application/octet-stream") -> bytes:
    head = f'Content-Type: {kind}; name="{name}"\nContent-Transfer-Encoding: base64\n'
    return head.encode() + b"Content-Disposition: attachment\n\n" + base64.encodebytes(data)


def test_a_plain_mail() -> None:
    case = mail(b"See www.example.com/menu, or ask.\n", b"Date: Mon, 3 Mar 2025 10:00:00 +0100")
    assert case.kind == "email"
    assert len(case.id) == 16
    assert case.part("subject").text == "Lunch"
    assert case.part("body").text == "See www.example.com/menu, or ask."
    assert case.mail is not None
    assert case.mail.sender == Address("Ann", "ann@example.com", Span("header/from", 0, 21))
    assert [a.address for a in case.mail.recipients] == ["bob@example.org"]
    assert case.mail.date is not None
    assert case.mail.date.year == 2025
    assert case.mail.html is None
    (link,) = case.mail.links
    assert (link.target, link.carrier) == ("www.example.com/menu", "text")
    assert case.quote(link.at) == link.target
    assert link.shown_at is not None
    assert case.quote(link.shown_at) == "www.example.com/menu"


def test_html_is_the_body_and_plain_text_the_alternative() -> None:
    case = multipart(
        b"alternative",
        b"Content-Type: text/plain\n\nplain words",
        b"Content-Type: text/html\n\n<p>rich <b>words</b></p>",
        b"Content-Type: text/x-amp-html\n\n<html amp></html>",
    )
    assert case.part("body").text == "rich words"
    assert case.part("alternative").text == "plain words"
    assert case.mail is not None
    assert case.mail.plain_and_html
    assert not case.mail.attachments
    assert len(case.mail.types) == 4


def test_inline_texts_are_joined_and_links_keep_their_place() -> None:
    case = multipart(
        b"mixed",
        b"\nfirst http://one.example/",
        b'Content-Type: text/html\n\n<a href="http://two.example/">second</a>',
    )
    assert case.part("body").text == "first http://one.example/\n\nsecond"
    assert case.mail is not None
    assert [(link.target, link.text) for link in case.mail.links] == [
        ("http://one.example/", "http://one.example/"),
        ("http://two.example/", "second"),
    ]
    for link in case.mail.links:
        assert link.shown_at is not None
        assert case.quote(link.shown_at) == link.text


def test_a_message_inside_a_message() -> None:
    inner = b"Content-Type: message/rfc822\n\nFrom: eve@example.net\nSubject: Old\n\nhttp://three.example/"
    case = multipart(b"mixed", b"\nlook at this", inner)
    assert case.part("nested/1").text == "Old\n\nhttp://three.example/"
    assert case.mail is not None
    assert case.mail.nested == 1
    (link,) = case.mail.links
    assert link.shown_at is not None
    assert link.shown_at.part == "nested/1"
    assert case.quote(link.shown_at) == link.target
    assert case.mail.sender is not None
    assert case.mail.sender.address == "ann@example.com"


def test_headers_are_decoded_unfolded_and_joined() -> None:
    case = mail(b"x", b"Received: one\n\tby two", b"Received: three", b"X-Note: =?utf-8?q?caf=C3=A9?=")
    assert case.part("header/received").text == "one by two\nthree"
    assert case.part("header/x-note").text == "café"
    assert case.mail is not None
    assert case.mail.header_values("received") == ["one by two", "three"]


@pytest.mark.parametrize(
    ("label", "raw", "text"),
    [
        ("utf-8", "žluťoučký".encode(), "žluťoučký"),
        ("iso-8859-1", "“café”".encode("cp1252"), "“café”"),
        ("iso-8859-1", "café".encode(), "café"),
        ("koi8-r", "привет".encode("koi8-r"), "привет"),
        ("iso-2022-jp", "こんにちは".encode("iso-2022-jp"), "こんにちは"),
        ("x-never-heard", "déjà vu".encode("cp1252"), "déjà vu"),
        ("utf-8", "déjà vu, très bientôt à la maison".encode("cp1252"), "déjà vu, très bientôt à la maison"),
    ],
)
def test_charsets_right_wrong_and_unknown(label: str, raw: bytes, text: str) -> None:
    case = mail(raw, b"Content-Type: text/plain; charset=" + label.encode())
    assert case.part("body").text == text


def test_plain_text_after_base64_is_not_decoded() -> None:
    coded = base64.encodebytes(b"hello there") + b"_______\nA list for friends\n"
    assert mail(coded, b"Content-Transfer-Encoding: base64").part("body").text == "hello there"


@pytest.mark.parametrize(
    "raw",
    [
        HEADERS.replace(b"\n", b"\r") + b"\rHi\rthere",
        HEADERS.replace(b"\n", b"\r\n") + b"\r\nHi\r\nthere",
        b"From ann@example.com Mon Mar  3 10:00:00 2025\n" + HEADERS + b"\nHi\nthere",
        b"\xef\xbb\xbf" + HEADERS + b"\nHi\nthere",
        b"\n\n" + HEADERS + b"\nHi\nthere",
        HEADERS + b"Hi\nthere",
        HEADERS + b"Content-Type: multipart/mixed\n\nHi\nthere",
        HEADERS + b"Content-Type: multipart/mixed; boundary=x\n\n--x\n\nHi\nthere",
    ],
)
def test_awkward_but_readable_mail(raw: bytes) -> None:
    case = read_bytes(raw)
    assert case.part("subject").text == "Lunch"
    assert case.part("body").text == "Hi\nthere"


def test_headers_only() -> None:
    assert read_bytes(HEADERS).part("body").text == ""


def test_attachments_are_known_by_their_bytes() -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("word/document.xml", "x")
        file.writestr("word/vbaProject.bin", "x")
    case = multipart(
        b"mixed",
        b"\nsee files",
        attach(archive.getvalue(), "plan.docm"),
        attach(b"MZ\x90\0" + bytes(80), "invoice.pdf", "application/pdf"),
        attach(b'<html><form action="http://four.example/"><input type=password></form>', "page.bin"),
        attach(b"BEGIN:VCALENDAR\nURL:http://five.exam\n ple/join\nEND:VCALENDAR", "a.ics", "text/calendar"),
    )
    assert case.mail is not None
    word, program, page, invitation = case.mail.attachments
    assert (word.name, word.real_type, word.macros) == ("plan.docm", "docx", True)
    assert word.inside == ("word/document.xml", "word/vbaProject.bin")
    assert (program.real_type, program.declared_type) == ("exe", "application/pdf")
    assert page.real_type == "html"
    assert invitation.real_type == "ics"
    assert case.part(program.part).text == "invoice.pdf"
    assert [(link.target, link.carrier) for link in case.mail.links] == [
        ("http://four.example/", "form"),
        ("http://five.example/join", "calendar"),
    ]
    assert case.mail.html is not None
    assert case.mail.html.forms[0].fields == ("password",)


def test_an_encrypted_archive_shows_its_names() -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("secret.js", "x")
    data = bytearray(archive.getvalue())
    data[data.rfind(b"PK\x01\x02") + 8] |= 1
    case = multipart(b"mixed", b"\nx", attach(bytes(data), "a.zip"))
    assert case.mail is not None
    assert case.mail.attachments[0].encrypted
    assert case.mail.attachments[0].inside == ("secret.js",)


@pytest.mark.parametrize(
    ("raw", "word"),
    [
        (b"", "empty"),
        (b" \n\t\n", "empty"),
        (b"%PDF-1.7\n", "PDF"),
        (b"\x89PNG\r\n\x1a\n" + bytes(50), "PNG"),
        (b"PK\x03\x04" + bytes(50), "zip"),
        (b"abc" + bytes(500), "binary"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2000), "Office"),
    ],
)
def test_what_is_no_message_is_refused_by_name(raw: bytes, word: str) -> None:
    with pytest.raises(UnreadableInput, match=word):
        read_bytes(raw)


def test_too_large_is_refused() -> None:
    with pytest.raises(InputTooLarge):
        read_bytes(b"a" * (MAX_INPUT_BYTES + 1))


@pytest.mark.parametrize(
    ("text", "subject", "body"),
    [
        ("Subject: re : meter 1\r\nplease check", "re : meter 1", "please check"),
        ("SUBJECT: hi\n\nbody", "hi", "body"),
        ("just words", None, "just words"),
        ("from: a@example.com\nsubject: S\n\nB", "S", "B"),
        ("Note: this is\nno header: at all", None, "Note: this is\nno header: at all"),
        ("<html><body><p>One</p><p>Two</p></body></html>", None, "One\n\nTwo"),
    ],
)
def test_text_with_and_without_headers(text: str, subject: str | None, body: str) -> None:
    case = read_text(text)
    assert (case.part("subject").text if case.has("subject") else None) == subject
    assert case.part("body").text == body
    assert case.mail is not None


def test_a_mail_given_as_text_is_already_decoded() -> None:
    text = "From: a@example.com\nSubject: S\nContent-Type: text/plain; charset=gb2312\n\nпривет"
    assert read_text(text).part("body").text == "привет"


def test_limits_are_said() -> None:
    case = mail(b"http://a.example/x " * (MAX_LINKS + 5))
    assert case.mail is not None
    assert len(case.mail.links) == MAX_LINKS
    assert case.limitations == (f"Only the first {MAX_LINKS} links of the message were looked at.",)
    case = multipart(b"mixed", *[b"\nx"] * (MAX_PARTS + 5))
    assert case.limitations == (f"The message has more than {MAX_PARTS} parts; the rest were not read.",)
    nested = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i) for i in range(3000))
    case = read_bytes(HEADERS + nested + b"\nhello")
    assert case.limitations == ("Parts nested deeper than 20 levels were not read.",)
