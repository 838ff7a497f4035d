"""One agent's outcome or one tool's evidence in, a report for the terminal out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from malafide.case import Case
from malafide.evidence import Evidence
from malafide.opinion import Opinion, Outcome
from malafide.render.terminal import agents_table, evidence_list
from malafide.render.view import Numbered
from malafide.render.visible import one_line
from malafide.render.words import harmless

if TYPE_CHECKING:
    from malafide.panel.hearing import Examination


def agent_report(case: Case, outcome: Outcome, console: Console) -> None:
    """What the agent holds, why, and the log-odds behind its score."""
    console.print(agents_table([outcome]))
    if not isinstance(outcome, Opinion):
        return
    console.print(Text(f"\n{harmless(outcome.analysis)}"))
    for field, value in outcome.report.items():
        console.print(Text(f"\n{field.replace('_', ' ')}", style="bold"), _value(value))
    console.print(Text("\nevidence", style="bold"))
    console.print(evidence_list(case, _numbered(outcome.evidence)))
    console.print(Text("\nHow the score is made", style="bold"))
    console.print(_steps(outcome))


def tool_report(case: Case, name: str, examination: Examination, console: Console) -> None:
    """What the tool found in one mail."""
    count = len(examination.evidence)
    found = "nothing found" if not count else "1 finding" if count == 1 else f"{count} findings"
    console.print(Text(f"{one_line(name, 80)}: {found}", style="bold"))
    if count:
        console.print(evidence_list(case, _numbered(examination.evidence)))
    for failure in examination.failures:
        console.print(Text(f"▲ the tool failed: {harmless(failure.reason)}", style="yellow"))


def _numbered(evidence: Sequence[Evidence]) -> list[Numbered]:
    return [Numbered(i, e, True) for i, e in enumerate(evidence, start=1)]


def _value(value: object) -> Padding:
    lines = value if isinstance(value, list | tuple) else [value]
    shown = [one_line(harmless(str(line)), 300) for line in lines] or ["none"]
    return Padding(Text("\n".join(shown)), (0, 0, 0, 2))


def _steps(opinion: Opinion) -> Padding:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=False)
    table.add_column(ratio=1, overflow="fold")
    table.add_column(justify="right", no_wrap=True)
    for step in opinion.steps:
        table.add_row(Text(one_line(step.label, 160)), f"{step.amount:+.2f}")
    total = sum(step.amount for step in opinion.steps)
    table.add_row(Text("sum, in log-odds", style="dim"), f"{total:+.2f}")
    table.add_row(Text("as a score between 0 and 1", style="dim"), f"{opinion.score:.4f}")
    return Padding(table, (0, 0, 0, 2))
