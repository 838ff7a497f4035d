"""The bytes of an RTF document in, its words, links, field codes and packed objects out.

One pass over its groups and control words; what stands in groups a reader does not show (fonts, styles, pictures) is
left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from malafide.intake.office_words import field_link
from malafide.intake.scroll import Scroll

_TOKEN: Final = re.compile(
    rb"\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-z'])|([{}])|([\r\n]+)|([^\\{}\r\n]+)|\\"
)
_MOST_TOKENS: Final = 500_000
_MOST_DEPTH: Final = 500
_MOST_OBJECTS: Final = 10
_UNSHOWN: Final = frozenset((
    b"fonttbl", b"colortbl", b"stylesheet", b"info", b"pict", b"themedata", b"colorschememapping", b"datastore",
    b"latentstyles", b"listtable", b"listoverridetable", b"rsidtbl", b"generator", b"xmlnstbl", b"revtbl", b"filetbl",
    b"objclass", b"objname", b"blipuid", b"mmathPr", b"wgrffmtfilter",
))  # fmt: skip
_SIGNS: Final = {
    b"par": "\n", b"line": "\n", b"row": "\n", b"sect": "\n", b"page": "\n", b"tab": "\t", b"cell": "  ",
    b"emdash": "—", b"endash": "–", b"lquote": "‘", b"rquote": "’", b"ldblquote": "“", b"rdblquote": "”",
    b"bullet": "•",
}  # fmt: skip
_ESCAPED: Final = {b"~": " ", b"_": "-", b"\n": "\n", b"\\": "\\", b"{": "{", b"}": "}"}
_ENCODINGS: Final = {
    1250: "cp1250",
    1251: "cp1251",
    1253: "cp1253",
    1254: "cp1254",
    932: "cp932",
    936: "gbk",
    65001: "utf-8",
}


@dataclass(slots=True)
class _Group:
    """What holds within one pair of braces."""

    reads: str = "words"  # or "code", "object", "template", "nothing"
    skip: int = 1  # letters that follow one given by number, for readers that do not know it
    code: list[str] | None = None  # of the field this group belongs to
    start: int = -1  # where the result of that field begins


@dataclass(slots=True)
class RtfReader:
    """Reads one document."""

    data: bytes
    scroll: Scroll = field(default_factory=Scroll)
    codes: list[str] = field(default_factory=list)
    templates: list[str] = field(default_factory=list)
    objects: list[bytes] = field(default_factory=list)
    cut: bool = False
    _groups: list[_Group] = field(default_factory=lambda: [_Group()])
    _hex: list[bytes] = field(default_factory=list)
    _name: list[str] = field(default_factory=list)
    _star: bool = False
    _pending: int = 0
    _encoding: str = "cp1252"

    def read(self) -> None:
        for number, token in enumerate(_TOKEN.finditer(self.data)):
            if number == _MOST_TOKENS or len(self._groups) > _MOST_DEPTH:
                self.cut = True
                break
            word, value, code, sign, brace, _, text = token.groups()
            if brace == b"{":
                outer = self._groups[-1]
                self._groups.append(_Group(outer.reads, outer.skip, outer.code))
            elif brace == b"}":
                self._close()
            elif word is not None:
                self._control(word, int(value) if value else None)
            elif code is not None:
                self._letters(bytes([int(code, 16)]))
            elif sign == b"*":
                self._star = True
            elif sign is not None:
                self._words(
                    {b"~": " ", b"_": "-", b"\n": "\n"}.get(
                        sign, sign.decode("latin-1") if sign in b"\\{}" else ""
                    )
                )
            elif text is not None:
                self._letters(text)
        while len(self._groups) > 1:
            self._close()

    def _control(self, word: bytes, value: int | None) -> None:
        group = self._groups[-1]
        starred, self._star = self._star, False
        if word == b"field":
            group.code = []
        elif word == b"fldinst":
            group.reads = "code"
        elif word == b"fldrslt":
            group.reads = "words"
            group.start = self.scroll.length
        elif word == b"objdata":
            group.reads = "object"
            self._hex.clear()
        elif word == b"template":
            group.reads = "template"
            self._name.clear()
        elif word in _UNSHOWN or (starred and group.reads == "words" and word != b"shppict"):
            group.reads = "nothing"
        elif word == b"ansicpg" and value is not None:
            self._encoding = _ENCODINGS.get(value, "cp1252")
        elif word == b"uc" and value is not None:
            group.skip = max(0, min(value, 10))
        elif word == b"u" and value is not None:
            self._words(chr(value % 65536) if not 0xD800 <= value % 65536 <= 0xDFFF else "\ufffd")
            self._pending = group.skip
        elif word in _SIGNS:
            self._words(_SIGNS[word])

    def _letters(self, raw: bytes) -> None:
        if self._pending:  # stands for a letter already given by its number
            raw, self._pending = raw[self._pending :], max(0, self._pending - len(raw))
        if self._groups[-1].reads == "object":
            self._hex.append(raw)
        else:
            self._words(raw.decode(self._encoding, "replace"))

    def _words(self, text: str) -> None:
        group = self._groups[-1]
        if group.reads == "words":
            self.scroll.words(text)
        elif group.reads == "code" and group.code is not None and len(group.code) < 500:
            group.code.append(text[:4_000])
        elif group.reads == "template":
            self._name.append(text[:1_000])

    def _close(self) -> None:
        if len(self._groups) == 1:
            return
        done = self._groups.pop()
        outer = self._groups[-1]
        if done.start >= 0:
            outer.start = done.start
        if (
            done.reads == "object"
            and outer.reads != "object"
            and self._hex
            and len(self.objects) < _MOST_OBJECTS
        ):
            self._object()
        elif done.reads == "template" and outer.reads != "template":
            name = "".join(self._name).strip()
            if "://" in name or name.startswith("\\\\"):
                self.templates.append(name[:1_000])
        if done.code is not None and outer.code is not done.code:
            self._field("".join(done.code), done.start)

    def _field(self, code: str, start: int) -> None:
        target = field_link(code)
        if target:
            self.scroll.link(target, self.scroll.length if start < 0 else start)
        elif code.strip() and len(self.codes) < 50:
            self.codes.append(" ".join(code.split())[:4_000])

    def _object(self) -> None:
        digits = b"".join(b"".join(self._hex).split())
        self._hex.clear()
        try:
            content = bytes.fromhex(digits[: len(digits) // 2 * 2].decode("ascii"))
        except ValueError:
            return
        at = content.find(b"\xd0\xcf\x11\xe0")
        self.objects.append(content[at:] if at >= 0 else content)
