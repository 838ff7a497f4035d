"""Hosts in, what place they are out: a newsroom, an institution, satire, anyone's page, or made to pass for another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Final, Literal

import yaml

from malafide.folding import fold
from malafide.knowledge.domains import Url, label, readable, registrable
from malafide.knowledge.hosts import kinds, often_abused
from malafide.knowledge.imitation import imitates, skeleton

Place = Literal[
    "newsroom", "checker", "institution", "satire", "look-alike", "user-content", "shortener", "address",
    "abused-ending", "platform", "unlisted",
]  # fmt: skip

# How reliable a place is as a source; None: the place says nothing about it. A listed name is no proof, so nothing
# is near 1; a look-alike deceives about who speaks, so it is near 0.
RELIABILITY: Final[Mapping[Place, float | None]] = {
    "newsroom": 0.8,
    "checker": 0.9,
    "institution": 0.85,
    "satire": None,
    "look-alike": 0.05,
    "user-content": 0.4,
    "shortener": None,
    "address": 0.15,
    "abused-ending": 0.3,
    "platform": None,
    "unlisted": None,
}
_PLATFORMS: Final = frozenset(
    "twitter.com x.com facebook.com instagram.com youtube.com youtu.be tiktok.com reddit.com linkedin.com t.me "
    "telegram.me vk.com threads.net bsky.app mastodon.social pinterest.com snapchat.com whatsapp.com twitch.tv".split()
)
_OFFICIAL: Final = ("gov", "mil", "int", "edu")
_SHORTEST: Final = 5  # letters of a name that is looked for inside others


@dataclass(frozen=True, slots=True)
class Outlet:
    """What a link leads to. `passes_for` names whom a look-alike imitates."""

    host: str
    place: Place
    passes_for: str = ""

    @property
    def sentence(self) -> str:
        return _SENTENCES[self.place].format(host=readable(self.host), other=self.passes_for)


_SENTENCES: Final[Mapping[Place, str]] = {
    "newsroom": "It links to {host}, a long-standing newsroom.",
    "checker": "It links to {host}, which checks claims for a living.",
    "institution": "It links to {host}, a public or scientific institution.",
    "satire": "It links to {host}, which makes up news for laughs.",
    "look-alike": "It links to {host}, which is made to be taken for {other}.",
    "user-content": "It links to {host}, where anyone can put up a page.",
    "shortener": "It links to {host}, a short address that hides where it leads.",
    "address": "It links to a bare number instead of a name: {host}.",
    "abused-ending": "It links to {host}, under an ending that is often abused.",
    "platform": "It links to {host}, where anyone posts: that says nothing about who did.",
    "unlisted": "It links to {host}, about which nothing is known; its age is unknown too.",
}


@cache
def _listed() -> dict[str, Place]:
    source = resources.files("malafide.signals").joinpath("data/outlets.yml").read_bytes()
    document: dict[str, str] = yaml.load(source, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    names: dict[str, Place] = {
        "newsrooms": "newsroom", "checkers": "checker", "institutions": "institution", "satire": "satire",
    }  # fmt: skip
    return {host: names[kind] for kind, hosts in document.items() for host in hosts.split()}


@cache
def _labels() -> dict[str, str]:
    """The names of newsrooms and checkers, each with its address."""
    return {
        label(registrable(host)): registrable(host)
        for host, place in _listed().items()
        if place in ("newsroom", "checker") and registrable(host) != "go.com"
    }


def outlet(url: Url) -> Outlet:
    """What place a link leads to."""
    if url.numeric:
        return Outlet(url.host, "address")
    return _outlet(url.host, url.path)


@lru_cache(maxsize=4096)
def _outlet(host: str, path: str) -> Outlet:
    name = host
    while "." in name:
        if name in _listed():
            return Outlet(host, _listed()[name])
        name = name.partition(".")[2]
    suffix = registrable(host).partition(".")[2]
    if suffix in _OFFICIAL or suffix.split(".")[0] in ("gov", "gob", "gouv", "gv", "ac", "edu", "mil"):
        return Outlet(host, "institution")
    if registrable(host) in _PLATFORMS:
        return Outlet(host, "platform")
    places = kinds(host, path)
    if "shorteners" in places:
        return Outlet(host, "shortener")
    other = _imitated(host)
    if other:
        return Outlet(host, "look-alike", other)
    if not places.isdisjoint(("pages", "blogs", "tenants", "buckets", "forms", "files")):
        return Outlet(host, "user-content")
    return Outlet(host, "abused-ending" if often_abused(host) else "unlisted")


def _imitated(host: str) -> str:
    """The address of the newsroom or brand that a host passes for, or ""."""
    owner = registrable(host)
    shown = readable(label(owner))
    plain = fold(shown).text
    known = _labels()
    if plain in known and len(plain) >= 3 and (owner != known[plain]):
        # cnn.com.co, or the same name in other letters; under another country it may be another's of that name
        suffix = owner.partition(".")[2]
        fashion = len(suffix) > 3 and "." not in suffix
        if (
            shown.lower() != plain
            or suffix in _DISGUISES
            or often_abused(owner)
            or (fashion and len(plain) >= _SHORTEST)
        ):
            return known[plain]
    pieces = [piece for piece in plain.replace("_", "-").split("-") if piece]
    for piece in pieces if len(pieces) > 1 else ():
        if piece in known and any(
            other in _NEWSY or other in _COUNTRIES for other in pieces if other != piece
        ):
            return known[piece]
    before = host[: -len(owner)].rstrip(".")
    for listed in known.values():  # bbc.co.uk.example.com
        if before == listed or before.endswith("." + listed) or before.startswith(listed + "."):
            return listed
    if len(plain) > _SHORTEST:
        spelled = skeleton(plain)
        for word, address in known.items():
            if word in _ORDINARY or word == plain or len(word) <= _SHORTEST:
                continue
            if skeleton(word) == spelled or _slip(plain, word):
                return address
    found = imitates(host)
    return found.brand.domains[0] if found and found.manner in ("letters", "address", "bait") else ""


# Endings that read like the ending of somebody else: bbc.com.co, lemonde.us.com.
_DISGUISES: Final = frozenset("com.co co.com com.de us.com uk.com eu.com de.com us.org ru.com cn.com".split())
# Names that are words, or one letter from one: a name like them is no imitation.
_ORDINARY: Final = frozenset(
    "expresso nation standaard observador independent boomlive reforma publico clarin".split()
)
_NEWSY: Final = frozenset("news online live today daily breaking report press world media".split())
_COUNTRIES: Final = frozenset("us uk usa de fr es eu asia africa america".split())


def _slip(plain: str, word: str) -> bool:
    from rapidfuzz.distance import OSA

    return plain[0] == word[0] and OSA.distance(plain, word, score_cutoff=1) == 1
