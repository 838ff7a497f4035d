"""`malafide validate`: what to expect on labelled mail, in figures and pictures."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import click

from malafide.doors.files import write_atomically
from malafide.doors.inputs import CATALOG, PATH
from malafide.doors.labelled import labelled_mail, read_labelled
from malafide.doors.model_options import council_of, model_options
from malafide.doors.progress import Told, progress_bar
from malafide.doors.streams import print_json, say
from malafide.doors.tally import Tally
from malafide.errors import BadSetting, UnreadableInput, UnwritableOutput

if TYPE_CHECKING:
    from malafide.benches.spam import SpamClassifier
    from malafide.case import Case
    from malafide.intake.datasets import Dataset
    from malafide.knowledge.remembered import Knowledge
    from malafide.measure.validation import Validation
    from malafide.minds.budget import Budget
    from malafide.settings import Settings
    from malafide.verdict import Verdict

_BLOCKS = 5  # of a replay in order of time


@click.command()
@labelled_mail
@click.option("--out", type=PATH, default="results", show_default=True, metavar="DIR", help="Where files go.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="A sample of so many, both classes.")
@click.option("--seed", type=int, default=1, show_default=True, help="Decides samples and splits.")
@click.option("--split", type=float, metavar="SHARE", help="Learn from the rest, measure on this share.")
@click.option("--time-ordered", is_flag=True, help="Replay in order of time: learn from what came before.")
@CATALOG
@model_options
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
    catalog: Path | None,
    as_json: bool,
    settings: Settings,
) -> None:
    """Measure on labelled mail.

    Prints every figure with what it means, and writes performance_metrics.json, classifications.jsonl and
    report.html into the folder of --out. Duplicates are dropped. What was learned is used. With --split or
    --time-ordered malafide instead learns from one part alone and is measured on the other; what it knows
    otherwise is neither used nor touched. With --model its answers are kept: interrupted, the same command
    goes on where it stopped and asks nothing twice.

    \b
    Examples:
      malafide validate --dataset mail.csv
      malafide validate --spam Junk/ --ham Archive/ --out results/
      malafide validate --dataset mail.csv --split 0.3 --seed 7
      malafide validate --dataset mail.csv --model anthropic:claude-sonnet-5-5 --limit 200 --cap run.money=2
    """
    from malafide.measure.words import validation_lines

    if split is not None and time_ordered:
        raise BadSetting("--split and --time-ordered exclude each other; choose one")
    if catalog is not None and (split is not None or time_ordered):
        raise BadSetting("--catalog says what is known, and --split and --time-ordered learn it; choose one")
    mail = read_labelled(dataset, spam, ham, text_column, label_column)
    if limit is not None:
        mail = mail.sample(limit, seed)
    for note in mail.notes:
        say(note)
    plan = Plan(split, time_ordered, seed, catalog, settings)
    try:
        with progress_bar() as told:
            validation = _run(mail, plan, told)
    except KeyboardInterrupt:
        if settings.thinks:
            say("Interrupted. The answers so far are kept: the same command goes on from here.")
        raise
    finally:
        plan.spent.close()
    for line in plan.spent.tally.stand_ins():
        say(line)
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


@dataclass(slots=True)
class Spent:
    """What models cost so far, over all classifiers that were made, and the one budget they share."""

    budget: Budget | None = None
    tally: Tally = field(default_factory=Tally)
    made: list[SpamClassifier] = field(default_factory=list)

    def close(self) -> None:
        for classifier in self.made:
            classifier.close()


@dataclass(frozen=True, slots=True)
class Plan:
    """What is learned before judging, if anything."""

    split: float | None
    time_ordered: bool
    seed: int
    catalog: Path | None
    settings: Settings
    spent: Spent = field(default_factory=Spent)

    def classifier(self, knowledge: Knowledge) -> Counted:
        from malafide.benches.spam import SpamClassifier

        council = council_of(self.settings, knowledge, self.spent.budget)
        self.spent.budget = council.run_budget if council is not None else None
        classifier = SpamClassifier(knowledge=knowledge, model=council, escalate=self.settings.escalate)
        self.spent.made.append(classifier)
        return Counted(classifier, self.spent.tally)


@dataclass(frozen=True, slots=True)
class Counted:
    """A classifier, and a tally of what it did."""

    classifier: SpamClassifier
    tally: Tally
    counting: Lock = field(default_factory=Lock)  # verdicts come from several threads

    @property
    def workers(self) -> int:
        return self.classifier.workers

    def stop(self) -> None:
        self.classifier.stop()

    def begin(self, case: Case) -> Callable[[], Verdict]:
        finish = self.classifier.begin(case)

        def counted() -> Verdict:
            verdict = finish()
            with self.counting:
                self.tally.count(verdict)
            return verdict

        return counted


def _run(mail: Dataset, plan: Plan, told: Told) -> Validation:
    """Judges the mail: by what is known, by what a part of it teaches, or by what came before."""
    from malafide.knowledge.remembered import remembered
    from malafide.learning.trial import known_before, trial
    from malafide.measure.validation import chronological, validate

    def progress(done: int, of: int) -> None:
        so_far = f", {tally.calls:,} calls for {tally.paid} so far" if plan.settings.thinks else ""
        told(f"judging{so_far}", done, of)

    tally = plan.spent.tally

    if plan.time_ordered:
        ordered = mail.time_ordered()
        with trial(told) as taught:
            replayed = chronological(
                ordered.items, lambda items: plan.classifier(taught(items)), _BLOCKS, progress
            )
        for note in (*ordered.notes[len(mail.notes) :], *replayed.notes):
            say(note)
        return replace(replayed, notes=(*ordered.notes, *replayed.notes))
    if plan.split is not None:
        rest, held = mail.split(plan.split, plan.seed)
        note = f"Learned from {len(rest)} of them, measured on the other {len(held)} (seed {plan.seed})."
        say(note)
        with trial(told) as taught:
            judge = plan.classifier(taught(rest.items))
            return validate(judge, held.items, progress, (*mail.notes, note))
    notes = list(mail.notes)
    if known := known_before(mail.items):
        notes.append(f"{known} of these mails were learned from before, and flatter the figures.")
        say(notes[-1])
    return validate(plan.classifier(remembered(plan.catalog)), mail.items, progress, notes)


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
