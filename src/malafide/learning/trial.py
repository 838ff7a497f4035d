"""Learning for the sake of measuring: what some mail teaches, kept apart from what is remembered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from malafide.intake.datasets import Labelled
from malafide.knowledge.remembered import Knowledge
from malafide.learning.memory import learned_ids, samples_path
from malafide.learning.samples import gather
from malafide.learning.session import Told, precedents_of, source_by_id

Taught = Callable[[Sequence[Labelled]], Knowledge]


@contextmanager
def trial(told: Told) -> Iterator[Taught]:
    """Gives a function from labelled mail to what it teaches, catalog and precedents; all of it goes at the end."""
    from malafide.knowledge.precedents import Precedents
    from malafide.learning.learner import learn

    stores: list[Precedents] = []
    with TemporaryDirectory(prefix="malafide-", ignore_cleanup_errors=True) as folder:

        def taught(items: Sequence[Labelled]) -> Knowledge:
            samples = gather(items, lambda done: told("reading", done, len(items)))
            told("learning", 0, 0)
            catalog = learn(samples, sorted({item.source for item in items}))
            store = Precedents(Path(folder) / f"{len(stores)}.sqlite")
            stores.append(store)
            store.store_many(precedents_of(samples, source_by_id(items)))
            return Knowledge(catalog, store)

        try:
            yield taught
        finally:
            for store in stores:
                store.close()


def known_before(items: Sequence[Labelled]) -> int:
    """How many of some mails were learned from: measured on them, malafide looks better than it is."""
    known = learned_ids(samples_path())
    return len(known & source_by_id(items).keys()) if known else 0
