"""`malafide bench`: how fast this machine judges mail, stage by stage, and what changed since another version."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from malafide.doors.files import write_atomically
from malafide.doors.inputs import PATH, gather
from malafide.doors.streams import print_json, say
from malafide.errors import MalafideError, UnreadableInput

if TYPE_CHECKING:
    from malafide.measure.stages import Bench


@click.command()
@click.argument("paths", nargs=-1, type=PATH, metavar="[MAIL|FOLDER|MBOX]...")
@click.option(
    "--mails",
    type=click.IntRange(1, 1_000_000),
    default=500,
    show_default=True,
    metavar="N",
    help="How many at most.",
)
@click.option("--save", type=PATH, metavar="FILE.json", help="Keep the figures.")
@click.option("--against", type=PATH, metavar="FILE.json", help="Show the change since a run that was kept.")
@click.option("--picture", type=PATH, metavar="FILE.svg", help="Draw where the time goes.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def bench(
    paths: tuple[Path, ...],
    mails: int,
    save: Path | None,
    against: Path | None,
    picture: Path | None,
    as_json: bool,
) -> None:
    """Measure rate, latency, memory and the time of every stage on this machine.

    Offline, one core, built-in knowledge. Without a path it judges made-up mails, the same ones each time, so that
    versions and machines can be compared.

    \b
    Examples:
      malafide bench
      malafide bench --save before.json
      malafide bench --against before.json --picture time.svg
      malafide bench archive.mbox --mails 2000
    """
    from malafide.measure.bench_words import bench_lines
    from malafide.measure.flame import flame
    from malafide.measure.stages import measure

    before = _kept(against) if against is not None else None
    seen = measure(_contents(paths, mails))
    lines = bench_lines(seen, before)
    if save is not None:
        write_atomically(save, json.dumps(seen.as_json(), indent=2) + "\n")
    if picture is not None:
        write_atomically(picture, flame(seen))
    if as_json:
        print_json(seen.as_json(), pretty=True)
    else:
        print("\n".join(lines))
    for written in filter(None, (save, picture)):
        say(f"Wrote {written}.")


def _contents(paths: tuple[Path, ...], most: int) -> list[bytes]:
    from malafide.measure.made_mail import made_mails

    if not paths:
        return list(made_mails(most))
    found = [source.content for source in islice(gather(paths, None), most)]
    read = [content for content in found if isinstance(content, bytes)]
    if not read:
        raise next(error for error in found if isinstance(error, MalafideError))
    return read


def _kept(file: Path) -> Bench:
    from malafide.measure.stages import from_json

    try:
        return from_json(json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        raise UnreadableInput(
            f"cannot read {str(file)!r}: {error}; make it with `malafide bench --save`"
        ) from None
