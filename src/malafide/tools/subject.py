"""Case in, evidence out: how the subject line is dressed."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Final

from malafide.case import Case, Mail, Part, Span
from malafide.evidence import Evidence
from malafide.knowledge.headers import is_list, names
from malafide.knowledge.scripts import mixed_words, splits
from malafide.tools import tool
from malafide.tools._noting import noting

_TOOL: Final = "subject"
_note: Final = noting(_TOOL, "structure")
_REPLY: Final = ("re:", "re :", "aw:", "sv:", "antw:", "ref:", "rv:")
_ADVERT: Final = ("adv:", "adv ", "(adv)", "[adv]", "adv.", "advertisement:")


@tool(_TOOL)
def subject(case: Case) -> list[Evidence]:
    """How the subject line is dressed: shouting, false replies, hidden marks."""
    if not case.has("subject"):
        return []
    part = case.part("subject")
    text = part.text[:1_000]
    found: list[Evidence] = []
    if not text.strip():
        return found
    found.extend(_dress(case, part, text))
    if case.mail is not None and case.mail.headers:
        found.extend(_false_reply(case, case.mail, part, text))
    return found


def _dress(case: Case, part: Part, text: str) -> Iterator[Evidence]:
    whole = Span(part.name, 0, min(len(part.text), 160))
    if _shouts(text) or _shouts(_leading_capitals(text)):
        yield from _note(case, whole, "capitals", "weak", "The subject shouts in capital letters.")
    if text.count("!") >= 3 or "!!" in text or "$$" in text:
        at = min(i for i in (text.find("!"), text.find("$$")) if i >= 0)
        yield from _note(
            case,
            Span(part.name, max(0, at - 30), at + 1),
            "exclamations",
            "weak",
            "The subject is full of exclamation marks or money signs.",
        )
    tail = _random_tail(text)
    if tail is not None:
        yield from _note(
            case, Span(part.name, *tail), "random-tail", "strong",
            "After a wide gap the subject ends in random signs, which make every copy different.",
        )  # fmt: skip
    low = text.lower().lstrip()
    if low.startswith(_ADVERT):
        start = len(text) - len(text.lstrip())
        yield from _note(
            case,
            Span(part.name, start, start + 4),
            "advertisement",
            "strong",
            "The subject itself says it is advertising.",
        )
    if text.isascii():
        return
    mixed = next(mixed_words(text), None)
    if mixed is not None:
        yield from _note(
            case, Span(part.name, *mixed), "foreign-letters", "strong",
            "A word in the subject mixes letters of two alphabets that look alike, to slip past filters.",
        )  # fmt: skip
    hidden = splits(text)
    if hidden:
        inside = Span(part.name, hidden[0] - 1, hidden[0] + 2)
        yield from _note(
            case, inside, "invisible", "strong", "The subject has invisible signs inside a word."
        )
    emoji = next((i for i, c in enumerate(text) if unicodedata.category(c) == "So" and c not in "®™©°"), None)
    if emoji is not None:
        yield from _note(
            case,
            Span(part.name, emoji, emoji + 1),
            "pictures",
            "slight",
            "The subject uses small pictures to catch the eye.",
        )


def _shouts(text: str) -> bool:
    letters = [c for c in text if c.isalpha()]
    capitals = sum(c.isupper() for c in letters)
    return len(letters) >= 12 and capitals > 0.85 * len(letters) and len(text.split()) >= 3


def _leading_capitals(text: str) -> str:
    """The words before the first with a small letter: what is added behind must not hide that it shouts."""
    words = text.split()
    return " ".join(words[: next((i for i, word in enumerate(words) if word != word.upper()), len(words))])


def _random_tail(text: str) -> tuple[int, int] | None:
    """Wide white space and then one word without sense at the end."""
    stripped = text.rstrip()
    start = stripped.rfind("     ")
    word = stripped[start:].strip() if start > 0 else ""
    if word.istitle() and word.isalpha():
        return None  # a long subject that was folded with a deep indent
    if " " in word or not 2 <= len(word) <= 30 or not stripped[:start].strip():
        return None
    return len(stripped) - len(word), len(stripped)


def _false_reply(case: Case, mail: Mail, part: Part, text: str) -> Iterator[Evidence]:
    low = text.lower().lstrip()
    if not low.startswith(_REPLY) or is_list(mail):
        return
    has = names(mail)
    if "in-reply-to" in has or "references" in has or "thread-index" in has:
        return
    quoted = any(_quotes(body.text) for body in case.of_role("body"))
    if quoted:
        return  # some mail programs forget the reference, but quote what they answer
    start = len(text) - len(text.lstrip())
    yield from _note(
        case, Span(part.name, start, min(len(text), start + 60)), "false-reply", "weak",
        "It is dressed as an answer, but it answers nothing: no earlier mail is named or quoted.",
    )  # fmt: skip


def _quotes(body: str) -> bool:
    head = body[:20_000]
    return (
        "\n>" in head
        or head.startswith(">")
        or " wrote:" in head
        or "-----Original" in head
        or "schrieb" in head
        or "\nFrom:" in head
    )
