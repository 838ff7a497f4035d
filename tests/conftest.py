"""Every test has a home of its own, so that nobody's memory changes a result and no test leaves anything behind."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _own_home(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    monkeypatch.setenv("MALAFIDE_HOME", str(_fresh(tmp_path_factory)))


def _fresh(factory: pytest.TempPathFactory) -> Path:
    return factory.mktemp("home") / "malafide"
