"""An Outlook .msg file, built here byte by byte, becomes a Case like any mail."""

import struct

import pytest
from benchmarks.ole_writer import Tree, ole

from malafide.errors import UnreadableInput
from malafide.intake import read_bytes


def storage(values: dict[int, str | bytes], header: int) -> Tree:
    """A storage with these properties; long streams, as `ole` wants them."""
    table = bytes(header)
    streams: Tree = {}
    for number, value in values.items():
        kind = 0x001F if isinstance(value, str) else 0x0102
        data = value.ljust(2100).encode("utf-16-le") if isinstance(value, str) else value.ljust(4200)
        table += struct.pack("<HHIII", kind, number, 6, len(data), 0)
        streams[f"__substg1.0_{number:04X}{kind:04X}"] = data
    pad = struct.pack("<HHIII", 3, 0x0E07, 6, 0, 0) * 260
    return {"__properties_version1.0": table + pad, **streams}


def test_a_message_that_travelled() -> None:
    headers = "From: Ann <ann@example.com>\r\nTo: bob@example.org\r\nSubject: =?utf-8?q?caf=C3=A9?=\r\n"
    message = storage(
        {
            0x001A: "IPM.Note",
            0x007D: headers,
            0x1000: "plain words",
            0x1013: b"<p>rich <a href='http://a.example/'>words</a></p>",
        },
        32,
    )
    message["__attach_version1.0_#00000000"] = storage({0x3707: "bill.pdf", 0x3701: b"MZ\0\0"}, 8)
    case = read_bytes(ole(message))
    assert case.part("subject").text == "café"
    assert case.part("body").text == "rich words"
    assert case.part("alternative").text == "plain words"
    assert case.mail is not None
    assert case.mail.sender is not None
    assert case.mail.sender.address == "ann@example.com"
    assert [link.target for link in case.mail.links] == ["http://a.example/"]
    (file,) = case.mail.attachments
    assert (file.name, file.real_type) == ("bill.pdf", "exe")


def test_a_message_that_never_travelled() -> None:
    case = read_bytes(
        ole(storage({0x0037: "Draft", 0x0C1A: "Ann", 0x0C1F: "ann@example.com", 0x1000: "x"}, 32))
    )
    assert case.part("subject").text == "Draft"
    assert case.mail is not None
    assert case.mail.sender is not None
    assert (case.mail.sender.name, case.mail.sender.address) == ("Ann", "ann@example.com")


@pytest.mark.parametrize(
    "data",
    [
        ole({"WordDocument": bytes(5000)}),
        ole(storage({0x001A: "IPM.Note"}, 32))[:3000],
        b"\xd0\xcf\x11\xe0",
    ],
)
def test_other_office_files_are_refused(data: bytes) -> None:
    with pytest.raises(UnreadableInput, match="Office"):
        read_bytes(data)


def test_one_attached_to_a_mail_is_read_too() -> None:
    from malafide.intake.documents import read_document

    inner = ole(
        storage({0x001A: "IPM.Note", 0x0037: "Account suspended", 0x1000: "See http://192.0.2.7/x now"}, 32)
    )
    case = read_document(
        {"body": "Is this real?", "attachments": [{"filename": "odd.msg", "content": inner}]}
    )
    assert case.part("attachment/1").text.startswith("odd.msg\nAccount suspended")
    assert case.mail and [x.target for x in case.mail.links] == ["http://192.0.2.7/x"]
    shown = case.mail.links[0].shown_at
    assert shown and case.quote(shown) == "http://192.0.2.7/x"
