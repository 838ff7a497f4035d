"""`malafide agent` and `malafide tool`: one agent or one evidence tool on its own."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from malafide.doors.inputs import Source, gather
from malafide.doors.streams import console, print_json
from malafide.errors import MalafideError

if TYPE_CHECKING:
    from malafide.panel.hearing import Examination

AGENT_HELP = """Hear one agent on one mail.

\b
Examples:
  malafide agent content-analyzer --input mail.txt
  malafide agent intent-analyzer mail.eml --json
"""

TOOL_HELP = """Show what one evidence tool finds.

\b
Examples:
  malafide tool links mail.eml
  malafide tool sender *.eml --json
"""


def agent(
    name: Annotated[str, typer.Argument(help="The agent; `malafide agents` lists them.")],
    path: Annotated[Path | None, typer.Argument(help="The mail; standard input when none is named.")] = None,
    input: Annotated[Path | None, typer.Option("--input", help="The mail.", metavar="FILE")] = None,
    text: Annotated[str | None, typer.Option("--text", help="The message itself.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the agent's report as JSON.")] = False,
) -> None:
    from malafide.panel.agent import agents
    from malafide.panel.hearing import convene, examine
    from malafide.tools import tools

    member = agents.get(name)
    case = next(gather([p for p in (path, input) if p], text)).load()
    examination = examine(case, tools)
    outcome = convene([member], examination)[0]
    if json:
        from malafide.contract import outcome_details

        report = outcome_details(outcome, examination.evidence)
        report["malafide"] = {"case_id": case.id, **_details(examination)}
        print_json(report, pretty=True)
        return
    from malafide.render.terminal_single import agent_report

    agent_report(case, outcome, console())


def tool(
    name: Annotated[str, typer.Argument(help="The tool; `malafide tools` lists them.")],
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Mails, mailboxes or folders.", metavar="PATH")
    ] = None,
    text: Annotated[str | None, typer.Option("--text", help="The message itself.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON; one line per mail for several.")] = False,
) -> None:
    from malafide.tools import tools

    chosen = tools.get(name)
    found = gather(paths or [], text)
    sources = [next(found)]
    second = next(found, None)
    if second is None:
        _look(chosen.name, sources[0], json=json, several=False)
        return
    sources.append(second)
    failed = [_try(chosen.name, source, json=json) for source in (*sources, *found)]
    if not all(failed):
        raise typer.Exit(1)


def _try(name: str, source: Source, *, json: bool) -> bool:
    """Whether the mail could be read; if not, that is a line of the output."""
    from malafide.doors.sinks import failure
    from malafide.render.words import failure_line

    try:
        _look(name, source, json=json, several=True)
    except MalafideError as error:
        if json:
            print_json(failure(source, error), pretty=False)
        else:
            print(failure_line(source.name, str(error)))
        return False
    return True


def _look(name: str, source: Source, *, json: bool, several: bool) -> None:
    from malafide.panel.hearing import examine
    from malafide.tools import tools

    case = source.load()
    examination = examine(case, [tools.get(name)])
    if json:
        report = {"tool": name, **source.as_json(), "case_id": case.id, **_details(examination)}
        print_json(report, pretty=not several)
        return
    from malafide.render.terminal_single import tool_report

    tool_report(case, source.name, examination, console())


def _details(examination: Examination) -> dict[str, Any]:
    return {
        "evidence": [asdict(e) for e in examination.evidence],
        "failures": [asdict(f) for f in examination.failures],
        "dropped": list(examination.dropped),
    }
