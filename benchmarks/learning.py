"""Prints the figures of learning: on the data learned from, on other mail, from a small sample, and its speed.

    python -m benchmarks.learning [enron|samples|folds|elsewhere|sms]

UNCERTAIN counts as wrong. Everything runs in a temporary home folder.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchmarks.corpora import csv_texts, data_folder, raw_mails
from malafide import Knowledge, SpamClassifier
from malafide.intake.datasets import Labelled, read_dataset, text_digest
from malafide.knowledge.precedent_record import Precedent, Provenance
from malafide.knowledge.precedents import Precedents
from malafide.learning.learner import learn
from malafide.learning.samples import Sample, gather
from malafide.measure.validation import validate

_when = "2026-01-01T00:00:00+00:00"


def taught(samples: Sequence[Sample], folder: Path) -> Knowledge:
    """What `malafide learn` remembers of some samples: a catalog and precedents."""
    store = Precedents(folder / "precedents.sqlite")
    source = Provenance("dataset", "benchmark", _when)
    store.store_many(Precedent(s.case_id, "spam" if s.spam else "ham", s.text, source) for s in samples)
    return Knowledge(learn(samples, ["benchmark"]), store)


def figures(name: str, knowledge: Knowledge, items: Sequence[Labelled]) -> dict[str, float]:
    m = validate(SpamClassifier(knowledge=knowledge), items, None, ()).metrics()
    keys = ("accuracy", "false_positive_rate", "false_negative_rate", "consensus_rate", "coverage", "ece")
    short = ("accuracy", "FPR", "FNR", "agree", "coverage", "ECE")
    print(
        f"{name:44}" + "".join(f"{s} {_number(m[k])}  " for s, k in zip(short, keys, strict=True)), flush=True
    )
    return {k: float(m[k] or 0.0) for k in keys}


def _number(value: float | None) -> str:
    """A set of one class has no rate of the other."""
    return "  -   " if value is None else f"{value:.4f}"


def labelled(name: str, label: str) -> list[Labelled]:
    return [
        Labelled(n, data, "spam" if label == "spam" else "ham", name, None, text_digest(data))
        for n, data in raw_mails(name)
    ]


def enron_split(folder: Path) -> tuple[list[Labelled], list[Labelled]]:
    subprocess.run([sys.executable, str(data_folder() / "enron/split.py"), str(folder)], check=True)
    return list(read_dataset(folder / "train.csv").items), list(read_dataset(folder / "test.csv").items)


def enron(folder: Path) -> None:
    train, test = enron_split(folder)
    started = time.process_time()
    samples = gather(train)
    knowledge = taught(samples, folder)
    print(f"learned {len(samples)} mails in {time.process_time() - started:.1f} s CPU")
    figures("Enron test, built-in knowledge", Knowledge(), test)
    figures("Enron test, catalog only", Knowledge(knowledge.catalog), test)
    figures("Enron test, catalog and precedents", knowledge, test)
    cost(knowledge)


def cost(knowledge: Knowledge) -> None:
    """How much longer a raw mail takes with a catalog and precedents."""
    items = [item for name in ("ham", "spam") for item in labelled(f"spamassassin/{name}", name)[::8]]
    spent = []
    for known in (Knowledge(), knowledge):
        classifier = SpamClassifier(knowledge=known)
        for item in items[:50]:
            classifier.classify(item.message)
        started = time.process_time()
        for item in items:
            classifier.classify(item.message)
        spent.append(time.process_time() - started)
    print(f"a mail with what was learned costs {spent[1] / spent[0]:.2f} times as much as without")


def samples_of_100(folder: Path) -> None:
    train = read_dataset(_ensure_split(folder) / "train.csv")
    test = list(read_dataset(folder / "test.csv").items)
    found = []
    for seed in range(1, 6):
        place = folder / str(seed)
        place.mkdir()
        few = gather(train.sample(100, seed).items)
        found.append(
            figures(f"Enron test, learned from 100, seed {seed}", taught(few, place), test)["accuracy"]
        )
    print(f"mean accuracy from 100 mails: {sum(found) / len(found):.4f}")


def _ensure_split(folder: Path) -> Path:
    enron_split(folder)
    return folder


def folds(folder: Path) -> None:
    """Five folds over the SpamAssassin corpus; false alarms told apart for ham and hard ham."""
    sets = {n: labelled(f"spamassassin/{n}", n) for n in ("ham", "hard_ham", "spam")}
    answers: dict[str, Counter[str]] = {n: Counter() for n in sets}
    samples = {n: gather(items) for n, items in sets.items()}
    by_digest = {n: {s.case_id: s for s in group} for n, group in samples.items()}
    for fold in range(5):
        place = folder / f"fold{fold}"
        place.mkdir()
        train = [s for group in samples.values() for s in group if int(s.case_id[:8], 16) % 5 != fold]
        classifier = SpamClassifier(knowledge=taught(train, place))
        for name, items in sets.items():
            for item in items:
                result = classifier.classify(item.message) if _in_fold(item, by_digest[name], fold) else None
                if result is not None:
                    answers[name][result.final_classification] += 1
    for name, counts in answers.items():
        total = sum(counts.values())
        print(
            f"SpamAssassin 5-fold {name:10} " + "  ".join(f"{a} {c / total:.2%}" for a, c in counts.items())
        )
    right = answers["ham"]["HAM"] + answers["hard_ham"]["HAM"] + answers["spam"]["SPAM"]
    print(f"SpamAssassin 5-fold accuracy {right / sum(sum(c.values()) for c in answers.values()):.4f}")


def _in_fold(item: Labelled, known: dict[str, Sample], fold: int) -> bool:
    from malafide.case import case_id

    assert isinstance(item.message, bytes)
    identity = case_id(item.message)
    return identity in known and int(identity[:8], 16) % 5 == fold


def elsewhere(folder: Path) -> None:
    """Learned on one collection, tried on another: it must not hurt."""
    train, _ = enron_split(folder)
    (folder / "e").mkdir()
    (folder / "s").mkdir()
    from_enron = taught(gather(train), folder / "e")
    for name in ("spamassassin/ham", "spamassassin/hard_ham"):
        items = labelled(name, "ham")
        figures(f"{name}, built-in", Knowledge(), items)
        figures(f"{name}, learned on Enron", from_enron, items)
    sets = ((n, labelled(f"spamassassin/{n}", n)) for n in ("ham", "hard_ham", "spam"))
    from_spamassassin = taught([s for _, items in sets for s in gather(items)], folder / "s")
    for name, known in (("built-in", Knowledge()), ("learned on SpamAssassin", from_spamassassin)):
        classifier = SpamClassifier(knowledge=known)
        answers = Counter(classifier.classify(d).final_classification for _, d in raw_mails("phishing_pot"))
        total = sum(answers.values())
        print(
            f"phishing_pot, {name}: caught {answers['SPAM'] / total:.2%}, called HAM {answers['HAM'] / total:.2%}"
        )


def sms(folder: Path) -> None:
    rows = list(csv_texts("sms/sms_spam.csv", "class", "message"))
    items = [
        Labelled(f"sms{i}", text, "spam" if label == "spam" else "ham", "sms", None, text_digest(text))
        for i, (label, text) in enumerate(rows)
    ]
    figures("SMS, learned on half, tried on the other", taught(gather(items[::2]), folder), items[1::2])


PARTS = {"enron": enron, "samples": samples_of_100, "folds": folds, "elsewhere": elsewhere, "sms": sms}


def main() -> None:
    for name in sys.argv[1:] or PARTS:
        with tempfile.TemporaryDirectory() as folder:
            PARTS[name](Path(folder))


if __name__ == "__main__":
    main()
