"""A reply in, what is unsafe about it out. Every reply passes here, whoever proposed it; an unsafe one is never sent.

A reply gives no secret and no number, sends no money and no link, claims nothing was done, promises nothing, does not
repeat what the stranger wrote, and does not step out of its part.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import re2

from malafide.folding import fold
from malafide.knowledge.digits import WORDS, plain_digits
from malafide.knowledge.identifiers import identifiers
from malafide.knowledge.scripts import searchable

Danger = Literal[
    "empty", "too-long", "link", "contact", "digits", "secret", "money", "access", "personal", "echo", "out-of-part",
    "abuse", "characters",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Violation:
    """What is wrong with a reply, and the words that show it."""

    danger: Danger
    quote: str


MOST_CHARS: Final = 320
_MOST_DIGITS: Final = 2  # "10 minutes" is harmless; three digits are the back of a card
_ECHO: Final = 6  # words in a row taken from the stranger

_SECRET: Final = re2.compile(
    r"\b(?:my|the) (?:otp|one.?time (?:code|password)|code|pin|upi pin|password|passcode|cvv|seed phrase|login|"
    r"user ?id|"
    r"account number|card number|aadhaa?r|pan|ssn|social security number|passport number|security answer)"
    r"(?: number| code)? (?:is|:|=|hai|was|starts|ends)\b"
)
_MONEY: Final = re2.compile(
    r"\b(?:i|i've|ive|i have|we|main|maine) (?:just |already |now |have |will |am going to |can |shall |ll |"
    r"'ll |gonna )*"
    r"(?:sent|send|sending|paid|pay|paying|transferred|transfer|transferring|deposited|deposit|wired|wire|bought|buy|"
    r"purchased|purchase|invest|invested|bhej|bheja|kar diya|loaded)\b"
    r"|\bi'll (?:send|pay|transfer|deposit|buy|wire|invest|purchase)\b"
    r"|\b(?:payment|transfer|money|paise) (?:is |has been |was )?(?:done|sent|made|complete|completed|bhej di|"
    r"bhej diya|ho gaya)\b"
)
_ACCESS: Final = re2.compile(
    r"\b(?:i|i've|ive|i have|main|maine) (?:just |already |now |have |will |am |can |'ll )*(?:install|"
    r"installed|installing|"
    r"download|downloaded|downloading|open|opened|click|clicked|clicking|scan|scanned|run|ran|connect|connected|enter|entered|"
    r"accept|accepted|approve|approved|allow|allowed|grant|granted|dial|dialed|dialled|share my screen|log in|"
    r"logged in)\b"
    r"|\bi'll (?:install|download|open|click|scan|run|connect|enter|accept|approve|allow|dial)\b"
)
_PERSONAL: Final = re2.compile(
    r"\b(?:i live (?:at|in|on)|my (?:home |full |delivery )?address is|i was born|my (?:date of birth|dob|"
    r"birthday) is|my (?:full|real|last) "
    r"name is|my mother'?s maiden name|my (?:husband|wife|son|daughter)'?s name is|i bank with|my bank is|"
    r"my employer is)\b"
)
_OUT: Final = re2.compile(
    r"\b(?:honey ?pot|language model|an ai\b|artificial intelligence|chat ?bot|i am a bot|i'm a bot|malafide|"
    r"system prompt|"
    r"my instructions|i was instructed|prompt|you are a scammer|this is a scam|i know you|report(?:ed|"
    r"ing)? you|decoy|police have)\b"
)
_ABUSE: Final = re2.compile(r"\b(?:idiot|stupid|bastard|fuck\w*|shit\w*|kill|die|kutt[ae]|saal[ae]|bitch)\b")
_FORBIDDEN: Final = ("://", "www.", "[dot]", "(dot)", " dot com", "@", "[at]", "(at)")


def unsafe(reply: str, heard: str = "") -> list[Violation]:
    """Everything that is unsafe about a reply; `heard` is what the stranger wrote last. Empty means safe."""
    found: list[Violation] = []
    if not reply.strip():
        return [Violation("empty", "")]
    if len(reply) > MOST_CHARS:
        found.append(Violation("too-long", reply[:40]))
    if any(not (c.isprintable() or c == "\n") for c in reply):
        found.append(Violation("characters", "".join(c for c in reply if not c.isprintable())[:10]))
    plain = fold(plain_digits(searchable(reply))).text
    found.extend(Violation("link", piece) for piece in _FORBIDDEN if piece in plain)
    found.extend(
        Violation("contact" if one.kind != "link" else "link", one.value) for one in identifiers(reply)
    )
    found.extend(_digits(plain))
    expressions: tuple[tuple[Danger, object], ...] = (
        ("secret", _SECRET), ("money", _MONEY), ("access", _ACCESS), ("personal", _PERSONAL), ("out-of-part", _OUT),
        ("abuse", _ABUSE),
    )  # fmt: skip
    for danger, expression in expressions:
        match = expression.search(plain)  # type: ignore[attr-defined]
        if match is not None:
            found.append(Violation(danger, match.group()))
    found.extend(_echo(plain, fold(searchable(heard)).text))
    return found


def _digits(plain: str) -> list[Violation]:
    """Numbers of three digits or more, also spelled out or spread over the reply."""
    digits = [c for c in plain if c.isdigit()]
    if len(digits) > _MOST_DIGITS:
        return [Violation("digits", "".join(digits[:12]))]
    row = 0
    for word in "".join(c if c.isalnum() else " " for c in plain).split():
        row = row + 1 if word in WORDS or word in ("double", "triple") else 0
        if row > _MOST_DIGITS:
            return [Violation("digits", word)]
    return []


def _echo(plain: str, heard: str) -> list[Violation]:
    """Words in a row that the stranger wrote: whoever repeats them may be made to say anything."""
    said = "".join(c if c.isalnum() else " " for c in heard).split()
    rows = {tuple(said[i : i + _ECHO]) for i in range(len(said) - _ECHO + 1)}
    words = "".join(c if c.isalnum() else " " for c in plain).split()
    for i in range(len(words) - _ECHO + 1):
        if tuple(words[i : i + _ECHO]) in rows:
            return [Violation("echo", " ".join(words[i : i + _ECHO]))]
    return []
