"""Case in, evidence out: who the stranger in a conversation claims to be, and where the links and handles lead."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from malafide.case import Case, Message, Span
from malafide.evidence import Evidence, Strength, observe
from malafide.knowledge.brands import mentions, owners
from malafide.knowledge.domains import Url, parse, readable, registrable
from malafide.knowledge.hosts import kinds, often_abused
from malafide.knowledge.identifiers import Identifier, identifiers
from malafide.knowledge.imitation import imitates
from malafide.tools import tool
from malafide.tools._chat import rule_evidence, said_by

_TOOL: Final = "claims"
_SURE: Final = frozenset({"letters", "address", "bait", "spelling"})
_LENT: Final = frozenset(
    {"shorteners", "redirectors", "wrappers", "pages", "blogs", "buckets", "forms", "files", "tenants"}
)


@tool(_TOOL)
def claims(case: Case) -> list[Evidence]:
    """Who the stranger in a conversation claims to be, and whether links, addresses and handles fit that."""
    found = rule_evidence(case, _TOOL)
    named = _named(case)
    seen: set[str] = set()
    for message, text in said_by(case, "stranger"):
        for item in identifiers(text):
            for evidence in _about(case, message, item, named):
                if evidence.kind not in seen:
                    seen.add(evidence.kind)
                    found.append(evidence)
        if message.verified and "claims.verified" not in seen and text.strip():
            seen.add("claims.verified")
            sentence = f"The platform vouches for the sender {message.sender[:40]!r}."
            at = Span(message.part, 0, min(len(text), 160))
            found.append(
                observe(
                    case,
                    at,
                    "claims.verified",
                    "authentication",
                    "strong",
                    sentence,
                    direction="genuine",
                    tool=_TOOL,
                )
            )
    return found


def _named(case: Case) -> dict[str, None]:
    """Organisations the stranger names, in order."""
    return {name: None for _, text in said_by(case, "stranger") for name in _names(text)}


@lru_cache(maxsize=20_000)
def _names(text: str) -> tuple[str, ...]:
    return tuple(mention.brand.name for mention in mentions(text[:2_000]) if not mention.common)


def official(url: Url) -> bool:
    """Whether the link stands at an organisation's own place, and not where strangers may write too."""
    return bool(owners(url.host)) and kinds(url.host, url.path).isdisjoint(_LENT) and not url.userinfo


def _about(case: Case, message: Message, item: Identifier, named: dict[str, None]) -> Iterator[Evidence]:
    if item.kind not in ("link", "email"):
        return
    url = parse(item.value if item.kind == "link" else "http://" + item.value.rpartition("@")[2])
    if not url.host:
        return
    at = Span(message.part, item.start, min(item.end, item.start + 160))

    def note(name: str, strength: Strength, sentence: str) -> Evidence:
        return observe(case, at, f"{_TOOL}.{name}", "link", strength, sentence, tool=_TOOL)

    imitation = imitates(url.host)
    if imitation is not None:
        strength: Strength = "strong" if imitation.manner in _SURE else "moderate"
        yield note(
            "look-alike", strength, f"{readable(url.host)} is made to be taken for {imitation.brand.name}."
        )
    elif item.kind == "link" and official(url):
        sentence = f"The link leads to the own place of {owners(url.host)[0].name}."
        yield observe(
            case,
            at,
            "claims.official-link",
            "authentication",
            "moderate",
            sentence,
            direction="genuine",
            tool=_TOOL,
        )
    elif url.numeric:
        yield note("ip-link", "strong", "The link leads to a bare number instead of a name.")
    elif item.kind == "link" and "shorteners" in kinds(url.host, url.path):
        yield note("short-link", "weak", f"A short link at {url.host} hides where it leads.")
    elif often_abused(url.host):
        yield note(
            "abused-ending",
            "moderate",
            f"{registrable(url.host)} has an ending that is mostly used to deceive.",
        )
    elif named and not owners(url.host):
        name = next(iter(named))
        yield note("foreign-link", "weak", f"{name} is named, but {registrable(url.host)} is not theirs.")
