"""A mail that is a picture: whoever assesses it reads what is written in it, whoever sorts a stream does not."""

from __future__ import annotations

import base64
import io

import pytest
from benchmarks.office_writer import docx
from PIL import Image, ImageDraw, ImageFont

from malafide.case import Case
from malafide.imaging import ocr
from malafide.imaging.signals import Box, TextLine
from malafide.intake import read_bytes
from malafide.intake.documents import read_document
from malafide.panel.hearing import examine
from malafide.tools import tools

LINES = ("Your account has been suspended", "Verify now at http://paypa1.test/login")


def picture(*lines: str) -> bytes:
    image = Image.new("RGB", (620, 60 + 50 * len(lines)), "white")
    pen = ImageDraw.Draw(image)
    for number, line in enumerate(lines):
        pen.text((20, 25 + 50 * number), line, "black", ImageFont.load_default(26))
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def mail(data: bytes, text: str = "") -> bytes:
    return (
        b"From: Bank <post@example.org>\nTo: you@example.com\nSubject: notice\nMIME-Version: 1.0\n"
        b"Content-Type: multipart/related; boundary=q\n\n--q\nContent-Type: text/html\n\n"
        b"<p>" + text.encode() + b"<img src='cid:1'></p>\n--q\nContent-Type: image/png\nContent-ID: <1>\n"
        b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(data) + b"\n--q--\n"
    )  # fmt: skip


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """A reader that always reads the same, and the pictures it was shown."""
    seen: list[tuple[int, ...]] = []

    def read_text(pixels: object) -> tuple[TextLine, ...]:
        seen.append(pixels.shape)  # type: ignore[attr-defined]
        return tuple(TextLine(line, 0.99, Box(0, 0, 9, 9)) for line in LINES)

    monkeypatch.setattr(ocr, "available", lambda: True)
    monkeypatch.setattr(ocr, "read_text", read_text)
    return seen


def kinds(case: Case) -> set[str]:
    seen = examine(case, tools)
    assert not seen.failures and all(e.holds_in(case) for e in seen.evidence)
    return {e.kind for e in seen.evidence}


def test_what_is_written_is_what_the_reader_sees(read: list[tuple[int, ...]]) -> None:
    case = read_document(mail(picture(*LINES)))
    assert case.part("picture/1").text == "\n".join(LINES) and case.part("picture/1").role == "body"
    assert case.mail and [x.target for x in case.mail.links] == ["http://paypa1.test/login"]
    assert "pressure.account-limited" in kinds(case)
    page = b'<img src="data:image/png;base64,' + base64.b64encode(picture(*LINES)) + b'">'
    embedded = read_document(b"From: a@example.org\nTo: b@example.com\nContent-Type: text/html\n\n" + page)
    assert embedded.has("picture/1")


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (
            picture(*LINES),
            "We met on Tuesday and talked about the new boat house. " * 8,
        ),  # says enough in words
        (picture(), ""),  # 620 x 60: large enough
        (b"\x89PNG\r\n\x1a\n" + b"x" * 500, ""),
    ],
)
def test_a_mail_that_says_enough_or_shows_nothing(
    read: list[tuple[int, ...]], data: bytes, text: str
) -> None:
    case = read_document(mail(data, text))
    assert len(read) == (1 if data == picture() else 0)
    assert not case.limitations


def test_who_sorts_a_stream_does_not_read_pictures(read: list[tuple[int, ...]]) -> None:
    case = read_bytes(mail(picture(*LINES)))
    assert not read and not case.has("picture/1") and not case.limitations


def test_a_document_that_is_a_picture(read: list[tuple[int, ...]]) -> None:
    data = docx("", parts={"word/media/image1.png": picture(*LINES)})
    case = read_document(data)
    assert case.document and case.document.pictured == 1 and "pressure.account-limited" in kinds(case)


def test_at_most_two_pictures_and_so_many_seconds(
    read: list[tuple[int, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    part = mail(picture(*LINES)).partition(b"--q\nContent-Type: image/png")
    several = part[0] + (part[1] + part[2].removesuffix(b"--q--\n")) * 5 + b"--q--\n"
    read_document(several)
    assert len(read) == 2
    from malafide.intake import writing

    monkeypatch.setattr(writing, "MAX_WRITING_SECONDS", -1.0)
    assert read_document(several).limitations == (
        "Not everything written in the pictures could be read in time.",
    )


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "available", lambda: False)
    case = read_document(mail(picture(*LINES)))
    assert len(case.limitations) == 1 and "needs the extra 'ocr'" in case.limitations[0]


def test_really_read() -> None:
    case = read_document(mail(picture(*LINES)))
    assert "account has been suspended" in case.part("picture/1").text
    assert case.mail and any("paypa1.test" in x.target for x in case.mail.links)
