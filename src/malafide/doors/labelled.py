"""The options that name labelled mail, the same for every command that takes it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from malafide.doors.inputs import PATH
from malafide.errors import UnreadableInput

if TYPE_CHECKING:
    from malafide.intake.datasets import Dataset

F = TypeVar("F", bound=Callable[..., Any])
_OPTIONS = (
    click.option(
        "--dataset", type=PATH, metavar="FILE", help="Labelled mail: CSV, TSV, JSON Lines, JSON, or a folder."
    ),
    click.option("--spam", type=PATH, multiple=True, metavar="DIR", help="Spam: a folder, Maildir or mbox."),
    click.option("--ham", type=PATH, multiple=True, metavar="DIR", help="Ham, likewise."),
    click.option("--text-column", metavar="NAME", help="The column of the text, where it is not detected."),
    click.option("--label-column", metavar="NAME", help="The column of the label, where it is not detected."),
)


def labelled_mail(command: F) -> F:
    """Adds the options, in this order."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def read_labelled(
    dataset: Path | None,
    spam: tuple[Path, ...],
    ham: tuple[Path, ...],
    text_column: str | None,
    label_column: str | None,
) -> Dataset:
    """The mail those options name."""
    from malafide.intake.datasets import read_dataset
    from malafide.intake.labelled_tables import Columns

    if dataset is None and not spam and not ham:
        raise UnreadableInput("there is no labelled mail: give --dataset FILE, or --spam DIR and --ham DIR")
    return read_dataset(dataset, spam=spam, ham=ham, columns=Columns(text_column, label_column))
