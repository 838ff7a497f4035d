"""Case in, evidence out: which program says it made the mail, and whether it looks like that."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import re2

from malafide.case import Case, Mail
from malafide.evidence import Evidence
from malafide.knowledge.headers import is_list, names, place
from malafide.tools import tool
from malafide.tools._noting import noting

_TOOL: Final = "mailer"
_note: Final = noting(_TOOL, "route")
# What the programs put between the signs of a Message-ID, as seen in mail they really made.
_OUTLOOK_ID = re2.compile(r"^<?[0-9A-Za-z]{1,14}\$[0-9a-f]{8}\$[0-9a-f]{8}@")
_OUTLOOK_OTHER_ID = re2.compile(r"^<?(?:[A-Z]{24,50}\.|[0-9A-F]{30,70}@|[A-Za-z0-9]{15,40}@|[A-Z0-9]{30,}\.)")
_BAT_ID = re2.compile(r"^<?\d{4,20}\.\d{14}@")
# Programs sold for mass mailing from one's own machine; newsletters services of good name are not among them.
_BULK: Final = (
    "mass sender", "mass mail", "massmail", "mailking", "group mail", "bulk", "atomic mail",
    "sendblaster", "gammadyne", "diffondi", "extractor", "mach10", "mailworkz", "emailer platinum",
    "stealth", "advanced mail", "blaster", "prospect mailer", "mailloop", "dm mailer", "opt-in mailer",
    "leaf php", "leafmailer", "turbo-mailer",
)  # fmt: skip


@tool(_TOOL)
def mailer(case: Case) -> list[Evidence]:
    """Which program says it made the mail, and whether it did."""
    mail = case.mail
    if mail is None or not mail.headers:
        return []
    found = list(_program(case, mail))
    if not found:
        found.extend(_half_outlook(case, mail))
    return [*found, *_priority(case, mail), *_mime(case, mail)]


def _program(case: Case, mail: Mail) -> Iterator[Evidence]:
    written = (mail.header("x-mailer") or "")[:200]
    low = written.lower()
    if not low:
        return
    at = place(case, "x-mailer")
    if any(word in low for word in _BULK):
        yield from _note(
            case,
            at,
            "bulk-program",
            "moderate",
            f"It was made with a program for mass mailing ({written[:60]}).",
        )
    elif _forged(low, mail):
        yield from _note(
            case, at, "not-that-program", "moderate",
            f"It says it was written in {written[:60]}, but it is not made the way that program makes mail.",
        )  # fmt: skip


def _forged(program: str, mail: Mail) -> bool:
    """Whether the Message-ID is one that the named program never writes. Lists may replace it."""
    identity = (mail.header("message-id") or "").strip()
    if not identity or is_list(mail):
        return False
    if program.startswith("microsoft outlook express"):
        return _OUTLOOK_ID.search(identity) is None or "x-mimeole" not in names(mail)
    if program.startswith("the bat!"):
        return _BAT_ID.search(identity) is None
    if program.startswith(("microsoft outlook", "microsoft office outlook")):
        return _OUTLOOK_ID.search(identity) is None and _OUTLOOK_OTHER_ID.search(identity) is None
    return False


def _half_outlook(case: Case, mail: Mail) -> Iterator[Evidence]:
    """Outlook writes X-MSMail-Priority and X-MimeOLE together; home-made programs copy only the first."""
    has = names(mail)
    if "x-msmail-priority" not in has or "x-mimeole" in has or is_list(mail):
        return
    program = (mail.header("x-mailer") or "").lower()
    claims = any(
        name in program for name in ("microsoft", "internet mail service", "aol", "eudora", "the bat")
    )
    yield from _note(
        case, place(case, "x-msmail-priority"), "half-an-outlook", "moderate" if claims else "weak",
        "It carries marks of Microsoft Outlook, but not all that the program always writes.",
    )  # fmt: skip


def _priority(case: Case, mail: Mail) -> Iterator[Evidence]:
    has = names(mail)
    high = next(
        (n for n in ("x-priority", "importance", "x-msmail-priority", "priority") if _is_high(mail, n)), None
    )
    if high is not None and "in-reply-to" not in has:
        yield from _note(
            case, place(case, high), "marked-urgent", "weak", "The sender marked it as very important."
        )


def _is_high(mail: Mail, name: str) -> bool:
    value = (mail.header(name) or "").strip().lower()
    return value.startswith(("1", "high", "urgent"))


def _mime(case: Case, mail: Mail) -> Iterator[Evidence]:
    has = names(mail)
    kind = (mail.header("content-type") or "").lower()
    if "mime-version" not in has and kind.startswith(("multipart/", "text/html")):
        yield from _note(
            case, place(case, "content-type"), "no-mime-version", "slight",
            "It is made of several parts or HTML but lacks the header that mail programs write with that.",
        )  # fmt: skip
