"""Codes in the pictures of a mail become links, wherever the picture stands."""

from __future__ import annotations

import base64
import io

import numpy as np
import pytest
import zxingcpp
from PIL import Image

from malafide.case import Case
from malafide.intake import read_bytes
from malafide.intake.documents import from_bytes
from malafide.tools import tools

TARGET = "https://login.example.com/verify?id=7"
HEADERS = b"From: Parcel <post@example.org>\nTo: you@example.com\nSubject: your parcel\nMIME-Version: 1.0\n"


def picture(text: str, kind: str = "PNG") -> bytes:
    code = zxingcpp.create_barcode(text, zxingcpp.BarcodeFormat.QRCode)
    buffer = io.BytesIO()
    Image.fromarray(np.asarray(code.to_image(scale=4))).save(buffer, kind)
    return buffer.getvalue()


def attached(data: bytes, kind: bytes = b"image/png") -> Case:
    return read_bytes(
        HEADERS + b"Content-Type: multipart/related; boundary=q\n\n--q\nContent-Type: text/html\n\n"
        b"<p>Scan the code <img src='cid:1'></p>\n--q\nContent-Type: " + kind + b"\nContent-ID: <1>\n"
        b"Content-Disposition: inline; filename=code.png\nContent-Transfer-Encoding: base64\n\n"
        + base64.encodebytes(data) + b"\n--q--\n"
    )  # fmt: skip


def embedded(data: bytes) -> Case:
    return read_bytes(
        HEADERS
        + b'Content-Type: text/html\n\n<p>Scan the code <img src="data:image/png;base64,'
        + base64.b64encode(data)
        + b'"></p>'
    )


@pytest.mark.parametrize(
    "case",
    [
        attached(picture(TARGET)), attached(picture(TARGET, "JPEG"), b"application/octet-stream"),
        attached(picture(TARGET, "GIF")), embedded(picture(TARGET)),
    ],
)  # fmt: skip
def test_a_code_is_a_link(case: Case) -> None:
    assert case.mail is not None
    (link,) = case.mail.links
    assert (link.target, link.carrier) == (TARGET, "qr")
    assert case.quote(link.at) == TARGET
    assert link.shown_at is None or case.quote(link.shown_at) == TARGET
    found = [e for e in tools.get("links").run(case) if e.kind == "links.camera-code"]
    assert len(found) == 1 and found[0].holds_in(case)


def test_what_a_code_says_beside_links_can_be_quoted() -> None:
    case = attached(picture("bitcoin:bc1qexampleexampleexample?amount=1"))
    assert case.mail is not None and not case.mail.links
    assert case.part("attachment/1").text.endswith("\nbitcoin:bc1qexampleexampleexample?amount=1")


@pytest.mark.parametrize(
    "data", [b"\x89PNG\r\n\x1a\n" + b"x" * 500, picture(TARGET)[:300], b"GIF89a" + b"\0" * 300]
)
def test_a_broken_picture_is_no_trouble(data: bytes) -> None:
    for case in (attached(data), embedded(data)):
        assert case.mail is not None and not case.mail.links


def test_a_picture_beyond_the_budget_is_named() -> None:
    buffer = io.BytesIO()
    Image.new("L", (3000, 2000)).save(buffer, "PNG")
    assert any("codes" in sentence for sentence in attached(buffer.getvalue()).limitations)


def test_a_picture_in_which_nothing_can_be_read_says_so() -> None:
    case = from_bytes(b"\x89PNG\r\n\x1a\nbroken", "shot.png")
    assert "Neither writing nor a code could be read in the picture." in case.limitations
