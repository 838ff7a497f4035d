"""Pieces of HTML in, a self-contained page out, in the style of the mail reports: no script, no fetching."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from html import escape
from importlib import resources

from malafide.measure.metrics import Rate
from malafide.render.words import harmless
from malafide.version import VERSION


def safe(text: str) -> str:
    """Text that may hold words of a message, fit for the page: escaped, its links broken."""
    return escape(harmless(text))


def name_of(kind: str) -> str:
    """The name of a pattern, written so that its dot does not make it a host name."""
    return kind.replace(".", ": ", 1).replace("-", " ") if kind.isascii() and "://" not in kind else kind


def page(title: str, body: str) -> str:
    """The whole document."""
    style = _style()
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{safe(title)} · malafide</title>
<style>{style}</style>
</head>
<body>
<p class="masthead"><b>malafide</b><span>{safe(title)}</span></p>
{body}
<footer><p>Made by malafide {VERSION}. This page runs no scripts and fetches nothing;
links of the messages are written so that they do not work.</p></footer>
</body>
</html>
"""


@cache
def _style() -> str:
    mail = resources.files("malafide.render").joinpath("report.css").read_text(encoding="utf-8")
    return mail + resources.files("malafide.measure").joinpath("measure.css").read_text(encoding="utf-8")


def table(caption: str, head: Sequence[str], rows: Sequence[Sequence[str]], here: int | None = None) -> str:
    """A table of text cells: the first column names the row, the others are figures. `here` is marked."""
    first, *others = head
    columns = f'<th scope="col">{safe(first)}</th>'
    columns += "".join(f'<th scope="col" class="number">{safe(other)}</th>' for other in others)
    body = []
    for i, (name, *rest) in enumerate(rows):
        mark = ' class="here"' if i == here else ""
        cells = "".join(f'<td class="number">{safe(cell)}</td>' for cell in rest)
        body.append(f'<tr{mark}><th scope="row">{safe(name)}</th>{cells}</tr>')
    return (
        f'<div class="scroll"><table class="data"><caption>{safe(caption)}</caption>'
        f"<thead><tr>{columns}</tr></thead><tbody>{''.join(body)}</tbody></table></div>"
    )


def figure(caption: str, explained: str, drawing: str, wide: bool = False) -> str:
    kind = ' class="wide"' if wide else ""
    words = f"<figcaption>{safe(caption)}<span>{safe(explained)}</span></figcaption>"
    return f"<figure{kind}>{words}{drawing}</figure>"


def percentage(value: float | None, places: int = 1) -> str:
    return "-" if value is None else f"{value * 100:.{places}f} %"


def decimal(value: float | None, places: int = 3) -> str:
    return "-" if value is None else f"{value:.{places}f}"


def between(rate: Rate) -> str:
    """The interval of a rate in words, with what was counted."""
    if rate.interval is None:
        return "no cases to count"
    low, high = rate.interval
    return f"{low * 100:.1f} to {high * 100:.1f} %, {rate.hits:,} of {rate.of:,}"
