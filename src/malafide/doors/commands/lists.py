"""`malafide agents`, `tools`, `rules` and `schema`: what there is, in plain columns that grep can read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import click

from malafide.doors.streams import print_json
from malafide.errors import UnknownName


@click.command()
def agents() -> None:
    """List the agents and voters of the panels, with a sentence each.

    \b
    Example:
      malafide agents
    """
    from malafide.panel.agent import agents as registered
    from malafide.panel.agent import voters
    from malafide.panel.spec import agent_spec

    _columns((member.name, agent_spec(member.name).description) for member in (*registered, *voters))


@click.command()
def tools() -> None:
    """List the evidence tools, with a sentence each.

    \b
    Example:
      malafide tools
    """
    from malafide.tools import tools as registered

    _columns((tool.name, tool.sentence) for tool in registered)


@click.command()
@click.option("--tool", help="Only the rules this tool reports.")
def rules(tool: str | None) -> None:
    """List the rules, with a sentence each.

    Columns: id, direction, strength, languages, what a hit says.

    \b
    Examples:
      malafide rules
      malafide rules --tool pressure
    """
    from malafide.rules.chat import chat_rulebook
    from malafide.rules.rulebook import rulebook

    every = (*rulebook().rules, *chat_rulebook().rules)
    known = sorted({rule.tool for rule in every})
    if tool is not None and tool not in known:
        raise UnknownName(
            f"no rules are reported by a tool {tool!r}; tools with rules are: {', '.join(known)}"
        )
    _columns(
        (rule.id, rule.direction, rule.strength, ",".join(rule.phrases), rule.says)
        for rule in every
        if tool in (None, rule.tool)
    )


@click.command()
@click.argument("name", metavar="PANEL")
def schema(name: str) -> None:
    """Print the JSON Schema of a panel's output.

    \b
    Example:
      malafide schema spam
    """
    from malafide.contracts import schema as schema_of

    print_json(schema_of(name), pretty=True)


def _columns(rows: Iterable[Sequence[str]]) -> None:
    """Rows with all but the last cell as wide as the widest of their column."""
    lines = list(rows)
    if not lines:
        return
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]) - 1)]
    for line in lines:
        head = "  ".join(cell.ljust(width) for cell, width in zip(line[:-1], widths, strict=True))
        print(f"{head}  {' '.join(line[-1].split())}")
