"""A post's verdict in, a report for the terminal out. Importing this imports rich, so doors import it late."""

from __future__ import annotations

from typing import Final

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from malafide.benches.post import PostVerdict
from malafide.consensus.credibility_rules import AGENTS
from malafide.render.post_view import SIGNAL_WIDTH, headline, numbered_evidence, tone
from malafide.render.terminal import evidence_list, grid, message_parts, title
from malafide.render.view import Depth, passages
from malafide.render.visible import one_line
from malafide.render.words import harmless

_COLOURS: Final = {"spam": "red", "ham": "green", "uncertain": "yellow"}
_DEPTH: Final = Depth(context=90, opening=400, evidence=40)
_WIDEST: Final = 104
_SHOWN: Final = 12


def post_report(verdict: PostVerdict, console: Console) -> None:
    """Prints the whole report on one post."""
    numbered = numbered_evidence(verdict)[:_SHOWN]
    pieces: list[RenderableType] = [_head(verdict)]
    pieces += [title("The post"), *message_parts(list(passages(verdict.post.case, numbered, _DEPTH)))]
    pieces += [title("The signals, and where they came from"), _signals(verdict)]
    pieces += [title("What decided"), evidence_list(verdict.post.case, numbered)]
    pieces += [title("The agents"), _agents(verdict)]
    pieces += [title("How the score is made"), _trace(verdict)]
    if verdict.limitations:
        lines = [Text(f"▲ {harmless(line)}", style="yellow") for line in verdict.limitations]
        pieces += [title("What could not be judged"), Padding(Group(*lines), (0, 0, 0, 2))]
    console.print(Group(*pieces, Text()), width=min(console.width, _WIDEST), highlight=False)


def _head(verdict: PostVerdict) -> RenderableType:
    decision = verdict.decision
    badge = Text(f" {decision.score:.4f} ", style=f"bold reverse {_COLOURS[tone(verdict)]}")
    facts = f"credibility from 0 to 1  ·  agreement {decision.agreement:.4f} ({verdict.band})  ·  {verdict.answer}"
    name = Text.assemble(badge, f"  {one_line(harmless(verdict.post.post_id), 60)}")
    return Group(Text(), name, Text(), Text(headline(verdict), style="bold"), Text(facts, style="dim"))


def _signals(verdict: PostVerdict) -> RenderableType:
    table = grid(
        {"header": "signal", "no_wrap": True},
        {"header": "value", "ratio": 2, "overflow": "fold"},
        {"header": "from", "ratio": 2, "overflow": "fold"},
        {"header": "why", "ratio": 4, "overflow": "fold"},
    )
    table.header_style = "dim"
    for signal in verdict.signals:
        style = "dim" if signal.value is None else ""
        value = Text(one_line(harmless(signal.shown), SIGNAL_WIDTH), style=style)
        table.add_row(
            signal.name, value, Text(signal.by, style="dim"), Text(one_line(harmless(signal.because), 400))
        )
    return Padding(table, (0, 0, 0, 2))


def _agents(verdict: PostVerdict) -> RenderableType:
    table = grid(
        {"no_wrap": True}, {"no_wrap": True, "justify": "right"}, {"no_wrap": True, "justify": "right"}
    )
    for agent, score, weight in zip(AGENTS, verdict.decision.agents, verdict.decision.weights, strict=True):
        table.add_row(agent, "abstains" if score is None else f"{score:.4f}", f"weight {weight:.4f}")
    return Padding(table, (0, 0, 0, 2))


def _trace(verdict: PostVerdict) -> RenderableType:
    lines = Text("\n".join(harmless(line) for line in verdict.decision.trace), overflow="fold")
    return Padding(lines, (0, 0, 0, 2))
