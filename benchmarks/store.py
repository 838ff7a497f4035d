"""Prints what the store costs: commits, claims, lists and figures among many cases, and what a kill -9 loses.

    python -m benchmarks.store
    python -m benchmarks.store --database postgresql://malafide@/test

A database that is given must be empty. Times are wall time and, where this process does the work, CPU time.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from malafide.judging import Ruling, bench
from malafide.store import CaseFilter, NewCase, Store, open_store

_MAIL = b"""From: "Parcel Desk" <desk@parcel-desk.example>
To: ana@example.com
Subject: Your parcel waits
Message-ID: <1@parcel-desk.example>
Content-Type: text/plain; charset=utf-8

""" + b"\n".join(
    b"Line %d: your parcel number %d waits for you, please read the terms of delivery and answer in time."
    % (n, n * 7919)
    for n in range(55)
)
_WORDS = "invoice parcel lunch meeting account password winner holiday report contract salary ticket".split()
_WRITER = """
import sys
from benchmarks.store import sample
from malafide.store import open_store
new, ruling = sample()
store = open_store(sys.argv[1])
while True:
    print("judged", store.submit_judged(new, ruling), flush=True)
    for id in store.submit_many([new] * 2):
        print("waiting", id, flush=True)
    for claimed in store.claim("writer", 0.0, most=2):
        if store.settle(claimed.id, "writer", ruling):
            print("judged", claimed.id, flush=True)
"""


def sample() -> tuple[NewCase, Ruling]:
    """A mail of 6 kB, and what malafide finds of it."""
    return NewCase("spam", "parcel.eml", _MAIL, "benchmark"), bench("spam").judge(_MAIL, "parcel.eml")


def varied(new: NewCase, ruling: Ruling, n: int) -> tuple[NewCase, Ruling]:
    """The mail under another name, with another answer."""
    chance = random.Random(n)
    words = " ".join(chance.sample(_WORDS, 3))
    answer = "UNCERTAIN" if n % 50 == 0 else "SPAM" if n % 3 == 0 else "HAM"
    found = replace(
        ruling, case_id=f"{n:016x}", answer=answer, is_open=n % 50 == 0, subject=f"{words} {n}",
        elapsed_ms=chance.expovariate(0.4), waiting=ruling.waiting if n % 50 == 0 else None,
    )  # fmt: skip
    return replace(new, name=f"mail-{n}.eml"), found


def timed(work: Callable[[], object], times: int) -> tuple[float, float]:
    """Wall and CPU milliseconds of one call."""
    wall, cpu = time.perf_counter(), time.process_time()
    for _ in range(times):
        work()
    return (time.perf_counter() - wall) * 1000 / times, (time.process_time() - cpu) * 1000 / times


def commits(store: Store, new: NewCase, ruling: Ruling) -> None:
    pairs = [(new, ruling)] * 100
    wall, cpu = timed(lambda: store.submit_judged(new, ruling), 500)
    print(f"submit_judged, one a commit: {wall:.2f} ms wall, {cpu:.2f} ms CPU; {1000 / wall:,.0f} a second")
    wall, cpu = timed(lambda: store.submit_many_judged(pairs), 10)
    print(f"submit_many_judged, 100 a commit: {wall / 100:.3f} ms wall, {cpu / 100:.3f} ms CPU for each")
    started, each = time.perf_counter(), 150

    def work() -> None:
        for _ in range(each):
            store.submit_judged(new, ruling)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(f"submit_judged, 8 threads: {8 * each / (time.perf_counter() - started):,.0f} a second")


def claims(store: Store, new: NewCase, ruling: Ruling) -> None:
    for most in (1, 10):
        store.submit_many([new] * 1000)
        started, done = time.perf_counter(), 0
        while claimed := store.claim("worker", 60, most=most):
            done += sum(store.settle(c.id, "worker", ruling) for c in claimed)
        seconds = time.perf_counter() - started
        print(
            f"claim {most} and settle: {done / seconds:,.0f} cases a second ({seconds * 1000 / done:.2f} ms each)"
        )


def lists(store: Store, new: NewCase, ruling: Ruling, rows: int) -> None:
    for start in range(0, rows, 500):
        store.submit_many_judged([varied(new, ruling, n) for n in range(start, min(rows, start + 500))])
    now = datetime.now(UTC)
    deep = CaseFilter(after=f"{int(now.timestamp() * 1e6):x}-{rows // 2:x}")
    table: Sequence[tuple[str, Callable[[], object]]] = (
        ("the newest page", store.cases),
        ("a page from the middle", lambda: store.cases(deep)),
        ("by answer", lambda: store.cases(CaseFilter(answer="UNCERTAIN"))),
        ("by an answer nobody gave", lambda: store.cases(CaseFilter(answer="NOBODY"))),
        ("open", lambda: store.cases(CaseFilter(open=True))),
        ("failed", lambda: store.cases(CaseFilter(state="failed"))),
        ("labelled", lambda: store.cases(CaseFilter(labelled=True))),
        ("a word in a quarter of all", lambda: store.cases(CaseFilter(text="parcel"))),
        ("a word in one", lambda: store.cases(CaseFilter(text=f"mail {rows // 2}"))),
        (
            "the beginning of a word, and an answer",
            lambda: store.cases(CaseFilter(text="inv", answer="SPAM")),
        ),
        ("500 open cases", store.open_cases),
        ("figures of all by hour", lambda: store.counts(now - timedelta(days=30), now, timedelta(hours=1))),
    )
    number = store.purgeable(datetime.now(UTC) + timedelta(days=1)).cases
    print(f"among {number:,} cases ({store.size() / number / 1000:.1f} kB each):")
    for name, work in table:
        work()
        wall, cpu = (
            statistics.median(times) for times in zip(*(timed(work, 1) for _ in range(5)), strict=True)
        )
        print(f"  {name}: {wall:.1f} ms wall, {cpu:.1f} ms CPU")


def kills(url: str, times: int) -> None:
    accepted: list[list[str]] = []
    chance = random.Random(5)
    for _ in range(times):
        child = subprocess.Popen([sys.executable, "-c", _WRITER, url], stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        told = child.stdout.readline()
        time.sleep(chance.uniform(0.0, 0.5))
        child.kill()
        told += child.stdout.read()
        child.wait()
        accepted += [line.split() for line in told.splitlines(keepends=True) if line.endswith("\n")]
    with open_store(url) as store:
        found = {id: store.case(id) for _, id in accepted}
        lost = sum(one is None for one in found.values())
        torn = sum(
            one is not None and (one.content != _MAIL or bool(one.contract) != (one.line.state == "judged"))
            for one in found.values()
        )
        undone = sum(
            state == "judged" and (one := found[id]) is not None and one.line.state != "judged"
            for state, id in accepted
        )
    print(
        f"killed {times} times: {len(found):,} cases accepted, {lost} lost, {torn} half written, {undone} undone"
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--database", default="")
    options.add_argument("--rows", type=int, default=100_000)
    options.add_argument("--kills", type=int, default=20)
    chosen = options.parse_args()
    new, ruling = sample()
    with tempfile.TemporaryDirectory() as folder:
        url = chosen.database or f"sqlite:///{folder}/store.sqlite"
        with open_store(url) as store:
            commits(store, new, ruling)
            claims(store, new, ruling)
            lists(store, new, ruling, chosen.rows)
        kills(url, chosen.kills)


if __name__ == "__main__":
    main()
