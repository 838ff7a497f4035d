"""Every test has a home of its own, so that nobody's memory changes a result and no test leaves anything behind."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.doubles import postgres as postgresql

if TYPE_CHECKING:
    from malafide.store import Store

# A shell starts what runs in its background deaf to Ctrl-C, and children inherit that; some tests press it.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _own_home(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    monkeypatch.setenv("MALAFIDE_HOME", str(_fresh(tmp_path_factory)))


def _fresh(factory: pytest.TempPathFactory) -> Path:
    return factory.mktemp("home") / "malafide"


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of an empty database: a test that asks for it runs once on each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/store.sqlite"
        return
    server: postgresql.Server = request.getfixturevalue("postgres")
    address = server.new_database()
    yield address
    server.give_back(address)


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    """An empty store, of each kind."""
    from malafide.store import open_store

    with open_store(database_url) as opened:
        yield opened


@pytest.fixture(scope="session")
def postgres() -> Iterator[postgresql.Server]:
    """A PostgreSQL server for the whole run; `postgres.new_database()` is the address of a database of one's own."""
    with postgresql.running() as server:
        yield server
