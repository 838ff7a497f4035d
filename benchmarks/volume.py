"""Prints what a batch does with many mails: cores, memory, kills, Ray, and what a million costs.

    python -m benchmarks.volume cores --mails 20000
    python -m benchmarks.volume million --mails 1000000
    python -m benchmarks.volume kills --mails 3000 --kills 20
    python -m benchmarks.volume ray --mails 100000
    MALAFIDE_DATA=... python -m benchmarks.volume sizing

Mails are made up (benchmarks/made_mails.py) except in `sizing`, which needs real ones for the share of open cases.
Beside wall time stands CPU time of all processes: on a machine that others use, only that can be compared.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks.made_mails import write_mailbox


def command(box: Path, out: Path, *options: object) -> list[str]:
    return [sys.executable, "-m", "malafide", "batch", str(box), str(out), "--restart", *map(str, options)]


def children(process: int) -> list[int]:
    """Every process below another, as Linux tells."""
    found: list[int] = []
    try:
        for task in Path(f"/proc/{process}/task").iterdir():
            found += [int(child) for child in (task / "children").read_text().split()]
    except OSError:
        return found
    return found + [below for child in found for below in children(child)]


def kilobytes(process: int, field_name: str, file: str = "status") -> int:
    try:
        for line in Path(f"/proc/{process}/{file}").read_text().splitlines():
            if line.startswith(field_name):
                return int(line.split()[1])
    except OSError:
        return 0
    return 0


def cpu_seconds(processes: Sequence[int]) -> float:
    total = 0.0
    for process in processes:
        try:
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


class Sample(NamedTuple):
    seconds: float
    cases: int
    parent_kb: int
    worker_kb: int  # its part of what is shared counted in part
    cpu: float  # seconds, of all processes
    parent_cpu: float


@dataclass
class Watch:
    """Samples a running batch: time, cases judged, memory of the parent and of a worker, CPU of all."""

    process: int
    journal: Path
    every: float
    samples: list[Sample] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.started = time.monotonic()
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        while Path(f"/proc/{self.process}").exists():
            below = children(self.process)
            self.samples.append(
                Sample(
                    time.monotonic() - self.started,
                    cases_in(self.journal),
                    kilobytes(self.process, "VmRSS:"),
                    max((kilobytes(child, "Pss:", "smaps_rollup") for child in below), default=0),
                    cpu_seconds([self.process, *below]),
                    cpu_seconds([self.process]),
                )
            )
            time.sleep(self.every)


def cases_in(journal: Path) -> int:
    """How far the last checkpoint is."""
    try:
        with journal.open("rb") as lines:
            lines.seek(max(0, journal.stat().st_size - 4000))
            last = lines.read().splitlines()[-1]
        return int(json.loads(last)["mark"]["cases"])
    except (OSError, ValueError, KeyError, IndexError):
        return 0


def cores(mails: int, folder: Path) -> None:
    box = write_mailbox(folder / "box", mails)
    rates: dict[int, list[float]] = {1: [], 2: []}
    costs: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(3):
        for number in (1, 2):
            pinned = ["taskset", "-c", ",".join(map(str, range(number)))]
            before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
            subprocess.run(
                [*pinned, *command(box, folder / "out.jsonl", "--workers", number)],
                check=True,
                stderr=subprocess.DEVNULL,
            )
            rates[number].append(mails / (time.monotonic() - started))
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            costs[number].append(spent / mails * 1000)
    one, two = median(rates[1]), median(rates[2])
    print(f"{mails:,} mails, start included, the middle of three runs each")
    print(f"one core {one:,.0f} mails/s, two cores {two:,.0f} mails/s: {two / one:.2f} times as fast")
    print(
        f"CPU time per mail {median(costs[1]):.2f} ms and {median(costs[2]):.2f} ms: on free cores at most "
        f"{2 * median(costs[1]) / median(costs[2]):.2f} times"
    )


def million(mails: int, folder: Path) -> None:
    box = write_mailbox(folder / "box", mails)
    out = folder / "out.jsonl"
    process = subprocess.Popen(command(box, out), stderr=subprocess.PIPE, text=True)
    watch = Watch(process.pid, out.with_name("out.jsonl.journal"), every=max(0.2, mails / 500_000))
    said = process.communicate()[1].strip().splitlines()[-1]
    whole = [sample for sample in watch.samples if sample.cases]
    print(f"{mails:,} mails of {box.stat().st_size / mails / 1000:.1f} kB, {os.cpu_count()} cores: {said}")
    parent = [sample.parent_kb / 1024 for sample in whole]
    tenths = [parent[len(parent) * n // 10] for n in range(10)] + [parent[-2]]
    print("memory of the parent in MB, at each tenth:", " ".join(f"{one:.0f}" for one in tenths))
    worker = max(s.worker_kb for s in whole) / 1024
    print(f"memory of a worker, what it shares counted by its part: {worker:.0f} MB")
    judged, cpu = whole[-2].cases - whole[0].cases, whole[-2].cpu - whole[0].cpu
    leading = whole[-2].parent_cpu - whole[0].parent_cpu
    print(
        f"CPU time per mail {cpu / judged * 1000:.2f} ms, of which the leader {leading / judged * 1000:.3f} ms"
    )
    first, last = between(whole, 0, mails * 0.1), between(whole, mails * 0.9, mails)
    print(
        f"rate in the first tenth {first[0]:,.0f} mails/s, in the last {last[0]:,.0f}: {last[0] / first[0]:.1%}"
    )
    print(f"the same per second of CPU: {first[1]:,.0f} and {last[1]:,.0f}: {last[1] / first[1]:.1%}")
    print(f"output {out.stat().st_size / mails / 1000:.1f} kB a row; {lines_in(out):,} rows")


def between(samples: Sequence[Sample], low: float, high: float) -> tuple[float, float]:
    """Cases per second, and per second of CPU, between two numbers of cases."""
    inside = [sample for sample in samples if low <= sample.cases <= high]
    begin, end = inside[0], inside[-1]
    cases = end.cases - begin.cases
    return cases / (end.seconds - begin.seconds or 1), cases / (end.cpu - begin.cpu or 1)


def lines_in(path: Path) -> int:
    with path.open("rb") as stream:
        return sum(block.count(b"\n") for block in iter(lambda: stream.read(1 << 20), b""))


def kills(mails: int, number: int, folder: Path) -> None:
    box = write_mailbox(folder / "box", mails)
    started = time.monotonic()
    subprocess.run(command(box, folder / "whole.jsonl"), check=True, stderr=subprocess.DEVNULL)
    took = time.monotonic() - started
    whole = (folder / "whole.jsonl").read_bytes()
    chance, same, killed, kept = random.Random(1), 0, 0, []
    tried = 0
    while killed < number:
        tried += 1
        out = folder / "out.jsonl"
        out.unlink(missing_ok=True)
        process = subprocess.Popen(command(box, out), stderr=subprocess.DEVNULL)
        try:
            process.wait(chance.uniform(0.2, took))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            killed += 1
            kept.append(cases_in(out.with_name("out.jsonl.journal")))
        if not out.exists():
            again = [part for part in command(box, out) if part != "--restart"]
            subprocess.run(again, check=True, stderr=subprocess.DEVNULL)
        same += out.read_bytes() == whole
    print(
        f"{mails:,} mails, killed at {number} random moments ({killed} before the end), resumed with the same command"
    )
    print(f"identical to an uninterrupted run: {same} of {tried}; cases kept at the kills: {sorted(kept)}")


def on_ray(mails: int, folder: Path) -> None:
    box = write_mailbox(folder / "box", mails)
    started = time.monotonic()
    subprocess.run(command(box, folder / "here.jsonl", "--workers", 2), check=True, stderr=subprocess.DEVNULL)
    here = mails / (time.monotonic() - started)
    out = folder / "there.jsonl"
    started = time.monotonic()
    process = subprocess.Popen(command(box, out, "--workers", 2, "--ray"), stderr=subprocess.PIPE, text=True)
    journal, victim, begun = out.with_name("there.jsonl.journal"), 0, (0, 0.0)
    while process.poll() is None and not victim:
        done = cases_in(journal)
        begun = begun if begun[0] else (done, time.monotonic())
        if done >= mails / 2:
            victim = next(child for child in children(process.pid) if b"MapWorker" in title(child))
            os.kill(victim, signal.SIGKILL)
        time.sleep(0.2)
    said = (process.communicate()[1] or "").strip().splitlines()[-1]
    ended = time.monotonic()
    there = mails / (ended - started)
    same = out.read_bytes() == (folder / "here.jsonl").read_bytes()
    print(said)
    print(
        f"{mails:,} mails on two local workers of Ray, one of them killed half way ({'yes' if victim else 'no'})"
    )
    print(f"rows {lines_in(out):,}, the same bytes as the local batch: {same}")
    print(f"local batch {here:,.0f} mails/s, Ray {there:,.0f} mails/s with its start: {there / here:.0%}")
    judging = (mails - begun[0]) / (ended - begun[1])
    print(f"without the start of Ray {judging:,.0f} mails/s: {judging / here:.0%}")


def title(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def sizing(mails: int) -> None:
    from benchmarks.corpora import raw_mails
    from malafide import Knowledge, MalafideError, SpamClassifier
    from malafide.intake import read_bytes
    from malafide.minds.models import endpoint
    from malafide.panel.council import Council
    from malafide.settings import Settings

    os.environ.setdefault("ANTHROPIC_API_KEY", "none: nothing is sent")
    models = ("anthropic:claude-haiku-4-5", "anthropic:claude-sonnet-5-5")
    classifier = SpamClassifier(knowledge=Knowledge(), model=Council(Settings(model=models[0])))
    for name in ("spamassassin/ham", "spamassassin/hard_ham", "spamassassin/spam", "phishing_pot"):
        asked, letters, seen = 0, 0, 0
        for _, data in list(raw_mails(name))[:mails]:
            try:
                prompts, _ = classifier.would_ask(read_bytes(data))
            except MalafideError:
                continue
            seen += 1
            asked += bool(prompts)
            letters += sum(p.characters for p in prompts)
        tokens = (
            letters / 4 / max(asked, 1) * 4 / 3
        )  # three agents are shown here; the chair makes a fourth call
        line = (
            f"{name}: {asked / seen:.1%} of {seen:,} mails are put to a model, {tokens:,.0f} tokens in each"
        )
        for model in models:
            price = endpoint(model).price
            assert price is not None
            each = tokens * price.input / 1e6 + 4 * _OUTPUT_TOKENS * price.output / 1e6
            line += f"; ${each * asked / seen * 1e6:,.0f} a million mails with {model}"
        print(line)
    classifier.close()


_OUTPUT_TOKENS = 300  # of one call: a report of an agent is about so long


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("cores", "million", "kills", "ray", "sizing"))
    parser.add_argument("--mails", type=int)
    parser.add_argument("--kills", type=int, default=20)
    asked = parser.parse_args()
    usual = {"cores": 20_000, "million": 1_000_000, "kills": 3_000, "ray": 100_000, "sizing": 500}
    mails = asked.mails or usual[asked.what]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["MALAFIDE_HOME"] = str(folder / "home")
        if asked.what == "kills":
            kills(mails, asked.kills, folder)
        elif asked.what == "sizing":
            sizing(mails)
        else:
            {"cores": cores, "million": million, "ray": on_ray}[asked.what](mails, folder)


if __name__ == "__main__":
    main()
