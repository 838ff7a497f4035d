"""The service as the tests of the page use it: messages go in by the form."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from tests.doors.service_at import serving

from malafide.store import CaseFilter, StoredCase


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
    with serving(home) as at:
        yield Service(at.url, at.app)
