"""The same batch on Ray Data: chunks in, rows out, by actors on this machine or a cluster.

Actors load what they need once. Ray holds back what is not needed yet, starts a dead actor again and gives its
chunk to another; a chunk that ended an actor is then judged in processes of its own, so that the case at fault is
found. Rows come back in order, and go into the output through the same journal: none is there twice.
"""

from __future__ import annotations

import logging
import pickle
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from malafide.errors import MissingExtra
from malafide.volume.crew import Crew
from malafide.volume.desk import Desk, Done, Orders
from malafide.volume.journal import Journal
from malafide.volume.pieces import Chunk, Mark, Piece
from malafide.volume.purse import Purse, most_workers
from malafide.volume.run import Plan, State, Tell, run

# A task of Ray's costs about 10 ms: four chunks to a task make that 1 % of the work.
_CHUNKS: Final = 4
# Tasks that Ray is given at a time: a million cases where they are places in files, fewer where rows are sent along.
_AT_ONCE: Final = 4_000
_ROWS_ALONG: Final = 400
# Whole cores would leave none for what feeds the actors, and Ray would wait for ever.
CPUS: Final = 0.5


class Ledger:
    """Which tasks were begun, and what came of them: kept apart from the actors, so that it outlives them."""

    def __init__(self) -> None:
        self._begun: set[str] = set()
        self._done: dict[str, dict[str, Any]] = {}

    def begun_before(self, task: str) -> bool:
        """Notes that a task begins; whether it had begun before and did not end well."""
        before = task in self._begun and task not in self._done
        self._begun.add(task)
        return before

    def done(self, task: str, tally: dict[str, Any]) -> None:
        """A task that was done twice counts once."""
        self._done[task] = tally

    def tallies(self) -> list[dict[str, Any]]:
        return list(self._done.values())


class Actor:
    """One process of the cluster."""

    def __init__(self, orders: Orders, ledger: Any) -> None:
        import ray

        self._get, self._ledger, self._orders = ray.get, ledger, orders
        self._desk = Desk(orders)

    def __call__(self, batch: Mapping[str, Any]) -> dict[str, list[bytes]]:
        """Chunks, pickled, to what was done of them."""
        return {"done": [pickle.dumps(self._task(pickle.loads(task))) for task in batch["task"]]}

    def _task(self, chunks: Sequence[Chunk]) -> list[tuple[Mark, Done]]:
        return [(chunk.after, self.judge(str(chunk.number), chunk.pieces)) for chunk in chunks]

    def judge(self, task: str, pieces: Sequence[Piece]) -> Done:
        """The rows of a task; the second time in a process that may die without taking this one along."""
        if self._get(self._ledger.begun_before.remote(task)):
            done = self._guarded(pieces)
        else:
            done = self._desk.judge(pieces)
        self._get(self._ledger.done.remote(task, done.tally.as_json()))
        return done

    def _guarded(self, pieces: Sequence[Piece]) -> Done:
        crew = Crew(self._orders, 1, Purse(self._orders.settings, 1), forks=False)
        try:
            [(_, done)] = crew.judge(iter([Chunk(0, tuple(pieces), Mark())]))
            return done
        finally:
            crew.close()


class Cluster:
    """The actors, as a batch sees them."""

    def __init__(self, orders: Orders, plan: Plan, journal: Journal, address: str | None) -> None:
        self._ray = connected(plan, address)
        self.actors = actors_for(self._ray, plan, address)
        purse = Purse(plan.settings, self.actors, journal.progress.tally, journal.progress.seconds)
        self._orders = orders.with_settings(purse.settings(0))

    def judge(self, chunks: Iterator[Chunk]) -> Iterator[tuple[Chunk, Done]]:
        groups = _grouped(chunks)
        window = _ROWS_ALONG if self._orders.form.kind == "cells" else _AT_ONCE
        while tasks := [{"task": pickle.dumps(task)} for task in islice(groups, window)]:
            yield from self._judged(tasks)

    def _judged(self, tasks: list[dict[str, bytes]]) -> Iterator[tuple[Chunk, Done]]:
        from ray.data import ActorPoolStrategy, from_items

        ledger = self._ray.remote(Ledger).options(num_cpus=0).remote()
        judged = from_items(tasks, override_num_blocks=len(tasks)).map_batches(
            Actor,
            fn_constructor_kwargs={"orders": self._orders, "ledger": ledger},
            batch_size=1,
            compute=ActorPoolStrategy(size=self.actors),
            num_cpus=CPUS,
        )
        for row in judged.iter_rows():
            for mark, done in pickle.loads(row["done"]):
                yield Chunk(0, (), mark), done

    def close(self) -> None:
        self._ray.shutdown()


def connected(plan: Plan, address: str | None) -> Any:
    """Ray, joined to the cluster or started here; quiet, since the batch tells how far it is."""
    try:
        import ray
        import ray.data
    except ImportError:
        raise MissingExtra("--ray needs Ray; install it with: pip install 'malafide[ray]'") from None
    told: dict[str, Any] = {
        "log_to_driver": False,
        "logging_level": logging.ERROR,
        "include_dashboard": False,
    }
    if address:
        del told["include_dashboard"]
        ray.init(address=address, **told)
    else:
        ray.init(num_cpus=plan.workers, **told)
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.execution_options.preserve_order = True
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    return ray


def actors_for(ray: Any, plan: Plan, address: str | None) -> int:
    """One for each core, unless models are to be asked more slowly."""
    cores = int(ray.cluster_resources().get("CPU", 1)) if address else plan.workers
    return most_workers(plan.settings, cores)


def _grouped(chunks: Iterator[Chunk]) -> Iterator[list[Chunk]]:
    group: list[Chunk] = []
    for chunk in chunks:
        group.append(chunk)
        if len(group) == _CHUNKS:
            yield group
            group = []
    if group:
        yield group


def run_on_ray(plan: Plan, address: str | None, tell: Tell) -> State:
    """As `run`, by the actors of a cluster, or of this machine."""
    return run(plan, tell, lambda orders, plan, journal: Cluster(orders, plan, journal, address))
