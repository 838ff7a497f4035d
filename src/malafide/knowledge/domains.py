"""Link targets in, hosts and their owners out: reads what a browser would open, however it is written.

Nothing here raises on hostile text and nothing is looked up on a network. The split follows what browsers do
with a bad address (backslashes, missing slashes, user names, encoded hosts, numbers for addresses), because
that is where the reader would end.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final
from urllib.parse import unquote

from malafide.folding import ZERO_WIDTH

MAX_TARGET: Final = 8192  # characters of a target that are read; browsers stop far below
MAX_HOST: Final = 253  # what DNS allows
_WEB: Final = frozenset({"http", "https", "ftp", "ws", "wss"})
_CONTROLS: Final = "".join(map(chr, range(33)))
_DOTS: Final = str.maketrans({"。": ".", "．": ".", "｡": "."})
_DIGITS: Final = frozenset("0123456789")
_HEX: Final = frozenset("0123456789abcdef")


@dataclass(frozen=True, slots=True)
class Url:
    """A link target taken apart. `host` is lower case and in ASCII form (xn--...); "" when there is none."""

    scheme: str  # lower case; "" when none was written
    host: str
    port: int | None
    userinfo: str
    path: str
    query: str
    fragment: str
    numeric: bool = False  # the host is an IP address
    disguised: bool = False  # ... written as one number, in hexadecimal or octal, or with its letters encoded

    @property
    def owner(self) -> str:
        return registrable(self.host)

    @property
    def web(self) -> bool:
        return bool(self.host) and self.scheme in ("http", "https", "")


@lru_cache(maxsize=4096)
def parse(target: str) -> Url:
    """The target as a browser would read it."""
    text = target[:MAX_TARGET].strip(_CONTROLS)
    if "\n" in text or "\t" in text or "\r" in text:
        text = text.replace("\n", "").replace("\t", "").replace("\r", "")
    scheme, rest = _split_scheme(text)
    if scheme and scheme not in _WEB and not rest.startswith("//"):
        return Url(scheme, "", None, "", rest, "", "")
    if not scheme and not rest.startswith(("//", "\\\\")) and not _starts_with_host(rest):
        return Url("", "", None, "", rest, "", "")
    rest = rest.lstrip("/\\") if scheme in _WEB or not scheme else rest[2:]
    cut = min((i for i in map(rest.find, "/\\?#") if i >= 0), default=len(rest))
    authority, rest = rest[:cut], rest[cut:]
    rest, _, fragment = rest.partition("#")
    path, _, query = rest.partition("?")
    userinfo, _, place = authority.rpartition("@")
    host, port = _split_port(place)
    host, numeric, disguised = _clean_host(host)
    return Url(scheme, host, port, userinfo, path.replace("\\", "/"), query, fragment, numeric, disguised)


def _split_scheme(text: str) -> tuple[str, str]:
    scheme, colon, rest = text.partition(":")
    if not colon or not scheme[:1].isalpha() or not scheme.isascii():
        return "", text
    if not scheme.replace("+", "").replace("-", "").replace(".", "").isalnum():
        return "", text
    scheme = scheme.lower()
    if scheme not in _WEB and ("." in scheme or rest[:1] in _DIGITS) and scheme != "tel":
        return "", text  # example.com:8080/page
    return scheme, rest


def _starts_with_host(text: str) -> bool:
    """Whether a target without scheme is a host (www.example.com/page), not a path (page.html) or a word."""
    cut = min((i for i in map(text.find, "/\\?#") if i >= 0), default=len(text))
    host = text[:cut].partition(":")[0]
    return "." in host and "@" not in host and " " not in host and known_suffix(host.lower())


def _split_port(place: str) -> tuple[str, int | None]:
    host, colon, digits = place.rpartition(":")
    if not colon or "]" in digits:
        return place, None
    if digits.isascii() and digits.isdigit():
        return host, int(digits[:6])
    return host, None


def _clean_host(host: str) -> tuple[str, bool, bool]:
    """The host in one spelling, whether it is an IP address, and whether that was disguised."""
    if host.startswith("["):
        return host.lower().strip("[]")[:MAX_HOST], True, False
    encoded = "%" in host
    if encoded:
        host = unquote(host)
    if not host.isascii():
        host = unicodedata.normalize("NFKC", host[: 4 * MAX_HOST].translate(_DOTS))
        host = "".join(c for c in host if c not in ZERO_WIDTH)
        host = ".".join(_to_ascii(label) for label in host.lower().split(".")[-20:])
    host = (host.split() or [""])[0].strip(".").lower()[-MAX_HOST:]
    address = _ip_address(host)
    if address is not None:
        return address, True, encoded or address != host
    return host, False, False


def _to_ascii(label: str) -> str:
    if label.isascii():
        return label
    try:
        return "xn--" + label[:63].encode("punycode").decode("ascii")
    except UnicodeError:
        return label


def _ip_address(host: str) -> str | None:
    """The dotted form of an IPv4 address in any of the spellings browsers accept, or None."""
    if not host or host[-1] not in _HEX or host[0] not in _DIGITS:
        return None
    numbers: list[int] = []
    for piece in host.split(".", 4):
        number = _number(piece)
        if number is None:
            return None
        numbers.append(number)
    *heads, last = numbers
    if len(numbers) > 4 or any(n > 255 for n in heads) or last >= 256 ** (5 - len(numbers)):
        return None
    value = last
    for position, head in enumerate(heads):
        value += head << (8 * (3 - position))
    return ".".join(str(value >> shift & 255) for shift in (24, 16, 8, 0))


def _number(piece: str) -> int | None:
    if not piece or len(piece) > 14 or not piece.isascii():
        return None
    if piece.startswith("0x"):
        return int(piece[2:] or "0", 16) if _HEX.issuperset(piece[2:]) else None
    if not piece.isdigit():
        return None
    if piece[0] == "0" and len(piece) > 1:
        return int(piece, 8) if set(piece) <= set("01234567") else None
    return int(piece)


@cache
def _suffixes() -> Any:
    """The public suffix list with private suffixes. Loading takes 90 ms, so not before it is needed."""
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList()


@lru_cache(maxsize=16384)
def registrable(host: str) -> str:
    """What one owner registered of a host: example.co.uk, someone.github.io; else the host itself."""
    host = host.strip(".").lower()[-MAX_HOST:]
    if not host or ":" in host or _ip_address(host) is not None:
        return host
    if not host.isascii():
        host = ".".join(_to_ascii(label) for label in host.split("."))
    if host.count(".") > 10:
        host = ".".join(host.split(".")[-11:])
    owner = _suffixes().privatesuffix(host)
    return str(owner) if owner else host


@lru_cache(maxsize=4096)
def known_suffix(host: str) -> bool:
    """Whether the host ends in a suffix that exists (not report.pdf). The reserved ones count."""
    last = host.rstrip(".").rpartition(".")[2]
    if last in ("test", "example", "invalid", "localhost"):
        return True
    if not last.isascii():
        last = _to_ascii(last)
    return _suffixes().publicsuffix(last, accept_unknown=False) is not None


def label(owner: str) -> str:
    """The name somebody chose: "example" of example.co.uk."""
    return owner.partition(".")[0]


@lru_cache(maxsize=4096)
def readable(host: str) -> str:
    """The host as a browser might show it: xn-- labels in their own letters."""
    if "xn--" not in host:
        return host
    return ".".join(_from_ascii(piece) for piece in host.split("."))


def _from_ascii(piece: str) -> str:
    if not piece.startswith("xn--") or len(piece) > 63:
        return piece
    try:
        return piece[4:].encode("ascii").decode("punycode")
    except (UnicodeError, ValueError):
        return piece
