"""Verdict in, its article of the HTML report out: answer, agents, marked message, evidence, the sum."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from malafide.case import Case
from malafide.consensus.weighted import HAM_UP_TO, SPAM_FROM
from malafide.render.marking import Mark
from malafide.render.view import (
    PLACES,
    Depth,
    Numbered,
    Passage,
    Run,
    Seat,
    divisor,
    number_evidence,
    part_label,
    passages,
    seats,
    shares,
)
from malafide.render.visible import one_line
from malafide.render.words import SHAPES, caveats, harmless, model_lines, percent, strength_word
from malafide.verdict import Verdict

_DEPTH: Final = Depth(context=400, opening=900, evidence=200)
_TAGS: Final = {"deceptive": "✖", "genuine": "✔"}


def article(verdict: Verdict, name: str, anchor: str) -> str:
    """One mail. `anchor` begins every id in it, so that many mails share a page."""
    numbered = number_evidence(verdict, _DEPTH.evidence)
    return f"""<article class="mail {verdict.classification.lower()}" id="{anchor}">
{_answer(verdict, name)}
<h3>The agents</h3>
<div class="cards">
{"".join(_card(seat) for seat in seats(verdict.outcomes))}</div>
{_models(verdict)}<h3>The message</h3>
{message_block(list(passages(verdict.case, numbered, _DEPTH)), anchor)}
<h3>Key evidence</h3>
{_evidence(verdict, numbered, anchor)}
<h3>How the score is made</h3>
{_sum(verdict)}
<h3>The reasoning</h3>
<details><summary>What the agents found and how it fits together</summary>
<p>{_e(verdict.reasoning)}</p></details>
<details><summary>What happened on the way</summary>
<ul class="plain-list">{"".join(f"<li>{_e(line)}</li>" for line in verdict.trace)}</ul></details>
</article>
"""


def _models(verdict: Verdict) -> str:
    lines = "".join(f"<li>{escape(line)}</li>" for line in model_lines(verdict))
    return f'<h3>The language model</h3>\n<ul class="plain-list">{lines}</ul>\n' if lines else ""


def _answer(verdict: Verdict, name: str) -> str:
    facts = (
        ("Spam score", f"{verdict.score:.2f}"),
        ("Sure of the answer", percent(verdict.confidence)),
        ("Agreement", f"{verdict.agreement:.2f}"),
        ("Mail", _e(one_line(name, 120))),
        ("Case", _e(verdict.case.id[:16])),
    )
    return f"""<header class="answer">
<p><span class="badge">{SHAPES[verdict.classification]} {verdict.classification}</span></p>
<h2>{_e(verdict.summary)}</h2>
<dl class="facts">{"".join(f"<div><dt>{term}</dt><dd>{value}</dd></div>" for term, value in facts)}</dl>
{"".join(f'<p class="note">▲ {_e(note)}</p>' for note in caveats(verdict))}
</header>"""


def _card(seat: Seat) -> str:
    if seat.recommendation is None or seat.score is None or seat.confidence is None:
        badge = f'<span class="badge none">{seat.standing}</span>'
        head = f"<header>{_e(seat.name)} {badge}</header>"
        return f'<section class="card">{head}<p>{_e(seat.point)}</p></section>\n'
    badge = f'<span class="badge">{SHAPES[seat.recommendation]} {seat.recommendation}</span>'
    return f"""<section class="card {seat.recommendation.lower()}"><header>{_e(seat.name)} {badge}</header>
<div class="meters"><span>score</span>{bar(0.0, seat.score)}<b>{seat.score:.2f}</b>
<span>confidence</span>{bar(0.0, seat.confidence, "fill plain")}<b>{seat.confidence:.2f}</b></div>
<p>{_e(one_line(seat.point, 300))}</p>
<details><summary>its analysis</summary><p>{_e(seat.analysis)}</p></details></section>
"""


def bar(start: float, end: float, kind: str = "fill", limits: Sequence[float] = ()) -> str:
    """A stretch from 0 to 1 with a part of it filled."""
    width = max(0.0, end - start) * 100
    lines = "".join(f'<line class="limit" x1="{x * 100:g}" x2="{x * 100:g}" y1="0" y2="10"/>' for x in limits)
    return (
        '<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="track" width="100" height="10"/>'
        f'<rect class="{kind}" x="{start * 100:.2f}" width="{width:.2f}" height="10"/>{lines}</svg>'
    )


def message_block(shown: Sequence[Passage], anchor: str) -> str:
    """The text with its marks, and what the marks mean."""
    heads = [p for p in shown if p.role in ("header", "subject")]
    rest = [p for p in shown if p not in heads]
    head = "".join(f"<dt>{_e(p.label)}</dt><dd>{_runs(p.runs, anchor)}</dd>" for p in heads)
    body = "".join(_block(p, anchor) for p in rest)
    return f"""<div class="paper">
{f'<dl class="heads">{head}</dl>' if head else ""}{body}</div>
<p class="legend">
<span class="mark deceptive">wavy</span> <span class="tag deceptive">✖</span> speaks of deception,
<span class="mark genuine">double</span> <span class="tag genuine">✔</span> speaks for the message;
the numbers are those of the evidence below.</p>"""


def _block(passage: Passage, anchor: str) -> str:
    words = _runs(passage.runs, anchor)
    if passage.role == "body":
        return f'<div class="text">{_squeeze(words)}</div>'
    kind = "aside hidden" if passage.role in ("hidden", "alternative") else "aside"
    return f'<div class="{kind}"><span class="label">{_e(passage.label)}</span>{_squeeze(words)}</div>'


def _squeeze(words: str) -> str:
    """Without runs of empty lines, which mail made of tables is full of."""
    lines = [line.strip() for line in words.split("\n")]
    kept = [line for i, line in enumerate(lines) if line or (i and lines[i - 1])]
    return "\n".join(kept).strip()


def _runs(runs: Sequence[Run], anchor: str) -> str:
    return "".join(_run(run, anchor) for run in runs)


def _run(run: Run, anchor: str) -> str:
    if run.left_out:
        return f'<span class="gap">… {run.left_out:,} characters …</span>'
    if run.direction is None:
        return escape(run.text)
    ids = "".join(f'<span id="{anchor}-w{m.number}"></span>' for m in run.opens)
    words = f'<a class="mark {run.direction}" href="#{anchor}-e{run.marks[0].number}">{escape(run.text)}</a>'
    return ids + words + "".join(_tag(mark, anchor) for mark in run.closes)


def _tag(mark: Mark, anchor: str) -> str:
    label = f"{_TAGS[mark.direction]}{mark.number}"
    return f'<a class="tag {mark.direction}" href="#{anchor}-e{mark.number}">{label}</a>'


def _evidence(verdict: Verdict, numbered: Sequence[Numbered], anchor: str) -> str:
    key = [n for n in numbered if n.key]
    also = [n for n in numbered if not n.key]
    text = evidence_items(verdict.case, key, anchor) if key else '<p class="legend">There is none.</p>'
    if also:
        # Open from the start: a mark in the message must be able to jump to its entry.
        summary = f"<summary>Also noticed ({len(also)})</summary>"
        text += f'<details class="more" open>{summary}{evidence_items(verdict.case, also, anchor)}</details>'
    if (more := len(verdict.evidence) - len(numbered)) > 0:
        text += f'<p class="legend">and {more} more, in the JSON output</p>'
    return text


def evidence_items(case: Case, items: Sequence[Numbered], anchor: str) -> str:
    """Evidence under its numbers."""
    return f'<ol class="evidence">{"".join(_claim(case, item, anchor) for item in items)}</ol>'


def _claim(case: Case, item: Numbered, anchor: str) -> str:
    e = item.evidence
    quote = _e(one_line(e.quote, 240)) or "(invisible characters)"
    where = f"{part_label(case, e.part)}, characters {e.start} to {e.end}"
    return f"""<li id="{anchor}-e{item.number}">
<span class="number {e.direction}">{item.number} {_TAGS[e.direction]}</span>
<div><p class="lead">{_e(e.sentence)}</p><p><q>{quote}</q></p>
<p class="where"><a href="#{anchor}-w{item.number}">{_e(where)}</a>
· {strength_word(e.strength)} · {escape(e.kind)}</p></div></li>
"""


def _sum(verdict: Verdict) -> str:
    parts = shares(verdict)
    if not parts:
        return f'<p class="sum">No agent gave an opinion; the score is {verdict.score:.2f} by definition.</p>'
    total = divisor(parts)
    rows = []
    reached = 0.0
    for part in parts:
        formula = f"{part.weight:.2f} × {part.confidence:.2f} × {part.score:.2f} / {total:.2f}"
        drawn = bar(reached, reached + part.amount, limits=(HAM_UP_TO, SPAM_FROM))
        reached += part.amount
        rows.append(
            f'<div class="row"><span>{_e(part.agent)}</span><span class="formula">{formula}</span>{drawn}'
            f"<span>{part.amount:.{PLACES}f}</span></div>"
        )
    drawn = bar(0.0, verdict.score, limits=(HAM_UP_TO, SPAM_FROM))
    rows.append(
        f'<div class="row total"><span>spam score</span><span class="formula">the sum</span>{drawn}'
        f"<span>{verdict.score:.{PLACES}f}</span></div>"
    )
    return f"""<div class="sum">
{"".join(rows)}
<p class="caption">Each line is weight × confidence × score, over the sum of all weight × confidence.
The dashed lines are the limits: HAM up to {HAM_UP_TO:g}, SPAM from {SPAM_FROM:g},
and only where the agents agree.</p></div>"""


def _e(text: str) -> str:
    return escape(harmless(text))
