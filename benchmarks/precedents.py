"""Prints what the precedents find and what they cost: label agreement, campaigns found again, speed, memory.

    python -m benchmarks.precedents

Speed is measured on 100,000 made-up mails (`--rows`), the rest on the labelled mail in MALAFIDE_DATA.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import re
import resource
import string
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy: a second thread only makes the figures noisy

from benchmarks.corpora import csv_texts, raw_mails
from benchmarks.speed import reference_seconds
from malafide.intake import read_bytes
from malafide.knowledge.precedent_recall import summary
from malafide.knowledge.precedent_record import Neighbour, Precedent, Provenance
from malafide.knowledge.precedents import Precedents

Labelled = list[tuple[str, str]]
_GIVEN = Provenance("dataset", "benchmark", "2026-01-01T00:00:00Z")
_NAMES = (
    "Jordan",
    "Priya",
    "Miller",
    "Okafor",
    "review",
    "account",
    "kindly",
    "tomorrow",
    "balance",
    "Lucia",
)


def enron() -> tuple[Labelled, Labelled]:
    """The agreed train and test halves: without duplicates, three in ten for the test."""
    halves: tuple[Labelled, Labelled] = ([], [])
    seen: set[str] = set()
    for label, text in csv_texts("enron/spam_ham_dataset.csv", "label", "text"):
        key = hashlib.sha1(re.sub(r"\W+", " ", text.lower()).encode()).hexdigest()
        if key not in seen:
            seen.add(key)
            halves[int(key[:8], 16) % 10 < 3].append((label, text))
    return halves


def spamassassin() -> tuple[Labelled, Labelled]:
    halves: tuple[Labelled, Labelled] = ([], [])
    seen: set[str] = set()
    for name in ("ham", "hard_ham", "spam"):
        for _, data in raw_mails(f"spamassassin/{name}"):
            text = read_bytes(data).reading
            key = hashlib.sha1(re.sub(r"\W+", " ", text.lower()).encode()).hexdigest()
            if key not in seen:
                seen.add(key)
                halves[int(key[:8], 16) % 10 < 3].append((name.removeprefix("hard_"), text))
    return halves


def stored(folder: Path, name: str, mails: Labelled) -> Precedents:
    store = Precedents(folder / f"{name}.sqlite")
    store.store_many(Precedent(f"{name}-{i}", label, text, _GIVEN) for i, (label, text) in enumerate(mails))
    return store


def agreement(title: str, store: Precedents, mails: Labelled) -> None:
    """How often precedents have the label of the mail: the five nearest, by similarity, near-duplicates."""
    bands: dict[int, list[bool]] = {}
    right: dict[str, list[bool]] = {"ham": [], "spam": []}
    near: list[bool] = []
    for label, text in mails:
        found = store.search(text)
        right[label].append(_vote(found[:5]) == label)
        if found:
            bands.setdefault(min(9, int(found[0].similarity * 10)), []).append(found[0].label == label)
        if duplicates := summary(found).near_duplicates:
            near.append(duplicates[0].label == label)
    both = right["ham"] + right["spam"]
    ham, spam = _share(right["ham"]), _share(right["spam"])
    print(f"{title}: label of the five nearest right on {_share(both)}; ham {ham}, spam {spam}")
    print("  nearest by similarity:")
    print("  " + ", ".join(f"0.{band} {_share(hits)} of {len(hits)}" for band, hits in sorted(bands.items())))
    print(f"  near-duplicates: {len(near)}, with the label of the mail {sum(near)}")


def _vote(found: list[Neighbour]) -> str:
    weights: dict[str, float] = {}
    for one in found:
        weights[one.label] = weights.get(one.label, 0.0) + one.similarity**4
    return max(weights, key=lambda label: weights[label], default="")


def _share(outcomes: list[bool]) -> str:
    return f"{sum(outcomes) / len(outcomes):.4f}" if outcomes else "-"


def changed(text: str, chance: random.Random) -> str:
    """The mail as a campaign sends it to the next reader: other names, links, numbers and some words."""
    out = []
    for word in text.split(" "):
        if "://" in word or "www." in word:
            word = f"http://{''.join(chance.choices(string.ascii_lowercase, k=9))}.example/"
        elif (word[:1].isupper() and chance.random() < 0.3) or chance.random() < 0.08:
            word = chance.choice(_NAMES)
        out.append("".join(chance.choice(string.digits) if letter.isdigit() else letter for letter in word))
    return f"Dear {chance.choice(_NAMES)}, {' '.join(out)}"


def campaigns(folder: Path, mails: Labelled) -> None:
    chance = random.Random(3)
    store = stored(folder, "campaigns", mails)
    picked = chance.sample([i for i, (_, text) in enumerate(mails) if len(text) > 150], 500)
    first = near = 0
    similarities = []
    for i in picked:
        found = store.search(changed(mails[i][1][:4000], chance))
        own = next((one for one in found if one.case_id == f"campaigns-{i}"), None)
        first += bool(own) and found[0] is own
        near += bool(own) and own.near_duplicate
        similarities.append(own.similarity if own else 0.0)
    similarities.sort()
    print(f"campaigns: 500 mails with names, links, numbers and words changed, among {len(mails)}: "
          f"first {first / 5:.1f} %, near-duplicate {near / 5:.1f} %, "
          f"similarity p05 {similarities[25]:.2f}, p50 {similarities[250]:.2f}")  # fmt: skip


def made_up(rows: int) -> Iterator[Precedent]:
    """Mails of words with the frequencies of a language (Zipf), a tenth of them in campaigns of fifty."""
    chance = random.Random(7)
    vocabulary = [
        "".join(chance.choices(string.ascii_lowercase, k=chance.randint(2, 12))) for _ in range(50_000)
    ]

    def mail() -> str:
        length = chance.randint(30, 250)
        return " ".join(vocabulary[int(50_000 ** chance.random()) - 1] for _ in range(length))

    campaign = mail()
    for i in range(rows):
        if i % 500 == 0:
            campaign = mail()
        text = changed(campaign, chance) if i % 10 == 0 else mail()
        yield Precedent(f"made-up-{i}", "spam" if i % 3 == 0 else "ham", text, _GIVEN)


def speed(folder: Path, rows: int) -> None:
    mails = list(made_up(rows))
    for number in (5_000, rows):
        path = folder / f"speed-{number}.sqlite"
        store = Precedents(path)
        before, started = time.process_time(), time.perf_counter()
        store.store_many(mails[:number])
        wall, cpu = time.perf_counter() - started, time.process_time() - before
        print(f"{number} stored in {wall:.1f} s ({cpu:.1f} s CPU), {store.stats().megabytes:.0f} MB on disk")
        store.close()
        retrieval(path, mails[:number])


def retrieval(path: Path, mails: list[Precedent]) -> None:
    store, memory, chance = Precedents(path), _resident(), random.Random(11)
    before = time.process_time()
    store.search(mails[1].text)
    opened = time.process_time() - before
    walls, cpus = [], []
    for mail in chance.sample(mails, 300):
        text = changed(mail.text, chance)
        started, before = time.perf_counter(), time.process_time()
        store.search(text)
        walls.append((time.perf_counter() - started) * 1e3)
        cpus.append((time.process_time() - before) * 1e3)
    for name, times in (("wall", sorted(walls)), ("CPU", sorted(cpus))):
        print(
            f"  retrieval, {name}: p50 {times[150]:.2f} ms, p95 {times[285]:.2f} ms, p99 {times[297]:.2f} ms"
        )
    print(f"  first search after opening {opened * 1e3:.0f} ms CPU; memory +{_resident() - memory:.0f} MB")


def _resident() -> float:
    """Memory of this process in MB, without what is mapped from files (where the system tells)."""
    status = Path("/proc/self/status")
    for line in status.read_text().splitlines() if status.exists() else ():
        if line.startswith("RssAnon"):
            return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=sys.modules[__name__].__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    rows = parser.parse_args().rows
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print(f"yardstick: 3,000,000 steps of plain Python in {reference_seconds():.3f} s")
        speed(folder, rows)
        halves = {"enron": enron(), "spamassassin": spamassassin()}
        stores = {key: stored(folder, key, train) for key, (train, _) in halves.items()}
        for learned, store in stores.items():
            for asked, (_, test) in halves.items():
                agreement(f"{asked} asked of {learned}", store, test)
        phishing = [("spam", read_bytes(data).reading) for _, data in raw_mails("phishing_pot")]
        campaigns(folder, phishing + halves["spamassassin"][0][:2000] + halves["enron"][0][:1000])


if __name__ == "__main__":
    main()
