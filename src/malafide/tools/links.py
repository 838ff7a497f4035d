"""Case in, evidence out: where the links of a message lead, and how they are dressed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from malafide.case import Case, Mail, Span
from malafide.evidence import Evidence, observe
from malafide.knowledge.hosts import is_free_mail, kinds
from malafide.tools import tool
from malafide.tools._destinations import by_host, destinations, home, quotable, related
from malafide.tools._dress import camera_code, mail_button, mismatch, proven, reader_marked, redirected
from malafide.tools._places import Finding, odd_host, odd_path

_MOST_OF_A_KIND: Final = 2
_MOST_MAIL_LINKS: Final = 40


@tool("links")
def links(case: Case) -> list[Evidence]:
    """Where the links lead, and how they are dressed."""
    if case.mail is None or not case.mail.links:
        return []
    found: list[Evidence] = []
    seen: Counter[str] = Counter()
    for span, finding in _findings(case, case.mail):
        seen[finding.kind] += 1
        if seen[finding.kind] <= _MOST_OF_A_KIND:
            says = finding.sentence
            found.append(observe(case, span, finding.kind, "link", finding.strength, says, tool="links"))
    found.extend(_own_site(case))
    return found


def _findings(case: Case, mail: Mail) -> Iterator[tuple[Span, Finding]]:
    for destination in by_host(case).values():
        for finding in odd_host(destination.final):
            yield destination.at, finding
    asked: set[tuple[str, str]] = set()
    for destination in destinations(case):
        url = destination.final
        if (url.host, url.path) not in asked:
            asked.add((url.host, url.path))
            for finding in odd_path(url):
                yield destination.at, finding
        for check in (mismatch, redirected, reader_marked, camera_code):
            if (dressed := check(case, destination)) is not None:
                yield destination.at, dressed
    for link in mail.links[:_MOST_MAIL_LINKS]:
        if (button := mail_button(case, link)) is not None:
            yield quotable(link.at), button
    yield from _password_forms(case, mail)
    yield from _together(case, mail)


def _password_forms(case: Case, mail: Mail) -> Iterator[tuple[Span, Finding]]:
    """A form that asks for a password. Other forms mean nothing: 70 of 240 honest newsletters had one."""
    for form in mail.html.forms[:5] if mail.html is not None else ():
        destination = next((d for d in destinations(case) if d.link.at == form.at), None)
        if "password" in form.fields and destination and not related(destination.final.owner, home(case)):
            where = destination.final.owner or "a program"
            says = f"The mail itself holds a form that asks for a password and sends it to {where}."
            yield destination.at, Finding("links.password-form", "strong", says)


def _together(case: Case, mail: Mail) -> Iterator[tuple[Span, Finding]]:
    """What only shows when all links are seen at once."""
    hosts = by_host(case)
    places = {destination.final.owner for destination in hosts.values()}
    if not hosts:
        return
    first = next(iter(hosts.values()))
    pictures = mail.html.linked_images if mail.html is not None else 0
    if pictures and len(places) <= 2 and len(case.reading) < 400 and len(case.reading.split()) < 30:
        says = "The mail is little more than a picture to click on, which keeps its words from filters."
        yield first.at, Finding("links.picture-only", "moderate", says)
    sender = home(case)
    if not sender or first.link.carrier not in ("anchor", "image") or any(related(p, sender) for p in places):
        return
    if any(not kinds(host).isdisjoint(("trackers", "wrappers")) for host in hosts):
        return
    if len(places) == 1 and not first.final.numeric:
        says = f"Every link leads to {first.final.owner}, which is not where the mail says it comes from."
        yield first.at, Finding("links.one-other-site", "weak", says)
    elif len(places) > 1 and not is_free_mail(sender):
        says = f"No link leads to {sender}, where the mail says it comes from."
        yield first.at, Finding("links.no-own-site", "slight", says)


def _own_site(case: Case) -> Iterator[Evidence]:
    """Every link leads to the sender's own proven domain, and that is no place for strangers."""
    hosts = by_host(case)
    owner = home(case)
    if not hosts or any(destination.final.owner != owner for destination in hosts.values()):
        return
    lent = kinds(owner) or any(kinds(d.final.host, d.final.path) for d in hosts.values())
    if lent or proven(case) != owner:
        return
    first = next(iter(hosts.values()))
    says = f"Every link leads to {owner}, and the receiving server confirmed that the mail comes from there."
    yield observe(
        case, first.at, "links.own-site", "authentication", "weak", says, direction="genuine", tool="links"
    )
