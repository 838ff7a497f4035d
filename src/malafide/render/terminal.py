"""Verdict in, a report for the terminal out.

Message text reaches the terminal only as `Text` that went through `harmless` or a `Run`: no markup is read in
it and no control character survives. Importing this module imports rich, so doors import it late.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from malafide.case import Case
from malafide.evidence import Evidence
from malafide.opinion import Outcome
from malafide.render.view import (
    PLACES,
    Depth,
    Numbered,
    Passage,
    Run,
    divisor,
    number_evidence,
    part_label,
    passages,
    seats,
    shares,
)
from malafide.render.visible import one_line
from malafide.render.words import SHAPES, caveats, harmless, model_lines, percent, strength_word
from malafide.verdict import Classification, Verdict

COLOURS: Final[dict[Classification, str]] = {"SPAM": "red", "HAM": "green", "UNCERTAIN": "yellow"}
_MARKS: Final = {"deceptive": ("✖", "bold red"), "genuine": ("✔", "green")}
_DEPTH: Final = Depth(context=90, opening=240, evidence=12)
_WIDEST: Final = 104


def report(verdict: Verdict, name: str, console: Console) -> None:
    """Prints the whole report on one mail."""
    numbered = number_evidence(verdict, _DEPTH.evidence)
    width = min(console.width, _WIDEST)
    pieces: list[RenderableType] = [_headline(verdict, name), *_caveats(verdict)]
    pieces += [title("The agents"), agents_table(verdict.outcomes), *_models(verdict)]
    pieces += [title("The message"), *message_parts(list(passages(verdict.case, numbered, _DEPTH)))]
    pieces += [title("Key evidence"), evidence_list(verdict.case, [n for n in numbered if n.key])]
    also = [n for n in numbered if not n.key]
    if also:
        pieces += [title("Also noticed"), evidence_list(verdict.case, also)]
    more = len(verdict.evidence) - len(numbered)
    if more > 0:
        pieces.append(Text(f"  and {more} more; --html and --json show all of it", style="dim"))
    pieces += [title("How the score is made"), _sum(verdict), Text()]
    console.print(Group(*pieces), width=width, highlight=False)


def answer_text(line: str, classification: Classification | None) -> Text:
    """An answer line with its answer coloured; None is a mail that could not be judged."""
    text = Text(line)
    text.stylize(f"bold {COLOURS[classification] if classification else 'magenta'}", 0, 11)
    return text


def _headline(verdict: Verdict, name: str) -> RenderableType:
    answer = f" {SHAPES[verdict.classification]} {verdict.classification} "
    head = Text(answer, style=f"bold reverse {COLOURS[verdict.classification]}")
    facts = Text(
        f"spam score {verdict.score:.2f}  ·  {percent(verdict.confidence)} sure of the answer  ·  "
        f"agreement of the agents {verdict.agreement:.2f}",
        style="dim",
    )
    title = Text.assemble(head, f"  {one_line(name, 60)}")
    return Group(Text(), title, Text(), Text(harmless(verdict.summary), style="bold"), facts)


def _caveats(verdict: Verdict) -> list[RenderableType]:
    return [Text(f"▲ {harmless(note)}", style="yellow") for note in caveats(verdict)]


def title(words: str) -> RenderableType:
    return Text(f"\n{words}", style="bold")


def grid(*columns: dict[str, object]) -> Table:
    table = Table(
        box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=any("header" in c for c in columns)
    )
    for column in columns:
        table.add_column(**column)  # type: ignore[arg-type]
    return table


def agents_table(outcomes: Sequence[Outcome]) -> RenderableType:
    """The agents side by side: what each holds and its main point."""
    table = grid(
        {"header": "agent", "no_wrap": True},
        {"header": "score", "justify": "right"},
        {"header": "confidence", "justify": "right"},
        {"header": "recommends", "no_wrap": True},
        {"header": "main point", "ratio": 1, "overflow": "fold"},
    )
    table.header_style = "dim"
    for seat in seats(outcomes):
        point = Text(one_line(harmless(seat.point), 160))
        if seat.recommendation is None or seat.score is None or seat.confidence is None:
            table.add_row(seat.name, "-", "-", Text(seat.standing, style="dim"), point)
            continue
        answer = f"{SHAPES[seat.recommendation]} {seat.recommendation}"
        recommends = Text(answer, style=COLOURS[seat.recommendation])
        table.add_row(seat.name, f"{seat.score:.2f}", f"{seat.confidence:.2f}", recommends, point)
    return Padding(table, (0, 0, 0, 2))


def _models(verdict: Verdict) -> list[RenderableType]:
    lines = [Padding(Text(line, overflow="fold"), (0, 0, 0, 2)) for line in model_lines(verdict)]
    return [title("The language model"), *lines] if lines else []


def message_parts(shown: Sequence[Passage]) -> list[RenderableType]:
    """The text with its marks."""
    heads = grid({"no_wrap": True, "style": "dim"}, {"ratio": 1, "overflow": "fold"})
    rest: list[RenderableType] = []
    for passage in shown:
        if passage.role in ("header", "subject"):
            heads.add_row(one_line(passage.label, 24), _text(passage))
        else:
            label = Text(f"\n{passage.label}", style="dim")
            rest.append(Padding(Group(label, Padding(_tight(_text(passage)), (0, 0, 0, 2))), (0, 0, 0, 2)))
    return [Padding(heads, (0, 0, 0, 2)), *rest] if heads.rows else rest


def _text(passage: Passage) -> Text:
    text = Text(overflow="fold")
    for run in passage.runs:
        _append(text, run)
    text.rstrip()
    if passage.role == "hidden":
        text.stylize("italic")
    return text


def _append(text: Text, run: Run) -> None:
    if run.left_out:
        text.append(f" […{run.left_out:,} characters…] ", style="dim")
        return
    if run.direction is None:
        text.append(run.text)
        return
    # The words are in pointed brackets and the number follows, so that a mark is seen without colour too.
    style = _MARKS[run.direction][1]
    text.append("‹" * len(run.opens), style=style)
    text.append(run.text, style=f"{style} underline")
    for mark in run.closes:
        shape, closing = _MARKS[mark.direction]
        text.append(f"›{shape}{mark.number}", style=closing)


def _tight(text: Text) -> Text:
    """The text without runs of empty lines, which mail made of tables is full of."""
    lines: list[Text] = []
    for line in text.split("\n"):
        line.rstrip()
        if line.plain or (lines and lines[-1].plain):
            lines.append(line)
    return Text("\n", overflow="fold").join(lines)


def evidence_list(case: Case, numbered: Sequence[Numbered]) -> RenderableType:
    """Evidence under its numbers: what was seen, the words that show it, where they stand."""
    if not numbered:
        return Text("  none", style="dim")
    table = grid({"no_wrap": True, "justify": "right"}, {"ratio": 1, "overflow": "fold"})
    for item in numbered:
        shape, style = _MARKS[item.evidence.direction]
        table.add_row(Text(f"{item.number} {shape}", style=style), _claim(case, item.evidence))
    return Padding(table, (0, 0, 0, 2))


def _claim(case: Case, evidence: Evidence) -> Text:
    claim = Text(harmless(evidence.sentence))
    quote = one_line(harmless(evidence.quote), 120) or "(invisible characters)"
    where = f"{part_label(case, evidence.part)} {evidence.start}-{evidence.end}"
    claim.append(f"\n“{quote}”", style="italic")
    claim.append(f"  {where} · {strength_word(evidence.strength)} · {evidence.kind}", style="dim")
    return claim


def _sum(verdict: Verdict) -> RenderableType:
    parts = shares(verdict)
    if not parts:
        return Text(
            f"  no agent gave an opinion; the score is {verdict.score:.2f} by definition", style="dim"
        )
    total = divisor(parts)
    table = grid({"no_wrap": True}, {"no_wrap": True}, {"no_wrap": True, "justify": "right"})
    for part in parts:
        formula = f"{part.weight:.2f} × {part.confidence:.2f} × {part.score:.2f}  / {total:.2f}"
        table.add_row(part.agent, formula, f"= {part.amount:.{PLACES}f}")
    table.add_row("spam score", "", Text(f"= {verdict.score:.{PLACES}f}", style="bold"))
    note = Text("weight × confidence × score, over the sum of all weight × confidence", style="dim")
    return Padding(Group(table, note), (0, 0, 0, 2))
