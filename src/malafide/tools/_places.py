"""One link target in, what is odd about the place out: the checks of `links` that need no context."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from malafide.evidence import Strength
from malafide.knowledge.domains import Url, label, readable
from malafide.knowledge.hosts import kinds, often_abused


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check saw: the evidence without its place."""

    kind: str
    strength: Strength
    sentence: str


_PRIVATE: Final = ("10.", "127.", "192.168.", "169.254.", "0.")
_PROGRAMS: Final = (
    ".exe", ".scr", ".pif", ".bat", ".cmd", ".vbs", ".js", ".jse", ".wsf", ".hta", ".msi", ".jar", ".apk",
    ".ps1", ".lnk", ".iso", ".img", ".vhd", ".chm", ".reg", ".docm", ".xlsm", ".one", ".appx", ".msix",
)  # fmt: skip
_ARCHIVES: Final = (".zip", ".rar", ".7z", ".ace", ".cab", ".r01")
_BORROWED: Final = (
    "/wp-content/plugins/",
    "/wp-content/themes/",
    "/wp-includes/",
    "/wp-admin/",
    "/.well-known/",
)
_ASSETS: Final = (
    ".css",
    ".js",
    ".png",
    ".jpg",
    ".jpeg",
    ".gif",
    ".svg",
    ".webp",
    ".ico",
    ".woff",
    ".woff2",
    ".txt",
)


def _ip_host(url: Url) -> Finding | None:
    if not url.numeric or url.host.startswith(_PRIVATE):
        return None
    if url.disguised:
        says = f"A link leads to a bare number ({url.host}) written so that it is hard to recognise as one."
        return Finding("links.disguised-address", "strong", says)
    says = f"A link leads to the bare number {url.host} instead of a named site; organisations use names."
    return Finding("links.ip-host", "moderate", says)


def _odd_port(url: Url) -> Finding | None:
    if url.port is None or url.port in (80, 443, 8080, 8443, 8000, 21):
        return None
    says = f"A link goes through the unusual door {url.port} of {url.host}, as makeshift servers do."
    return Finding("links.odd-port", "weak", says)


def _userinfo(url: Url) -> Finding | None:
    if not url.userinfo or url.scheme == "ftp":
        return None
    if "." in url.userinfo:
        front = url.userinfo[:60]
        says = f"A link seems to lead to {front}, but all before the @ is ignored: it leads to {url.host}."
        return Finding("links.false-front", "strong", says)
    says = f"A link carries a user name before its real host {url.host}, which hides where it leads."
    return Finding("links.user-name", "weak", says)


def _borrowed_place(url: Url) -> Finding | None:
    where = kinds(url.host, url.path)
    host = readable(url.host)
    if "shorteners" in where and url.path not in ("", "/"):
        return Finding(
            "links.shortener", "weak", f"A link is shortened through {host}, so it hides where it leads."
        )
    if "forms" in where:
        says = f"A link leads to a form at {host}, where anyone can make one and collect what is typed."
        return Finding("links.free-form", "moderate", says)
    if "buckets" in where:
        says = f"A link leads to rented storage at {host}, where anyone can put a page without giving a name."
        return Finding("links.storage-page", "moderate", says)
    if "pages" in where:
        says = f"A link leads to {host}, where anyone can publish a page for free and without giving a name."
        return Finding("links.free-page", "weak", says)
    if "blogs" in where:
        return Finding(
            "links.home-page", "slight", f"A link leads to {host}, where anyone can keep a page for free."
        )
    if "files" in where:
        return Finding(
            "links.shared-file", "slight", f"A link leads to a file or document shared by someone at {host}."
        )
    return None


def _foreign_letters(url: Url) -> Finding | None:
    if "xn--" not in url.host:
        return None
    shown = readable(url.host)
    scripts = {
        "latin" if character.isascii() else "other" for character in label(shown) if character.isalpha()
    }
    if len(scripts) > 1 and any(0x370 <= ord(c) < 0x590 for c in shown):
        says = f"The name {shown} mixes letters of different alphabets, so that it can pass for another."
        return Finding("links.mixed-alphabets", "strong", says)
    return Finding(
        "links.foreign-letters", "slight", f"The site's name {shown} is written with letters beyond a to z."
    )


def _deep_host(url: Url) -> Finding | None:
    if url.numeric or "buckets" in kinds(url.host):
        return None
    before = url.host[: -len(url.owner)].count(".")
    if before >= 4 or (len(url.host) > 60 and before >= 1):
        says = f"The address has {before} names in front of {url.owner}, which push the owner out of sight."
        return Finding("links.long-host", "weak", says)
    return None


def _random_name(url: Url) -> Finding | None:
    """On the 10,000 most visited domains 10 hits. Runs of consonants were tried: 70 hits, left out."""
    name = label(url.owner)
    if url.numeric or len(name) < 7 or name.startswith("xn--"):
        return None
    digits = [character.isdigit() for character in name if character != "-"]
    changes = sum(a != b for a, b in pairwise(digits))
    if (changes >= 3 and sum(digits) >= 2) or sum(digits) >= 6:
        says = f"The name {url.owner} looks made up by a machine, as throw-away sites are."
        return Finding("links.random-name", "weak", says)
    return None


def _cheap_ending(url: Url) -> Finding | None:
    if url.numeric or not often_abused(url.host):
        return None
    says = f"A link leads to {url.owner}, under an ending where many throw-away names are registered."
    return Finding("links.cheap-ending", "weak", says)


def _download(url: Url) -> Finding | None:
    path = url.path.lower()
    if path.endswith(_PROGRAMS) and "/" in path:
        name = path.rpartition("/")[2][-60:]
        says = f"A link downloads {name}, a file that can run programs, from {url.host}."
        return Finding("links.program", "moderate", says)
    if path.endswith(_ARCHIVES):
        return Finding("links.archive", "slight", f"A link downloads a packed file from {url.host}.")
    return None


def _borrowed_site(url: Url) -> Finding | None:
    path = url.path.lower()
    if not any(place in path for place in _BORROWED) or path.endswith(_ASSETS):
        return None
    says = f"A link leads into the inner workings of the site {url.host}, where intruders leave their pages."
    return Finding("links.borrowed-site", "moderate", says)


def _script(url: Url) -> Finding | None:
    if url.scheme == "data" and (
        "html" in url.path[:40] or "svg" in url.path[:40] or "script" in url.path[:40]
    ):
        says = "A link opens a page that is hidden inside the link itself."
        return Finding("links.page-in-link", "strong", says)
    if url.scheme in ("javascript", "vbscript") and len(url.path) > 25:
        return Finding("links.script", "weak", "A link runs a program instead of leading to a page.")
    if url.scheme == "file" and url.host and url.host != "localhost":
        says = f"A link opens a file on the strange computer {url.host}, which can give away a password."
        return Finding("links.file-share", "moderate", says)
    return None


_OF_HOST: Final[tuple[Callable[[Url], Finding | None], ...]] = (
    _ip_host, _odd_port, _foreign_letters, _deep_host, _random_name, _cheap_ending,
)  # fmt: skip
_OF_PATH: Final[tuple[Callable[[Url], Finding | None], ...]] = (
    _userinfo, _borrowed_place, _download, _borrowed_site,
)  # fmt: skip


def odd_host(url: Url) -> Iterator[Finding]:
    """What is odd about the host alone: asked once for each host."""
    return (finding for check in _OF_HOST if (finding := check(url)))


def odd_path(url: Url) -> Iterator[Finding]:
    """What is odd about this address: asked for each."""
    if not url.web:
        return (finding for finding in (_script(url),) if finding)
    return (finding for check in _OF_PATH if (finding := check(url)))
