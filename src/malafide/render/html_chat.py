"""An assessment of a conversation in, one self-contained HTML page out, in the style of the mail reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import Final

from malafide.benches.honeypot import Assessment
from malafide.consensus.majority import Answer
from malafide.opinion import Ballot, Vote
from malafide.render.html import document
from malafide.render.html_mail import bar, evidence_items, message_block
from malafide.render.intelligence import KIND_WORDS, inert
from malafide.render.view import Depth, Numbered, Passage, passages
from malafide.render.visible import one_line
from malafide.render.words import harmless, percent

_DEPTH: Final = Depth(context=600, opening=1_200, evidence=200)
_ANCHOR: Final = "c1"
# The classes of the style sheet by answer.
_TONES: Final[dict[Answer, str]] = {"scam": "spam", "not_scam": "ham", "suspicious": "uncertain"}
_BADGES: Final[dict[Answer, str]] = {"scam": "✖ SCAM", "not_scam": "✔ NO SCAM", "suspicious": "▲ SUSPICIOUS"}
_MOST_SHOWN: Final = 400  # messages; of a longer conversation those with marks


def chat_page(assessment: Assessment, name: str) -> str:
    """The whole report."""
    numbered = [Numbered(i, e, True) for i, e in enumerate(assessment.evidence[: _DEPTH.evidence], start=1)]
    evidence = (
        evidence_items(assessment.case, numbered, _ANCHOR)
        if numbered
        else '<p class="legend">There is none.</p>'
    )
    body = f"""<article class="mail {_TONES[assessment.decision.answer]}" id="{_ANCHOR}">
{_answer(assessment, name)}
<h3>The votes</h3>
<div class="cards">{"".join(_card(ballot) for ballot in assessment.ballots)}</div>
{_timeline(assessment)}
<h3>What was revealed</h3>
{_items(assessment)}
<h3>The conversation</h3>
{message_block(_messages(assessment, numbered), _ANCHOR)}
<h3>Evidence</h3>
{evidence}
<h3>Notes</h3>
<p class="note">{"<br>".join(_e(line) for line in assessment.notes.split(chr(10)))}</p>
</article>"""
    return document(name, body)


def _answer(assessment: Assessment, name: str) -> str:
    decision = assessment.decision
    chat = assessment.case.chat
    facts = (
        ("Type", _e(decision.scam_type.replace("_", " "))),
        ("Confidence", percent(decision.confidence)),
        ("Messages", str(len(chat.messages) if chat else 0)),
        ("Who is who", _e(f"told by {chat.told_by}" if chat and chat.told_by else "given")),
        ("Conversation", _e(one_line(name, 120))),
        ("Case", _e(assessment.case.id)),
    )
    notes = "".join(f'<p class="note">▲ {_e(note)}</p>' for note in assessment.case.limitations)
    return f"""<header class="answer"><p><span class="badge">{_BADGES[decision.answer]}</span></p>
<h2>{_e(decision.reason)}</h2>
<dl class="facts">{"".join(f"<div><dt>{term}</dt><dd>{value}</dd></div>" for term, value in facts)}</dl>{
        notes
    }</header>"""


def _card(ballot: Ballot) -> str:
    if not isinstance(ballot, Vote):
        badge = f'<span class="badge none">{type(ballot).__name__.lower()}</span>'
        head = f"<header>{_e(ballot.agent)} {badge}</header>"
        return f'<section class="card">{head}<p>{_e(ballot.reason)}</p></section>\n'
    tone, word = ("spam", "✖ scam") if ballot.scam else ("ham", "✔ not scam")
    return f"""<section class="card {tone}"><header>{_e(ballot.agent)} <span class="badge">{word}</span></header>
<div class="meters"><span>score</span>{bar(0.0, ballot.score)}<b>{ballot.score:.2f}</b>
<span>confidence</span>{bar(0.0, ballot.confidence, "fill plain")}<b>{ballot.confidence:.2f}</b></div>
<p>{_e(one_line(ballot.analysis, 400))}</p></section>
"""


def _timeline(assessment: Assessment) -> str:
    if assessment.decision.answer == "not_scam":
        return ""
    rows = "".join(
        f"<tr><td><b>{turn.stage}</b></td><td class='number'>{turn.message}</td><td>{_e(turn.sentence)}</td>"
        f"<td><q>{_e(one_line(turn.quote, 120))}</q></td></tr>"
        for turn in sorted(assessment.stages, key=lambda t: t.message)
    )
    head = "<tr><th>stage</th><th class='number'>message</th><th>what happens</th><th>words</th></tr>"
    return f"<h3>How it developed</h3><table class='index'><thead>{head}</thead><tbody>{rows}</tbody></table>"


def _items(assessment: Assessment) -> str:
    if not assessment.items:
        return '<p class="legend">Nothing that leads to a person or to money.</p>'
    rows = "".join(
        f"<tr><td>{KIND_WORDS[item.kind]}</td><td class='name'><b>{_e(inert(item))}</b></td>"
        f"<td class='number'>{item.message}</td><td><q>{_e(one_line(item.quote, 120))}</q></td></tr>"
        for item in assessment.items
    )
    head = "<tr><th>kind</th><th>value</th><th class='number'>message</th><th>as written</th></tr>"
    return f"<table class='index'><thead>{head}</thead><tbody>{rows}</tbody></table>"


def _messages(assessment: Assessment, numbered: Sequence[Numbered]) -> list[Passage]:
    """The messages under the names of their senders; of a very long conversation only those with marks."""
    chat = assessment.case.chat
    senders = {m.part: f"{m.number}. {one_line(m.sender, 24)}" for m in chat.messages} if chat else {}
    marked = {item.evidence.part for item in numbered}
    parts = [part for part in assessment.case.parts if part.text]
    shown = list(passages(assessment.case, numbered, _DEPTH))
    labelled = [
        replace(passage, role="header", label=senders.get(part.name, passage.label))
        for part, passage in zip(parts, shown, strict=True)
    ]
    if len(labelled) <= _MOST_SHOWN:
        return labelled
    return [passage for part, passage in zip(parts, labelled, strict=True) if part.name in marked]


def _e(text: str) -> str:
    return escape(harmless(text))
