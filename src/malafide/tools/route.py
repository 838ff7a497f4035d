"""Case in, evidence out: which way the mail took and when, and what bulk mailers get wrong about it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Final

import re2

from malafide.case import Case, Mail, Span
from malafide.evidence import Evidence
from malafide.knowledge.domains import registrable
from malafide.knowledge.headers import Hop, hops, is_list, moment, place, place_of_missing
from malafide.tools import tool
from malafide.tools._noting import noting

_TOOL: Final = "route"
_note: Final = noting(_TOOL, "route")
# Big webmail houses, and the domains their machines are named under.
_HOUSES: Final = {
    "gmail.com": ("google.com", "gmail.com", "googlemail.com"),
    "googlemail.com": ("google.com", "gmail.com", "googlemail.com"),
    "hotmail.com": ("hotmail.com", "outlook.com", "msn.com", "live.com", "microsoft.com"),
    "outlook.com": ("outlook.com", "hotmail.com", "microsoft.com"),
    "live.com": ("hotmail.com", "outlook.com", "live.com", "microsoft.com"),
    "msn.com": ("hotmail.com", "msn.com", "outlook.com", "microsoft.com"),
    "yahoo.com": ("yahoo.com", "yahoodns.net", "ymail.com"),
    "aol.com": ("aol.com", "aol.net", "yahoo.com", "yahoodns.net"),
    "icloud.com": ("icloud.com", "apple.com", "me.com"),
    "gmx.net": ("gmx.net", "gmx.com", "gmx.de"),
    "web.de": ("web.de", "gmx.net", "kundenserver.de"),
    "mail.ru": ("mail.ru",),
    "yandex.ru": ("yandex.ru", "yandex.net", "yandex.com"),
    "qq.com": ("qq.com",),
    "163.com": ("163.com", "netease.com"),
}
# Names providers give to the lines of people's homes, which do not send mail by themselves.
_HOME_LINE = re2.compile(
    r"(?:^|[.\-\d])(?:a?dsl|dial(?:up|in)?|dyn(?:amic)?(?:ip)?|ppp|pool|cable|dhcp|client|cpe|broadband|modem|"
    r"catv|customer|user|host)(?:[.\-\d]|$)"
)
_WITH_NUMBERS = re2.compile(r"\d{1,3}[.\-_x]\d{1,3}[.\-_x]\d{1,3}")


@tool(_TOOL)
def route(case: Case) -> list[Evidence]:
    """The way the mail took, its date and its Message-ID: what does not fit together."""
    mail = case.mail
    if mail is None or not mail.headers:
        return []
    found = [*_date(case, mail), *_message_id(case, mail)]
    way = hops(mail)
    if way:
        found.extend(_handed_over(case, mail, way))
        found.extend(_webmail(case, mail, way))
    return found


def _date(case: Case, mail: Mail) -> Iterator[Evidence]:
    written = mail.header("date")
    if written is None or not written.strip():
        yield from _note(
            case, place_of_missing(case), "no-date", "weak",
            "The mail has no date; every ordinary mail program writes one.",
        )  # fmt: skip
        return
    at = place(case, "date")
    sent = moment(written)
    if sent is None:
        yield from _note(case, at, "unreadable-date", "weak", "The date of the mail is not a date.")
        return
    if _impossible_zone(written):
        yield from _note(
            case, at, "impossible-time-zone", "strong",
            "The date names a time zone that does not exist, so it was made up by a program.",
        )  # fmt: skip
    # Mail may lie about for days between two machines: only the machine nearest in time counts.
    nearest: timedelta | None = None
    for hop in hops(mail):
        gap = sent - when if (when := hop.when) is not None else None
        if gap is not None and (nearest is None or abs(gap) < abs(nearest)):
            nearest = gap
            if abs(gap) < timedelta(hours=20):
                return
    if nearest is None:
        return
    if nearest > timedelta(hours=20):
        yield from _note(
            case, at, "date-in-future", "moderate", "The mail is dated after the day it arrived."
        )
    elif nearest < timedelta(days=-5):
        yield from _note(
            case,
            at,
            "date-long-past",
            "moderate",
            f"The mail is dated {-nearest.days} days before it was sent.",
        )


def _impossible_zone(written: str) -> bool:
    words = written[:80].split()
    for word in words[-2:]:
        if len(word) == 5 and word[0] in "+-" and word[1:].isdigit():
            return int(word[1:3]) > 14 or int(word[3:]) > 59 or word[:3] == "-13" or word[:3] == "-14"
    return False


def _message_id(case: Case, mail: Mail) -> Iterator[Evidence]:
    written = (mail.header("message-id") or "").strip()
    if not written:
        yield from _note(
            case, place_of_missing(case), "no-message-id", "weak",
            "The mail has no Message-ID; mail programs and servers give every mail one.",
        )  # fmt: skip
        return
    at = place(case, "message-id")
    inner = written[1:-1] if written[:1] == "<" and written[-1:] == ">" else ""
    left, sign, host = inner.rpartition("@")
    if not inner or not sign or not left or not host or len(inner.split()) > 1 or "<" in inner:
        yield from _note(
            case,
            at,
            "malformed-message-id",
            "moderate",
            "The mail's Message-ID is not made as mail programs make it.",
        )
        return
    host = host.strip("[]").lower()
    reader = mail.recipients[0].domain if mail.recipients else ""
    outside = mail.sender is not None and registrable(mail.sender.domain) != registrable(reader)
    if reader and outside and registrable(host) == registrable(reader) and not is_list(mail):
        yield from _note(
            case, at, "message-id-of-reader", "slight",
            "The Message-ID carries the reader's own domain: the sender's program wrote none, or made it up.",
        )  # fmt: skip


def _handed_over(case: Case, mail: Mail, way: tuple[Hop, ...]) -> Iterator[Evidence]:
    """What the machine that handed the mail over from outside said about itself."""
    hop = next((h for h in way if h.is_public), None)
    if hop is None:
        return
    name = hop.reverse or ""
    greeting = hop.greeting
    at = _where(case, hop)
    claimed = _house_of(greeting)
    if claimed and name and not any(_below(name, d) for d in _HOUSES[claimed]):
        yield from _note(
            case, at, "greets-as-other", "strong",
            f"The sending machine said it was {greeting}, but it is {name} [{hop.address}].",
        )  # fmt: skip
    elif _is_address(greeting) and mail.sender is not None:
        yield from _note(
            case, at, "greets-with-number", "weak",
            "The sending machine gave only a number as its name, as mail servers do not.",
        )  # fmt: skip
    elif greeting and "." not in greeting and ":" not in greeting and "localhost" not in greeting:
        yield from _note(
            case, at, "greets-without-domain", "weak",
            f"The sending machine called itself {greeting!r}, a name that means nothing on the open network.",
        )  # fmt: skip
    elif greeting and hop.by and greeting == hop.by and greeting != name:
        yield from _note(
            case,
            at,
            "greets-as-receiver",
            "strong",
            "The sending machine gave the receiver's own name as its name.",
        )
    if _home_line(name):
        yield from _note(
            case,
            at,
            "home-line",
            "slight",
            f"It was sent straight from a home connection ({name}), not by a mail server.",
        )


def _webmail(case: Case, mail: Mail, way: tuple[Hop, ...]) -> Iterator[Evidence]:
    """From a webmail house, but no machine of that house on the way."""
    if mail.sender is None or is_list(mail) or not any(h.is_public for h in way):
        return
    house = _HOUSES.get(mail.sender.domain)
    if house is None:
        return
    for hop in way:
        machines = f"{hop.greeting} {hop.reverse} {hop.by if not hop.is_public else ''}".split()
        if any(_below(machine, domain) for machine in machines for domain in house):
            return
    yield from _note(
        case, mail.sender.at, "not-from-that-webmail", "moderate",
        f"The mail says it is from {mail.sender.domain}, but no machine of that service carried it.",
    )  # fmt: skip


def _house_of(greeting: str) -> str:
    return next((d for d in _HOUSES if _below(greeting, d)), "")


def _below(machine: str, domain: str) -> bool:
    return machine == domain or machine.endswith("." + domain)


def _is_address(greeting: str) -> bool:
    return greeting.count(".") == 3 and greeting.replace(".", "").isdigit()


def _home_line(name: str) -> bool:
    return bool(name and _WITH_NUMBERS.search(name) and _HOME_LINE.search(name))


def _where(case: Case, hop: Hop) -> Span | None:
    return place(case, "received", hop.value[:120]) or place(case, "from")
