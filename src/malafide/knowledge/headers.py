"""Mail headers in, what tools ask of them out: where words stand, which way the mail took, list or not."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_tz
from functools import wraps
from itertools import pairwise
from typing import Final, TypeVar

from malafide.case import Case, Mail, Part, Span

_QUOTE: Final = 160  # characters of a header quoted at most
_MOST_HOPS: Final = 30
_LIST_HEADERS: Final = frozenset(
    {"list-post", "list-subscribe", "list-archive", "x-mailman-version", "x-beenthere", "mailing-list"}
)


def header_part(case: Case, name: str) -> Part | None:
    """The part that holds the header of that name (lower case)."""
    wanted = "subject" if name == "subject" else "header/" + name
    for part in case.parts:
        if part.role in ("header", "subject") and part.name == wanted:
            return part
    return None


def place(case: Case, name: str, words: str = "") -> Span | None:
    """Where the words stand in a header, or the beginning of the header when none are given."""
    part = header_part(case, name)
    if part is None or not part.text.strip():
        return None
    start = part.text.find(words) if words else 0
    if start < 0:
        return None
    line_end = part.text.find("\n", start)
    end = start + len(words) if words else (line_end if line_end > start else len(part.text))
    return Span(part.name, start, min(end, start + _QUOTE))


def place_of_missing(case: Case) -> Span | None:
    """Something to show where a header is missing: From, else the subject, else To."""
    return place(case, "from") or place(case, "subject") or place(case, "to")


T = TypeVar("T")


def once_per_mail(function: Callable[[Mail], T]) -> Callable[[Mail], T]:
    """Remembers the answer for the mails asked about last. By identity: hashing thirty headers costs 15 us."""
    known: dict[int, tuple[Mail, T]] = {}

    @wraps(function)
    def answer(mail: Mail) -> T:
        remembered = known.get(id(mail))
        if remembered is not None and remembered[0] is mail:
            return remembered[1]
        value = function(mail)
        if len(known) >= 16:
            known.clear()
        known[id(mail)] = (mail, value)
        return value

    return answer


@once_per_mail
def names(mail: Mail) -> frozenset[str]:
    """The names of all headers, lower case."""
    return frozenset(header.name for header in mail.headers)


@once_per_mail
def is_list(mail: Mail) -> bool:
    """Whether it came through a list people write to (no newsletter): those rewrite what they pass on."""
    return not _LIST_HEADERS.isdisjoint(names(mail)) or (mail.header("precedence") or "").strip() == "list"


@dataclass(frozen=True, slots=True)
class Hop:
    """One Received header: who said to be what, from where, to whom, when."""

    greeting: str  # the name the sending machine gave itself (HELO)
    reverse: str  # the name its address has, as the receiver looked it up; "" when not recorded
    address: str  # its IP address, "" when not recorded
    by: str
    stamp: str  # when, as written
    value: str

    @property
    def when(self) -> datetime | None:
        return moment(self.stamp)

    @property
    def is_public(self) -> bool:
        """Whether it was handed over from the open network, not inside one house."""
        try:
            return bool(self.address) and ipaddress.ip_address(self.address).is_global
        except ValueError:
            return False


@once_per_mail
def hops(mail: Mail) -> tuple[Hop, ...]:
    """The way the mail took, last hop first."""
    received = [header.value for header in mail.headers if header.name == "received"]
    return tuple(hop for value in received[:_MOST_HOPS] if (hop := _hop(value)) is not None)


def _hop(value: str) -> Hop | None:
    value = value[:1_000]
    front, _, stamp = value.rpartition(";")
    words = (front or value).replace("(", " ( ").replace(")", " ) ").split()
    if not words:
        return None
    by = next((after.lower() for word, after in pairwise(words) if word == "by"), "")
    if words[0].lower() != "from" or len(words) < 2:
        return Hop("", "", "", by, stamp, value)
    source = words[1 : words.index("by")] if "by" in words else words[1:12]
    greeting = source[0].lower().strip("[]") if source else ""
    reverse = address = ""
    in_comment = False
    for i, word in enumerate(source):
        in_comment = word == "(" or (in_comment and word != ")")
        bare = word.strip("[]();,.").removeprefix("IPv6:").lower()
        if word.upper() == "HELO" and i + 1 < len(source):
            # qmail: from <reverse> (HELO <greeting>) (<address>)
            reverse, greeting = greeting, source[i + 1].lower().strip("[]")
        elif bare.startswith(("helo=", "ehlo=")):
            # Exim: from <reverse> ([<address>] helo=<greeting>)
            reverse, greeting = greeting, bare[5:].strip("[]")
        elif _looks_like_address(bare):
            address = address or bare
        elif in_comment and not address and ("." in bare or bare == "unknown"):
            reverse = reverse or bare.rpartition("@")[2]
    return Hop(greeting, reverse, address, by, stamp, value)


def _looks_like_address(word: str) -> bool:
    if word.count(":") >= 2:
        return all(c in "0123456789abcdef:.%" for c in word)
    return word.count(".") == 3 and all(p.isdigit() and len(p) <= 3 for p in word.split("."))


def moment(text: str) -> datetime | None:
    """A mail date as a moment in UTC; None when it is none or out of all range."""
    text = text.strip()[:80]
    if not text:
        return None
    try:
        fields = parsedate_tz(text)
        if fields is None:
            return None
        offset = fields[9] or 0
        zone = timezone(timedelta(seconds=offset)) if abs(offset) < 86_400 else UTC
        return datetime(*fields[:6], tzinfo=zone).astimezone(UTC)
    except (ValueError, OverflowError, TypeError, IndexError):
        return None
