"""Prints how the service holds up: requests per second and how long they take, kills under load, memory.

    python -m benchmarks.service                   # 20 seconds of load, 2 kills, 2,000 cases for memory
    python -m benchmarks.service --seconds 300     # the load alone, as long as the figures claim
    python -m benchmarks.service --kills 20        # kill -9 during 1,000 cases, so many times
    python -m benchmarks.service --memory 50000    # memory while so many cases are judged

The mail is real, from the folder in MALAFIDE_DATA. Clients and service share the machine, and so do the figures; CPU
seconds are printed beside, since they hold where other work takes turns on the cores.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path

from benchmarks.corpora import raw_mails

_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(slots=True)
class Service:
    """A running `malafide serve`."""

    process: subprocess.Popen[bytes]
    port: int

    def get(self, path: str) -> bytes:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=30) as answer:
            found: bytes = answer.read()
            return found

    def family(self) -> list[int]:
        """The process and its judges."""
        own = self.process.pid
        threads = Path(f"/proc/{own}/task").glob("*/children")
        return [own, *sorted(int(pid) for thread in threads for pid in thread.read_text().split())]

    def cpu(self) -> dict[int, float]:
        """CPU seconds of each process."""
        return {pid: _cpu(pid) for pid in self.family()}

    def memory(self) -> float:
        """Megabytes resident, of all processes together."""
        return sum(_resident(pid) for pid in self.family()) / 1e6


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def _resident(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def start(home: Path, port: int = 0) -> Service:
    """Starts the service on a free port, and waits until it is ready."""
    process = subprocess.Popen(
        [sys.executable, "-m", "malafide", "serve", "--quiet", "--port", str(port)],
        env={**os.environ, "MALAFIDE_HOME": str(home)},
        stderr=subprocess.PIPE,
    )
    assert process.stderr is not None
    for line in process.stderr:
        if b"serves at" in line:
            service = Service(process, int(line.rsplit(b":", 1)[1]))
            break
        sys.stderr.buffer.write(line)
    else:
        sys.exit("the service did not start")
    while True:
        try:
            if json.loads(service.get("/readyz"))["judges"] >= 2 or os.cpu_count() == 1:
                return service
        except OSError:
            pass
        time.sleep(0.1)


@contextmanager
def running(home: Path) -> Iterator[Service]:
    service = start(home)
    try:
        yield service
    finally:
        service.process.send_signal(signal.SIGTERM)
        service.process.wait(60)


@dataclass(slots=True)
class Outcome:
    """What clients saw."""

    times: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    accepted: list[str] = field(default_factory=list)  # ids that were answered


async def client(port: int, path: str, mails: Iterator[bytes], until: float, out: Outcome) -> None:
    """One connection that asks, waits for the answer and asks again."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: "
    try:
        while time.monotonic() < until:
            mail = next(mails, None)
            if mail is None:
                break
            started = time.perf_counter()
            writer.write(f"{head}{len(mail)}\r\n\r\n".encode() + mail)
            answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            size = int(answer.partition("content-length: ")[2].partition("\r\n")[0])
            await reader.readexactly(size)
            status = int(answer[9:12])
            if status not in (200, 202):
                out.errors.append(str(status))
                continue
            out.times.append(time.perf_counter() - started)
            out.accepted.append(answer.partition("x-malafide-case: ")[2].partition("\r\n")[0])
    except (OSError, asyncio.IncompleteReadError) as error:
        out.errors.append(type(error).__name__)
    finally:
        writer.close()


async def drive(port: int, path: str, mails: Iterator[bytes], seconds: float, clients: int = 8) -> Outcome:
    out = Outcome()
    until = time.monotonic() + seconds
    await asyncio.gather(*(client(port, path, mails, until, out) for _ in range(clients)))
    return out


def load(mails: Sequence[bytes], seconds: float) -> None:
    """Offline classify over HTTP, 8 clients on loopback."""
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as service:
        asyncio.run(drive(service.port, "/v1/classify", iter(mails[:200]), 60.0))
        before, own = service.cpu(), time.process_time()
        started = time.monotonic()
        out = asyncio.run(drive(service.port, "/v1/classify", cycle(mails), seconds))
        took = time.monotonic() - started
        own, after = time.process_time() - own, service.cpu()
        spent = [after[pid] - before.get(pid, 0.0) for pid in after]
        number = len(out.times)
        times = sorted(out.times)
        print(f"load: {number:,} requests in {took:.0f} s by 8 clients: {number / took:.0f} requests/s")
        print(
            f"  p50 {times[number // 2] * 1e3:.1f} ms, p99 {times[int(number * 0.99)] * 1e3:.1f} ms, "
            f"longest {times[-1] * 1e3:.0f} ms, errors {len(out.errors)} {sorted(set(out.errors))}"
        )
        print(
            f"  CPU for each request: web {spent[0] / number * 1e3:.2f} ms, judges "
            f"{sum(spent[1:]) / number * 1e3:.2f} ms, clients {own / number * 1e3:.2f} ms; "
            f"{os.cpu_count()} cores could do {(os.cpu_count() or 1) * number / (sum(spent) + own):.0f} requests/s"
        )


def kills(mails: Sequence[bytes], rounds: int, cases: int = 1_000) -> None:
    """kill -9 of the service at a random moment while cases come in: every accepted one must be there and whole."""
    chance = random.Random(8)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        accepted: list[str] = []
        port = _free_port()
        for number in range(rounds):
            service = start(home, port)
            judges = service.family()[1:]
            path = "/v1/cases?panel=spam" if number % 2 else "/v1/classify"
            out = asyncio.run(_killed(service, path, mails[:cases], chance.uniform(0.3, 4.0)))
            accepted += out.accepted
            _gone(judges)
        service = start(home, port)
        _settled(service, len(accepted))
        service.process.send_signal(signal.SIGTERM)
        service.process.wait(60)
        lost, half, kept = _look(home / "service.sqlite", accepted)
        print(
            f"kills: {rounds} times, {len(accepted):,} cases accepted, {kept:,} kept; "
            f"{lost} accepted and lost, {half} half-written or unjudged"
        )


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


async def _killed(service: Service, path: str, mails: Sequence[bytes], after: float) -> Outcome:
    driving = asyncio.create_task(drive(service.port, path, iter(mails), 60.0))
    await asyncio.sleep(after)
    service.process.kill()
    service.process.wait()
    return await driving


def _gone(judges: Sequence[int]) -> None:
    """Waits until the judges of a killed service have noticed and ended."""
    for pid in judges:
        for _ in range(200):
            if not Path(f"/proc/{pid}/statm").exists() or not _resident(pid):
                break
            time.sleep(0.05)
        else:
            print(f"  judge {pid} outlived its service")


def _settled(service: Service, accepted: int) -> None:
    """Waits until everything that waited was judged."""
    for _ in range(max(600, accepted)):
        waiting = [
            json.loads(service.get(f"/v1/cases?most=1&state={s}"))["items"] for s in ("waiting", "claimed")
        ]
        if not any(waiting):
            return
        time.sleep(0.2)


def _look(path: Path, accepted: Sequence[str]) -> tuple[int, int, int]:
    """Cases that were accepted and are not there, rows that are not whole, and all rows."""
    from malafide.store import open_store

    lost = half = 0
    with open_store(f"sqlite:///{path}") as store:
        for case in accepted:
            found = store.case(case)
            if found is None:
                lost += 1
            elif found.line.state != "judged" or not found.contract.get("final_classification"):
                half += 1
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    return lost, half, int(connection.execute("SELECT COUNT(*) FROM cases").fetchone()[0])


def memory(mails: Sequence[bytes], cases: int) -> None:
    """Memory of all processes while cases are judged, in ten steps."""
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as service:
        seen = []
        for _ in range(10):
            some = cycle(mails)
            part = iter([next(some) for _ in range(cases // 10)])
            asyncio.run(drive(service.port, "/v1/classify", part, 3_600.0))
            seen.append(service.memory())
        print(f"memory in MB over {cases:,} cases: " + " ".join(f"{one:.0f}" for one in seen))
        print(f"  growth over the second half: {(seen[9] / seen[4] - 1) * 100:+.1f} %")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--kills", type=int)
    parser.add_argument("--memory", type=int)
    given = parser.parse_args()
    everything = given.seconds is given.kills is given.memory is None
    mails = [data for name in ("ham", "hard_ham", "spam") for _, data in raw_mails(f"spamassassin/{name}")]
    random.Random(4).shuffle(mails)
    if everything or given.seconds:
        load(mails, given.seconds or 20.0)
    if everything or given.kills:
        kills(mails, given.kills or 2)
    if everything or given.memory:
        memory(mails, given.memory or 2_000)


if __name__ == "__main__":
    main()
