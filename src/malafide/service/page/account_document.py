"""The document panel's contract in, its account out: the route, the tools, the sum of log-odds, the trail."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from malafide.render.assessment_html import whole
from malafide.render.visible import one_line
from malafide.service.page.account import (
    Account,
    Card,
    Line,
    Table,
    TrailLine,
    entries_of,
    evidence_of,
    lines_of,
    log_odds_waterfall,
    numbers,
    uses_of,
)

ROUTES: Final = {
    "fast_scam": "fast: earlier cases say scam",
    "fast_legitimate": "fast: earlier cases say legitimate",
    "full_analysis": "full analysis",
    "deep_analysis": "deep analysis",
}
_WEIGHS: Final = "ANALYST"
_MOST_OUTPUT: Final = 400  # characters of a tool's output in the table; all of it is in the JSON


def document_account(contract: Mapping[str, Any]) -> Account:
    more, about = contract["malafide"], contract["processing_metadata"]
    found = evidence_of(more["evidence"])
    number = numbers(found)
    steps = more["contributions"]
    lines = lines_of(steps, found, number)
    probability = float(contract["scam_probability"])
    return Account(
        answer=contract["is_scam"],
        headline=more["reason"],
        advice=contract["explanation"],
        facts=(
            ("Scam probability", f"{whole(probability)} of 100"),
            ("Confidence", f"{contract['confidence_level']:.2f}"),
            ("Route", ROUTES[about["router_route"]]),
            ("Errors", str(about["errors_encountered"])),
        ),
        leaning="deceptive" if probability >= 50.0 else "genuine",
        cards=tuple(_cards(more["trace"], about["agents_called"], lines, probability)),
        entries=entries_of(found, number, frozenset(), uses_of([(_WEIGHS, steps)])),
        unlisted=len(found) - len(number),
        waterfall=log_odds_waterfall(
            lines,
            f"{whole(probability)} of 100",
            (0.0,),
            "Each line adds to the log-odds, whose sum is the probability: "
            f"{_sum(lines)}. The dashed line is even odds.",
        )
        if lines
        else None,
        tables=tuple(_tables(contract["tool_evidence"], more["receipts"])),
        reasoning=f"Route: {about['router_route']}. {more['route_reason']}",
        trail=tuple(
            TrailLine(step["says"], step["actor"], step["status"], float(step["at"]))
            for step in more["trace"]
        ),
        notes=(*more["limitations"], *(f"{e['agent']} failed: {e['reason']}" for e in more["errors"])),
    )


def _sum(lines: Sequence[Line]) -> str:
    total = math.fsum(line.amount for line in lines)
    share = 100.0 / (1.0 + math.exp(-max(-50.0, min(50.0, total))))
    return f"{total:+.2f}, which is {min(99.9, max(0.1, share)):.1f} of 100"


def _cards(
    trail: Sequence[Mapping[str, Any]], agents: Sequence[str], lines: tuple[Line, ...], probability: float
) -> list[Card]:
    """The agents that were called, with what the trail says of each; the analyst weighs."""
    cards = []
    for agent in agents:
        said = [step for step in trail if step["actor"] == agent]
        words = "\n".join(step["says"] for step in said)
        if said and all(step["status"] == "failed" for step in said):
            cards.append(Card(agent, "failed", analysis=words))
        elif agent == _WEIGHS:
            cards.append(Card(agent, "answered", score=probability / 100.0, analysis=words, lines=lines))
        else:
            cards.append(Card(agent, "answered", analysis=words))
    return cards


def _tables(tools: Sequence[Mapping[str, Any]], receipts: Sequence[Mapping[str, Any]]) -> list[Table]:
    rows = tuple(
        (
            one["tool"],
            str(len(one["output"].get("evidence", ()))),
            one_line(json.dumps(one["output"].get("items", one["output"]), ensure_ascii=False), _MOST_OUTPUT),
        )
        for one in tools
    )
    tables = [Table("What the tools gave", ("tool", "evidence", "items"), rows, "No tool was called.")]
    if receipts:
        acts = tuple((r["action"], r["status"], r["says"]) for r in receipts)
        tables.append(Table("What was done", ("action", "status", "what"), acts))
    return tables
