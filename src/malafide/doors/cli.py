"""The command line. Refusals become one line on standard error and an exit status here, and nowhere else."""

from __future__ import annotations

import os
import sys

import click

from malafide.doors.commands.classify import classify
from malafide.doors.commands.lists import agents, rules, schema, tools
from malafide.doors.commands.monitor import monitor
from malafide.doors.commands.precedents import precedents
from malafide.doors.commands.single import agent, tool
from malafide.doors.commands.validate import validate
from malafide.doors.streams import prepare, say
from malafide.errors import MalafideError
from malafide.version import VERSION


@click.group(epilog="Start with: malafide classify mail.eml", context_settings={"max_content_width": 100})
@click.version_option(VERSION, prog_name="malafide", message="%(prog)s %(version)s")
def app() -> None:
    """Tells whether a message deceives you, and shows why. Works offline."""


for command in (classify, validate, monitor, agent, tool, agents, tools, rules, schema, precedents):
    app.add_command(command)


def main() -> None:
    """The entry point `malafide`."""
    from malafide.render.words import harmless

    prepare()
    try:
        app(prog_name="malafide")
    except MalafideError as error:
        say(f"malafide: {' '.join(harmless(str(error)).split())}")
        sys.exit(error.exit_code)
    except BrokenPipeError:
        _let_go()
    finally:
        _flush()


def _flush() -> None:
    """Writes the rest, so that a reader who left is noticed here and not at the interpreter's end."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _let_go()


def _let_go() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(1)
