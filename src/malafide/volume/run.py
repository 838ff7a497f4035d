"""An input in, an output out: the batch from its first case to its last, however often it was interrupted."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Protocol

from malafide.errors import BadSetting, CannotResume, UnreadableInput
from malafide.home import home
from malafide.intake.labelled_tables import Columns
from malafide.judging import PANELS, PanelName
from malafide.settings import Settings
from malafide.version import VERSION
from malafide.volume.crew import Crew
from malafide.volume.desk import Done, Orders
from malafide.volume.files import file_state
from malafide.volume.journal import Journal
from malafide.volume.output import format_of, put_in_place
from malafide.volume.pieces import CHUNK, Chunk, Source
from malafide.volume.purse import Purse, most_workers
from malafide.volume.rows import Tally
from malafide.volume.sources import open_source

_BETWEEN: Final = 0.2  # seconds between two words about progress
_REMEMBERED: Final = 20.0  # seconds of the past that a rate is worked out from


def cores() -> int:
    """Those that this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Plan:
    """What a user asked for."""

    input: Path
    output: Path
    panel: PanelName = "spam"
    settings: Settings = field(default_factory=Settings)
    workers: int = field(default_factory=cores)
    columns: Columns = field(default_factory=Columns)
    limit: int | None = None
    catalog: Path | None = None
    labelled: bool = False
    restart: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """How far a run has come, for people."""

    tally: Tally
    before: int  # cases that an earlier attempt had judged
    share: float  # of the input, from 0 to 1
    rate: float  # cases per second, lately
    seconds: float  # of this attempt
    left: float | None  # seconds, if it goes on like this


Tell = Callable[[State], None]


class Judges(Protocol):
    """Who judges chunks: processes here, or a cluster."""

    def judge(self, chunks: Iterator[Chunk]) -> Iterator[tuple[Chunk, Done]]: ...

    def close(self) -> None: ...


Hire = Callable[[Orders, Plan, Journal], Judges]


def run(plan: Plan, tell: Tell, hire: Hire | None = None) -> State:
    """Judges everything that is not judged yet. Interrupted or killed, the same call goes on."""
    # Each process has one thread at work; more for numpy, once it is imported, would take the others' cores.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    form = format_of(plan.output)
    _refuse_own_input(plan)
    source = open_source(plan.input, plan.panel, plan.columns, plan.limit, labelled=plan.labelled)
    journal = Journal(plan.output)
    journal.open(_identity(plan, source), restart=plan.restart)
    with closing(journal):
        if journal.progress.done:
            put_in_place(journal.part, plan.output, form)
            journal.drop()
            return State(journal.progress.tally, journal.progress.mark.cases, 1.0, 0.0, 0.0, 0.0)
        state = _judge(plan, source, journal, tell, hire or _crew)
        if not state.tally.cases:
            journal.part.unlink(missing_ok=True)
            journal.drop()
            raise UnreadableInput(f"there is nothing to judge in {str(plan.input)!r}")
        journal.finish()
        put_in_place(journal.part, plan.output, form)
        journal.drop()
        return state


def _refuse_own_input(plan: Plan) -> None:
    given, wanted = plan.input.resolve(), plan.output.resolve()
    if given == wanted or (given.is_dir() and given in wanted.parents):
        raise BadSetting(f"the output {str(plan.output)!r} would be part of the input; name another place")


def _crew(orders: Orders, plan: Plan, journal: Journal) -> Judges:
    workers = most_workers(plan.settings, plan.workers)
    purse = Purse(plan.settings, workers, journal.progress.tally, journal.progress.seconds)
    return Crew(orders, workers, purse, journal.handles)


def _judge(plan: Plan, source: Source, journal: Journal, tell: Tell, hire: Hire) -> State:
    orders = Orders(source.form, format_of(plan.output), plan.settings, plan.catalog)
    progress = journal.progress
    watch = _Watch(source, progress.mark.cases, source.share(progress.mark))
    try:
        with closing(hire(orders, plan, journal)) as judges:
            for chunk, done in judges.judge(source.chunks(progress.mark)):
                journal.add(done.rows, chunk.after, done.tally)
                if watch.due():
                    tell(watch.state(progress.tally, chunk))
    except CannotResume as error:
        raise CannotResume(
            f"{str(plan.output)!r} cannot be gone on with: {error}; use --restart to begin anew"
        ) from None
    finally:
        journal.checkpoint()
    return watch.last(progress.tally)


class _Watch:
    """Times a run."""

    def __init__(self, source: Source, before: int, share: float) -> None:
        self._source, self._before = source, before
        self._started = self._told = time.monotonic()
        self._past: list[tuple[float, int, float]] = [(self._started, before, share)]

    def due(self) -> bool:
        return time.monotonic() - self._told >= _BETWEEN

    def state(self, tally: Tally, chunk: Chunk) -> State:
        now = self._told = time.monotonic()
        share = self._source.share(chunk.after)
        self._past.append((now, tally.cases, share))
        while len(self._past) > 2 and self._past[0][0] < now - _REMEMBERED:
            del self._past[0]
        then, cases, before = self._past[0]
        speed = (share - before) / (now - then)
        return State(
            replace(tally),
            self._before,
            share,
            (tally.cases - cases) / (now - then),
            now - self._started,
            (1.0 - share) / speed if speed > 0 else None,
        )

    def last(self, tally: Tally) -> State:
        seconds = time.monotonic() - self._started
        return State(tally, self._before, 1.0, (tally.cases - self._before) / seconds, seconds, 0.0)


def _identity(plan: Plan, source: Source) -> dict[str, Any]:
    """What must be the same for a run to be gone on with. The number of processes need not."""
    return {
        "version": VERSION,
        "input": source.state(),
        "panel": plan.panel,
        "output": format_of(plan.output),
        "limit": plan.limit,
        "text column": source.form.text,
        "label column": source.form.label,
        "labels": plan.labelled,
        "settings": repr(replace(plan.settings, concurrency=1, per_minute=0)) if plan.settings.thinks else "",
        "knowledge": _knowledge(plan),
        "chunk": CHUNK,
    }


def _knowledge(plan: Plan) -> dict[str, Any]:
    """What judging draws on beside the message; verdicts of two states of mind do not go into one output."""
    catalogs = [*sorted(home().glob("*catalog*.json")), *([plan.catalog] if plan.catalog else [])]
    known: dict[str, Any] = {"catalogs": [file_state(path) for path in catalogs]}
    if (home() / "precedents.sqlite").exists():
        from malafide.knowledge.precedents import Precedents

        with closing(Precedents()) as precedents:
            stats = {panel: precedents.stats(panel) for panel in PANELS}
        known["precedents"] = {p: [s.labels, s.sources, s.overruled] for p, s in stats.items()}
    return known
