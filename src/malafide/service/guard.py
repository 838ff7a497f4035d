"""Around every request: who asks, from where and how much; and on every answer the headers that protect a browser."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import MutableMapping
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from malafide.errors import InputTooLarge, MalafideError, NotKnown, TooOften, UnreadableInput
from malafide.service.desk import Desk, as_json
from malafide.service.security import (
    CSRF_COOKIE,
    OPEN,
    OPEN_FOLDERS,
    Gatekeeper,
    check_host,
    check_origin,
    cookies_of,
)

access = logging.getLogger("malafide.access")
_SMALL: Final = 1_000_000  # bytes of a request that brings no message
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; form-action 'self'; frame-src 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_ALWAYS: Final = (
    (b"x-content-type-options", b"nosniff"),
    # Without any referrer a browser hides from us that a form is our own.
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)
_FRAMING: Final = ((b"content-security-policy", _POLICY.encode()), (b"x-frame-options", b"DENY"))
_NO_STORE: Final = (b"cache-control", b"no-store")
_CLOSE: Final = (b"connection", b"close")  # the rest of what is too long is not waited for
_UPLOADS: Final = frozenset(
    {
        "/check",
        *(f"/v1/{one}" for one in ("classify", "assess", "conversation", "post", "credibility", "cases")),
    }
)
_SECONDS: Final = 60.0
_LARGE_SECONDS: Final = 900.0
# Base64 in JSON takes a third more room, and a form has its own lines.
_ROOM: Final = 1.4


class Guard:
    """The outermost part of the application."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._made_ready: tuple[Desk, Gatekeeper] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            desk: Desk = scope["app"].state.desk
            if self._made_ready is None or self._made_ready[0] is not desk:
                self._made_ready = desk, Gatekeeper(desk)
            await self._request(scope, receive, send)

    @property
    def _desk(self) -> Desk:
        assert self._made_ready is not None
        return self._made_ready[0]

    @property
    def _gate(self) -> Gatekeeper:
        assert self._made_ready is not None
        return self._made_ready[1]

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = time.perf_counter()
        headers = dict(scope["headers"])
        cookies = cookies_of(headers)
        state: MutableMapping[str, Any] = scope.setdefault("state", {})
        state["caller"] = None
        fresh = None
        if not scope["path"].startswith("/v1/"):
            state["csrf"] = cookies.get(CSRF_COOKIE) or secrets.token_hex(16)
            fresh = None if CSRF_COOKIE in cookies else _csrf_cookie(scope, state["csrf"])
        answer = _Answer(send, fresh)
        try:
            check_host(headers, self._desk.settings)
            check_origin(scope["method"], scope["path"], headers, cookies)
            caller = state["caller"] = await self._gate.caller(headers, cookies)
            if caller is None and not is_open(scope["path"]):
                await _turn_away(headers, answer)
            else:
                body = _Body(receive, *self._bounds(scope["path"]), headers)
                answer.body = body
                await self._app(scope, body, answer)
        except MalafideError as refusal:
            self._desk.metrics.refused(type(refusal).__name__)
            await answer.refuse(refusal)
        finally:
            self._note(scope, answer.status, time.perf_counter() - started)

    def _bounds(self, path: str) -> tuple[int, float]:
        """The bytes that a request may have, and the seconds in which they must come."""
        settings = self._desk.settings
        if path == "/v1/batches":
            return settings.max_batch, _LARGE_SECONDS
        return (int(settings.max_upload * _ROOM) + _SMALL if path in _UPLOADS else _SMALL), _SECONDS

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        """Path and caller, never a query or a body: those may hold words of a message."""
        route = scope.get("route")
        path = getattr(route, "path", None) or "other"
        self._desk.metrics.answered(scope["method"], path, status, seconds)
        if access.isEnabledFor(logging.INFO):
            caller = scope["state"]["caller"]
            access.info(
                "%s %s %d %.1f ms %s",
                scope["method"],
                path,
                status,
                seconds * 1000.0,
                caller.name if caller else "-",
            )


def is_open(path: str) -> bool:
    return path in OPEN or path.startswith(OPEN_FOLDERS)


async def _turn_away(headers: dict[bytes, bytes], answer: _Answer) -> None:
    """A browser is shown where to get in, a program what is missing."""
    if b"text/html" in headers.get(b"accept", b""):
        await answer({"type": "http.response.start", "status": 303, "headers": [(b"location", b"/login")]})
        await answer({"type": "http.response.body", "body": b""})
        return
    raise NotKnown("show a token that counts: Authorization: Bearer mf_...")


def _csrf_cookie(scope: Scope, value: str) -> bytes:
    secure = "; Secure" if scope.get("scheme") == "https" else ""
    return f"{CSRF_COOKIE}={value}; Path=/; SameSite=Strict{secure}".encode()


class _Body:
    """What comes in, counted while it comes."""

    def __init__(self, receive: Receive, most: int, seconds: float, headers: dict[bytes, bytes]) -> None:
        self._receive = receive
        self._most = most
        self._until = asyncio.get_running_loop().time() + seconds
        self._seen = 0
        self._whole = False
        announced = headers.get(b"content-length", b"0")
        if announced.isdigit() and int(announced) > most:
            raise self.refusal()
        self.over = False

    async def __call__(self) -> Message:
        if self._whole:
            return await self._receive()  # waits for the caller to hang up
        try:
            async with asyncio.timeout_at(self._until):
                message = await self._receive()
        except TimeoutError:
            raise UnreadableInput("the request did not come to its end in time") from None
        if message["type"] == "http.request":
            self._whole = not message.get("more_body", False)
            self._seen += len(message.get("body", b""))
            if self._seen > self._most:
                self.over = True
                raise self.refusal()
        return message

    def refusal(self) -> InputTooLarge:
        return InputTooLarge(f"a request here has at most {self._most:,} bytes")


class _Answer:
    """What goes out, with the headers that every answer has."""

    def __init__(self, send: Send, fresh: bytes | None) -> None:
        self._send = send
        self._fresh = fresh
        self._replaced = False
        self._begun = False
        self.body: _Body | None = None
        self.status = 500

    async def __call__(self, message: Message) -> None:
        if self._replaced:
            return
        if message["type"] == "http.response.start":
            if self.body is not None and self.body.over and message["status"] != 413:
                # The framework took our refusal for a body that it cannot read.
                self._replaced = True
                await self.refuse(self.body.refusal())
                return
            self._begun = True
            self.status = message["status"]
            headers = self._with_ours(list(message.get("headers", [])))
            if self.status == 413:
                headers.append(_CLOSE)
            message = {**message, "headers": headers}
        await self._send(message)

    async def refuse(self, refusal: MalafideError) -> None:
        if self._begun:
            return  # half of an answer is out: the connection's end says that the rest is missing
        self._begun = True
        status = self.status = refusal.http_status
        body = as_json({"error": str(refusal), "case_id": None})
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        if status == 401:
            headers.append((b"www-authenticate", b'Bearer realm="malafide"'))
        if isinstance(refusal, TooOften):
            headers.append((b"retry-after", b"1"))
        if status == 413:
            headers.append(_CLOSE)
        await self._send(
            {"type": "http.response.start", "status": status, "headers": self._with_ours(headers)}
        )
        await self._send({"type": "http.response.body", "body": body})

    def _with_ours(self, headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        present = {name.lower(): value for name, value in headers}
        headers.extend(_ALWAYS)
        if b"content-security-policy" not in present:
            headers.extend(_FRAMING)
        if b"cache-control" not in present:
            headers.append(_NO_STORE)
        if self._fresh is not None and present.get(b"content-type", b"").startswith(b"text/html"):
            headers.append((b"set-cookie", self._fresh))
        return headers
