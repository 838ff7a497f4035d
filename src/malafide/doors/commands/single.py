"""`malafide agent` and `malafide tool`: one agent or one evidence tool on its own."""

from __future__ import annotations

from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from malafide.doors.inputs import CATALOG, PATH, Source, gather, only
from malafide.doors.streams import console, print_json
from malafide.errors import MalafideError

if TYPE_CHECKING:
    from malafide.panel.hearing import Examination


@click.command()
@click.argument("name")
@click.argument("path", required=False, type=PATH)
@click.option("--input", "input_", type=PATH, metavar="FILE", help="The mail.")
@click.option("--text", help="The message itself.")
@CATALOG
@click.option("--json", "as_json", is_flag=True, help="Print the agent's report as JSON.")
def agent(
    name: str, path: Path | None, input_: Path | None, text: str | None, catalog: Path | None, as_json: bool
) -> None:
    """Hear one agent on one mail.

    The mail comes on standard input when none is named. `malafide agents` lists the agents.

    \b
    Examples:
      malafide agent content-analyzer --input mail.txt
      malafide agent intent-analyzer mail.eml --json
    """
    from malafide.benches.spam import WITNESSES
    from malafide.knowledge.remembered import remembered
    from malafide.panel.agent import agents
    from malafide.panel.hearing import convene, examine
    from malafide.tools import tools

    member = agents.get(name)
    case = only(gather([p for p in (path, input_) if p], text)).load_alone()
    examination = examine(case, tools, (*WITNESSES, *remembered(catalog).witnesses()))
    outcome = convene([member], examination)[0]
    if as_json:
        from malafide.contracts.spam import outcome_details

        report = outcome_details(outcome, examination.evidence)
        report["malafide"] = {"case_id": case.id, **_details(examination)}
        print_json(report, pretty=True)
        return
    from malafide.render.terminal_single import agent_report

    agent_report(case, outcome, console())


@click.command()
@click.argument("name")
@click.argument("paths", nargs=-1, type=PATH, metavar="[PATH]...")
@click.option("--text", help="The message itself.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON; one line per mail for several.")
def tool(name: str, paths: tuple[Path, ...], text: str | None, as_json: bool) -> None:
    """Show what one evidence tool finds.

    The mail comes on standard input when none is named. `malafide tools` lists the tools.

    \b
    Examples:
      malafide tool links mail.eml
      malafide tool sender *.eml --json
    """
    from malafide.tools import tools

    chosen = tools.get(name)
    found = gather(paths, text)
    sources = [next(found)]
    second = next(found, None)
    if second is None:
        _look(chosen.name, sources[0], json=as_json, several=False)
        return
    sources.append(second)
    read = [_try(chosen.name, source, json=as_json) for source in chain(sources, found)]
    if not all(read):
        raise SystemExit(1)


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

    case = source.load() if several else source.load_alone()
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
