"""An assessment of a conversation in, a report for the terminal out. Message text passes `harmless` or a `Run`."""

from __future__ import annotations

from typing import Final

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from malafide.benches.honeypot import Assessment
from malafide.consensus.majority import Answer
from malafide.opinion import Vote
from malafide.render.intelligence import KIND_WORDS, inert
from malafide.render.terminal import evidence_list
from malafide.render.view import Numbered
from malafide.render.visible import one_line
from malafide.render.words import harmless, percent

SHAPES: Final[dict[Answer, str]] = {"scam": "✖", "not_scam": "✔", "suspicious": "▲"}
COLOURS: Final[dict[Answer, str]] = {"scam": "red", "not_scam": "green", "suspicious": "yellow"}
WORDS: Final[dict[Answer, str]] = {"scam": "SCAM", "not_scam": "NO SCAM", "suspicious": "SUSPICIOUS"}
_MOST_EVIDENCE: Final = 8
_WIDEST: Final = 104


def chat_report(assessment: Assessment, name: str, console: Console) -> None:
    """Prints the whole report on one conversation."""
    pieces: list[RenderableType] = [*_headline(assessment, name)]
    pieces += [_title("The votes"), _votes(assessment)]
    if assessment.decision.answer != "not_scam":
        pieces += [_title("How it developed"), _timeline(assessment)]
    pieces += [_title("What was revealed"), _items(assessment)]
    shown = assessment.evidence[:_MOST_EVIDENCE]
    numbered = [Numbered(i, e, True) for i, e in enumerate(shown, start=1)]
    pieces += [_title("Key evidence"), evidence_list(assessment.case, numbered)]
    if len(assessment.evidence) > len(shown):
        more = len(assessment.evidence) - len(shown)
        pieces.append(Text(f"  and {more} more; --html and --json show all of it", style="dim"))
    pieces += [_title("Notes"), Padding(Text(harmless(assessment.notes)), (0, 0, 0, 2)), Text()]
    console.print(Group(*pieces), width=min(console.width, _WIDEST), highlight=False)


def chat_line(assessment: Assessment, name: str) -> str:
    """The whole answer on one line."""
    decision = assessment.decision
    head = f"{SHAPES[decision.answer]} {WORDS[decision.answer]:<10}  {decision.confidence:.2f}"
    return f"{head}  {one_line(name, 200):<24}  {decision.scam_type}: {harmless(decision.reason)}"


def _headline(assessment: Assessment, name: str) -> list[RenderableType]:
    decision = assessment.decision
    head = Text(
        f" {SHAPES[decision.answer]} {WORDS[decision.answer]} ",
        style=f"bold reverse {COLOURS[decision.answer]}",
    )
    chat = assessment.case.chat
    count = len(chat.messages) if chat else 0
    what = f"{decision.scam_type.replace('_', ' ')}  ·  " if decision.scam else ""
    facts = f"{what}confidence {percent(decision.confidence)}  ·  {count} messages"
    if chat and chat.told_by:
        facts += f"  ·  who is who: told by {chat.told_by}"
    lines: list[RenderableType] = [Text(), Text.assemble(head, f"  {one_line(name, 60)}"), Text()]
    lines += [Text(harmless(decision.reason), style="bold"), Text(facts, style="dim")]
    lines += [Text(f"▲ {harmless(note)}", style="yellow") for note in assessment.case.limitations]
    return lines


def _title(words: str) -> Text:
    return Text(f"\n{words}", style="bold")


def _grid(*columns: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=True, header_style="dim")
    for column in columns[:-1]:
        table.add_column(column, no_wrap=True)
    table.add_column(columns[-1], ratio=1, overflow="fold")
    return table


def _votes(assessment: Assessment) -> RenderableType:
    table = _grid("voter", "vote", "sure", "why")
    for ballot in assessment.ballots:
        if not isinstance(ballot, Vote):
            table.add_row(
                one_line(ballot.agent, 30),
                Text("abstains", style="dim"),
                "-",
                Text(one_line(ballot.reason, 160)),
            )
            continue
        word = Text("✖ scam", style="red") if ballot.scam else Text("✔ not scam", style="green")
        why = one_line(harmless(_point(ballot)), 170)
        table.add_row(one_line(ballot.agent, 30), word, f"{ballot.confidence:.2f}", Text(why))
    return Padding(table, (0, 0, 0, 2))


def _point(vote: Vote) -> str:
    """The evidence that moved the voter most towards its vote."""
    sign = 1.0 if vote.scam else -1.0
    moves = [step for step in vote.steps if step.evidence is not None and step.amount * sign > 0]
    best = max(moves, key=lambda step: abs(step.amount), default=None)
    return best.evidence.sentence if best is not None and best.evidence is not None else vote.analysis


def _timeline(assessment: Assessment) -> RenderableType:
    table = _grid("stage", "message", "words")
    for turn in sorted(assessment.stages, key=lambda t: t.message):
        table.add_row(turn.stage, str(turn.message), Text(f"“{one_line(harmless(turn.quote), 90)}”"))
    return Padding(table, (0, 0, 0, 2))


def _items(assessment: Assessment) -> RenderableType:
    if not assessment.items:
        return Text("  nothing", style="dim")
    table = _grid("kind", "value", "message", "as written")
    for item in assessment.items:
        quote = one_line(harmless(item.quote), 80)
        table.add_row(
            KIND_WORDS[item.kind], Text(inert(item)), str(item.message), Text(f"“{quote}”", style="italic")
        )
    return Padding(table, (0, 0, 0, 2))
