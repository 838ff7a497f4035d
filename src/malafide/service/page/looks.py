"""A template and its values in, a page out. Every word that comes from a value is made harmless and escaped.

That is done for all expressions at once, not where a template remembers to: links are broken, characters that would
turn the reading order are gone, and HTML is text. What a template may write as it is says so with its type, Markup.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from functools import cache
from importlib import resources
from typing import Any, Final
from urllib.parse import quote, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from malafide.knowledge.precedent_record import teaches
from malafide.render.visible import visible
from malafide.render.words import harmless, percent, strength_word
from malafide.service.page import figures
from malafide.service.page.account import ANSWERS, SHAPES, badge

STATIC: Final = {"page.css": "text/css", "page.js": "text/javascript", "icon.svg": "image/svg+xml"}
TAGS: Final = {"deceptive": "✖", "genuine": "✔"}


@cache
def environment() -> Environment:
    made = Environment(
        loader=PackageLoader("malafide.service.page"),
        autoescape=True,
        finalize=_harmless,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "address": address,
        "given": given,
        "moment": moment,
        "percent": percent,
        "strength": strength_word,
        "badge": badge,
        "tone": lambda answer: ANSWERS[answer][0] if answer in ANSWERS else "",
    }
    made.globals |= {
        "stretch": figures.stretch,
        "asset": asset,
        "query": query,
        "teaches": teaches,
        "TAGS": TAGS,
        "SHAPES": SHAPES,
    }
    return made


def draw(template: str, **values: Any) -> str:
    """The page of that template."""
    return environment().get_template(template).render(**values)


def _harmless(value: Any) -> Any:
    return harmless(value) if type(value) is str else value


def given(words: str) -> Markup:
    """Words that a person typed and wants back as they are, as in a search field; no link is made of them."""
    return Markup(escape(visible(words)))


def address(path: str) -> Markup:
    """A path of ours, for href and action; whatever else it holds is quoted."""
    return Markup(escape(quote(path, safe="/?=&#%,-_.~")))


def query(path: str, **values: Any) -> Markup:
    """A path of ours with a query; what is empty is left out."""
    kept = {key: value for key, value in values.items() if value not in (None, "")}
    return Markup(escape(f"{path}?{urlencode(kept)}" if kept else path))


def moment(when: datetime | None) -> Markup:
    """A moment in UTC, as an element that the script may put into the reader's own time."""
    if when is None:
        return Markup("")
    utc = when.astimezone(UTC)
    return Markup('<time datetime="{}">{}</time>').format(
        utc.isoformat(timespec="seconds"), utc.strftime("%Y-%m-%d %H:%M UTC")
    )


@cache
def static_file(name: str) -> bytes:
    return resources.files("malafide.service.page").joinpath("static", name).read_bytes()


@cache
def asset(name: str) -> Markup:
    """The address of a static file; it changes with its content, so that it may be kept for ever."""
    return Markup(f"/static/{name}?v={hashlib.sha256(static_file(name)).hexdigest()[:12]}")
