"""Workers on one database: every case is judged once, also when a worker is killed in the middle."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.made_up import mail

from malafide.store import CaseFilter, NewCase, Store, open_store


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'cases.sqlite'}"
    found: str = request.getfixturevalue("postgres").new_database()
    return found


@contextmanager
def worker(address: str, lease: float = 2.0) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "malafide", "worker", "--database", address, "--workers", "1"]
    process = subprocess.Popen([*command, "--lease", str(lease)], stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def submitted(store: Store, number: int) -> list[str]:
    return [
        store.submit(NewCase("spam", f"{n}.eml", mail(n, spam=bool(n % 2)), "test")) for n in range(number)
    ]


def judged(store: Store) -> int:
    page = store.cases(CaseFilter(state="judged", most=500))
    return len(page.items)


def until(store: Store, number: int, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while judged(store) < number:
        assert time.monotonic() < end, f"{judged(store)} of {number} were judged"
        time.sleep(0.1)


def test_two_workers_judge_each_case_once_and_finish_what_they_hold(address: str) -> None:
    with open_store(address) as store:
        ids = submitted(store, 60)
        ids.append(store.submit(NewCase("post", "no.json", b"no JSON", "test")))
        with worker(address) as one, worker(address) as two:
            until(store, 60)
            for process in (one, two):
                process.send_signal(signal.SIGTERM)
                assert process.wait(30) == 0
        cases = [store.case(id) for id in ids]
        assert [c.line.attempt for c in cases if c] == [1] * 61
        assert all(c.contract for c in cases[:-1] if c)
        assert cases[-1] is not None
        assert (cases[-1].line.state, cases[-1].line.error[:15]) == ("failed", "this is no JSON")


def test_a_killed_workers_cases_are_judged_by_another_once(address: str) -> None:
    with open_store(address) as store:
        ids = submitted(store, 120)
        with worker(address) as first:
            until(store, 10)
            os.kill(first.pid, signal.SIGKILL)
            first.wait()
        assert judged(store) < 120
        with worker(address):
            until(store, 120)
        attempts = [case.line.attempt for id in ids if (case := store.case(id))]
        assert len(attempts) == 120
        assert {1, 2} >= set(attempts)
        assert sum(attempts) <= 120 + 3, "only what the dead one held was taken up again"
