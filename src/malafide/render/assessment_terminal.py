"""Assessment in, a report for the terminal out: the answer in plain words, the evidence, the route, what was done."""

from __future__ import annotations

from typing import Any, Final

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from malafide.assessment import Answer, Assessment
from malafide.render.assessment_html import MARKS, WORDS, whole
from malafide.render.terminal import evidence_list, grid, title
from malafide.render.view import Numbered
from malafide.render.visible import one_line
from malafide.render.words import harmless

_COLOURS: Final[dict[Answer, str]] = {"scam": "red", "not_scam": "green", "suspicious": "yellow"}
_MOST: Final = 10
_WIDEST: Final = 104


def assessment_report(assessment: Assessment, name: str, console: Console) -> None:
    """Prints the whole report."""
    answer = f" {MARKS[assessment.answer]} {WORDS[assessment.answer]} "
    facts = (
        f"scam probability {whole(assessment.probability)} of 100  ·  confidence {assessment.confidence:.2f}  ·  "
        f"{len(assessment.errors)} errors"
    )
    numbered = [Numbered(i, e, False) for i, e in enumerate(assessment.evidence[:_MOST], start=1)]
    pieces: list[RenderableType] = [
        Text(),
        Text.assemble(
            Text(answer, style=f"bold reverse {_COLOURS[assessment.answer]}"), f"  {one_line(name, 60)}"
        ),
        Text(),
        Text(harmless(assessment.explanation)),
        Text(facts, style="dim"),
        title("The evidence"),
        evidence_list(assessment.case, numbered),
    ]
    more = len(assessment.evidence) - len(numbered)
    if more > 0:
        pieces.append(Text(f"  and {more} more; --json shows all of it", style="dim"))
    pieces += [title("The way to it"), _line(f"{assessment.route}: {assessment.route_reason}")]
    pieces += [_line(f"{f.agent} failed: {f.reason}") for f in assessment.errors]
    if assessment.receipts:
        pieces.append(title("What was done"))
        pieces += [_line(f"{r.status}: {r.says}  ({r.action})") for r in assessment.receipts]
    pieces += [Text(f"\nmalafide trail {assessment.workflow_id} shows every step", style="dim"), Text()]
    console.print(Group(*pieces), width=min(console.width, _WIDEST), highlight=False)


def _line(words: str) -> RenderableType:
    return Padding(Text(harmless(words)), (0, 0, 0, 2))


def answer_row(assessment: Assessment, name: str) -> str:
    """The answer on one line, for a mailbox."""
    head = f"{MARKS[assessment.answer]} {WORDS[assessment.answer]:<10}  {whole(assessment.probability):3}"
    did = [r for r in assessment.receipts if r.action == "gmail-tools.classify_email" or r.status == "failed"]
    last = "; ".join(f"{r.status}: {r.says}" for r in did) or assessment.reason
    return f"{head}  {assessment.workflow_id}  {one_line(name, 60):<24}  {one_line(harmless(last), 160)}"


def trail_report(contract: dict[str, Any], console: Console) -> None:
    """The decision as a timeline, from what was recorded."""
    meta, more = contract["processing_metadata"], contract["malafide"]
    head = f"workflow {meta['workflow_id']}  ·  {more['started']}  ·  case {more['case_id']} ({more['kind']})"
    table = grid(
        {"header": "seconds", "justify": "right", "no_wrap": True},
        {"header": "took", "justify": "right", "no_wrap": True},
        {"header": "who", "overflow": "fold"},
        {"header": "what", "ratio": 1, "overflow": "fold"},
    )
    table.header_style = "dim"
    for step in more["trace"]:
        took = f"{step['seconds'] * 1000:.1f} ms" if step["seconds"] else ""
        style = {"failed": "bold red", "skipped": "dim"}.get(step["status"], "")
        table.add_row(
            f"{step['at']:.3f}",
            took,
            Text(harmless(step["actor"])),
            Text(harmless(step["says"]), style=style),
        )
    for receipt in more.get("undone", ()):
        table.add_row(
            "later",
            "",
            "undo",
            Text(harmless(f"{receipt['action']}: {receipt['status']}, {receipt['says']}")),
        )
    answer: Answer = contract["is_scam"]
    route = meta["router_route"]
    last = f"{MARKS[answer]} {WORDS[answer]}, scam probability {whole(contract['scam_probability'])}, {route}"
    pieces: list[RenderableType] = [Text(head, style="dim"), Text(), table, Text(), Text(last, style="bold")]
    console.print(Group(*pieces), width=min(console.width, _WIDEST), highlight=False)
