"""The command line. Refusals become one line on standard error and an exit status here, and nowhere else."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from malafide.doors.commands import classify, lists, single
from malafide.doors.streams import prepare, say
from malafide.errors import MalafideError
from malafide.version import VERSION

app = typer.Typer(
    name="malafide",
    help="Tells whether a message deceives you, and shows why. Works offline.",
    epilog="Start with: malafide classify mail.eml",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,  # plain help: rich would cost a tenth of a second on every start
    pretty_exceptions_enable=False,
)
app.command("classify", help=classify.HELP)(classify.classify)
app.command("agent", help=single.AGENT_HELP)(single.agent)
app.command("tool", help=single.TOOL_HELP)(single.tool)
app.command("agents", help=lists.AGENTS_HELP)(lists.agents)
app.command("tools", help=lists.TOOLS_HELP)(lists.tools)
app.command("rules", help=lists.RULES_HELP)(lists.rules)
app.command("schema", help=lists.SCHEMA_HELP)(lists.schema)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"malafide {VERSION}")
        raise typer.Exit


@app.callback()
def _options(
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    return


def main() -> None:
    """The entry point `malafide`."""
    from malafide.render.words import harmless

    prepare()
    try:
        app()
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
