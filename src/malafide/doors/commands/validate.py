"""`malafide validate`: what to expect on labelled mail, in figures and pictures."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from malafide.doors.files import write_atomically
from malafide.doors.inputs import PATH
from malafide.doors.streams import print_json, say
from malafide.errors import BadSetting, UnreadableInput, UnwritableOutput

if TYPE_CHECKING:
    from malafide.intake.datasets import Dataset, Labelled
    from malafide.measure.validation import Judge, Progress, Validation

_BLOCKS = 5  # of a replay in order of time


@click.command()
@click.option(
    "--dataset", type=PATH, metavar="FILE", help="Labelled mail: CSV, TSV, JSON Lines, JSON, or a folder."
)
@click.option("--spam", type=PATH, multiple=True, metavar="DIR", help="Spam: a folder, Maildir or mbox.")
@click.option("--ham", type=PATH, multiple=True, metavar="DIR", help="Ham, likewise.")
@click.option("--text-column", metavar="NAME", help="The column of the text, where it is not detected.")
@click.option("--label-column", metavar="NAME", help="The column of the label, where it is not detected.")
@click.option("--out", type=PATH, default="results", show_default=True, metavar="DIR", help="Where files go.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="A sample of so many, both classes.")
@click.option("--seed", type=int, default=1, show_default=True, help="Decides samples and splits.")
@click.option("--split", type=float, metavar="SHARE", help="Learn from the rest, measure on this share.")
@click.option("--time-ordered", is_flag=True, help="Replay in order of time: learn from what came before.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def validate(
    dataset: Path | None,
    spam: tuple[Path, ...],
    ham: tuple[Path, ...],
    text_column: str | None,
    label_column: str | None,
    out: Path,
    limit: int | None,
    seed: int,
    split: float | None,
    time_ordered: bool,
    as_json: bool,
) -> None:
    """Measure on labelled mail.

    Prints every figure with what it means, and writes performance_metrics.json, classifications.jsonl and
    report.html into the folder of --out. Duplicates are dropped. With --split or --time-ordered malafide
    first learns from one part and is measured on the other; what it knows otherwise is not touched.

    \b
    Examples:
      malafide validate --dataset mail.csv
      malafide validate --spam Junk/ --ham Archive/ --out results/
      malafide validate --dataset mail.csv --split 0.3 --seed 7
    """
    from malafide.intake.datasets import read_dataset
    from malafide.intake.labelled_tables import Columns
    from malafide.measure.words import validation_lines

    if split is not None and time_ordered:
        raise BadSetting("--split and --time-ordered exclude each other; choose one")
    if dataset is None and not spam and not ham:
        raise UnreadableInput("there is no labelled mail: give --dataset FILE, or --spam DIR and --ham DIR")
    columns = Columns(text_column, label_column)
    mail = read_dataset(dataset, spam=spam, ham=ham, columns=columns)
    if limit is not None:
        mail = mail.sample(limit, seed)
    for note in mail.notes:
        say(note)
    with _progress() as progress:
        validation = _run(mail, split, time_ordered, seed, progress)
    if not validation.judged:
        raise UnreadableInput(
            f"none of {len(validation.failed)} messages could be judged: {validation.failed[0].reason}"
        )
    _write(validation, out, dataset or (spam + ham)[0])
    if as_json:
        print_json(validation.metrics(), pretty=True)
    else:
        print("\n".join(validation_lines(validation)))
    say(f"\nWrote {out / 'report.html'}, performance_metrics.json and classifications.jsonl.")
    if validation.failed:
        sys.exit(1)


def _run(mail: Dataset, split: float | None, time_ordered: bool, seed: int, progress: Progress) -> Validation:
    """Judges the mail: by what is known, by what a part of it teaches, or by what came before."""
    from dataclasses import replace

    from malafide import SpamClassifier
    from malafide.measure.validation import chronological, validate

    if time_ordered:
        ordered = mail.time_ordered()
        replayed = chronological(ordered.items, learned, _BLOCKS, progress)
        return replace(replayed, notes=(*ordered.notes, *replayed.notes))
    if split is not None:
        rest, held = mail.split(split, seed)
        note = f"Learned from {len(rest)} of them, measured on the other {len(held)} (seed {seed})."
        say(note)
        return validate(learned(rest.items), held.items, progress, (*mail.notes, note))
    return validate(SpamClassifier(), mail.items, progress, mail.notes)


def learned(items: Sequence[Labelled]) -> Judge:
    """A classifier that knows what these messages teach, and nothing else that was learned."""
    from malafide import SpamClassifier
    from malafide.knowledge.remembered import Knowledge
    from malafide.learning.learner import learn
    from malafide.learning.samples import gather

    catalog = learn(gather(items), sorted({item.source for item in items}))
    return SpamClassifier(knowledge=Knowledge(catalog))


@contextmanager
def _progress() -> Iterator[Progress]:
    """A bar on standard error, when somebody is there to see it."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("judging"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    shown = sys.stderr.isatty()
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not shown) as bar:
        task = bar.add_task("judging", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _write(validation: Validation, out: Path, source: Path) -> None:
    from malafide.measure.report import report

    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise UnwritableOutput(
            f"cannot make the folder {str(out)!r}: {reason}; choose another --out"
        ) from None
    write_atomically(out / "performance_metrics.json", json.dumps(validation.metrics(), indent=2) + "\n")
    write_atomically(out / "classifications.jsonl", "".join(f"{line}\n" for line in validation.lines()))
    write_atomically(out / "report.html", report(validation, f"Validation on {source.name}"))
