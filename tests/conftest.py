"""Every test has a home of its own, so that nobody's memory changes a result and no test leaves anything behind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.doubles import postgres as postgresql


@pytest.fixture(autouse=True)
def _own_home(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    monkeypatch.setenv("MALAFIDE_HOME", str(_fresh(tmp_path_factory)))


def _fresh(factory: pytest.TempPathFactory) -> Path:
    return factory.mktemp("home") / "malafide"


@pytest.fixture(scope="session")
def postgres() -> Iterator[postgresql.Server]:
    """A PostgreSQL server for the whole run; `postgres.new_database()` is the address of a database of one's own."""
    with postgresql.running() as server:
        yield server
