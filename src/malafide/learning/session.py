"""Labelled mail in, a lesson out: learns, remembers the mail, and puts the new catalog in the place of the old.

The catalog is written last. Whatever stops learning before that leaves the old one as it was.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from malafide.case import case_id
from malafide.errors import UnwritableOutput
from malafide.files import write_atomically
from malafide.home import home
from malafide.intake.datasets import Labelled
from malafide.knowledge.catalog import Catalog, dump
from malafide.knowledge.precedent_record import Precedent, Provenance
from malafide.knowledge.remembered import catalog_path, read_catalog
from malafide.learning.feedback import with_labels
from malafide.learning.labels import Label, precedents_of_people, read_labels
from malafide.learning.lock import changing
from malafide.learning.memory import merged, read_samples, samples_path, write_samples
from malafide.learning.samples import Sample, gather

Told = Callable[[str, int, int], None]  # what is being done, how many are done, of how many
_STORED: Final = 500  # precedents between two words about them


@dataclass(frozen=True, slots=True)
class Lesson:
    """What learning did."""

    catalog: Catalog
    read: int  # mails that were given and could be read
    unreadable: int
    new: int  # of those read, mails not known before
    precedents: int  # mails that became precedents now
    edits_kept: tuple[str, ...]  # patterns whose weight a person had changed, and that still have it
    edits_lost: tuple[str, ...]  # patterns of which that is not so: they are no longer found
    seconds: float


def teach(items: Sequence[Labelled], told: Told | None = None) -> Lesson:
    """Learns from labelled mail, on top of what was learned before. A mail given again takes its new label."""
    told = told or _silent
    started = time.monotonic()
    with changing("learning", patience=0.0):
        samples = gather(items, lambda done: told("reading", done, len(items)))
        told("learning", 0, 0)
        before = read_samples(samples_path())
        every = merged(before, samples)
        old = read_catalog(catalog_path()) if catalog_path().exists() else None
        sources = sorted({*(old.sources if old else ()), *(item.source for item in items)})
        labels = read_labels()
        catalog, kept, lost = _as_edited(_learned(every, sources), old)
        catalog = with_labels(catalog, labels)
        stored = _remember(samples, source_by_id(items), labels, told)
        write_samples(samples_path(), every)
        write_atomically(catalog_path(), dump(catalog))
    return Lesson(
        catalog=catalog,
        read=len(samples),
        unreadable=len(items) - len(samples),
        new=len(every) - len(before),
        precedents=stored,
        edits_kept=kept,
        edits_lost=lost,
        seconds=time.monotonic() - started,
    )


def unlearn(gone: str) -> bool:
    """Learns again without one mail of a data set, as if it had never been given; whether there was one."""
    from malafide.knowledge.precedents import Precedents

    with changing("learning without one mail"):
        before = read_samples(samples_path())
        every = [sample for sample in before if sample.case_id != gone]
        if len(every) == len(before):
            return False
        old = read_catalog(catalog_path())
        catalog, _, _ = _as_edited(_learned(every, old.sources), old)
        labels = read_labels()
        store = Precedents()
        try:
            learned = [one for one in store.labels(gone) if one.provenance.how == "dataset"]
            store.relabel(gone, learned, [])
        finally:
            store.close()
        write_samples(samples_path(), every)
        write_atomically(catalog_path(), dump(with_labels(catalog, labels)))
    return True


def withdraw(case_id: str) -> str | None:
    """Takes back the newest label of a mail that neither a person here nor a data set here gave, so an imported one."""
    from malafide.knowledge.precedents import Precedents

    with changing("taking a label back"):
        store = Precedents()
        gone = store.forget(case_id)
        store.close()
    return f"{gone.provenance.source} no longer says {gone.label}" if gone is not None else None


def reset() -> Path | None:
    """Moves what data sets taught into a folder of its own, named in the answer; None when there is nothing.

    What people said stays, and is remembered afresh.
    """
    from malafide.knowledge.precedents import Precedents

    with changing("forgetting what was learned"):
        names = ("pattern_catalog.json*", "samples.jsonl.gz", "precedents.sqlite*")
        found = [path for name in names for path in sorted(home().glob(name))]
        if not found:
            return None
        aside = home() / f"reset-{datetime.now(UTC):%Y%m%d-%H%M%S}"
        try:
            aside.mkdir()
            for path in found:
                path.replace(aside / path.name)
        except OSError as error:
            raise UnwritableOutput(f"cannot move files to {str(aside)!r}: {error.strerror}") from None
        labels = read_labels()
        store = Precedents()
        for known in sorted({label.case for label in labels}):
            store.relabel(known[0], [], precedents_of_people(labels, known), known[1])
        store.close()
    return aside


def _learned(samples: Sequence[Sample], sources: Sequence[str]) -> Catalog:
    from malafide.learning.learner import learn  # imports numpy

    return learn(samples, sources)


def _as_edited(new: Catalog, old: Catalog | None) -> tuple[Catalog, tuple[str, ...], tuple[str, ...]]:
    """The new catalog with the weights that a person gave patterns of the old; which could be kept, which not."""
    edited = {p.pattern_type: p.weight for p in old.patterns if p.weight != 1.0} if old else {}
    patterns = tuple(replace(p, weight=edited.get(p.pattern_type, p.weight)) for p in new.patterns)
    names = {p.pattern_type for p in patterns}
    kept = tuple(sorted(edited.keys() & names))
    return replace(new, patterns=patterns), kept, tuple(sorted(edited.keys() - names))


def source_by_id(items: Iterable[Labelled]) -> dict[str, str]:
    """Which data set each mail came from, by the id of its case."""
    return {case_id(_bytes(item.message)): item.source for item in items}


def _bytes(message: str | bytes) -> bytes:
    return message if isinstance(message, bytes) else message.encode("utf-8", "replace")


def precedents_of(samples: Iterable[Sample], sources: Mapping[str, str]) -> Iterator[Precedent]:
    """The mails of a data set as precedents."""
    when = datetime.now(UTC).isoformat(timespec="seconds")
    for sample in samples:
        given = Provenance("dataset", sources.get(sample.case_id, "data set"), when)
        yield Precedent(sample.case_id, "spam" if sample.spam else "ham", sample.text, given)


def _remember(
    samples: Sequence[Sample], sources: Mapping[str, str], labels: Sequence[Label], told: Told
) -> int:
    """Makes the mails precedents, and lays what people said about them over that again."""
    from malafide.knowledge.precedents import Precedents

    store = Precedents()
    stored = 0
    try:
        for start in range(0, len(samples), _STORED):
            told("remembering", start, len(samples))
            stored += store.store_many(precedents_of(samples[start : start + _STORED], sources))
        mails = {label.case_id for label in labels if label.panel == "spam"}
        for known in sorted({s.case_id for s in samples} & mails):
            said = precedents_of_people(labels, (known, "spam"))
            store.relabel(known, said, said)
    finally:
        store.close()
    return stored


def _silent(_what: str, _done: int, _of: int) -> None:
    return
