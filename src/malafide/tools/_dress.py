"""One link in, how it is dressed out: the checks of `links` against its words, the sender and the reader."""

from __future__ import annotations

from base64 import b64encode
from functools import lru_cache
from typing import Final
from urllib.parse import unquote

from malafide.case import Case, Link
from malafide.knowledge.brands import owners
from malafide.knowledge.domains import known_suffix, parse, registrable
from malafide.knowledge.hosts import is_free_mail, kinds
from malafide.tools._destinations import Destination, home, related
from malafide.tools._places import Finding

_FILE_ENDINGS: Final = (
    ".sh",
    ".py",
    ".md",
    ".rs",
    ".zip",
    ".ps",
    ".pl",
    ".mov",
    ".so",
)  # of files and of hosts
_LEAVING: Final = (
    "unsub", "optout", "opt-out", "opt_out", "remove", "preferences", "abmeld", "desinscri", "desabonn",
    "baja", "descadastr", "disiscri", "uitschrijv", "leave", "subscription", "list-manage", "manage",
)  # fmt: skip


def _shown_owner(text: str) -> str:
    """The registered domain that a link's words show to the reader; "" when they show none."""
    shown = text.strip().strip("<>()[]\"'.,;:")
    if "." not in shown or len(shown) > 200 or "@" in shown or len(shown.split()) > 1:
        return ""
    url = parse(shown)
    if not url.web or url.numeric or "." not in url.host or not known_suffix(url.host):
        return ""
    plain = not url.scheme and not url.host.startswith("www.") and not url.path
    return "" if plain and url.host.endswith(_FILE_ENDINGS) else url.owner


def mismatch(case: Case, destination: Destination) -> Finding | None:
    """The words of a link show one site and the link leads to another."""
    link = destination.link
    if (
        "." not in link.text
        or link.carrier not in ("anchor", "image", "pdf", "office")
        or not destination.url.web
    ):
        return None
    if (inside := _shows_readers_site(case, destination)) is not None:
        return inside
    shown = _shown_owner(link.text)
    if not shown or any(related(shown, url.owner) for url in (destination.url, *destination.hops)):
        return None
    real, sender = destination.final.owner, home(case)
    # Honest bulk mail counts clicks through its own host or through the firm that sends it.
    counted = related(real, sender) or "trackers" in kinds(destination.final.host)
    says = f"The words of a link show {shown}, but it leads to {real}."
    known = owners(shown)
    if known and not related(shown, sender) and known[0].sector not in ("social", "streaming"):
        return Finding("links.shows-another-brand", "moderate" if counted else "strong", says)
    if counted:
        return None
    if related(shown, sender):
        return Finding("links.shows-sender", "weak" if proven(case) else "moderate", says)
    return Finding("links.shows-another", "weak", says)


def _shows_readers_site(case: Case, destination: Destination) -> Finding | None:
    """The words show an address inside the reader's organisation, and a stranger's link leads out of it."""
    shown = parse(destination.link.text.strip()[:200]).owner
    assert case.mail is not None
    for reader in case.mail.recipients[:3]:
        own = registrable(reader.domain)
        if shown != own or is_free_mail(own) or related(own, home(case)) or "." not in own:
            continue
        if any(related(own, url.owner) for url in (destination.url, *destination.hops)):
            continue
        says = f"The words of a link show {own}, the reader's own organisation; it leads to {destination.final.owner}."
        return Finding("links.shows-readers-site", "strong", says)
    return None


def redirected(_case: Case, destination: Destination) -> Finding | None:
    """The link goes through a good name that forwards anywhere."""
    real = destination.final.owner
    for url in (destination.url, *destination.hops[:-1]) if destination.hops else ():
        where = kinds(url.host, url.path)
        if "redirectors" in where and "trackers" not in where:
            if related(real, url.owner):
                return None
            says = f"A link starts at {url.owner} but only passes through it and ends at {real}."
            return Finding("links.redirector", "moderate", says)
    return None


@lru_cache(maxsize=8)
def _strangers(case: Case) -> tuple[str, ...]:
    """The addresses of readers who are not of the sender's own house."""
    readers = case.mail.recipients[:3] if case.mail is not None else ()
    return tuple(r.address for r in readers if len(r.address) >= 6 and registrable(r.domain) != home(case))


def reader_marked(case: Case, destination: Destination) -> Finding | None:
    """The reader's own address stands in the link, so that a page can greet its victim."""
    link = destination.link
    if case.mail is None or len(link.target) > 4000 or link.carrier == "form":
        return None
    low = link.target.lower()
    for address in _strangers(case):
        plain = address in low or ("%40" in low and address in unquote(low))
        coded = not plain and _coded(address, link.target)
        if not plain and not coded:
            continue
        if any(word in low or word in link.text.lower() for word in _LEAVING):
            return None
        # In the query it is what honest newsletters of old did: 58 of 240, against 9 of 400 phishing mails.
        if coded or address not in unquote(destination.final.query).lower():
            says = (
                f"A link to {destination.final.owner} carries the reader's own address for its page to show."
            )
            return Finding("links.reader-marked", "moderate", says)
    return None


@lru_cache(maxsize=64)
def _codes(address: str) -> tuple[str, str]:
    """The address in Base64 (without its end, which depends on what follows) and in hexadecimal."""
    return b64encode(address.encode()).decode().rstrip("=")[:-1], address.encode().hex()


def _coded(address: str, target: str) -> bool:
    return any(code in target for code in _codes(address))


def camera_code(_case: Case, destination: Destination) -> Finding | None:
    """The link stands in a picture for a camera to read."""
    if destination.link.carrier != "qr":
        return None
    says = f"A picture holds a code for the phone's camera that leads to {destination.final.owner}."
    return Finding("links.camera-code", "moderate", says)


def mail_button(case: Case, link: Link) -> Finding | None:
    """A link that writes a mail to someone other than the sender, under words that do not say so."""
    if link.target[:7].lower() != "mailto:" or link.carrier not in ("anchor", "image"):
        return None
    address = unquote(link.target[7:500].partition("?")[0]).strip().lower()
    domain = address.rpartition("@")[2]
    sender = home(case)
    words = link.text.lower()
    if "@" not in address or not sender or address in words or related(registrable(domain), sender):
        return None
    if "@" in words and "." in words and " " not in words.strip():
        says = f"A link shows the address {words.strip()[:60]} but writes to {address[:80]}."
        return Finding("links.shows-another-address", "moderate", says)
    if is_free_mail(domain) and not is_free_mail(sender):
        says = f"A button writes to {address[:80]}, a mailbox anyone can open, and not to the sender."
        return Finding("links.mail-button", "moderate", says)
    return None


def proven(case: Case) -> str | None:
    """The sender's domain, if the receiving server confirmed it."""
    from malafide.knowledge.authentication import aligned

    return aligned(case.mail) if case.mail is not None else None
