"""Names and hosts in, organisations out: who is meant by a name, and whose a domain is.

The list is data (`data/brands.yml`). Names are looked for in folded text as whole words, all in one pass.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Any, Final

import ahocorasick_rs
import yaml

from malafide.folding import fold
from malafide.knowledge.domains import label, registrable
from malafide.knowledge.hosts import kinds, often_abused

_ANYWHERE: Final = frozenset({"com", "net", "org", "eu"})  # beside countries, what "label.*" covers
_OPEN_BRAND_TLDS: Final = frozenset({"ing"})  # a brand's name, but anyone may register there


@dataclass(frozen=True, slots=True)
class Brand:
    """An organisation: its usual name, every name, its domains, and the labels it holds in every country."""

    name: str
    sector: str
    names: tuple[str, ...]
    domains: tuple[str, ...]
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mention:
    """An organisation's name in a text. `common`: the name is also an ordinary word."""

    brand: Brand
    name: str
    start: int  # in the original text
    end: int
    common: bool


class _Directory:
    """The list, made ready for looking up."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.common = frozenset(fold(name.strip()).text for name in data.pop("common").split(","))
        self.near_words = frozenset(data.pop("near_words").split())
        self.brands = tuple(
            _brand(sector, str(names), domains)
            for sector, listed in data.items()
            for names, domains in listed.items()
        )
        self.by_domain: defaultdict[str, list[Brand]] = defaultdict(list)
        self.by_label: defaultdict[str, list[Brand]] = defaultdict(list)
        self.by_name: dict[str, Brand] = {}
        for brand in self.brands:
            for domain in brand.domains:
                self.by_domain[domain].append(brand)
            for held in brand.labels:
                self.by_label[held].append(brand)
            for name in brand.names:
                self.by_name.setdefault(fold(name).text, brand)
        self._spelling = {fold(name).text: name for brand in self.brands for name in brand.names}
        self._patterns = list(self.by_name)
        self._automaton = ahocorasick_rs.AhoCorasick(
            self._patterns, matchkind=ahocorasick_rs.MatchKind.LeftmostLongest
        )

    def mentions(self, text: str) -> list[Mention]:
        folded = fold(text)
        plain = folded.text
        found = []
        for index, start, end in self._automaton.find_matches_as_indexes(plain):
            if (start and plain[start - 1].isalnum()) or plain[end : end + 1].isalnum():
                continue
            first, last = folded.span(start, end)
            name = self._patterns[index]
            if not _spelled_right(self._spelling[name], text[first:last]):
                continue
            found.append(Mention(self.by_name[name], self._spelling[name], first, last, name in self.common))
        return found


def _brand(sector: str, names: str, domains: str) -> Brand:
    listed = domains.split()
    return Brand(
        name=names.partition(",")[0].strip(),
        sector=sector,
        names=tuple(name.strip() for name in names.split(",")),
        domains=tuple(domain for domain in listed if not domain.endswith(".*")),
        labels=tuple(domain[:-2] for domain in listed if domain.endswith(".*")),
    )


def _spelled_right(name: str, written: str) -> bool:
    """Short names in capitals are words in small letters (UPS and ups): they must stand in capitals."""
    return len(name) > 3 or not name.isupper() or written.isupper()


@cache
def directory() -> _Directory:
    """The list of organisations, loaded on first use."""
    source = resources.files("malafide.knowledge").joinpath("data/brands.yml").read_bytes()
    return _Directory(yaml.load(source, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)))


def mentions(text: str) -> list[Mention]:
    """The organisations named in a text, in order."""
    return directory().mentions(text)


@lru_cache(maxsize=8192)
def owners(host: str) -> tuple[Brand, ...]:
    """The organisations a host belongs to; empty for a host of nobody on the list."""
    lent = kinds(host)
    if not lent.isdisjoint(("pages", "blogs", "buckets")) or ("tenants" in lent and host.count(".") > 1):
        return ()  # what stands there is a stranger's, whoever runs the place
    listed = directory()
    name, most = host, 8
    while name and most:
        if name in listed.by_domain:
            return tuple(listed.by_domain[name])
        name, most = name.partition(".")[2], most - 1
    owner = registrable(host)
    held = listed.by_label.get(label(owner))
    if held and _own_everywhere(owner):
        return tuple(held)
    last = host.rpartition(".")[2]
    if "." in host and last in listed.by_label and last not in _OPEN_BRAND_TLDS:
        return tuple(listed.by_label[last])  # blog.google
    return ()


def _own_everywhere(owner: str) -> bool:
    """Whether the ending is one a worldwide organisation has registered: not .support, not .tk."""
    suffix = owner.partition(".")[2]
    first, _, last = suffix.rpartition(".")
    return suffix in _ANYWHERE or (len(last) == 2 and len(first) <= 3 and not often_abused(owner))


def owns(brand: Brand, host: str) -> bool:
    """Whether the host is the brand's, or of one that shares a domain with it (youtube.com, google.com)."""
    holders = owners(host)
    return brand in holders or any(not set(brand.domains).isdisjoint(holder.domains) for holder in holders)
