"""`malafide worker`: judges cases that were submitted to a service, beside it or on another machine."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import click

from malafide.doors.model_options import model_options
from malafide.doors.streams import say

if TYPE_CHECKING:
    from malafide.settings import Settings


@click.command()
@click.option("--database", metavar="URL", help="Where cases wait, as in postgresql://host/malafide.")
@click.option(
    "--workers", type=click.IntRange(min=1), metavar="N", help="Processes; by default one per core."
)
@click.option(
    "--lease",
    type=click.FloatRange(min=1.0),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="How long after its death a worker's cases are given to another.",
)
@model_options
def worker(database: str | None, workers: int | None, lease: float, settings: Settings) -> None:
    """Judge cases that wait in a service's database.

    Any number of workers may run on one PostgreSQL, on any number of machines: each case is judged exactly once,
    and the cases of a worker that dies go to another after the lease. Without --database it is the SQLite file
    of the home folder. Ends on Ctrl-C or SIGTERM, when what it holds is judged.

    \b
    Examples:
      malafide worker
      malafide worker --database postgresql://malafide@db.example/malafide --workers 8
    """
    from malafide.store import open_store
    from malafide.volume.run import cores
    from malafide.volume.worker import Worker

    with open_store(database or "") as store:
        one = Worker(store, settings, workers or cores(), lease, say)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: one.stop())
        say(f"{one.name} takes cases from {store.address}")
        counts = one.run()
    say(f"{counts.judged:,} judged, {counts.failed:,} failed, {counts.late:,} were another's by then.")
