"""Assessment in, one self-contained HTML page out: the answer for a lay reader, the evidence, the trail."""

from __future__ import annotations

from html import escape
from typing import Final

from malafide.assessment import Answer, Assessment
from malafide.render.html import document
from malafide.render.html_mail import message_block
from malafide.render.view import Depth, Numbered, passages
from malafide.render.visible import one_line
from malafide.render.words import harmless, strength_word

WORDS: Final[dict[Answer, str]] = {"scam": "SCAM", "not_scam": "NOT A SCAM", "suspicious": "SUSPICIOUS"}
MARKS: Final[dict[Answer, str]] = {"scam": "✖", "not_scam": "✔", "suspicious": "▲"}
_CLASSES: Final[dict[Answer, str]] = {"scam": "spam", "not_scam": "ham", "suspicious": "uncertain"}
_DEPTH: Final = Depth(context=300, opening=700, evidence=60)


def assessment_page(assessment: Assessment) -> str:
    """The whole page."""
    name = assessment.case.source or assessment.case.id
    numbered = [Numbered(i, e, False) for i, e in enumerate(assessment.evidence[: _DEPTH.evidence], start=1)]
    evidence = "".join(
        f"<li><b>{n.number}</b> {_e(n.evidence.sentence)} <q>{_e(one_line(n.evidence.quote, 160))}</q> "
        f"({n.evidence.direction}, {strength_word(n.evidence.strength)}, {_e(n.evidence.kind)})</li>"
        for n in numbered
    )
    trail = "".join(
        f"<li>{step.at:.3f} s · <b>{_e(step.actor)}</b> {_e(step.status)}: {_e(step.says)}</li>"
        for step in assessment.trail
    )
    body = f"""<article class="mail {_CLASSES[assessment.answer]}">
<header class="answer">
<p><span class="badge">{MARKS[assessment.answer]} {WORDS[assessment.answer]}</span></p>
<h2>{_e(assessment.explanation)}</h2>
<dl class="facts">{_facts(assessment)}</dl>
</header>
<h3>The message</h3>
{message_block(list(passages(assessment.case, numbered, _DEPTH)), "a")}
<h3>The evidence</h3>
<ul class="plain-list">{evidence or "<li>none</li>"}</ul>
<h3>The trail</h3>
<ul class="plain-list">{trail}</ul>
</article>"""
    return document(one_line(name, 120), body)


def whole(probability: float) -> int:
    """In whole numbers; never a certainty that rounding made up."""
    return min(99, max(1, round(probability)))


def _facts(assessment: Assessment) -> str:
    facts = (
        ("Scam probability", f"{whole(assessment.probability)} of 100"),
        ("Confidence", f"{assessment.confidence:.2f}"),
        ("Route", f"{assessment.route}: {assessment.route_reason}"),
        ("Errors", str(len(assessment.errors))),
        ("Workflow", assessment.workflow_id),
    )
    return "".join(f"<div><dt>{term}</dt><dd>{_e(value)}</dd></div>" for term, value in facts)


def _e(text: str) -> str:
    return escape(harmless(text))
