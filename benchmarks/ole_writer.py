"""Writes compound files, the boxes of old office files, macros and Outlook messages, for benchmarks and tests."""

from __future__ import annotations

import struct

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


def project(*sources: str) -> bytes:
    """Macros as an office file keeps them: each module a stream, its source packed."""
    modules: Tree = {
        f"Module{n}": (b"\0" * 200 + packed(s)).ljust(4_100, b"\0") for n, s in enumerate(sources, start=1)
    }
    return ole({"VBA": {"_VBA_PROJECT": b"\0" * 4_100, **modules}})


def packed(source: str) -> bytes:
    """A source in the packing of macros, of letters only. Real ones begin with an attribute, and so does this."""
    data = f'Attribute VB_Name = "Module"\r\n{source}'.encode("latin-1", "replace")
    out = b"\x01"
    for start in range(0, len(data), 3_500):
        chunk = data[start : start + 3_500]
        body = b"".join(b"\0" + chunk[i : i + 8] for i in range(0, len(chunk), 8))
        out += struct.pack("<H", (len(body) - 1) | 0xB000) + body
    return out


def word(text: str, *, macros: str = "") -> bytes:
    """A document of the old kind with one piece of text."""
    letters = text.replace("\n", "\r").encode("cp1252", "replace")
    pieces = struct.pack("<BIIIHIH", 2, 16, 0, len(letters), 0, 0x40000000 | 2 * 0x400, 0)
    head = bytearray(0x400)
    struct.pack_into("<HHHHHH", head, 0, 0xA5EC, 193, 0, 0, 0, 0x0200)
    struct.pack_into("<II", head, 0x01A2, 0, len(pieces))
    tree: Tree = {
        "WordDocument": (bytes(head) + letters).ljust(4_100, b"\0"),
        "1Table": pieces.ljust(4_100, b"\0"),
    }
    if macros:
        module = (b"\0" * 200 + packed(macros)).ljust(4_100, b"\0")
        tree["Macros"] = {"VBA": {"_VBA_PROJECT": b"\0" * 4_100, "Module1": module}}
    return ole(tree)
