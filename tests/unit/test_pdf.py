"""PDF intake and its tools: what is in a document comes out with its address; what cannot be read is named."""

from __future__ import annotations

import io
import time
import zlib
from pathlib import Path

import pytest
from benchmarks.made_documents import qr
from benchmarks.pdf_writer import Line, Pdf, Picture, pdf
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader, PdfWriter

from malafide.case import Case
from malafide.errors import MalafideError, UnreadableInput
from malafide.intake.documents import read_document
from malafide.panel.hearing import examine
from malafide.tools import tools

LETTER = "Minutes of the rowing club\nWe met on Tuesday and talked about the new boat house.\n"


def kinds(case: Case) -> set[str]:
    return {e.kind for e in examine(case, tools).evidence}


def test_pages_links_and_their_words() -> None:
    case = read_document(pdf(LETTER + "[https://bank.example/help](http://192.0.2.7/x)\n---\nSecond page"))
    assert case.kind == "document"
    assert [p.name for p in case.of_role("body")] == ["page/1", "page/2"]
    assert case.part("page/2").text == "Second page"
    assert case.mail is not None
    (link,) = case.mail.links
    assert (link.target, link.text, link.carrier) == (
        "http://192.0.2.7/x",
        "https://bank.example/help",
        "pdf",
    )
    assert case.quote(link.at) == link.target
    assert link.shown_at is not None and case.quote(link.shown_at) == link.text


def test_an_address_in_the_text_is_a_link_too() -> None:
    case = read_document(pdf("See http://example.com/a for more."))
    assert case.mail and [(x.target, x.carrier) for x in case.mail.links] == [
        ("http://example.com/a", "text")
    ]


def test_a_code_for_the_camera_is_a_link() -> None:
    case = read_document(Pdf([[Line("Scan the code"), qr("http://parcel.example/pay")]]).bytes())
    assert case.mail and [(x.target, x.carrier) for x in case.mail.links] == [
        ("http://parcel.example/pay", "qr")
    ]
    assert "links.camera-code" in kinds(case) and "pdf.only-a-code" in kinds(case)


@pytest.mark.parametrize(
    ("catalog", "kind"),
    [
        ("/OpenAction << /S /JavaScript /JS (app.launchURL\\('http://x.test'\\);) >>", "pdf.script-leaves"),
        ("/OpenAction << /S /JavaScript /JS (eval\\(unescape\\('%61'\\)\\);) >>", "pdf.script-hidden"),
        ("/OpenAction << /S /Launch /Win << /F (cmd.exe) >> >>", "pdf.starts-program"),
        ("/OpenAction << /S /URI /URI (http://x.test/a) >>", "pdf.opens-page"),
        ("/AA << /WC << /S /GoToR /F (other.pdf) >> >>", "pdf.fetches"),
        ("/Names << /JavaScript << /Names [(a) << /S /JavaScript /JS (this.submitForm\\(1\\)) >>] >> >>",
         "pdf.script-leaves"),
        ("/AcroForm << /Fields [<< /FT /Tx /T (Password) >>] >>", "pdf.asks-secret"),
    ],
)  # fmt: skip
def test_what_it_does_by_itself(catalog: str, kind: str) -> None:
    case = read_document(pdf(LETTER, catalog=catalog))
    assert kind in kinds(case)


@pytest.mark.parametrize(
    "catalog",
    [
        "/OpenAction [3 0 R /Fit]",
        "/Names << /JavaScript << /Names [(a) << /S /JavaScript /JS (AFNumber_Format\\(2, 0\\);) >>] >> >>",
        "/AcroForm << /Fields [<< /FT /Tx /T (Name) >> << /FT /Tx /T (Date of birth) >>] >>",
        "",
    ],
)
def test_ordinary_documents_do_nothing_of_note(catalog: str) -> None:
    assert not {k for k in kinds(read_document(pdf(LETTER, catalog=catalog))) if k.startswith("pdf.")}


def test_files_inside_are_listed_and_looked_at() -> None:
    case = read_document(pdf(LETTER, files={"bill.pdf.exe": b"MZ" + b"\0" * 300, "table.csv": b"a,b"}))
    assert case.mail and [a.name for a in case.mail.attachments] == ["bill.pdf.exe", "table.csv"]
    assert case.mail.attachments[0].real_type == "exe"
    assert "attachments.double-ending" in kinds(case)


def test_what_it_says_about_itself_and_later_edits() -> None:
    data = pdf(LETTER, info={"Producer": "Writer 7", "CreationDate": "D:20260301120000Z"})
    case = read_document(data)
    assert case.document and case.document.producer == "Writer 7" and case.document.edits == 0
    assert case.document.created is not None and case.document.created.year == 2026
    edited = (
        data
        + b"4 0 obj\n<< >>\nendobj\nstartxref\n"
        + data.rpartition(b"startxref\n")[2].split()[0]
        + b"\n%%EOF\n"
    )
    assert (again := read_document(edited).document) is not None and again.edits == 1


def _locked(password: str) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf(LETTER))))
    writer.encrypt(password, "owner", algorithm="AES-256")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def test_locked_with_a_password_is_a_limitation() -> None:
    case = read_document(_locked("secret"))
    assert case.document and case.document.encrypted
    assert "locked with a password" in case.limitations[0]


def test_locked_against_changes_only_is_read() -> None:
    case = read_document(_locked(""))
    assert case.document and case.document.encrypted and not case.limitations
    assert "boat house" in case.part("page/1").text


def _page_of(content: bytes) -> bytes:
    packed = zlib.compress(content)
    plain = pdf("x")
    start = plain.index(b"<<  /Filter")
    end = plain.index(b"endstream", start)
    body = b"<< /Filter /FlateDecode /Length %d >>\nstream\n" % len(packed) + packed + b"\n"
    return plain[:start] + body + plain[end:]


@pytest.mark.parametrize(
    "content",
    [
        b"\0" * 100_000_000,
        b"BT /F1 9 Tf (a) Tj ET\n" * 800_000,
        b"[" * 100_000,
        b"BT (" + b"a" * 3_000_000 + b") Tj ET",
    ],
    ids=["bomb", "operators", "nesting", "one word"],
)
def test_a_page_out_of_hand_ends_within_limits(content: bytes) -> None:
    started = time.process_time()
    try:
        case = read_document(_page_of(content))
        assert case.limitations or len(case.part("page/1").text) <= 300_000
    except UnreadableInput:
        pass
    assert time.process_time() - started < 10


@pytest.mark.parametrize(
    "data", [b"%PDF-1.7", b"%PDF-1.7\n%%EOF", pdf(LETTER)[:300], b"%PDF-1.7\n" + b"(" * 100_000]
)
def test_broken_files_are_refused_in_one_sentence(data: bytes) -> None:
    with pytest.raises(UnreadableInput, match="PDF"):
        read_document(data)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 700), st.binary(min_size=1, max_size=12))
def test_damage_anywhere_gives_a_case_or_a_refusal(at: int, damage: bytes) -> None:
    data = bytearray(pdf(LETTER + "[Open](http://x.test/a)"))
    data[at : at + len(damage)] = damage
    try:
        case = read_document(bytes(data))
    except MalafideError:
        return
    assert all(e.holds_in(case) for e in examine(case, tools).evidence)


def test_a_mail_in_pieces(tmp_path: Path) -> None:
    pieces = {
        "subject": "Your bill", "sender": "Ann <ann@example.com>", "body": "Hello\nthere",
        "headers": {"To": "b@example.com"},
        "attachments": [{"filename": "a.exe", "content": b"MZ\0"}],
    }  # fmt: skip
    case = read_document(pieces)
    assert case.kind == "email" and case.mail and case.mail.sender
    assert case.mail.sender.address == "ann@example.com" and case.part("body").text == "Hello\nthere"
    assert [a.name for a in case.mail.attachments] == ["a.exe"]
    assert read_document(pieces).id == case.id
    (tmp_path / "x.pdf").write_bytes(pdf(LETTER))
    assert read_document(str(tmp_path / "x.pdf")).kind == "document"
    with pytest.raises(UnreadableInput, match="unknown fields"):
        read_document({"from": "x"})


def test_a_pdf_that_came_with_a_mail_is_read_too() -> None:
    letter = pdf("Your account has been suspended.\n[Verify now](http://192.0.2.7/login)")
    case = read_document(
        {"subject": "Bill", "sender": "a@example.com", "body": "See the file.",
         "attachments": [{"filename": "bill.pdf", "content": letter}, {"filename": "b.pdf", "content": b"%PDF-1.7 x"}]}
    )  # fmt: skip
    assert "Your account has been suspended." in case.part("attachment/1").text
    assert case.mail and [(x.target, x.carrier) for x in case.mail.links] == [
        ("http://192.0.2.7/login", "pdf")
    ]
    assert {"links.ip-host", "pressure.account-limited"} <= kinds(case)
    assert case.limitations == ("An attached PDF is broken and could not be read.",)


def _scan() -> bytes:
    return Pdf([[Picture(bytes(range(256)) * 400, 320, 320)]]).bytes()


def test_a_page_that_is_a_picture_is_read_or_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from malafide.imaging import ocr
    from malafide.imaging.signals import Box, TextLine

    monkeypatch.setattr(ocr, "available", lambda: False)
    unread = read_document(_scan())
    assert unread.document and unread.document.pictured == 1
    assert "needs the extra 'ocr'" in unread.limitations[0]
    monkeypatch.setattr(ocr, "available", lambda: True)
    line = TextLine("Sign in at http://paypa1.test/login", 0.99, Box(0, 0, 9, 9))
    monkeypatch.setattr(ocr, "read_text", lambda pixels: (line,))
    read = read_document(_scan())
    assert read.part("page/1").text == line.text and not read.limitations
    assert read.mail and [x.target for x in read.mail.links] == ["http://paypa1.test/login"]


WHOLE = Pdf(
    [[Line(LETTER.split("\n")[1]), Line("Open it", "http://192.0.2.7/x"), qr("http://parcel.example/pay")]]
).bytes()


@pytest.mark.parametrize(("lost", "targets"), [(20, 2), (200, 2)])
def test_what_is_left_of_a_file_that_was_cut_off(lost: int, targets: int) -> None:
    case = read_document(WHOLE[:-lost])
    assert "boat house" in case.part("page/1").text
    assert case.mail and len(case.mail.links) == targets
    assert "damaged or cut off" in case.limitations[0]
    assert {"links.ip-host"} <= kinds(case)


def test_where_even_the_text_is_lost_the_addresses_are_left() -> None:
    case = read_document(WHOLE[:-400])
    assert case.mail and [x.target for x in case.mail.links] == ["http://192.0.2.7/x"] and case.limitations


def test_without_the_extra_only_addresses_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    from malafide.intake import pdf_rescue

    monkeypatch.setattr(pdf_rescue, "available", lambda: False)
    case = read_document(WHOLE[:-200])
    assert case.mail and [x.target for x in case.mail.links] == ["http://192.0.2.7/x"]
    assert "the extra 'pdf'" in case.limitations[0]


def test_the_process_that_reads_broken_files_has_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    from malafide.intake import pdf_rescue

    bomb = _page_of(b"BT /F1 9 Tf (a) Tj ET " + b" " * 300_000_000)
    started = time.monotonic()
    told = pdf_rescue._ask(bomb[:-20], 5)
    assert len(told.read) <= 1 and time.monotonic() - started < 12
    monkeypatch.setattr(pdf_rescue, "MAX_PDF_SECONDS", 0.01)
    assert not pdf_rescue._ask(WHOLE[:-20], 5).read


def attached(data: bytes) -> Case:
    return read_document(
        {
            "sender": "a@example.com",
            "body": "See the file.",
            "attachments": [{"filename": "a.pdf", "content": data}],
        }
    )


@pytest.mark.parametrize(
    ("catalog", "kind"),
    [
        ("/OpenAction << /S /JavaScript /JS (app.launchURL\\('http://x.test'\\);) >>", "pdf.script-leaves"),
        ("/OpenAction << /S /Launch /Win << /F (cmd.exe) >> >>", "pdf.starts-program"),
        ("/AcroForm << /Fields [<< /FT /Tx /T (Password) >>] >>", "pdf.asks-secret"),
    ],
)
def test_what_an_attached_one_does(catalog: str, kind: str) -> None:
    case = attached(pdf(LETTER, catalog=catalog, files={"table.csv": b"a,b"}))
    assert kind in kinds(case)
    assert case.mail and [a.name for a in case.mail.attachments] == ["a.pdf", "table.csv"]


def test_attached_and_locked_or_only_against_changes() -> None:
    assert "attachments.locked" in kinds(attached(_locked("secret")))
    assert "attachments.locked" not in kinds(attached(_locked("")))


def test_words_of_an_attached_link_have_a_place() -> None:
    case = attached(pdf(LETTER + "[www.bank.example](http://192.0.2.7/x)"))
    assert (
        case.mail
        and (link := case.mail.links[0]).shown_at
        and case.quote(link.shown_at) == "www.bank.example"
    )
    assert "links.shows-another" in kinds(case)


def test_a_code_drawn_line_by_line_is_a_link_too() -> None:
    import numpy as np
    import zxingcpp

    code = zxingcpp.create_barcode("http://parcel.example/pay", zxingcpp.BarcodeFormat.QRCode)
    dark = np.argwhere(np.asarray(code.to_image(scale=1, add_quiet_zones=True)) == 0)
    squares = "".join(f"{100 + 6 * x} {600 - 6 * y} 6 6 re f\n" for y, x in dark)
    case = read_document(
        _page_of(b"BT /F1 12 Tf 1 0 0 1 56 700 Tm (Scan the code) Tj ET\n" + squares.encode())
    )
    assert case.mail and [(x.target, x.carrier) for x in case.mail.links] == [
        ("http://parcel.example/pay", "qr")
    ]
    assert "pdf.only-a-code" in kinds(case)
