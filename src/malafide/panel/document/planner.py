"""The PLANNER offline: which tools, in which order, by what the document is."""

from __future__ import annotations

from dataclasses import dataclass

from malafide.assessment import Route
from malafide.case import Case
from malafide.panel.document.toolbox import LINK, NUMBER, ORGANISATION, SENDER, TOOLBOX


@dataclass(frozen=True, slots=True)
class Plan:
    """Tools by their contract names, first to last, and why these."""

    tools: tuple[str, ...]
    reason: str


def plan(case: Case, route: Route, calls: int) -> Plan:
    """At most so many calls. A full analysis asks only tools with something to look at, a deep one all that fit."""
    worth = _worth(case)
    useful = [
        name for name, value in sorted(worth.items(), key=lambda item: (-item[1], item[0])) if value > 0
    ]
    if route == "deep_analysis":
        rest = [name for name in TOOLBOX if name not in useful and (name != SENDER or case.kind == "email")]
        chosen = [*useful, *rest][:calls]
        return Plan(tuple(chosen), f"Deep: every tool that {calls} calls allow, the most telling first.")
    return Plan(tuple(useful[:calls]), f"Full: the tools with something to look at in this {_kind(case)}.")


def _worth(case: Case) -> dict[str, int]:
    """How telling each tool is likely to be here; 0 for nothing to look at."""
    text = case.reading
    links = len(case.mail.links) if case.mail else 0
    digits = sum(c.isdigit() for c in text[:4_000])
    return {
        LINK: 4 if links else 0,
        ORGANISATION: 3 if text.strip() else 0,
        SENDER: 5 if case.mail is not None and case.mail.headers else 0,
        NUMBER: (3 if not links else 2) if digits >= 7 else 0,
    }


def _kind(case: Case) -> str:
    return "mail" if case.kind == "email" else "document"
