"""What the store kept is still there after a kill, an update, a backup and back; and gone after a purge."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import zipfile
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from kept import HAM, NOTE, OPEN

from malafide.errors import BrokenStore, Busy, UnreadableInput, UnwritableOutput
from malafide.home import home
from malafide.store import AuditFilter, CaseFilter, NewCase, Store, open_store
from malafide.store.address import dialect
from malafide.store.backup import backup
from malafide.store.database import Database
from malafide.store.dialect import Connection
from malafide.store.restore import restore
from malafide.store.schema import climb, newest, steps
from malafide.store.tables import TABLES

LATER = datetime.now(UTC) + timedelta(days=1)
EARLIER = datetime.now(UTC) - timedelta(days=1)

WRITER = """
import os, sys
sys.path.insert(0, sys.argv[2])
from kept import HAM, NOTE
from malafide.store import open_store
store, name = open_store(sys.argv[1]), f"writer {os.getpid()}"
while True:
    for claimed in store.claim(name, 0.001, most=2):
        if store.settle(claimed.id, name, HAM):
            print("settled", claimed.id, flush=True)
    print("judged", store.submit_judged(NOTE, HAM), flush=True)
    for id in store.submit_many([NOTE] * 3):
        print("waiting", id, flush=True)
"""


def _killed(database_url: str, lifetime: float) -> list[list[str]]:
    """What two writers had been told is kept when they were killed."""
    command = [sys.executable, "-c", WRITER, database_url, str(Path(__file__).parent)]
    children = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    told = ""
    for child in children:
        assert child.stdout is not None
        told += child.stdout.readline()  # it has begun
    time.sleep(lifetime)
    for child in children:
        child.send_signal(signal.SIGKILL)
    for child in children:
        assert child.stdout is not None
        told += "".join(line for line in child.stdout if line.endswith("\n"))
        child.wait(30)
    return [line.split() for line in told.splitlines()]


def test_what_was_accepted_survives_a_kill_at_any_moment(database_url: str) -> None:
    accepted: list[list[str]] = []
    moments = random.Random(7)
    for _ in range(5):
        accepted += _killed(database_url, moments.uniform(0.0, 0.1))
    settled = [id for state, id in accepted if state == "settled"]
    assert len(settled) == len(set(settled)) > 0
    with open_store(database_url) as opened:
        for state, id in accepted:
            found = opened.case(id)
            assert found is not None
            assert found.content == NOTE.content
            if state != "waiting":
                assert (found.line.state, found.contract) == ("judged", HAM.contract)
        after, total = "", 0
        while True:  # and nothing is half there, told or not
            page = opened.cases(CaseFilter(after=after, most=500))
            for line in page.items:
                whole = opened.case(line.id)
                assert whole is not None
                assert whole.content == NOTE.content
                assert bool(whole.contract) == (line.state == "judged")
            total += len(page.items)
            if not (after := page.next):
                break
        assert total >= len({id for _, id in accepted}) >= 10
    if database_url.startswith("sqlite"):
        with sqlite3.connect(database_url.removeprefix("sqlite:///")) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


class TestVersions:
    def _first(self, database_url: str) -> Database:
        """A store as the first version wrote it, with a judged case in it."""
        database = Database(dialect(database_url))

        def write(connection: Connection) -> None:
            climb(connection, database.dialect, 1)
            connection.execute(
                "INSERT INTO cases (id, case_id, batch, panel, name, who, size, submitted_at, state, answer, subject)"
                " VALUES ('cold', '00ff', '', 'spam', 'old.eml', 'ann', 5, 1, 'judged', 'HAM', 'Lunch')"
            )
            connection.execute("INSERT INTO contents (number, packing, body) VALUES (1, 0, ?)", (b"hello",))

        database.alone(write)
        return database

    def test_a_store_of_the_first_version_goes_on(self, database_url: str) -> None:
        self._first(database_url).close()
        with open_store(database_url) as opened:
            found = opened.case("cold")
            assert found is not None
            assert (found.content, found.line.answer) == (b"hello", "HAM")
            assert [line.id for line in opened.cases(CaseFilter(text="lunch")).items] == ["cold"]
            opened.new_batch("spam", "b", "ann", 1)
            assert opened.purge(LATER, "ann").cases == 1

    def test_processes_that_come_together_migrate_once(self, database_url: str) -> None:
        self._first(database_url).close()
        errors: list[BaseException] = []

        def work() -> None:
            try:
                open_store(database_url).close()
            except BrokenStore as error:
                errors.append(error)

        threads = [threading.Thread(target=work) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert errors == []
        database = Database(dialect(database_url))
        rows = database.read(lambda c: c.execute("SELECT version FROM schema_version ORDER BY 1").fetchall())
        assert [row[0] for row in rows] == list(steps(database.dialect.name))
        database.close()

    def test_a_later_version_is_refused(self, database_url: str, store: Store) -> None:
        database = Database(dialect(database_url))
        database.alone(lambda c: c.execute("INSERT INTO schema_version VALUES (99, 0)").rowcount)
        database.close()
        with pytest.raises(BrokenStore, match="has version 99, and this malafide knows") as refused:
            open_store(database_url)
        assert "\n" not in str(refused.value)

    def test_the_dump_knows_every_column(self, database_url: str, store: Store) -> None:
        database = Database(dialect(database_url))
        sql = (
            "SELECT m.name, c.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'"
            if database_url.startswith("sqlite")
            else "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'malafide'"
        )
        rows = database.read(lambda c: c.execute(sql).fetchall())
        database.close()
        for table, columns in TABLES.items():
            assert {c for t, c in rows if t == table} - {"words"} == set(columns)
        others = {t for t, _ in rows if not t.startswith(("case_words", "sqlite_"))}
        assert others - set(TABLES) == {"schema_version"}


def test_a_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path}/new/store.sqlite") as opened:
        opened.submit(NOTE)
        files = list((tmp_path / "new").iterdir())
        assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
        assert len(files) == 3


def test_what_is_no_database_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "x.sqlite").write_bytes(b"no database" * 1000)
    with pytest.raises(BrokenStore, match="cannot be used"):
        open_store(f"sqlite:///{tmp_path}/x.sqlite")
    with pytest.raises(BrokenStore, match="cannot be opened"):
        open_store(f"sqlite:///{tmp_path}/x.sqlite/y.sqlite")


class TestPurge:
    def test_old_cases_go_with_all_that_is_theirs(self, store: Store, database_url: str) -> None:
        secret = os.urandom(3_000)
        named = replace(NOTE, content=secret, name="zanzibarword.eml")
        ids = [store.submit_judged(named, OPEN) for _ in range(700)]
        store.label(ids[0], "ann", "genuine")
        batch = store.new_batch("spam", "b", "ann", 1)
        store.submit(replace(NOTE, batch=batch))
        store.new_session("ann", {"messages": ["hello"]})
        assert store.purgeable(EARLIER) == store.purge(EARLIER, "ann")
        before = store.size()
        expected = store.purgeable(LATER)
        assert (expected.cases, expected.sessions, expected.batches) == (701, 1, 1)
        assert store.purge(LATER, "bob") == expected
        assert store.cases().items == ()
        assert store.case(ids[0]) is None
        assert store.open_cases() == store.sessions() == store.batches() == []
        assert store.cases(CaseFilter(text="zanzibarword")).items == ()
        entry = store.audit(AuditFilter(action="purge", who="bob")).items[0]
        assert entry.detail.startswith("701 cases, 1 sessions and 1 batches before")
        assert store.size() < before / 2
        if database_url.startswith("sqlite"):
            for file in Path(database_url.removeprefix("sqlite:///")).parent.iterdir():
                assert secret[:64] not in file.read_bytes()
                assert b"zanzibarword" not in file.read_bytes()

    def test_a_case_that_is_purged_while_a_worker_has_it(self, store: Store) -> None:
        id = store.submit(NOTE)
        store.claim("w", 60)
        store.purge(LATER, "ann")
        assert not store.settle(id, "w", HAM)


def _filled(database_url: str) -> dict[str, object]:
    """A store with something of everything, and how it tells it."""
    (home() / "review").mkdir(parents=True)
    (home() / "pattern_catalog.json").write_text("{}")
    (home() / "labels.jsonl").write_text("one\n")
    (home() / "review" / "00aa.json").write_text("{}")
    with sqlite3.connect(home() / "precedents.sqlite") as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE known (text)")
        connection.execute("INSERT INTO known VALUES ('remembered')")
    with open_store(database_url) as opened:
        batch = opened.new_batch("spam", "b", "ann", 3)
        opened.submit_many([NewCase("spam", f"ü{n}", os.urandom(50) * n, "ann", batch) for n in range(250)])
        judged = opened.submit_judged(NOTE, OPEN)
        opened.label(judged, "ann", "genuine", "sure")
        opened.new_session("ann", {"a": 1})
        opened.new_delivery("s1", "https://operator.example/", {"b": 2})
        opened.new_token("gate", ["read"], 5, "ann")
        return _told(opened)


def _told(store: Store) -> dict[str, object]:
    return {
        "cases": [store.case(line.id) for line in store.cases(CaseFilter(most=1000)).items],
        "batches": store.batches(),
        "sessions": store.sessions(),
        "deliveries": store.deliveries("s1"),
        "tokens": store.tokens(),
        "audit": store.audit(AuditFilter(action="label")).items,
    }


class TestBackup:
    def test_there_and_back_and_on_the_other_database(
        self,
        database_url: str,
        tmp_path: Path,
        request: pytest.FixtureRequest,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        told = _filled(database_url)
        file = tmp_path / "all.zip"
        cases, names = backup(database_url, file)
        assert cases == 251
        assert names == ["labels.jsonl", "pattern_catalog.json", "precedents.sqlite", "review/00aa.json"]
        assert file.stat().st_mode & 0o777 == 0o600
        assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".")] == []

        with pytest.raises(UnwritableOutput, match="holds something already"):
            restore(database_url, file, "bob", force=False)
        with open_store(database_url) as opened:
            opened.submit(NOTE)
        again = restore(database_url, file, "bob", force=True)
        assert (again.cases, len(again.files), len(again.aside)) == (251, 4, 2)

        other = f"sqlite:///{tmp_path}/other.sqlite"
        if database_url.startswith("sqlite"):
            other = request.getfixturevalue("postgres").new_database()
        monkeypatch.setenv("MALAFIDE_HOME", str(tmp_path / "elsewhere"))
        fresh = restore(other, file, "bob", force=False)
        assert fresh.aside == ()
        assert (home() / "labels.jsonl").read_text() == "one\n"
        with sqlite3.connect(home() / "precedents.sqlite") as connection:
            assert connection.execute("SELECT text FROM known").fetchone() == ("remembered",)
        for place in (database_url, other):
            with open_store(place) as opened:
                assert _told(opened) == told
                assert len(opened.claim("w", 60, most=500)) == 250
                assert opened.case(opened.submit(NOTE)) is not None  # numbers go on behind the restored
                assert [a.who for a in opened.audit(AuditFilter(action="restore")).items] == ["bob"]

    def test_a_damaged_file_changes_nothing(self, database_url: str, tmp_path: Path) -> None:
        told = _filled(database_url)
        file = tmp_path / "all.zip"
        backup(database_url, file)
        whole = file.read_bytes()
        changed = tmp_path / "changed.zip"
        with zipfile.ZipFile(file) as old, zipfile.ZipFile(changed, "w") as new:
            for name in old.namelist():
                content = old.read(name)
                new.writestr(
                    name, content.replace(b"gate", b"hole") if name == "store/tokens.jsonl" else content
                )
        for damaged in (
            b"",
            whole[: len(whole) // 2],
            whole[:200] + b"\x00" * 50 + whole[250:],
            changed.read_bytes(),
        ):
            file.write_bytes(damaged)
            with pytest.raises(UnreadableInput):
                restore(database_url, file, "bob", force=True)
        with open_store(database_url) as opened:
            assert _told(opened) == told

    def test_what_is_no_backup_of_ours_is_refused(self, tmp_path: Path) -> None:
        place = f"sqlite:///{tmp_path}/x.sqlite"
        with open_store(place):
            backup(place, tmp_path / "good.zip")
        with zipfile.ZipFile(tmp_path / "good.zip") as old:
            parts = {name: old.read(name) for name in old.namelist()}
        manifest = json.loads(parts["manifest.json"])
        table = [
            ({**manifest, "format": 99}, {}, "later malafide"),
            ({**manifest, "schema": newest() + 1}, {}, "use a later malafide"),
            (manifest, {"store/tokens.jsonl": parts["store/tokens.jsonl"].replace(b"name", b"nome")}, "damaged"),
            (manifest, {"store/tokens.jsonl": b""}, "damaged"),
            ({"parts": 1}, {}, "no whole backup"),
            ({**manifest, "parts": {**manifest["parts"], "home/../../x": manifest["parts"]["store/tokens.jsonl"]}},
             {"home/../../x": parts["store/tokens.jsonl"]}, "outside of the home folder"),
        ]  # fmt: skip
        for about, other, words in table:
            with zipfile.ZipFile(tmp_path / "bad.zip", "w") as new:
                for name, content in {**parts, **other, "manifest.json": json.dumps(about).encode()}.items():
                    new.writestr(name, content)
            with pytest.raises(UnreadableInput, match=words):
                restore(f"sqlite:///{tmp_path}/new.sqlite", tmp_path / "bad.zip", "bob", force=True)
        assert not (tmp_path / "new.sqlite").exists()

    def test_a_store_in_use_is_not_replaced(self, tmp_path: Path) -> None:
        place = f"sqlite:///{tmp_path}/x.sqlite"
        with open_store(place) as opened:
            opened.submit(NOTE)
            backup(place, tmp_path / "all.zip")
            with pytest.raises(Busy, match="stop the service"):
                restore(place, tmp_path / "all.zip", "bob", force=True)
            assert len(opened.cases().items) == 1
