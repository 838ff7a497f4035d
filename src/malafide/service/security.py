"""Requests in, who asks out: tokens, scopes, how often, from where. Nothing is answered before this was asked."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from fastapi import Depends, Request

from malafide.errors import BadAddress, NotAllowed, NotKnown, TooOften
from malafide.service.choices import ServiceSettings
from malafide.store import Scope, Token
from malafide.store.tokens import SCOPES

if TYPE_CHECKING:
    from malafide.service.desk import Desk

SESSION_COOKIE: Final = "malafide_session"
CSRF_COOKIE: Final = "malafide_csrf"
CSRF_HEADER: Final = "x-csrf-token"
SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
# Says nothing about any case, or is how one gets in.
OPEN: Final = frozenset({"/healthz", "/readyz", "/openapi.json", "/login", "/v1/session", "/favicon.ico"})
OPEN_FOLDERS: Final = ("/static/",)
_REMEMBERED: Final = 2.0  # seconds that what the store says of a token holds: so soon does revoking it work
_MOST_REMEMBERED: Final = 1_000
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks, and what they may."""

    name: str
    scopes: frozenset[str]
    token: str = ""  # its id; empty where no token is needed

    def may(self, scope: Scope) -> bool:
        return scope in self.scopes or "admin" in self.scopes


LOCAL: Final = Caller("local", frozenset(SCOPES))


def needs(scope: Scope) -> Callable[[Request], Awaitable[Caller]]:
    """A dependency of a route: the caller, who may do this."""

    async def check(request: Request) -> Caller:  # not a plain function: the framework runs those in threads
        caller: Caller | None = request.state.caller
        if caller is None:
            raise NotKnown("show a token: Authorization: Bearer mf_...")
        if not caller.may(scope):
            raise NotAllowed(f"this needs the scope {scope!r}, and the token has {_listed(caller.scopes)}")
        return caller

    check.scope = scope  # type: ignore[attr-defined]
    return check


READ, SUBMIT, REVIEW, ADMIN = (Depends(needs(scope)) for scope in SCOPES)


def _listed(scopes: frozenset[str]) -> str:
    return ", ".join(sorted(scopes))


class Gatekeeper:
    """Finds out who asks. Belongs to the web loop."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._known: dict[str, tuple[float, Token | None]] = {}
        self._guarded: tuple[float, bool] = (0.0, False)
        self._spent: dict[str, Bucket] = {}

    async def guarded(self) -> bool:
        """Whether a token is needed: always off loopback, and there as soon as one exists."""
        if not self._desk.settings.on_loopback:
            return True
        until, answer = self._guarded
        now = time.monotonic()
        if now >= until:
            tokens = await self._desk.ask(self._desk.store.tokens)
            answer = any(token.revoked_at is None for token in tokens)
            self._guarded = (now + _REMEMBERED, answer)
        return answer

    async def caller(self, headers: Mapping[bytes, bytes], cookies: Mapping[str, str]) -> Caller | None:
        """Who asks; None when nobody may be told."""
        if not await self.guarded():
            return LOCAL
        secret = bearer(headers) or cookies.get(SESSION_COOKIE, "")
        token = await self.token(secret) if secret else None
        if token is None:
            return None
        self._count(token)
        return Caller(token.name, frozenset(token.scopes), token.id)

    async def token(self, secret: str) -> Token | None:
        digest = hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
        until, known = self._known.get(digest, (0.0, None))
        now = time.monotonic()
        if now >= until:
            if len(self._known) >= _MOST_REMEMBERED:
                self._known.clear()
            known = await self._desk.ask(self._desk.store.token_of, secret)
            self._known[digest] = (now + _REMEMBERED, known)
        return known

    def _count(self, token: Token) -> None:
        bucket = self._spent.get(token.id)
        if bucket is None or bucket.per_minute != token.per_minute:
            bucket = self._spent[token.id] = Bucket(token.per_minute)
        if (wait := bucket.take(time.monotonic())) > 0:
            raise TooOften(
                f"the token may ask {token.per_minute:,} times a minute; ask again in {wait:.0f} seconds"
            )


class Bucket:
    """Fills steadily with as much as a minute allows, and holds no more than that."""

    def __init__(self, per_minute: int) -> None:
        self.per_minute = per_minute
        self._left = float(per_minute)
        self._when = time.monotonic()

    def take(self, now: float) -> float:
        """0 when one was taken, otherwise the seconds until one can be."""
        self._left = min(float(self.per_minute), self._left + (now - self._when) * self.per_minute / 60.0)
        self._when = now
        if self._left < 1.0:
            return max(1.0, (1.0 - self._left) * 60.0 / self.per_minute)
        self._left -= 1.0
        return 0.0


def bearer(headers: Mapping[bytes, bytes]) -> str:
    """The secret of an Authorization header."""
    kind, _, secret = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
    return secret.strip() if kind.lower() == "bearer" else ""


def check_host(headers: Mapping[bytes, bytes], settings: ServiceSettings) -> None:
    """Refuses a name that is not ours: a page elsewhere may point its own name at this machine."""
    if not settings.on_loopback and not settings.hosts:
        return  # nothing is answered without a token there, and a browser sends ours to no other name
    given = host_of(headers.get(b"host", b"").decode("latin-1"))
    known = {name.lower() for name in settings.hosts} | {settings.host.lower()}
    if given not in (known | _LOOPBACK if settings.on_loopback else known):
        raise BadAddress(f"{given[:60]!r} is no name of this service; add it to the setting service.hosts")


def host_of(value: str) -> str:
    """The name in a Host header, without its port."""
    try:
        return (urlsplit(f"//{value}").hostname or "").lower()
    except ValueError:
        return ""


def check_origin(method: str, path: str, headers: Mapping[bytes, bytes], cookies: Mapping[str, str]) -> None:
    """Refuses what a page elsewhere makes a browser send. A request with a token in its header comes from no such."""
    if method in SAFE or bearer(headers):
        return
    site, origin = headers.get(b"sec-fetch-site"), headers.get(b"origin")
    if site is not None and site not in (b"same-origin", b"none"):
        raise NotAllowed("this came from a page of another site")
    if origin is not None:
        own = headers.get(b"host", b"").decode("latin-1").lower()
        if urlsplit_netloc(origin.decode("latin-1")) != own:
            raise NotAllowed("this came from a page of another site")
    if site is None and origin is None and SESSION_COOKIE not in cookies:
        return  # no browser
    if not path.startswith("/v1/"):
        return  # a plain form has no headers of its own: pages look for the same word in its fields
    given, cookie = headers.get(CSRF_HEADER.encode(), b"").decode("latin-1"), cookies.get(CSRF_COOKIE, "")
    if not cookie or not secrets.compare_digest(given.encode(), cookie.encode()):
        raise NotAllowed(f"the header {CSRF_HEADER} does not hold what the cookie {CSRF_COOKIE} does")


def urlsplit_netloc(origin: str) -> str:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def cookies_of(headers: Mapping[bytes, bytes]) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in headers.get(b"cookie", b"").decode("latin-1")[:8_000].split(";"):
        name, equals, value = part.strip().partition("=")
        if equals:
            found.setdefault(name, value)
    return found
