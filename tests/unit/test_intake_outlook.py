"""An Outlook .msg file, built here byte by byte, becomes a Case like any mail."""

import struct

import pytest

from malafide.errors import UnreadableInput
from malafide.intake import read_bytes

END, FREE, FAT = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD
Tree = dict[str, "bytes | Tree"]


def ole(tree: Tree) -> bytes:
    """A compound file. Streams are padded beyond 4,096 bytes, so that no small-stream table is needed."""
    entries: list[list[object]] = [["Root Entry", 5, FREE, FREE, FREE, END, 0]]
    sectors: list[bytes] = []
    chains: list[int] = []

    def add(folder: Tree, parent: int) -> None:
        previous = FREE
        for name, content in folder.items():
            number = len(entries)
            entries.append([name, 1 if isinstance(content, dict) else 2, FREE, FREE, FREE, END, 0])
            if previous == FREE:
                entries[parent][4] = number
            else:
                entries[previous][3] = number
            previous = number
            if isinstance(content, dict):
                add(content, number)
            else:
                entries[number][5:] = [len(sectors), len(content)]
                store(content)

    def store(content: bytes) -> None:
        count = -(-len(content) // 512)
        for index in range(count):
            sectors.append(content[index * 512 : index * 512 + 512].ljust(512, b"\0"))
            chains.append(len(sectors) if index + 1 < count else END)

    add(tree, 0)
    directory = b"".join(
        struct.pack(
            "<64sHBBIII16sIQQIQ",
            *(str(name).encode("utf-16-le"), len(str(name)) * 2 + 2, kind, 1, left, right, child),
            *(b"", 0, 0, 0, start, size),
        )
        for name, kind, left, right, child, start, size in entries
    )
    first_directory = len(sectors)
    store(directory)
    fat_sectors = (len(sectors) + 8) // 127 + 1
    table = chains + [FAT] * fat_sectors
    fat = struct.pack(f"<{fat_sectors * 128}I", *table, *[FREE] * (fat_sectors * 128 - len(table)))
    places = list(range(len(sectors), len(sectors) + fat_sectors))
    head = struct.pack("<8s16sHHHHH6x", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"", 62, 3, 0xFFFE, 9, 6)
    head += struct.pack("<IIIIIIIII", 0, fat_sectors, first_directory, 0, 4096, END, 0, END, 0)
    return head + struct.pack("<109I", *places, *[FREE] * (109 - len(places))) + b"".join(sectors) + fat


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
