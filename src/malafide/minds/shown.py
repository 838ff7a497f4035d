"""Text as a mind is shown it, letter by letter traceable to the case: cut, cleaned, and where asked redacted.

What a model quotes is looked up in exactly this text, and the letters found lead back to where they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import re2

from malafide.case import Case, Span
from malafide.folding import ZERO_WIDTH

GAP: Final = " [...] "
_NOWHERE: Final = -1
_WORD: Final = re.compile(r"[^\W\d_]{3,40}")
_MOST_NAMES: Final = 24
_ADDRESSED_LETTERS: Final = 600

_HALVES: Final = re.compile("[\ud800-\udfff]")  # of characters, from broken text; RE2 cannot take them

# What identifies people rather than deception. Domains stay: they are what a judgement needs.
_PRIVATE: Final = (
    (re2.compile(r"[\w.+%-]{1,64}@"), "[someone]@"),
    (re2.compile(r"(?i)(https?://[^\s/?#\"'<>]{1,255})[/?#][^\s\"'<>]+"), None),  # the path of a link
    # Phones, accounts, cards; but not the address of a machine, which has no more than three digits between dots.
    (re2.compile(r"\+?\d[\d ()-]{5,30}\d|\d{2,5}\.\d{2,5}\.\d{4,6}"), "[number]"),
    (re2.compile(r"(?i)\b(?:dear|hi|hello|hallo|bonjour|hola)\s+(?:(?:mrs?|ms)\.?\s)?[a-z][\w'-]{1,30}"), "[greeting]"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shown:
    """A stretch of one part as shown. `starts` and `ends` say for each letter where in the part it comes from."""

    part: str
    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def find(self, quote: str) -> Span | None:
        """Where the quoted words stand in the case, if they stand in what was shown."""
        at = self.text.replace("\n", " ").find(quote)
        if at < 0 or _NOWHERE in self.starts[at : at + len(quote)]:
            return None
        return Span(self.part, self.starts[at], self.ends[at + len(quote) - 1])


def show(
    part: str, text: str, windows: Iterable[tuple[int, int]], *, redact: bool, names: Sequence[str] = ()
) -> Shown:
    """The windows of the text, in order, with a mark where something is left out.

    Redacted, what identifies people is replaced, and so are `names` as words, wherever they stand.
    """
    letters: list[str] = []
    starts: list[int] = []
    ends: list[int] = []

    def add(string: str, start: int, end: int) -> None:
        letters.extend(string)
        starts.extend([start] * len(string))
        ends.extend([end] * len(string))

    private = (*_PRIVATE, *([(_words(names), "[name]")] if names else ()))
    last = 0
    for begin, end in merged(windows, len(text)):
        if begin > last:
            add(GAP, _NOWHERE, _NOWHERE)
        at = begin
        for start, stop, instead in _redactions(text[begin:end], begin, private) if redact else ():
            if start >= at:
                _clean(text, at, start, add, letters)
                add(instead, start, stop)
                at = stop
        _clean(text, at, end, add, letters)
        last = end
    if last < len(text):
        add(GAP, _NOWHERE, _NOWHERE)
    return Shown(part, "".join(letters), tuple(starts), tuple(ends))


def _clean(text: str, begin: int, end: int, add, letters: Sequence[str]) -> None:  # type: ignore[no-untyped-def]
    """White space becomes one space or line end; what takes no room or acts on a screen goes."""
    for at in range(begin, end):
        character = text[at]
        if character.isspace():
            if not letters or letters[-1] not in " \n":
                add("\n" if character in "\r\n" else " ", at, at + 1)
        elif character in ZERO_WIDTH or not character.isprintable():
            continue
        else:
            add(character, at, at + 1)


def _words(names: Sequence[str]) -> Any:
    # RE2 knows the edges of ASCII words alone; a name that begins or ends otherwise is taken inside words too.
    edged = (
        (r"\b" if name[0].isascii() else "") + re2.escape(name) + (r"\b" if name[-1].isascii() else "")
        for name in names
    )
    return re2.compile("(?i)" + "|".join(edged))


def _redactions(
    text: str, begin: int, private: Iterable[tuple[Any, str | None]]
) -> list[tuple[int, int, str]]:
    found: list[tuple[int, int, str]] = []
    window = _HALVES.sub(" ", text)
    for expression, instead in private:
        for match in expression.finditer(window):
            if instead is None:
                found.append((begin + match.end(1), begin + match.end(), "/[path]"))
            else:
                found.append((begin + match.start(), begin + match.end(), instead))
    return sorted(found)


def addressed(case: Case) -> list[str]:
    """The words of the names and addresses of those the message went to; domains are not among them."""
    words: dict[str, None] = {}
    for header in ("to", "cc", "delivered-to", "x-original-to"):
        for part in case.parts:
            if part.name == f"header/{header}":
                for piece in part.text[:_ADDRESSED_LETTERS].split(","):
                    kept = piece.partition("@")[0] if "@" in piece else piece
                    words.update(dict.fromkeys(_WORD.findall(kept)))
    return list(words)[:_MOST_NAMES]


def redacted(text: str, names: Sequence[str]) -> str:
    """A short text with what is private taken out."""
    return show("", text, [(0, len(text))], redact=True, names=names).text


def merged(windows: Iterable[tuple[int, int]], length: int) -> list[tuple[int, int]]:
    """The windows in order, within the text, those that touch made one."""
    found: list[tuple[int, int]] = []
    for begin, end in sorted((max(0, b), min(length, e)) for b, e in windows):
        if begin >= end:
            continue
        if found and begin <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((begin, end))
    return found
