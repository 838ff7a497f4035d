"""Case in, evidence out: whose document it claims to be, against where its links and numbers lead."""

from __future__ import annotations

from typing import Final

from malafide.case import Case, Part, Span
from malafide.evidence import Evidence, Strength, observe
from malafide.knowledge.brands import Mention, mentions, owns
from malafide.knowledge.numbers import extract
from malafide.tools import tool
from malafide.tools._destinations import by_host

_TOOL: Final = "letterhead"
_HEAD: Final = 200  # characters at the top of the first page: where a sender puts its name
_READ: Final = 3_000
_MOST_NAMED: Final = 3  # organisations named: more is a report about them
_BILLED: Final = (
    "charged", "debited", "renew", "invoice", "purchase", "payment", "refund", "order", "subscription", "abgebucht",
    "débité", "cargo", "cobrad",
)  # fmt: skip
_CALL: Final = (
    "call",
    "dial",
    "toll",
    "helpline",
    "help desk",
    "contact us at",
    "rufen",
    "appelez",
    "llame",
    "ligue",
)


@tool(_TOOL)
def letterhead(case: Case) -> list[Evidence]:
    """Whose document it claims to be, against where its links and numbers lead."""
    first = next((part for part in case.of_role("body") if part.text.strip()), None)
    if case.document is None or first is None:
        return []
    named = [m for m in mentions(first.text[:_READ]) if not m.common]
    brands = {m.brand.name: m for m in reversed(named)}
    if not named or len(brands) > _MOST_NAMED:
        return []
    hosts = by_host(case)
    if hosts:
        return _led(case, first, list(brands.values()), list(hosts))
    return _called(case, first, min(named, key=lambda m: m.start))


def _led(case: Case, part: Part, named: list[Mention], hosts: list[str]) -> list[Evidence]:
    """Links: to the one who is named, or all of them elsewhere."""
    for mention in named:
        if all(owns(mention.brand, host) for host in hosts):
            says = f"Every link leads to {mention.brand.name}, whose name the document bears."
            return [_evidence(case, part, mention, "own-links", "weak", says, genuine=True)]
    if any(owns(mention.brand, host) for mention in named for host in hosts):
        return []
    mention = min(named, key=lambda m: m.start)
    where = next(iter(by_host(case).values())).final.owner
    says = f"The document bears the name of {mention.brand.name}, but its links lead to {where}."
    strength: Strength = "moderate" if mention.start < _HEAD else "slight"
    return [_evidence(case, part, mention, "links-elsewhere", strength, says)]


def _called(case: Case, part: Part, mention: Mention) -> list[Evidence]:
    """A known company's bill that offers nothing but a number to call: it would show its own site."""
    low = part.text[:_READ].lower()
    if mention.start >= _HEAD or not any(w in low for w in _BILLED) or not any(w in low for w in _CALL):
        return []
    if not extract(part.text[:_READ], ("phone",)):
        return []
    name = mention.brand.name
    says = f"A bill in the name of {name} offers a number to call and nothing that leads to {name}."
    return [_evidence(case, part, mention, "bill-to-call-about", "moderate", says)]


def _evidence(
    case: Case,
    part: Part,
    mention: Mention,
    name: str,
    strength: Strength,
    says: str,
    *,
    genuine: bool = False,
) -> Evidence:
    return observe(
        case, Span(part.name, mention.start, mention.end), f"{_TOOL}.{name}",
        "transaction" if genuine else "impersonation", strength, says,
        direction="genuine" if genuine else "deceptive", tool=_TOOL,
    )  # fmt: skip
