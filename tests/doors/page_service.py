"""A real service on a port of its own for the tests of the page, with a home folder of its own."""

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
from malafide.store import CaseFilter, StoredCase

HOST = "127.0.0.1"


@dataclass
class Service:
    url: str
    app: Any

    @property
    def desk(self) -> Any:
        return self.app.state.desk

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.url, timeout=30.0)

    def newest(self) -> StoredCase:
        found = self.desk.store.case(self.desk.store.cases(CaseFilter(most=1)).items[0].id)
        assert found is not None
        return found

    def check(self, content: bytes, name: str = "", panel: str = "") -> str:
        """Submits as a form without a script does; the id of the case."""
        with self.client() as client:
            word = csrf(client)
            file = {"file": (name or "message.txt", content)}
            answer = client.post("/check", data={"csrf": word, "panel": panel}, files=file)
            assert answer.status_code == 303, answer.text
            return answer.headers["location"].removeprefix("/cases/")


def csrf(client: httpx.Client) -> str:
    """The word that forms carry: the page sets it as a cookie."""
    client.get("/login" if client.get("/").status_code != 200 else "/")
    return client.cookies["malafide_csrf"]


@contextmanager
def running(home: Path) -> Iterator[Service]:
    """The service with one judge, until the end of the block."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MALAFIDE_HOME", str(home))
        app = make_app(ServiceSettings(port=0, judges=1))
        config = uvicorn.Config(app, host=HOST, port=0, log_level="warning", timeout_graceful_shutdown=2)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        deadline = time.monotonic() + 60
        while not server.started and thread.is_alive() and time.monotonic() < deadline:
            time.sleep(0.02)
        assert server.started
        port = server.servers[0].sockets[0].getsockname()[1]
        try:
            yield Service(f"http://{HOST}:{port}", app)
        finally:
            server.should_exit = True
            thread.join(30)
