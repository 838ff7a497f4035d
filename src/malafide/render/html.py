"""Verdicts in, one self-contained HTML report out.

No script, nothing fetched, nothing clickable but the report's own anchors: the page forbids itself the rest
by a Content-Security-Policy that knows its one style sheet by digest. All text passes `_e`.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib import resources

from malafide.render.html_mail import article
from malafide.render.words import SHAPES, harmless, percent
from malafide.verdict import Classification, Verdict
from malafide.version import VERSION


@dataclass(frozen=True, slots=True)
class Entry:
    """One mail of the report, already drawn: its line in the index and its article."""

    name: str
    classification: Classification | None  # None: it could not be judged
    score: float
    confidence: float
    summary: str
    article: str


def entry(verdict: Verdict, name: str, number: int) -> Entry:
    """A judged mail. `number` makes its anchors its own."""
    return Entry(
        name, verdict.classification, verdict.score, verdict.confidence, verdict.summary,
        article(verdict, name, f"m{number}"),
    )  # fmt: skip


def failed_entry(name: str, reason: str) -> Entry:
    return Entry(name, None, 0.0, 0.0, reason, "")


def page(entries: Sequence[Entry]) -> str:
    """The whole report; with several mails an index comes first."""
    single = len(entries) == 1 and entries[0].classification is not None
    body = "" if single else _index(entries)
    title = entries[0].name if len(entries) == 1 else f"{len(entries)} mails"
    return document(title, f"{body}\n{''.join(e.article for e in entries)}")


def document(title: str, body: str, *, pictures: bool = False) -> str:
    """A page of its own around the body. `pictures` allows those that stand in the page itself."""
    style = _style()
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    policy += "; img-src data:" if pictures else ""
    title = _e(title)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · malafide</title>
<style>{style}</style>
</head>
<body>
<p class="masthead"><b>malafide</b><span>{title}</span></p>
{body}
<footer><p>Made by malafide {VERSION}. This page runs no scripts and fetches nothing;
links of the messages are written so that they do not work.</p></footer>
</body>
</html>
"""


def _index(entries: Sequence[Entry]) -> str:
    rows = "\n".join(_row(e, f"m{i}") for i, e in enumerate(entries, start=1))
    return f"""<table class="index">
<thead><tr><th>answer</th><th class="number">score</th><th class="number">sure</th>
<th>mail</th><th>why</th></tr></thead>
<tbody>
{rows}
</tbody>
</table>"""


def _row(e: Entry, anchor: str) -> str:
    if e.classification is None:
        number = '<td class="number">-</td>'
        cells = f'<td><span class="badge none">! ERROR</span></td>{number}{number}'
        return f'<tr>{cells}<td class="name">{_e(e.name)}</td><td class="summary">{_e(e.summary)}</td></tr>'
    badge = f'<span class="badge">{SHAPES[e.classification]} {e.classification}</span>'
    return (
        f'<tr class="{e.classification.lower()}"><td>{badge}</td><td class="number">{e.score:.2f}</td>'
        f'<td class="number">{percent(e.confidence)}</td>'
        f'<td class="name"><a href="#{anchor}">{_e(e.name)}</a></td>'
        f'<td class="summary">{_e(e.summary)}</td></tr>'
    )


@cache
def _style() -> str:
    return resources.files("malafide.render").joinpath("report.css").read_text(encoding="utf-8")


def _e(text: str) -> str:
    return escape(harmless(text))
