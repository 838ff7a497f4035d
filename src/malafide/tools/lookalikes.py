"""Case in, evidence out: hosts and senders whose name is made to be taken for an organisation's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from malafide.case import Case, Span
from malafide.evidence import Evidence, Strength, observe
from malafide.folding import fold
from malafide.knowledge.brands import directory, owners
from malafide.knowledge.domains import readable
from malafide.knowledge.hosts import kinds
from malafide.knowledge.imitation import Imitation, Manner, imitates
from malafide.tools import tool
from malafide.tools._destinations import Destination, by_host, destinations

_MOST: Final = 3
_MOST_HOSTS: Final = 60
_STRENGTH: Final[dict[Manner, Strength]] = {
    "letters": "strong",
    "spelling": "strong",
    "address": "strong",
    "bait": "strong",
    "lure": "moderate",
    "addition": "weak",
    "ending": "moderate",
    "subdomain": "weak",
}
_SAYS: Final[dict[Manner, str]] = {
    "letters": "{host} is written with look-alike letters to pass for {name}.",
    "spelling": "{host} is one letter away from {name}, whose name it is made to resemble.",
    "address": "{host} starts with {name}'s address but belongs to someone else.",
    "bait": "{host} joins {name}'s name with words of trust, but is not one of {name}'s domains.",
    "lure": "{host} joins {name}'s name with words that fit it, but is not one of {name}'s known domains.",
    "addition": "{host} carries {name}'s name but is not one of {name}'s known domains.",
    "ending": "{host} is {name}'s name under an ending that {name} is not known to use.",
    "subdomain": "{host} puts {name}'s name in front of a domain that is not {name}'s.",
}
_SIGN_IN: Final = (
    "login",
    "signin",
    "sign-in",
    "verif",
    "secure",
    "account",
    "update",
    "confirm",
    "auth",
    "webscr",
)


@tool("lookalikes")
def lookalikes(case: Case) -> list[Evidence]:
    """Names made to be taken for another's: in links and in the sender's address."""
    if case.mail is None:
        return []
    found: list[Evidence] = []
    for host, span in _hosts(case):
        imitation = imitates(host)
        if imitation is not None and len(found) < _MOST:
            found.append(_evidence(case, host, span, imitation))
    if len(found) < _MOST and (in_path := _in_path(case)) is not None:
        found.append(in_path)
    return found


def _hosts(case: Case) -> Iterator[tuple[str, Span]]:
    """Every host the reader may be led by, once each: the sender's first."""
    assert case.mail is not None
    seen: set[str] = set()
    for address in (case.mail.sender, case.mail.reply_to):
        if address is not None and address.domain and address.domain not in seen:
            seen.add(address.domain)
            yield address.domain, address.at
    for host, destination in list(by_host(case).items())[:_MOST_HOSTS]:
        if host not in seen and not destination.final.numeric:
            seen.add(host)
            yield host, destination.at


def _evidence(case: Case, host: str, span: Span, imitation: Imitation) -> Evidence:
    manner = imitation.manner
    strength = _STRENGTH[manner]
    if manner in ("subdomain", "addition") and not kinds(host).isdisjoint(("pages", "buckets")):
        strength = "moderate"  # a name that costs nothing and that anyone may choose
    if manner == "spelling" and _own_name(case, imitation):
        strength = "weak"
    says = _SAYS[manner].format(host=readable(host)[-80:], name=imitation.brand.name)
    return observe(case, span, f"lookalikes.{manner}", "impersonation", strength, says, tool="lookalikes")


def _own_name(case: Case, imitation: Imitation) -> bool:
    """Whether the sender goes by the odd spelling itself. An impostor shows the name it wants to be taken for."""
    sender = case.mail.sender if case.mail is not None else None
    shown = fold(sender.name).text if sender is not None else ""
    names = [fold(name).text for name in imitation.brand.names]
    return imitation.piece.lower() in shown and not any(name in fold(case.reading).text for name in names)


def _in_path(case: Case) -> Evidence | None:
    """An organisation's name inside the path of a stranger's site, beside a word for signing in."""
    for destination in destinations(case):
        url = destination.final
        if len(url.path) < 5 or not url.web or owners(url.host):
            continue
        path = url.path.lower()[:300]
        if any(word in path for word in _SIGN_IN) and (name := _named_in(path)):
            return _path_evidence(case, destination, name)
    return None


def _named_in(path: str) -> str:
    known = directory()
    for piece in path.replace("-", "/").replace("_", "/").replace(".", "/").split("/")[:20]:
        if len(piece) >= 4 and piece in known.by_name and piece not in known.common:
            return known.by_name[piece].name
    return ""


def _path_evidence(case: Case, destination: Destination, name: str) -> Evidence:
    says = (
        f"A link names {name} and signing in, but leads to {destination.final.owner}, which is not {name}'s."
    )
    return observe(
        case, destination.at, "lookalikes.path", "impersonation", "moderate", says, tool="lookalikes"
    )
