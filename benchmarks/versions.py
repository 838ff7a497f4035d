"""Lets this version and another judge the same mails in turns, so that a machine's moods fall on both.

    python -m benchmarks.versions TREE        # TREE: another checkout, such as of the version before

Each turn is a process of its own over every third mail of the SpamAssassin corpus; what counts is its CPU time.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.corpora import raw_mails
from malafide import Knowledge, MalafideError, SpamClassifier

TURNS = 5


def judge() -> None:
    """One turn: prints the CPU milliseconds of a mail."""
    every = (data for name in ("ham", "hard_ham", "spam") for _, data in raw_mails(f"spamassassin/{name}"))
    mails = list(every)[::3]
    classifier = SpamClassifier(knowledge=Knowledge())
    for data in mails[:200]:
        classifier.classify(data)
    started = time.process_time()
    for data in mails:
        try:
            classifier.classify(data)
        except MalafideError:
            continue
    print(1000 * (time.process_time() - started) / len(mails))


def turn(tree: Path) -> float:
    here = Path(__file__).parents[1]
    told = subprocess.run(
        [sys.executable, "-m", "benchmarks.versions"],
        cwd=here, env={**os.environ, "PYTHONPATH": str(tree / "src")}, capture_output=True, check=True, text=True,
    )  # fmt: skip
    return float(told.stdout)


def main() -> None:
    if len(sys.argv) < 2:
        judge()
        return
    other, here = Path(sys.argv[1]).resolve(), Path(__file__).parents[1]
    turns = [(turn(other), turn(here)) for _ in range(TURNS)]
    before, now = (statistics.median(column) for column in zip(*turns, strict=True))
    ratios = sorted(b / a for a, b in turns)
    print(f"CPU per mail, median of {TURNS} turns: {before:.2f} ms there, {now:.2f} ms here")
    print(
        f"here takes {statistics.median(ratios):.2f} of the time there ({ratios[0]:.2f} to {ratios[-1]:.2f})"
    )


if __name__ == "__main__":
    main()
