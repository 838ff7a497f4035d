"""`malafide precedents` on a home of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from malafide.doors.cli import app
from malafide.errors import UnreadableInput

LINE = {
    "case_id": "a1",
    "label": "spam",
    "text": "Your parcel waits at http://parcel.example/fee for a small fee",
    "how": "person",
    "source": "ana",
    "when": "2026-03-01T10:00:00Z",
    "panel": "spam",
}


@pytest.fixture(autouse=True)
def _home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MALAFIDE_HOME", str(tmp_path / "home"))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["precedents", *arguments], catch_exceptions=True)


def test_import_search_stats_and_export(tmp_path: Path) -> None:
    file, back = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    file.write_text(json.dumps(LINE) + "\n", encoding="utf-8")
    assert run("import", str(file)).stderr == "1 new precedents\n"
    found = run("search", "--text", "Your parcel waits for a small fee")
    assert found.stdout.split()[1:5] == ["spam", "a1", "person", "ana"]
    assert "http://" not in found.stdout
    shown = json.loads(run("search", "--text", LINE["text"], "--json").stdout)
    assert shown[0]["similarity"] > 0.99
    assert json.loads(run("stats", "--json").stdout)["labels"] == {"spam": 1}
    assert "person: ana" in run("stats").stdout
    run("export", "--out", str(back))
    assert back.read_bytes() == file.read_bytes()
    assert run("export").stdout == file.read_text(encoding="utf-8")


def test_an_empty_home_says_so_and_stays_empty(tmp_path: Path) -> None:
    assert "no precedents yet" in run("search", "--text", "hello there").stderr
    assert run("export").stdout == ""
    assert not (tmp_path / "home").exists()


def test_what_is_no_export_is_refused(tmp_path: Path) -> None:
    assert isinstance(run("import", str(tmp_path / "none")).exception, UnreadableInput)
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    assert isinstance(run("import", str(tmp_path / "binary")).exception, UnreadableInput)
