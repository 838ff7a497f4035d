"""Hosts in, what kind of place they are out: shorteners, free pages, free mail, redirectors and targets.

The lists are data (`data/hosts.yml`); they say what anyone can do at a host, never that it is bad.
"""

from __future__ import annotations

import binascii
from base64 import urlsafe_b64decode
from collections import defaultdict
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Any, Final, Literal, get_args
from urllib.parse import unquote

import yaml

from malafide.knowledge.domains import Url, parse, registrable

HostKind = Literal[
    "shorteners",
    "redirectors",
    "wrappers",
    "pages",
    "blogs",
    "tenants",
    "buckets",
    "forms",
    "files",
    "free_mail",
    "disposable",
    "trackers",
]
_KINDS: Final = frozenset(get_args(HostKind))
_MOST_HOPS: Final = 4  # wrappings of one link that are taken off
_MOST_PARAMETERS: Final = 40


@dataclass(frozen=True, slots=True)
class _Entry:
    """One line of the lists: this kind, below this path, with the parameters that hold the real target."""

    kind: HostKind
    path: str
    parameters: tuple[str, ...] = ()


@cache
def _lists() -> tuple[dict[str, list[_Entry]], frozenset[str]]:
    """Every host's entries, and the endings that are often abused."""
    source = resources.files("malafide.knowledge").joinpath("data/hosts.yml").read_bytes()
    data: dict[str, Any] = yaml.load(source, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    entries: defaultdict[str, list[_Entry]] = defaultdict(list)
    for kind in _KINDS:
        listed = data[kind]
        lines = listed.items() if isinstance(listed, dict) else ((word, "") for word in listed.split())
        for place, parameters in lines:
            host, slash, path = place.partition("/")
            entries[host].append(_Entry(kind, slash + path, tuple(parameters.replace('"', "").split())))
    return dict(entries), frozenset(data["abused_tlds"].split())


@lru_cache(maxsize=8192)
def _entries(host: str) -> tuple[_Entry, ...]:
    """The entries of a host and of everything it stands below, nearest first."""
    listed, _ = _lists()
    found: list[_Entry] = []
    name, most = host, 8
    while name and most:
        found.extend(listed.get(name, ()))
        name, most = name.partition(".")[2], most - 1
    owner = registrable(host)
    any_suffix = owner.partition(".")[0] + ".*"
    found.extend(listed.get(any_suffix, ()))
    if host != owner:
        found.extend(listed.get(host[: -len(owner)] + any_suffix, ()))
    return tuple(found)


@lru_cache(maxsize=8192)
def kinds(host: str, path: str = "") -> frozenset[HostKind]:
    """What kinds of place a host is (with that path, where the list cares)."""
    return frozenset(entry.kind for entry in _entries(host) if path.startswith(entry.path))


def is_free_mail(domain: str) -> bool:
    """Whether anyone can have a mailbox there."""
    exact = domain == registrable(domain) or domain in _lists()[0]
    return exact and not kinds(domain).isdisjoint(("free_mail", "disposable"))


def often_abused(host: str) -> bool:
    """Whether the host's ending is one under which many bad names are registered."""
    head, _, last = host.rpartition(".")
    abused = _lists()[1]
    return last in abused or f"{head.rpartition('.')[2]}.{last}" in abused


def unwrap(url: Url) -> tuple[Url, ...]:
    """Where a known redirector or wrapper leads, hop by hop, from its address alone; () for other links."""
    chain: list[Url] = []
    while len(chain) < _MOST_HOPS:
        inner = _inside(url)
        if inner is None or inner == url or not inner.host:
            break
        chain.append(inner)
        url = inner
    return tuple(chain)


def _inside(url: Url) -> Url | None:
    for entry in _entries(url.host):
        if not entry.parameters or not url.path.startswith(entry.path):
            continue
        for name in entry.parameters:
            target = _anywhere(url) if name == "*" else _decode(_value(url, name))
            if target:
                return parse(target)
    return None


def _value(url: Url, name: str) -> str:
    """The parameter of that name, or for "/2" the second piece of the path."""
    if name.startswith("/"):
        return "".join(url.path.split("/", 9)[int(name[1:]) : int(name[1:]) + 1])
    for pair in (
        url.query.replace("&amp;", "&").replace(";", "&").split("&", _MOST_PARAMETERS)[:_MOST_PARAMETERS]
    ):
        key, _, value = pair.partition("=")
        if key == name:
            return value
    return ""


def _decode(value: str) -> str:
    """A parameter as an address: percent-encoded, with Proofpoint's dashes, or Bing's Base64 after "a1"."""
    plain = unquote(value)
    if plain.startswith("a1"):
        try:
            return urlsafe_b64decode(plain[2:] + "=" * (-len(plain[2:]) % 4)).decode("utf-8", "replace")
        except (binascii.Error, ValueError):
            return ""
    if plain.startswith(("http-3A", "https-3A")):
        return unquote(plain.replace("-", "%").replace("_", "/"))
    return plain if "." in plain else ""


def _anywhere(url: Url) -> str:
    """The first address that stands inside the path or query."""
    text = unquote(f"{url.path}?{url.query}" if url.query else url.path)
    starts = [i for i in (text.find("http:/"), text.find("https:/")) if i >= 0]
    if not starts:
        return text.partition("/amp/s/")[2]
    return text[min(starts) :].partition("__;")[0]
