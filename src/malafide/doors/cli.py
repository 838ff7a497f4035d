"""The command line. Refusals become one line on standard error and an exit status here, and nowhere else."""

from __future__ import annotations

import gc
import os
import sys
from importlib import import_module
from typing import Final

import click

from malafide.doors.streams import prepare, say
from malafide.errors import MalafideError
from malafide.version import VERSION

# Each command and the module of `doors/commands` it stands in; a module is imported when its command is asked for.
COMMANDS: Final = {
    "classify": "classify",
    "batch": "batch",
    "worker": "worker",
    "assess": "assess",
    "undo": "assess",
    "trail": "assess",
    "google": "google",
    "mcp": "mcp",
    "post": "post",
    "credibility": "credibility",
    "learn": "learn",
    "catalog": "catalog",
    "review": "feedback",
    "feedback": "feedback",
    "forget": "feedback",
    "conversation": "conversation",
    "engage": "engage",
    "validate": "validate",
    "monitor": "monitor",
    "bench": "bench",
    "replay": "replay",
    "precedents": "precedents",
    "serve": "serve",
    "token": "token",
    "purge": "care",
    "backup": "care",
    "restore": "care",
    "agent": "single",
    "tool": "single",
    "agents": "lists",
    "tools": "lists",
    "rules": "lists",
    "schema": "lists",
}


class _Commands(click.Group):
    """The commands above, in that order."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(
            import_module(f"malafide.doors.commands.{COMMANDS[cmd_name]}"), cmd_name
        )
        return command


@click.group(
    cls=_Commands,
    epilog="Start with: malafide classify mail.eml",
    context_settings={"max_content_width": 100},
)
@click.version_option(VERSION, prog_name="malafide", message="%(prog)s %(version)s")
def app() -> None:
    """Tells whether a message deceives you, and shows why. Works offline."""


def collect_seldom() -> None:
    """Looks for rings of objects less often. What is made for one mail has none, and looking after every 700 objects
    took 6 % of the time."""
    gc.set_threshold(50_000, 20, 20)


def main() -> None:
    """The entry point `malafide`."""
    from malafide.render.words import harmless

    prepare()
    collect_seldom()
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
