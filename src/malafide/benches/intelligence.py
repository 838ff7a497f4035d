"""A conversation in, what investigators need out: every account, link, number and handle, word for word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from malafide.case import Case
from malafide.knowledge.domains import parse
from malafide.knowledge.identifiers import IdentifierKind, identifiers
from malafide.knowledge.imitation import imitates
from malafide.tools._chat import said_by
from malafide.tools.claims import official


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that leads to somebody: its plain spelling, and where and how it stands in the messages."""

    kind: IdentifierKind
    value: str
    quote: str
    message: int
    sender: str
    part: str
    start: int
    end: int


def gather(case: Case) -> tuple[Item, ...]:
    """All the stranger gave, each value once, in the order it first came. What the user says is not theirs."""
    found: dict[tuple[str, str], Item] = {}
    for message, text in said_by(case, "stranger"):
        for one in identifiers(text):
            key = (one.kind, one.value.lower())
            if key not in found:
                found[key] = Item(
                    one.kind, one.value, text[one.start : one.end], message.number, message.sender,
                    message.part, one.start, one.end,
                )  # fmt: skip
    return tuple(found.values())


def of_kind(items: Sequence[Item], *kinds: IdentifierKind) -> list[Item]:
    return [item for item in items if item.kind in kinds]


def phones(items: Sequence[Item], *, abroad: bool) -> list[str]:
    """Phone numbers in the contract's form; one given with and without +91 is one number."""
    kinds: tuple[IdentifierKind, ...] = ("phone", "foreign_phone") if abroad else ("phone",)
    numbers: dict[str, str] = {}
    for item in of_kind(items, *kinds):
        plain = item.value.removeprefix("+91")
        if plain not in numbers or item.value.startswith("+"):
            numbers[plain] = item.value
    return list(numbers.values())


def phishing_links(items: Sequence[Item], *, scam: bool) -> list[str]:
    """Links that are not some organisation's own; in a conversation that is no scam, only look-alikes."""
    found = []
    for item in of_kind(items, "link"):
        url = parse(item.value)
        if (scam and not official(url)) or imitates(url.host) is not None:
            found.append(item.value)
    return found
