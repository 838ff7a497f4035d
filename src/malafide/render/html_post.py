"""Verdicts on posts in, one self-contained HTML page out: with the picture, where one was looked at."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from malafide.benches.post import PostVerdict
from malafide.consensus.credibility_rules import AGENTS
from malafide.render.html import document
from malafide.render.html_mail import bar, evidence_items, message_block
from malafide.render.post_view import headline, numbered_evidence, tone
from malafide.render.view import Depth, passages
from malafide.render.visible import one_line
from malafide.render.words import harmless

_DEPTH: Final = Depth(context=400, opening=2_000, evidence=40)


@dataclass(frozen=True, slots=True)
class Page:
    """One post of the page: its verdict with the marked picture (PNG), or why there is none."""

    name: str
    verdict: PostVerdict | None
    reason: str = ""
    picture: bytes | None = None


def post_page(entries: Sequence[Page]) -> str:
    """The whole page; with several posts an index comes first."""
    body = "" if len(entries) == 1 and entries[0].verdict is not None else _index(entries)
    body += "".join(
        _article(entry, f"p{i}") for i, entry in enumerate(entries, 1) if entry.verdict is not None
    )
    name = entries[0].name if len(entries) == 1 else f"{len(entries)} posts"
    return document(name, body, pictures=any(entry.picture for entry in entries))


def _index(entries: Sequence[Page]) -> str:
    rows = "".join(_row(entry, f"p{i}") for i, entry in enumerate(entries, 1))
    heads = "<th>credibility</th><th>agreement</th><th>claim</th><th>post</th><th>what it says</th>"
    return f'<table class="index"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>'


def _row(entry: Page, anchor: str) -> str:
    verdict = entry.verdict
    if verdict is None:
        badge = '<span class="badge none">! ERROR</span>'
        cells = f'<td class="name">{_e(entry.name)}</td><td>{_e(entry.reason)}</td>'
        return f"<tr><td>{badge}</td><td>-</td><td>-</td>{cells}</tr>"
    decision = verdict.decision
    return (
        f'<tr class="{tone(verdict)}"><td><span class="badge">{decision.score:.4f}</span></td>'
        f"<td>{decision.agreement:.4f} {verdict.band}</td><td>{verdict.answer}</td>"
        f'<td class="name"><a href="#{anchor}">{_e(entry.name)}</a></td>'
        f'<td class="summary">{_e(one_line(verdict.post.case.reading, 160))}</td></tr>'
    )


def _article(entry: Page, anchor: str) -> str:
    verdict = entry.verdict
    if verdict is None:
        return ""
    numbered = numbered_evidence(verdict)
    cited = "".join(
        f"<li>{_e(one.label)}: “{_e(one_line(one.excerpt, 200))}” ({_e(one.provenance.source)})</li>"
        for one in verdict.cited
    )
    return f"""<article class="mail {tone(verdict)}" id="{anchor}">
{_answer(verdict, entry.name)}
<h3>The agents</h3>
<div class="cards">{"".join(_cards(verdict))}</div>
<h3>The post</h3>
{message_block(list(passages(verdict.post.case, numbered, _DEPTH)), anchor)}
{_picture(entry)}
<h3>The signals, and where they came from</h3>
{_signals(verdict)}
<h3>What decided</h3>
{evidence_items(verdict.post.case, numbered, anchor) if numbered else '<p class="legend">There is none.</p>'}
{f'<h3>Cited</h3><ul class="plain-list">{cited}</ul>' if cited else ""}
<h3>How the score is made</h3>
<ul class="plain-list">{"".join(f"<li>{_e(line)}</li>" for line in verdict.decision.trace)}</ul>
</article>
"""


def _answer(verdict: PostVerdict, name: str) -> str:
    decision = verdict.decision
    facts = (
        ("Credibility", f"{decision.score:.4f}"),
        ("Agreement", f"{decision.agreement:.4f} ({verdict.band})"),
        ("Claim", verdict.answer),
        ("Post", _e(one_line(name, 120))),
    )
    return f"""<header class="answer">
<p><span class="badge">{decision.score:.4f}</span></p>
<h2>{_e(headline(verdict))}</h2>
<dl class="facts">{"".join(f"<div><dt>{term}</dt><dd>{value}</dd></div>" for term, value in facts)}</dl>
{"".join(f'<p class="note">▲ {_e(note)}</p>' for note in verdict.limitations)}
</header>"""


def _cards(verdict: PostVerdict) -> list[str]:
    cards = []
    for agent, score, weight in zip(AGENTS, verdict.decision.agents, verdict.decision.weights, strict=True):
        if score is None:
            cards.append(
                f'<section class="card"><header>{agent} <span class="badge none">abstained</span></header></section>'
            )
            continue
        meters = f"<span>score</span>{bar(0.0, score)}<b>{score:.4f}</b>"
        meters += f"<span>weight</span>{bar(0.0, weight, 'fill plain')}<b>{weight:.4f}</b>"
        cards.append(
            f'<section class="card"><header>{agent}</header><div class="meters">{meters}</div></section>'
        )
    return cards


def _picture(entry: Page) -> str:
    if entry.picture is None:
        return ""
    data = base64.b64encode(entry.picture).decode("ascii")
    what = "The picture; what looks edited is marked."
    return f'<h3>The picture</h3><img alt="{what}" src="data:image/png;base64,{data}"><p class="legend">{what}</p>'


def _signals(verdict: PostVerdict) -> str:
    rows = "".join(
        f"<tr><td>{escape(s.name)}</td><td>{_e(one_line(s.shown, 200))}</td>"
        f"<td>{_e(s.by)}</td><td>{_e(s.because)}</td></tr>"
        for s in verdict.signals
    )
    heads = "<th>signal</th><th>value</th><th>from</th><th>why</th>"
    return f'<table class="index"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>'


def _e(text: str) -> str:
    return escape(harmless(text))
