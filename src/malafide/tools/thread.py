"""Case in, evidence out: signs that a conversation goes on. All of it speaks for the mail."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import re2

from malafide.case import Case, Mail, Part, Span
from malafide.evidence import Evidence
from malafide.knowledge.headers import header_part, names, place
from malafide.knowledge.scripts import found
from malafide.tools import tool
from malafide.tools._noting import noting

_TOOL: Final = "thread"
_note: Final = noting(_TOOL, "conversation", "genuine")
_QUOTED = re2.compile(r"(?m)^ ?[>|] ?\S.{0,100}$")
_INTRODUCING: Final = (
    "wrote", "writes", "schrieb", "a écrit", "escribió", "escreveu", "ha scritto", "schreef", "Original",
)  # fmt: skip
_INTRODUCED = re2.compile(
    rf"(?m)^.{{0,120}}\b(?:{'|'.join(_INTRODUCING[:-1])}).{{0,60}}:\s*$"
    r"|^-{2,}\s?Original.{0,30}-{2,}$"
)
_PATCH: Final = ("\ndiff -", "\n+++ ", "\n@@ -", "\nIndex: ")
# Programs people write mail with; a bulk mailer may claim to be one, so the Message-ID must be there as well.
_PROGRAMS: Final = (
    "mutt", "pine", "gnus", "thunderbird", "mozilla", "kmail", "evolution", "apple mail", "sylpheed",
    "claws", "exmh", "vm ", "eudora", "iphone mail", "ipad mail", "nmh", "elm", "k-9", "roundcube",
    "horde", "squirrelmail", "alpine", "mailmate", "postbox", "emclient", "balsa", "opera", "forte agent",
    "wanderlust", "mew", "pegasus", "entourage",
)  # fmt: skip


@tool(_TOOL)
def thread(case: Case) -> list[Evidence]:
    """Signs of a conversation that goes on: replies, quoted text, patches, signatures."""
    mail = case.mail
    body = next(case.of_role("body"), None)
    if mail is None or body is None:
        return []
    evidence = list(_technical(case, body))
    if mail.headers:
        evidence.extend(_reply(case, mail, body))
        evidence.extend(_program(case, mail))
        evidence.extend(_signed(case, mail))
        evidence.extend(_returned(case, mail))
    return evidence


def _reply(case: Case, mail: Mail, body: Part) -> Iterator[Evidence]:
    has = names(mail)
    answers = "in-reply-to" in has or "references" in has
    text = body.text[:10_000]
    quoted = _second(text)
    named = any(word in text for word in _INTRODUCING)
    introduced = next(found(_INTRODUCED, text), None) if named else None
    if answers and (quoted or introduced):
        yield from _note(
            case, Span(body.name, *(quoted or introduced or (0, 0))), "answer", "moderate",
            "It answers an earlier mail, names it and quotes from it.",
        )  # fmt: skip
    elif answers and _is_reply(case):
        which = "in-reply-to" if "in-reply-to" in has else "references"
        if header_part(case, which) is not None:
            yield from _note(case, place(case, which), "refers", "slight", "It refers to an earlier mail.")
    elif quoted and introduced:
        yield from _note(
            case,
            Span(body.name, *introduced),
            "quotes",
            "weak",
            "It quotes an earlier mail line by line.",
        )


def _second(text: str) -> tuple[int, int] | None:
    """The second quoted line: a single one may be an arrow that points at a link."""
    if ">" not in text and "|" not in text:
        return None
    lines = found(_QUOTED, text)
    next(lines, None)
    return next(lines, None)


def _is_reply(case: Case) -> bool:
    return case.has("subject") and case.part("subject").text.lower().startswith(
        ("re:", "aw:", "sv:", "antw:")
    )


def _program(case: Case, mail: Mail) -> Iterator[Evidence]:
    for header in ("user-agent", "x-mailer"):
        written = (mail.header(header) or "").lower()
        if written and any(program in written for program in _PROGRAMS) and mail.header("message-id"):
            yield from _note(
                case, place(case, header), "written-by-hand", "weak",
                "It was written in a mail program for people, not sent by a mass mailer.",
            )  # fmt: skip
            return


def _signed(case: Case, mail: Mail) -> Iterator[Evidence]:
    if any(
        t in ("application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature")
        for t in mail.types
    ):
        yield from _note(
            case, place(case, "content-type"), "signed", "weak", "The sender signed it with a personal key."
        )


def _returned(case: Case, mail: Mail) -> Iterator[Evidence]:
    if "message/delivery-status" in mail.types:
        yield from _note(
            case, place(case, "content-type"), "returned", "weak",
            "A mail server reports that a mail could not be delivered.",
        )  # fmt: skip


def _technical(case: Case, body: Part) -> Iterator[Evidence]:
    text = body.text[:10_000]
    start = max(text.find(mark) for mark in _PATCH)
    if start >= 0:
        end = text.find("\n", start + 1)
        yield from _note(
            case, Span(body.name, start + 1, end if end > 0 else len(text)), "patch", "weak",
            "It carries a change to program code, as colleagues send it.",
        )  # fmt: skip
