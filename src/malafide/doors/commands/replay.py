"""`malafide replay`: a recorded decision once more, from its record alone."""

from __future__ import annotations

from pathlib import Path

import click

from malafide.doors.inputs import PATH
from malafide.doors.streams import print_json, say
from malafide.version import VERSION


@click.command()
@click.argument("record", type=PATH)
def replay(record: Path) -> None:
    """Come to a recorded decision again.

    Judges the recorded mail with the recorded answers of the models, asks nobody, and prints the result: byte
    for byte what `malafide classify --json --record DIR` printed. Exit status 1 when it came out otherwise,
    which another version of malafide may do.

    \b
    Examples:
      malafide classify mail.eml --json --model http://localhost:11434/v1#llama3.2 --record records/
      malafide replay records/128147692b591f5d.json
    """
    from malafide.doors.replaying import again
    from malafide.record.decisions import read_decision

    recorded = read_decision(record)
    result = again(recorded)
    print_json(result, pretty=True)
    if result != dict(recorded.result):
        other = (
            ""
            if recorded.version == VERSION
            else f" It was made by version {recorded.version}, this is {VERSION}."
        )
        say(f"The result differs from the recorded one.{other}")
        raise SystemExit(1)
