"""Prints how fast the spam panel is on one core: mails per second, p99, memory, and a cold start of the command.

    python -m benchmarks.speed

Timings are CPU seconds of this process; beside them stands a fixed piece of Python work timed in the same run, so
that figures from different machines can be compared.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from benchmarks.corpora import raw_mails
from malafide import Knowledge, MalafideError, SpamClassifier
from malafide.doors.cli import collect_seldom

PASSES = 3  # a machine is seldom quiet: of several measures of the same the smallest is the truest


def reference_seconds() -> float:
    """A fixed amount of plain Python work, as a yardstick."""
    started = time.process_time()
    total = 0
    for i in range(3_000_000):
        total += i * i % 7
    return time.process_time() - started


def _seconds(classifier: SpamClassifier, data: bytes) -> float:
    started = time.process_time()
    with suppress(MalafideError):
        classifier.classify(data)
    return time.process_time() - started


def main() -> None:
    mails = [data for name in ("ham", "hard_ham", "spam") for _, data in raw_mails(f"spamassassin/{name}")]
    collect_seldom()  # as the command line does
    classifier = SpamClassifier(knowledge=Knowledge())
    for data in mails[:200]:
        classifier.classify(data)
    passes = []
    yardsticks = [reference_seconds()]
    for _ in range(PASSES):
        passes.append([_seconds(classifier, data) for data in mails])
        yardsticks.append(reference_seconds())
    rate = len(mails) / sum(passes[0])
    times = list(map(min, zip(*passes, strict=True)))
    times.sort()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"mails {len(times)}, one core, warm: {rate:.0f} mails/s in one pass")
    print(f"each mail at its quickest of {PASSES} passes: {len(times) / sum(times):.0f} mails/s")
    p50, p99 = statistics.median(times), times[int(len(times) * 0.99)]
    print(f"p50 {p50 * 1e3:.2f} ms, p99 {p99 * 1e3:.2f} ms, max {times[-1] * 1e3:.1f} ms")
    print(f"peak memory {peak:.0f} MB (with all {len(mails)} mails held)")
    print(f"yardstick: 3,000,000 steps of plain Python in {min(yardsticks):.3f} s at best")
    with tempfile.TemporaryDirectory() as folder:
        one = Path(folder) / "one.eml"
        one.write_bytes(mails[0])
        walls = []
        for _ in range(5):
            started = time.perf_counter()
            subprocess.run(
                [sys.executable, "-m", "malafide", "classify", str(one)], check=True, capture_output=True
            )
            walls.append(time.perf_counter() - started)
        bare = []
        for _ in range(5):
            started = time.perf_counter()
            subprocess.run([sys.executable, "-c", "pass"], check=True)
            bare.append(time.perf_counter() - started)
    print(
        f"cold start to answer: {statistics.median(walls):.2f} s (bare interpreter {statistics.median(bare):.2f} s)"
    )


if __name__ == "__main__":
    main()
