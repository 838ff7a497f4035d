"""Case in, evidence out: to whom the mail is addressed, and what it calls the reader."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from malafide.case import Address, Case, Mail, Part, Span
from malafide.evidence import Evidence
from malafide.knowledge.authentication import aligned
from malafide.knowledge.domains import registrable
from malafide.knowledge.headers import is_list, names, place
from malafide.tools import tool
from malafide.tools._noting import noting

_TOOL: Final = "recipients"
_note: Final = noting(_TOOL, "sender")
# What bulk programs write where the reader's address should stand.
_NOBODY: Final = ("undisclosed", "recipients", "unlisted", "suppressed", "<>")
_GREETINGS: Final = (
    "dear ", "hello ", "hi ", "attn: ", "attention ", "hallo ", "bonjour ", "estimado ", "hola ",
    "prezado ", "caro ",
)  # fmt: skip
_CROWD: Final = 8  # different houses written to at once


@tool(_TOOL)
def recipients(case: Case) -> list[Evidence]:
    """To whom the mail is addressed, and whether the sender knows the reader's name."""
    mail = case.mail
    if mail is None or not mail.headers:
        return []
    real = [r for r in mail.recipients if "@" in r.address]
    found = list(_crowd(case, mail, real) if real else _nobody(case, mail))
    if real and real[0].address != (mail.sender.address if mail.sender else ""):
        found.extend(_called_by_address(case, real[0]))
    return found


def _nobody(case: Case, mail: Mail) -> Iterator[Evidence]:
    written = (mail.header("to") or "").lower()
    if any(word in written for word in _NOBODY):
        yield from _note(
            case, place(case, "to"), "nobody", "weak",
            "The mail is not addressed to the reader but to a hidden crowd.",
        )  # fmt: skip


def _crowd(case: Case, mail: Mail, real: list[Address]) -> Iterator[Evidence]:
    sender = mail.sender
    if sender is not None and len(real) == 1 and real[0].address == sender.address and _unexplained(mail):
        yield from _note(
            case, real[0].at, "own-sender", "weak",
            "The mail is addressed to its own sender, so one of the two is made up.",
        )  # fmt: skip
    if len(real) >= 4 and _neighbours(real):
        yield from _note(
            case, real[1].at, "alphabet", "moderate",
            "It goes to strangers whose addresses follow each other in the alphabet, as on a bought list.",
        )  # fmt: skip
    elif _strangers(mail, real):
        yield from _note(
            case, real[1].at, "crowd", "weak",
            f"It goes to {len(real)} people at once who have nothing to do with each other.",
        )  # fmt: skip


def _strangers(mail: Mail, real: list[Address]) -> bool:
    if len(real) < _CROWD or is_list(mail) or "in-reply-to" in names(mail):
        return False
    return len({registrable(r.domain) for r in real}) >= _CROWD


def _unexplained(mail: Mail) -> bool:
    """Newsletters address themselves, and people write notes to themselves."""
    return aligned(mail) is None and not any(name.startswith("list-") for name in names(mail))


def _neighbours(readers: list[Address]) -> bool:
    """Whether the readers were taken from a sorted list: their addresses begin alike."""
    beginnings = [r.local[:3] for r in readers]
    return len({r.address for r in readers}) >= 4 and beginnings.count(beginnings[0]) >= 0.8 * len(beginnings)


def _called_by_address(case: Case, reader: Address) -> Iterator[Evidence]:
    """Nobody who knows the reader greets with an address or with what stands before its @."""
    if len(reader.local) < 3:
        return
    if case.has("subject"):
        subject = case.part("subject")
        start = subject.text.lower().find(reader.address)
        if start >= 0:
            yield from _note(
                case, Span(subject.name, start, start + len(reader.address)), "address-in-subject", "weak",
                "The subject calls the reader by an e-mail address, as mass mail does.",
            )  # fmt: skip
            return
    body = next(case.of_role("body"), None)
    at = _greeted(body, reader) if body is not None else None
    if at is not None:
        yield from _note(
            case, at, "greeted-by-address", "moderate",
            f"It greets the reader as {case.quote(at)!r}, which is only the address, not a name.",
        )  # fmt: skip


def _greeted(body: Part, reader: Address) -> Span | None:
    head = body.text[:400].lower()
    for greeting in _GREETINGS:
        if greeting not in head:
            continue
        start = head.find(greeting) + len(greeting)
        for called in (reader.address, reader.local):
            end = start + len(called)
            # "Dear anna" may be her name; "Dear anna.b77" is not.
            odd = "@" in called or any(c.isdigit() or c in "._" for c in called)
            if odd and head.startswith(called, start):
                return None if head[end : end + 1].isalnum() else Span(body.name, start, end)
    return None
