"""The zip file of an office document in, its parts, their relationships and what it says about itself out."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from malafide.intake.xml_events import BrokenXml, Reader, read_xml
from malafide.intake.zips import Entry, entries, unpack
from malafide.limits import MAX_OFFICE_BYTES, MAX_OFFICE_MEMBER

_MOST_RELATIONS: Final = 5_000
_MOST_LETTERS: Final = 300  # kept of one thing a document says about itself


@dataclass(frozen=True, slots=True)
class Relation:
    """What a part refers to: a link, a picture, a template, an object."""

    id: str
    kind: str  # the last word of its type, such as "hyperlink"
    target: str
    external: bool


class Package:
    """The parts of one document, unpacked within one budget. `cut` names what was not read."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._entries: dict[str, Entry] = {entry.name: entry for entry in reversed(entries(data))}
        self._left = MAX_OFFICE_BYTES
        self.cut: list[str] = []
        self.names = sorted(self._entries, key=_by_number)

    def read(self, name: str) -> bytes | None:
        """A part, unpacked. None when there is none or it cannot be; a part beyond the limits is read up to them."""
        entry = self._entries.get(name)
        if entry is None:
            return None
        most = min(MAX_OFFICE_MEMBER, self._left)
        content = unpack(self._data, entry, most + 1) if most > 0 else b""
        if content is None or len(content) > most or most <= 0:
            self.cut.append(name)
        if content is None:
            return None
        self._left -= len(content)
        return content[:most]

    def tell(self, name: str, reader: Reader) -> bool:
        """Read a part of XML; whether there is one."""
        content = self.read(name)
        if content is None:
            return False
        try:
            read_xml(content, reader)
        except BrokenXml:
            if name not in self.cut:
                self.cut.append(name)
        return True

    def under(self, folder: str, ending: str = ".xml") -> Iterator[str]:
        """Names in a folder, by their numbers."""
        return (n for n in self.names if n.startswith(folder) and n.endswith(ending) and "/_rels/" not in n)

    def relations(self, part: str) -> list[Relation]:
        """What a part refers to; "" is the document itself."""
        folder, name = posixpath.split(part)
        reader = _Relations(folder)
        self.tell(posixpath.join(folder, "_rels", f"{name}.rels"), reader)
        return reader.found

    def about(self) -> dict[str, str]:
        """What the document says about itself, by the names of its own elements."""
        reader = _Leaves()
        for name in ("docProps/core.xml", "docProps/app.xml", "meta.xml"):
            if name in self._entries:
                self.tell(name, reader)
        return reader.found


def _by_number(name: str) -> tuple[str, int, str]:
    """slide2 before slide10."""
    stem = name.rpartition(".")[0]
    digits = len(stem) - len(stem.rstrip("0123456789"))
    return (stem[: len(stem) - digits], int(stem[-digits:]) if 0 < digits < 9 else 0, name)


@dataclass(slots=True)
class _Relations:
    folder: str
    found: list[Relation] = field(default_factory=list)

    def start(self, name: str, values: dict[str, str]) -> None:
        if name != "Relationship" or len(self.found) == _MOST_RELATIONS:
            return
        target = values.get("Target", "").strip()
        external = values.get("TargetMode", "").lower() == "external"
        if not external:
            target = posixpath.normpath(posixpath.join("/", self.folder, target)).lstrip("/")
        self.found.append(
            Relation(values.get("Id", ""), values.get("Type", "").rpartition("/")[2], target, external)
        )

    def end(self, name: str) -> None:
        """Nothing closes here."""

    def text(self, words: str) -> None:
        """Relationships have no words."""


@dataclass(slots=True)
class _Leaves:
    """Elements that hold nothing but words."""

    found: dict[str, str] = field(default_factory=dict)
    _words: str = ""

    def start(self, name: str, values: dict[str, str]) -> None:  # noqa: ARG002
        self._words = ""

    def end(self, name: str) -> None:
        if self._words.strip() and len(self.found) < 50:
            self.found.setdefault(name, " ".join(self._words.split()))
        self._words = ""

    def text(self, words: str) -> None:
        self._words = (self._words + words)[:_MOST_LETTERS]
