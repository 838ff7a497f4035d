"""A real service on a port of its own for tests, with a home folder and settings of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn

from malafide.service.app import make_app
from malafide.service.choices import ServiceSettings
from malafide.service.desk import Desk

MAIL = (
    b"From: Parcel desk <desk@parcels.example>\r\nTo: ana@example.com\r\nSubject: Your parcel is held\r\n\r\n"
    b"Your parcel is held. Pay the fee of 1.99 within 24 hours at http://192.0.2.7/pay or it is destroyed.\r\n"
)
OPEN_MAIL = (
    b"From: a@example.com\r\nSubject: hello\r\n\r\nPay now at http://192.0.2.7/x\r\n"  # left UNCERTAIN
)


@dataclass(frozen=True)
class At:
    """Where it is, and what it is made of."""

    url: str
    app: Any
    home: Path

    @property
    def desk(self) -> Desk:
        desk: Desk = self.app.state.desk
        return desk

    def client(self, token: str = "") -> httpx.Client:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return httpx.Client(base_url=self.url, timeout=30.0, headers=headers)


@contextmanager
def serving(home: Path, settings: ServiceSettings | None = None, http: Any = "h11") -> Iterator[At]:
    """The service with one judge, until the end of the block."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MALAFIDE_HOME", str(home))
        app = make_app(settings or ServiceSettings(port=0, judges=1))
        config = uvicorn.Config(
            app,
            host="127.0.0.1",
            port=0,
            log_level="warning",
            http=http,
            server_header=False,
            timeout_graceful_shutdown=2,
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        until = time.monotonic() + 60
        while not server.started and thread.is_alive() and time.monotonic() < until:
            time.sleep(0.02)
        assert server.started
        port = server.servers[0].sockets[0].getsockname()[1]
        try:
            yield At(f"http://127.0.0.1:{port}", app, home)
        finally:
            server.should_exit = True
            thread.join(30)


def told(answer: httpx.Response) -> list[tuple[str, str]]:
    """The events of a stream that has ended: names and data."""
    found = []
    for block in answer.text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line and line[0] != ":")
        if "event" in lines:
            found.append((lines["event"], lines["data"]))
    return found


def judged(client: httpx.Client, case: str) -> dict[str, Any]:
    """The case once it is judged."""
    for _ in range(300):
        found: dict[str, Any] = client.get(f"/v1/cases/{case}").json()
        if found["state"] in ("judged", "failed"):
            return found
        time.sleep(0.05)
    raise AssertionError(f"{case} is still {found['state']}")
