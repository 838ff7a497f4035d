"""`malafide catalog`: what was learned, to look at, compare, copy and take back."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from malafide.doors.files import write_atomically
from malafide.doors.inputs import PATH
from malafide.doors.streams import say
from malafide.errors import UnknownName, UnreadableInput


@click.group()
def catalog() -> None:
    """Look into what was learned from labelled mail.

    It stands in pattern_catalog.json in MALAFIDE_HOME, and may be edited: a pattern with weight 0 is silent.

    \b
    Example:
      malafide catalog show
    """


def _existing() -> Path:
    from malafide.knowledge.remembered import catalog_path

    path = catalog_path()
    if not path.exists():
        raise UnreadableInput(
            f"nothing was learned yet, there is no {str(path)!r}: `malafide learn` makes it"
        )
    return path


@catalog.command()
@click.option("--pattern", metavar="TYPE", help="One pattern, with its phrases and examples.")
def show(pattern: str | None) -> None:
    """List the learned patterns with the mails they held in.

    \b
    Examples:
      malafide catalog show
      malafide catalog show --pattern spam-unsubscribe
    """
    from malafide.knowledge.remembered import read_catalog
    from malafide.render.catalog import catalog_lines, pattern_lines

    learned = read_catalog(_existing())
    if pattern is None:
        lines = catalog_lines(learned)
    else:
        found = [p for p in learned.patterns if p.pattern_type == pattern]
        if not found:
            raise UnknownName(f"no pattern {pattern!r} was learned; `malafide catalog show` lists them")
        lines = (line for one in found for line in pattern_lines(one))
    for line in lines:
        print(line)


@catalog.command()
@click.argument("file", type=PATH)
def diff(file: Path) -> None:
    """Show how the catalog (here) differs from another one (there).

    \b
    Example:
      malafide catalog diff before.json

    Exit status: 0 when they say the same, 1 when they differ.
    """
    from malafide.knowledge.remembered import read_catalog
    from malafide.render.catalog import difference_lines

    lines = list(difference_lines(read_catalog(_existing()), read_catalog(file)))
    for line in lines:
        print(line)
    if lines:
        raise SystemExit(1)
    say("no difference")


@catalog.command()
@click.argument("file", type=PATH)
def export(file: Path) -> None:
    """Write the catalog to a file, for `--catalog` here or elsewhere.

    \b
    Example:
      malafide catalog export before.json
    """
    from malafide.knowledge.catalog import dump
    from malafide.knowledge.remembered import read_catalog

    write_atomically(file, dump(read_catalog(_existing())))
    say(f"Wrote {file}.")


@catalog.command()
@click.option("--yes", is_flag=True, help="Do not ask.")
def reset(yes: bool) -> None:
    """Go back to built-in knowledge.

    The catalog, the learned mails and their precedents are moved into a folder beside them, so that this can be
    undone. Labels that people gave stay.

    \b
    Example:
      malafide catalog reset
    """
    from malafide.home import home
    from malafide.learning.session import reset as move_aside

    if not yes:
        click.confirm("Forget what was learned from data sets?", abort=True, err=True)
    aside = move_aside()
    if aside is None:
        say("nothing was learned yet")
        return
    say(f"Moved to {aside}. To undo: mv {shlex.quote(str(aside))}/* {shlex.quote(str(home()))}/")
