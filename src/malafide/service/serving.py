"""Settings in, a running service out, until a signal: then nothing new is taken and what runs is finished."""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
from typing import TYPE_CHECKING, Any, Final

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from malafide.errors import BadSetting
from malafide.service.app import make_app
from malafide.service.choices import ServiceSettings
from malafide.store import open_store

if TYPE_CHECKING:
    from fastapi import FastAPI

_MOST_CONNECTIONS: Final = 1_000
_HEADER_BYTES: Final = 32_768
_HEADER_SECONDS: Final = 15.0
_LOGGING: Final[dict[str, Any]] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "%(asctime)s %(name)s %(levelname)s %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "loggers": {
        name: {"handlers": ["stderr"], "level": level, "propagate": False}
        for name, level in (
            ("uvicorn.error", "WARNING"),
            ("malafide.service", "INFO"),
            ("malafide.access", "INFO"),
            ("fastapi", "WARNING"),
        )
    },
}


class _Server(uvicorn.Server):
    """Lets whoever watches a case go before it waits for requests to end."""

    def __init__(self, config: uvicorn.Config, app: FastAPI) -> None:
        super().__init__(config)
        self._service = app

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and sockets:
            host, port = sockets[0].getsockname()[:2]
            shown = f"[{host}]" if ":" in host else host
            print(f"malafide serves at http://{shown}:{port}", file=sys.stderr, flush=True)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._service.state.desk.events.stop()
        self._service.state.backlog.stop()
        await super().shutdown(sockets)


class _Impatient(H11Protocol):
    """Closes a connection on which a request's headers do not come to their end in time."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        before = self.cycle
        if self._timer is None and (before is None or before.response_complete):
            self._wait()
        super().data_received(data)
        if self.cycle is not before:
            self._rest()

    def connection_lost(self, exc: Exception | None) -> None:
        self._rest()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._timer = self.loop.call_later(_HEADER_SECONDS, self.transport.close)

    def _rest(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def check(settings: ServiceSettings) -> None:
    """Refuses to listen where others can ask while nobody has a token."""
    if settings.on_loopback:
        return
    with open_store(settings.database) as store:
        if not any(token.revoked_at is None for token in store.tokens()):
            raise BadSetting(
                f"--host {settings.host}: others can ask there, so a token is needed first: "
                "malafide token new NAME --scopes read,submit"
            )


def run(settings: ServiceSettings, *, access_log: bool = True) -> None:
    """Serves until SIGTERM or SIGINT."""
    check(settings)
    listening = _socket(settings)
    app = make_app(settings)
    config = uvicorn.Config(
        app,
        loop="auto",
        http=_Impatient,  # h11 bounds what it reads of headers; httptools does not
        h11_max_incomplete_event_size=_HEADER_BYTES,
        ws="none",
        log_config=_LOGGING,
        access_log=False,  # the guard writes its own, without queries
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        server_header=False,
        limit_concurrency=_MOST_CONNECTIONS,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=settings.stop_seconds,
    )
    if not access_log:
        logging.getLogger("malafide.access").setLevel(logging.WARNING)
    _Server(config, app).run(sockets=[listening])


def _socket(settings: ServiceSettings) -> socket.socket:
    try:
        found = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(found[0], found[1])
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(found[4])
    except OSError as error:
        raise BadSetting(
            f"cannot listen on {settings.host} port {settings.port}: {error.strerror or error}"
        ) from None
    return listening
