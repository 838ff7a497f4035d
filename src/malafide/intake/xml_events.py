"""The bytes of XML in, its elements one by one out: no tree, no entities, nothing fetched, and an end to everything.

A document type is refused whole: files of offices have none, and every known XML bomb needs one.
"""

from __future__ import annotations

from typing import Final, Protocol
from xml.parsers import expat

_MOST_ELEMENTS: Final = 400_000  # 0.7 s; a report of 100 pages has 60,000
_MOST_DEPTH: Final = 300  # a text in a box in a table in a list has 40


class BrokenXml(ValueError):
    """What was read until then has been told to the reader."""


class Reader(Protocol):
    """Names come without their namespace, those of attributes too."""

    def start(self, name: str, values: dict[str, str]) -> None: ...

    def end(self, name: str) -> None: ...

    def text(self, words: str) -> None: ...


def read_xml(data: bytes, reader: Reader) -> None:
    """Tell the reader of every element. Raises `BrokenXml` where it cannot be read on."""
    parser = expat.ParserCreate(namespace_separator="\x1f")
    parser.buffer_text = True
    depth = count = 0

    def start(name: str, values: dict[str, str]) -> None:
        nonlocal depth, count
        depth, count = depth + 1, count + 1
        if depth > _MOST_DEPTH or count > _MOST_ELEMENTS:
            raise BrokenXml("too deep or too long")
        reader.start(_local(name), {_local(key): value for key, value in values.items()})

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        reader.end(_local(name))

    def refuse(*_: object) -> None:
        raise BrokenXml("it declares a document type")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = reader.text
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise BrokenXml(str(error)) from None


def _local(name: str) -> str:
    return name.rpartition("\x1f")[2]
