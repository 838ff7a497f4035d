"""The commands that look after what the service keeps."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from malafide.doors.cli import app
from malafide.doors.commands.care import _before
from malafide.errors import BadSetting, MalafideError, UnwritableOutput
from malafide.home import home
from malafide.store import NewCase, open_store

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def run(*words: str) -> Result:
    return CliRunner().invoke(app, words)


def _with_an_old_case() -> None:
    with open_store() as store:
        store.submit(NewCase("spam", "old.eml", b"Subject: old\n\nold", "ann"))
        store.submit(NewCase("spam", "new.eml", b"Subject: new\n\nnew", "ann"))
    with closing(sqlite3.connect(home() / "service.sqlite")) as connection, connection:
        connection.execute(
            "UPDATE cases SET submitted_at = submitted_at - 100 * 86400000000 WHERE name = 'old.eml'"
        )


def test_purge_rehearsed_and_done() -> None:
    _with_an_old_case()
    rehearsed = run("purge", "--older-than", "90d", "--rehearse")
    assert rehearsed.stderr.startswith("Would remove 1 cases, 0 sessions and 0 batches from before")
    done = run("purge", "--older-than", "90d")
    assert done.stderr.startswith("Removed 1 cases")
    with open_store() as store:
        assert [line.name for line in store.cases().items] == ["new.eml"]
        assert [entry.action for entry in store.audit().items] == ["purge"]


@pytest.mark.parametrize(
    ("age", "expected"),
    [("90d", NOW - timedelta(days=90)), ("12h", NOW - timedelta(hours=12)), ("8w", NOW - timedelta(weeks=8))],
)
def test_ages(age: str, expected: datetime) -> None:
    assert _before(age, NOW) == expected


@pytest.mark.parametrize(
    "age", ["", "d", "90", "0d", "-1d", "1.5d", "90 d", "9" * 40 + "d", "999999w", "٣d", "1y"]
)
def test_no_age(age: str) -> None:
    with pytest.raises(BadSetting):
        _before(age, NOW)


def test_backup_and_restore(tmp_path: Path) -> None:
    _with_an_old_case()
    file = str(tmp_path / "all.zip")
    assert run("backup", file).stderr == f"Wrote {file}: 2 cases and 0 files of the home folder.\n"
    refused = run("restore", file)
    assert isinstance(refused.exception, UnwritableOutput)
    forced = run("restore", file, "--force")
    assert forced.stderr.startswith(
        "Restored 2 cases and 0 files of the home folder.\nWhat was there before: "
    )
    other = f"sqlite:///{tmp_path}/other.sqlite"
    assert (
        run("restore", file, "--database", other).stderr
        == "Restored 2 cases and 0 files of the home folder.\n"
    )
    with open_store(other) as store:
        assert [line.name for line in store.cases().items] == ["new.eml", "old.eml"]


def test_what_cannot_be_written_or_read(tmp_path: Path) -> None:
    for words in (("backup", str(tmp_path / "none" / "x.zip")), ("restore", str(tmp_path / "none.zip"))):
        result = run(*words)
        assert isinstance(result.exception, MalafideError)
        assert "\n" not in str(result.exception)
        assert str(tmp_path) in str(result.exception)
