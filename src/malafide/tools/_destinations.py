"""The links of a case taken apart once, for every tool that looks at them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from malafide.case import Case, Link, Span
from malafide.knowledge.brands import owners
from malafide.knowledge.domains import Url, label, parse, registrable
from malafide.knowledge.hosts import unwrap

_MOST: Final = 300  # links of a case that are looked at
_LONGEST_QUOTE: Final = 120


@dataclass(frozen=True, slots=True)
class Destination:
    """A link, what it says and where it leads in the end (as far as the address itself tells)."""

    link: Link
    url: Url
    hops: tuple[Url, ...]

    @property
    def final(self) -> Url:
        return self.hops[-1] if self.hops else self.url

    @property
    def at(self) -> Span:
        return quotable(self.link.at)


def quotable(span: Span) -> Span:
    """The start of a span, short enough to quote."""
    return Span(span.part, span.start, min(span.end, span.start + _LONGEST_QUOTE))


@lru_cache(maxsize=8)
def destinations(case: Case) -> tuple[Destination, ...]:
    """Where the links of a mail lead. Mail addresses, phones and parts of the mail itself are left out."""
    if case.mail is None:
        return ()
    found = []
    for link in case.mail.links[:_MOST]:
        url = parse(link.target)
        if url.host or url.scheme in ("javascript", "vbscript", "data", "file"):
            found.append(Destination(link, url, unwrap(url)))
    return tuple(found)


@lru_cache(maxsize=8)
def by_host(case: Case) -> dict[str, Destination]:
    """The first link to each host that is led to in the end."""
    first: dict[str, Destination] = {}
    for destination in destinations(case):
        if destination.final.web:
            first.setdefault(destination.final.host, destination)
    return first


@lru_cache(maxsize=8)
def home(case: Case) -> str:
    """The registered domain the mail says it comes from; "" when it says none."""
    mail = case.mail
    return registrable(mail.sender.domain) if mail is not None and mail.sender is not None else ""


@lru_cache(maxsize=4096)
def related(one: str, other: str) -> bool:
    """Whether two registered domains plainly belong together: example.com and example.de, or one brand's."""
    if not one or not other:
        return False
    if one == other:
        return True
    first, second = sorted((label(one), label(other)), key=len)
    if len(first) >= 4 and (first == second or (len(first) >= 5 and first in second)):
        return True
    return bool(set(owners(one)) & set(owners(other)))
