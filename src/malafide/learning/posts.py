"""Labelled posts or headlines in, a catalog out: the weights of the mail learner, over the wording of posts.

Each post is judged once by weights learned without it (five folds); the calibration is fitted on these. Imports numpy.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import numpy as np

from malafide.consensus.calibration import fit_line
from malafide.errors import UnreadableInput
from malafide.files import write_atomically
from malafide.home import home
from malafide.intake.labelled_posts import LabelledPost
from malafide.knowledge.catalog import FAMILIES, Catalog, Counts, Familiar, Scale, dump
from malafide.knowledge.post_catalog import Kind, catalog_file
from malafide.knowledge.post_wording import post_phrases
from malafide.knowledge.precedent_record import Precedent, Provenance
from malafide.knowledge.precedents import Precedents
from malafide.learning.lock import changing
from malafide.learning.matrix import Matrix
from malafide.learning.memory import merged, read_samples, write_samples
from malafide.learning.patterns import few_shot, group
from malafide.learning.refining import known_phrases, partial_sums, refine
from malafide.learning.samples import Sample

FOLDS: Final = 5
_FEWEST: Final = 5  # posts of each class


@dataclass(frozen=True, slots=True)
class PostLesson:
    """What learning did."""

    catalog: Catalog
    read: int
    new: int
    precedents: int
    path: Path
    seconds: float


def teach_posts(items: Sequence[LabelledPost], kind: Kind) -> PostLesson:
    """Learns on top of what was learned before; a post given again takes its new label."""
    started = time.monotonic()
    samples = gather_posts(items)
    kept = home() / f"{kind}_samples.jsonl.gz"
    with changing("learning", patience=0.0):
        before = [replace(s, phrases=post_phrases(s.text)) for s in read_samples(kept)]
        every = merged(before, samples)
        catalog = learn_posts(every, sorted({item.source for item in items}))
        stored = _remember(items) if kind == "post" else 0
        write_samples(kept, every)
        write_atomically(catalog_file(kind), dump(catalog))
    new = len(every) - len(before)
    return PostLesson(catalog, len(samples), new, stored, catalog_file(kind), time.monotonic() - started)


def gather_posts(items: Iterable[LabelledPost]) -> list[Sample]:
    return [Sample(i.case_id, i.bad, i.text, i.case_id, post_phrases(i.text), ()) for i in items]


def learn_posts(samples: Sequence[Sample], sources: Sequence[str]) -> Catalog:
    """The catalog of some labelled posts. Its "spam" side is what to be warned of: fake posts, or clickbait."""
    cases = Counts(sum(s.spam for s in samples), sum(not s.spam for s in samples))
    if min(cases.spam, cases.ham) < _FEWEST:
        raise UnreadableInput(
            f"there are {cases.spam} and {cases.ham} posts of the two classes; at least {_FEWEST} of each are needed"
        )
    matrix = Matrix(samples)
    sums, shares = _held_out(matrix)
    slope, offset = fit_line(list(zip(sums, matrix.spam.tolist(), strict=True)), balanced=False)
    weights = refine(matrix, np.ones(len(samples), bool))
    patterns = group(samples, known_phrases(matrix, weights))
    usual = sorted(shares)[len(shares) // 2]
    return Catalog(
        cases=cases,
        sources=tuple(sources),
        patterns=patterns,
        bias=round(weights.bias, 4),
        unit=round(weights.unit, 4),
        scale=Scale(turn=0.0, gain=1.0, shift=0.0),
        familiar=Familiar(round(usual / 10, 4), round(usual / 3, 4), headed=0.0),
        calibration={"slope": slope, "offset": offset, "cases": float(len(samples))},
        few_shot=few_shot(samples, patterns),
    )


def _held_out(matrix: Matrix) -> tuple[list[float], list[float]]:
    """What weights learned without each post say about it, and the share of its words they know."""
    sums, shares = np.zeros(len(matrix.samples)), np.zeros(len(matrix.samples))
    fold_of = np.array([int(s.case_id[:8], 16) % FOLDS for s in matrix.samples])
    for fold in range(FOLDS):
        out = fold_of == fold
        parts, spoken = partial_sums(matrix, refine(matrix, ~out), len(FAMILIES))
        sums[out] = parts[out].sum(axis=1)
        shares[out] = spoken[out, FAMILIES.index("content")]
    words = np.array([max(1, len(s.phrases.content)) for s in matrix.samples])
    return sums.tolist(), (shares / words).tolist()


def _remember(items: Sequence[LabelledPost]) -> int:
    store = Precedents()
    try:
        return store.store_many(_precedents(items))
    finally:
        store.close()


def _precedents(items: Iterable[LabelledPost]) -> Iterator[Precedent]:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    for item in items:
        label = "fake" if item.bad else "real"
        yield Precedent(item.case_id, label, item.text, Provenance("dataset", item.source, now), "post")
