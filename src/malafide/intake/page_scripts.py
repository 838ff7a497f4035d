"""The source of a web page that came as a file in, what its scripts do out: build a file, write the page anew, lead on.

A page opened from a mailbox runs its scripts with nobody's address above them. Nothing is run here: telling calls are
looked for, and the words around them are kept so that they can be quoted.
"""

from __future__ import annotations

import re
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from malafide.intake.guard import harmless_html

_MOST_SCRIPTS: Final = 200
_MOST_SOURCE: Final = 2_000_000
_AROUND: Final = (30, 130)  # characters before and after a telling call
_MOST_KEPT: Final = 12
# Calls by which a script makes a file of its own, takes words out of a code, writes a page, or goes elsewhere.
_CALLS: Final = (
    "new blob", "createobjecturl", "mssaveoropenblob", "mssaveblob", ".download", "atob(", "document.write",
    "unescape(", "fromcharcode", "eval(", "location.replace", "location.href", "location.assign", "window.location",
    "decodeuricomponent(", "parseint(", "xmlhttprequest", "fetch(", "activexobject", "wscript",
)  # fmt: skip
_HANDLERS: Final = ("onload", "onerror", "onclick", "onmouseover", "onfocus", "onsubmit")
_LEADS: Final = re.compile(r"location(?:\.href)?\s{0,9}=\s{0,9}[\"'](https?://[^\"'<>\s]{4,2000})|location\.(?:replace|assign)"
                           r"\(\s{0,9}[\"'](https?://[^\"'<>\s]{4,2000})")  # fmt: skip


def scripts_of(source: str) -> tuple[list[str], list[str]]:
    """The words around telling calls in the scripts of a page, and the addresses it goes to by itself."""
    low = source.lower()
    if "<script" not in low and not any(name in low for name in _HANDLERS):
        return [], []
    kept: list[str] = []
    leads: list[str] = []
    for script in _scripts(source):
        small = script.lower()
        if len(small) != len(script):  # letters whose small form is longer would move every place
            script = small
        for call in _CALLS:
            at = small.find(call)
            if at >= 0 and len(kept) < _MOST_KEPT:
                before, after = _AROUND
                kept.append(" ".join(script[max(0, at - before) : at + after].split()))
        leads += [one or other for one, other in _LEADS.findall(script)[:5]]
    return kept, leads[:20]


def _scripts(source: str) -> list[str]:
    tree = LexborHTMLParser(harmless_html(source))
    bodies = (node.first_child for node in tree.css("script")[:_MOST_SCRIPTS])
    found = [body.text_content or "" for body in bodies if body is not None]
    for node in tree.css(", ".join(f"[{name}]" for name in _HANDLERS))[:_MOST_SCRIPTS]:
        found += [value for name, value in node.attributes.items() if name in _HANDLERS and value]
    left = _MOST_SOURCE
    kept = []
    for script in found:
        kept.append(script[:left])
        left -= len(kept[-1])
    return [script for script in kept if script.strip()]
