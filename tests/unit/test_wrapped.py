"""Files wrapped up in a mail in other ways than MIME parts, and the names in archives."""

from __future__ import annotations

import binascii
import gzip
import io
import struct
import tarfile
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from malafide.case import Case
from malafide.intake import read_bytes
from malafide.intake.archives import list_names
from malafide.intake.attachments import examine, sniff
from malafide.tools import tools

HEAD = b"From: Ann <ann@example.com>\nTo: bob@example.org\nSubject: papers\n"
PROGRAM = b"MZ" + bytes(range(256)) * 3


def uuencoded(data: bytes, name: str) -> bytes:
    lines = b"".join(binascii.b2a_uu(data[i : i + 45]) for i in range(0, len(data), 45))
    return b"begin 644 " + name.encode() + b"\n" + lines + b"`\nend\n"


def kinds(case: Case) -> set[str]:
    return {e.kind for e in tools.get("attachments").run(case)}


def test_a_file_written_into_the_text() -> None:
    case = read_bytes(HEAD + b"\nHello Bob,\n\n" + uuencoded(PROGRAM, "bill.pdf.exe") + b"\nYours, Ann\n")
    assert case.part("body").text == "Hello Bob,\n\n\n\nYours, Ann"
    assert case.mail is not None
    (file,) = case.mail.attachments
    assert (file.name, file.real_type, file.size) == ("bill.pdf.exe", "exe", len(PROGRAM))
    assert kinds(case) == {"attachments.double-ending"}


@pytest.mark.parametrize(
    "text",
    [
        b"begin 100 things and never finish one\nsays my aunt",
        b"We\nbegin 644 metres above the sea\nthen climb.",
    ],
)
def test_words_that_only_look_like_it(text: bytes) -> None:
    case = read_bytes(HEAD + b"\n" + text)
    assert case.part("body").text == text.decode() and case.mail and not case.mail.attachments


def attribute(name: int, body: bytes) -> bytes:
    return struct.pack("<BII", 2, name, len(body)) + body + struct.pack("<H", sum(body) & 0xFFFF)


def winmail(name: str, data: bytes, long: str = "") -> bytes:
    properties = struct.pack("<IHHII", 1, 0x001F, 0x3707, 1, 2 * len(long)) + long.encode("utf-16-le")
    return (
        b'x\x9f>"\0\0' + attribute(0x2800C, b"Words of the mail\0") + attribute(0x69002, b"\0" * 14)
        + attribute(0x18010, name.encode() + b"\0") + attribute(0x6800F, data)
        + (attribute(0x69005, properties) if long else b"")
    )  # fmt: skip


@pytest.mark.parametrize(("long", "name"), [("", "BILL~1.EXE"), ("bill for june.exe", "bill for june.exe")])
def test_what_outlook_wraps_up(long: str, name: str) -> None:
    packed = binascii.b2a_base64(winmail("BILL~1.EXE", PROGRAM, long))
    case = read_bytes(
        HEAD
        + b"Content-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n\n"
        + packed
    )
    assert case.mail and [(a.name, a.real_type) for a in case.mail.attachments] == [
        ("winmail.dat", "tnef"), (name, "exe"),
    ]  # fmt: skip
    assert case.part("body").text == "Words of the mail"
    assert "attachments.program" in kinds(case)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 900), st.binary(max_size=20), st.integers(0, 900))
def test_damage_to_what_is_wrapped(at: int, damage: bytes, cut: int) -> None:
    for whole in (winmail("A.EXE", PROGRAM, "long name.exe"), b"\n" + uuencoded(PROGRAM, "a.exe")):
        data = (whole[:at] + damage + whole[at + len(damage) :])[: max(10, len(whole) - cut)]
        assert read_bytes(HEAD + b"\n" + data).mail is not None


def zipped(names: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name, data in names.items():
            file.writestr(name, data)
    return out.getvalue()


def tarred(names: list[str]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as file:
        for name in names:
            info = tarfile.TarInfo(name)
            info.size = 700
            file.addfile(info, io.BytesIO(bytes(700)))
    return out.getvalue()


def rar4(name: bytes, *, locked: bool = False) -> bytes:
    head = struct.pack("<BHH", 0x73, 0, 13) + bytes(6)
    body = struct.pack("<IIBIIBBHI", 3, 3, 2, 0, 0, 29, 0x30, len(name), 0) + name
    file = struct.pack("<BHH", 0x74, 0x8000 | (4 if locked else 0), 7 + len(body))
    return b"Rar!\x1a\x07\x00" + b"\0\0" + head + b"\0\0" + file + body + b"abc"


def rar5(name: bytes) -> bytes:
    body = bytes((2, 2, 3, 0, 3, 0, 0, 0, len(name))) + name  # kind, flags, size, and those of the file
    return b"Rar!\x1a\x07\x01\x00" + b"\0\0\0\0" + bytes((len(body),)) + body + b"abc"


@pytest.mark.parametrize(
    ("data", "kind", "names"),
    [
        (tarred(["a.txt", "deep/b.exe"]), "tar", ("a.txt", "deep/b.exe")),
        (gzip.compress(tarred(["a.txt", "b.scr"])), "gz", ("a.txt", "b.scr")),
        (rar4(b"invoice.pdf.exe"), "rar", ("invoice.pdf.exe",)),
        (rar5(b"invoice.pdf.exe"), "rar", ("invoice.pdf.exe",)),
        (zipped({"in.zip": zipped({"bill.js": b"x"})}), "zip", ("in.zip", "in.zip/bill.js")),
        (b"7z\xbc\xaf\x27\x1c" + bytes(60), "7z", ()),
    ],
)
def test_names_in_archives(data: bytes, kind: str, names: tuple[str, ...]) -> None:
    found = examine(data)
    assert (found.real_type, found.inside) == (kind, names)
    assert found.unlisted == (kind == "7z")


def mail_with(data: bytes, name: str) -> Case:
    part = (
        b'Content-Type: application/octet-stream; name="%s"\nContent-Transfer-Encoding: base64\n\n'
        % name.encode()
    )
    return read_bytes(HEAD + part + binascii.b2a_base64(data))


@pytest.mark.parametrize(
    ("data", "name", "expected"),
    [
        (rar4(b"invoice.pdf.exe"), "bill.rar", {"attachments.disguise-in-archive"}),
        (rar4(b"a.txt", locked=True), "bill.rar", {"attachments.locked"}),
        (gzip.compress(tarred(["b.scr"])), "bill.tgz", {"attachments.program-in-archive"}),
        (zipped({"in.zip": zipped({"bill.js": b"x"})}), "bill.zip", {"attachments.program-in-archive"}),
        (zipped({"site/a.js": b"x", "site/index.css": b"x"}), "site.zip", set()),
        (zipped({"report.docx": b"x", "photo.jpg": b"x"}), "papers.zip", set()),
        (zipped({"a.txt": b"x"}), "report.pdf", {"attachments.archive-in-disguise"}),
        (tarred(["notes.txt"]), "notes.tar", set()),
    ],
)
def test_what_lies_in_archives(data: bytes, name: str, expected: set[str]) -> None:
    assert kinds(mail_with(data, name)) == expected


def test_an_archive_that_cannot_be_listed_is_named() -> None:
    case = mail_with(b"7z\xbc\xaf\x27\x1c" + bytes(60), "papers.7z")
    assert case.limitations == ("An attached archive could not be looked into.",)


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from([b"Rar!\x1a\x07\x00", b"Rar!\x1a\x07\x01\x00", b"\x1f\x8b\x08\x08", b""]),
    st.binary(max_size=400),
)
def test_any_bytes_are_listed_or_not(start: bytes, rest: bytes) -> None:
    for kind in ("rar", "gz", "tar"):
        assert list_names(start + rest, kind) is not None
    assert sniff(start + rest) is not None
