"""`malafide batch`: everything in a folder, mailbox or table, judged by all cores, resumed after any end."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from malafide.doors.files import write_atomically
from malafide.doors.inputs import CATALOG, PATH
from malafide.doors.model_options import model_options
from malafide.doors.streams import Progress, say
from malafide.errors import BadSetting
from malafide.judging import PanelName

if TYPE_CHECKING:
    from malafide.settings import Settings
    from malafide.volume.rows import Tally
    from malafide.volume.run import Plan, State

_QUIET_SECONDS = 60.0  # between two lines where nobody watches
_WATCHED_SECONDS = 0.2


@click.command()
@click.argument("input_", type=str, metavar="INPUT")
@click.argument("output", type=str, metavar="OUTPUT")
@click.option(
    "--panel",
    type=click.Choice(get_args(PanelName)),
    default="spam",
    show_default=True,
    help="Which panel judges.",
)
@click.option(
    "--workers", type=click.IntRange(min=1), metavar="N", help="Processes; by default one per core."
)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the first so many cases.")
@click.option("--text-column", metavar="NAME", help="The column of the text, where it is not detected.")
@click.option("--label-column", metavar="NAME", help="The column of the label, to be kept with each row.")
@click.option(
    "--validate", type=PATH, metavar="REPORT.html", help="Measure on the labels, and write this report."
)
@click.option("--restart", is_flag=True, help="Begin anew, whatever was judged already.")
@click.option("--ray", is_flag=True, help="Judge on Ray, here or on a cluster.")
@click.option("--ray-address", metavar="ADDRESS", help="The cluster, as in auto or ray://head.example:10001.")
@CATALOG
@model_options
def batch(
    input_: str,
    output: str,
    panel: PanelName,
    workers: int | None,
    limit: int | None,
    text_column: str | None,
    label_column: str | None,
    validate: Path | None,
    restart: bool,
    ray: bool,
    ray_address: str | None,
    catalog: Path | None,
    settings: Settings,
) -> None:
    """Judge any number of cases, on every core.

    INPUT is a folder, Maildir, mbox, CSV, JSON Lines or Parquet; OUTPUT ends with .jsonl or .parquet and has one
    row per case in the order of the input. What cannot be judged is a row with an error. Interrupted, even
    killed, the same command goes on where it stopped: the output is the same to the byte. With --validate the
    labels of a column, or of folders named for spam and ham, are measured against. The classification log and the
    shelf for review are left as they are.

    \b
    Examples:
      malafide batch archive.mbox verdicts.jsonl
      malafide batch Maildir/ verdicts.parquet --workers 4
      malafide batch mails.csv verdicts.jsonl --validate report.html
      malafide batch posts.jsonl posts-judged.parquet --panel post
      malafide batch /shared/mails verdicts.jsonl --ray --ray-address auto

    Exit status: 0 when every case was judged, 1 when some could not be, 130 when interrupted.
    """
    from malafide.intake.labelled_tables import Columns
    from malafide.volume.run import Plan, run

    if ray_address and not ray:
        raise BadSetting("--ray-address is for --ray; give both")
    if validate is not None and "://" in output:
        raise BadSetting("--validate needs an output that is a file here")
    plan = Plan(
        input=Path(input_),
        output=Path(output),
        panel=panel,
        settings=settings,
        columns=Columns(text_column, label_column),
        limit=limit,
        catalog=catalog,
        labelled=validate is not None or label_column is not None,
        restart=restart,
        **({"workers": workers} if workers else {}),
    )
    shown = _Shown(panel)
    try:
        if ray:
            state = _on_ray(plan, input_, output, ray_address, shown)
        else:
            state = run(plan, shown)
    except KeyboardInterrupt:
        shown.clear()
        say("Interrupted. What was judged is kept: the same command goes on from here.")
        sys.exit(130)
    shown.clear()
    say(summary(state, output))
    if validate is not None:
        _validate(plan, state, validate)
    if state.tally.failed:
        sys.exit(1)


def _on_ray(plan: Plan, input_: str, output: str, address: str | None, shown: _Shown) -> State:
    from malafide.volume.object_stores import is_address, run_on_addresses
    from malafide.volume.over_ray import run_on_ray

    if is_address(input_):
        return run_on_addresses(plan, input_, output, address)
    if is_address(output):
        raise BadSetting(
            "an output that Ray writes needs an input that Ray reads: name it as in file:///mails"
        )
    return run_on_ray(plan, address, shown)


class _Shown:
    """Progress, as a line that changes on a terminal and as a line a minute elsewhere."""

    def __init__(self, panel: PanelName) -> None:
        self._progress = Progress()
        self._last = time.monotonic()
        self._noun = "mails" if panel == "spam" else "cases"
        self._terminal = sys.stderr.isatty()

    def __call__(self, state: State) -> None:
        now = time.monotonic()
        if now - self._last < (_WATCHED_SECONDS if self._terminal else _QUIET_SECONDS):
            return
        self._last = now
        line = (
            f"{state.share:.0%}  {state.tally.cases:,} {self._noun}  {state.rate:,.0f}/s  "
            f"{_left(state.left)}  {_mix(state.tally)}"
        )
        if self._terminal:
            self._progress.show(line)
        else:
            say(line)

    def clear(self) -> None:
        self._progress.clear()


def summary(state: State, output: str) -> str:
    """The line at the end."""
    tally = state.tally
    fresh = tally.cases - state.before
    line = f"1 case: {_mix(tally)}" if tally.cases == 1 else f"{tally.cases:,} cases: {_mix(tally)}"
    if state.before:
        line += f"; {state.before:,} of them were judged before"
    if fresh and state.seconds:
        line += f"; {fresh / state.seconds:,.0f} per second"
    if tally.asked:
        line += f"; {tally.asked:,} put to a model in {tally.calls:,} calls for ${tally.money:.2f}"
    return f"{line}. Wrote {output}."


def _mix(tally: Tally) -> str:
    counts = [f"{number:,} {answer}" for answer, number in sorted(tally.answers.items(), key=lambda i: -i[1])]
    return ", ".join([*counts, f"{tally.failed:,} failed"])


def _left(seconds: float | None) -> str:
    if seconds is None:
        return "time left unknown"
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02} left" if hours else f"{minutes}:{rest:02} left"


def _validate(plan: Plan, state: State, out: Path) -> None:
    from malafide.measure.report import report
    from malafide.measure.words import validation_lines
    from malafide.volume.output import format_of, rows_in
    from malafide.volume.validation import validation_of

    fresh = state.tally.cases - state.before
    mean_ms = state.seconds * plan.workers / fresh * 1000.0 if fresh else 0.0
    found = validation_of(rows_in(plan.output, format_of(plan.output)), plan.input.name, mean_ms)
    write_atomically(out, report(found, f"Batch of {plan.input.name}"))
    print("\n".join(validation_lines(found)))
    say(f"Wrote {out}.")
