"""`malafide learn`: labelled mail in, a catalog of patterns and precedents out."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from malafide.doors.labelled import labelled_mail, read_labelled
from malafide.doors.progress import progress_bar
from malafide.doors.streams import say
from malafide.errors import BadSetting


@click.command()
@labelled_mail
@click.option(
    "--kind",
    type=click.Choice(["mail", "post", "headline"]),
    default="mail",
    show_default=True,
    help="What is labelled: mail, posts (fake or real) or headlines (clickbait or not).",
)
@click.option("--samples", type=click.IntRange(min=1), metavar="N", help="Only so many, both classes.")
@click.option("--seed", type=int, default=1, show_default=True, help="Decides which are sampled.")
@click.option("--model", metavar="NAME", help="Let a language model name and describe the patterns found.")
def learn(
    dataset: Path | None,
    spam: tuple[Path, ...],
    ham: tuple[Path, ...],
    text_column: str | None,
    label_column: str | None,
    kind: Literal["mail", "post", "headline"],
    samples: int | None,
    seed: int,
    model: str | None,
) -> None:
    """Learn from labelled mail.

    Writes pattern_catalog.json into MALAFIDE_HOME and remembers the mails as precedents; both are used from then
    on. Learning again adds to what is known. All of the mail counts unless --samples takes a part. A model may
    word what was found; it can add nothing to it.

    \b
    Examples:
      malafide learn --dataset mail.csv
      malafide learn --spam Junk/ --ham Archive/
      malafide learn --dataset mail.csv --samples 100
      malafide learn --dataset posts.csv --kind post
    """
    if kind != "mail":
        _learn_posts(kind, dataset, text_column, label_column)
        return
    from malafide.knowledge.remembered import catalog_path
    from malafide.learning.session import teach
    from malafide.render.catalog import lesson_lines

    mail = read_labelled(dataset, spam, ham, text_column, label_column)
    if samples is not None:
        mail = mail.sample(samples, seed)
    for note in mail.notes:
        say(note)
    with progress_bar() as told:
        lesson = teach(mail.items, told)
    for line in lesson_lines(lesson):
        print(line)
    if model is not None:
        _describe(model)
    say(f"\nWrote {catalog_path()}; `malafide catalog show` shows all of it.")


def _learn_posts(
    kind: Literal["post", "headline"], dataset: Path | None, text_column: str | None, label_column: str | None
) -> None:
    from malafide.intake.labelled_posts import read_labelled_posts
    from malafide.learning.posts import teach_posts
    from malafide.render.catalog import post_lesson_lines

    if dataset is None:
        raise BadSetting(f"--kind {kind} needs --dataset FILE: a table of texts and labels")
    labelled = read_labelled_posts(dataset, kind, text_column, label_column)
    for note in labelled.notes:
        say(note)
    for line in post_lesson_lines(teach_posts(labelled.items, kind), kind):
        print(line)


def _describe(model: str) -> None:
    """Has the model word the catalog that was just written."""
    from malafide.files import write_atomically
    from malafide.knowledge.catalog import dump
    from malafide.knowledge.remembered import catalog_path, read_catalog
    from malafide.learning.describing import describe
    from malafide.learning.lock import changing
    from malafide.minds.gate import Gate
    from malafide.minds.llm import LanguageModel
    from malafide.minds.models import endpoint
    from malafide.settings import load

    settings = load()
    mind = LanguageModel(endpoint(model, settings.prices), Gate(settings.concurrency, settings.per_minute))
    with changing("describing the patterns"):
        described = describe(read_catalog(catalog_path()), mind, settings.run)
        write_atomically(catalog_path(), dump(described.catalog))
    for note in described.notes:
        say(note)
    print(f"{model} named {described.named} patterns; phrases and counts are as they were.")
