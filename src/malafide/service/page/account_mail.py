"""The spam panel's contract in, its account out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from malafide.consensus.weighted import HAM_UP_TO, SPAM_FROM
from malafide.contracts.spam import evidence_line
from malafide.evidence import Evidence
from malafide.render.words import percent
from malafide.service.page.account import (
    ANSWERS,
    SHAPES,
    Account,
    Bar,
    Card,
    Table,
    TrailLine,
    Waterfall,
    entries_of,
    evidence_of,
    lines_of,
    numbers,
    uses_of,
)

# What agents report beside their score, in words for a table.
_REPORTS: Final = {
    "risk_level": "risk",
    "primary_intent": "main intent",
    "secondary_intents": "other intents",
    "legitimacy_score": "legitimacy",
}


def mail_account(contract: Mapping[str, Any]) -> Account:
    more = contract["malafide"]
    found = evidence_of(more["evidence"])
    keys = _keys(contract["key_evidence"], found)
    number = numbers(found, keys)
    agents = more["agents"]
    uses = uses_of((agent["agent"], agent.get("steps", ())) for agent in agents)
    score = float(contract["final_score"])
    reason = contract["uncertainty_reason"]
    return Account(
        answer=contract["final_classification"],
        headline=contract["summary"],
        facts=(
            ("Spam score", f"{score:.2f}"),
            ("Sure of the answer", percent(contract["confidence"])),
            ("Agreement", f"{contract['agent_agreement']:.2f}"),
        ),
        leaning="deceptive" if score >= 0.5 else "genuine",
        cards=tuple(_card(agent, found, number) for agent in agents),
        entries=entries_of(found, number, keys, uses),
        unlisted=len(found) - len(number),
        waterfall=_waterfall(more["contributions"], score),
        tables=tuple(_reports(agents)),
        reasoning=contract["detailed_reasoning"],
        trail=tuple(TrailLine(line) for line in more["trace"]),
        notes=(*([reason] if reason and reason not in contract["summary"] else ()), *more["limitations"]),
    )


def _keys(lines: Sequence[str], found: Sequence[Evidence]) -> frozenset[int]:
    """Which evidence the contract calls key: there it stands as a line of words."""
    wanted = set(lines)
    return frozenset(i for i, e in enumerate(found) if evidence_line(e) in wanted)


def _card(agent: Mapping[str, Any], found: Sequence[Evidence], number: Mapping[int, int]) -> Card:
    if agent["status"] != "opinion":
        return Card(
            agent["agent"],
            "failed" if agent["status"] == "failure" else "abstained",
            analysis=agent["reason"],
        )
    tone, word = ANSWERS[agent["recommendation"]]
    return Card(
        name=agent["agent"],
        standing="answered",
        tone=tone,
        badge=f"{SHAPES[tone]} {word}",
        score=float(agent["spam_score"]),
        second=("confidence", float(agent["confidence"])),
        analysis=agent["analysis"],
        lines=lines_of(agent["steps"], found, number),
    )


def _waterfall(contributions: Sequence[Mapping[str, Any]], score: float) -> Waterfall | None:
    if not contributions:
        return None
    divisor = sum(c["weight"] * c["confidence"] for c in contributions)
    bars = []
    reached = 0.0
    for c in contributions:
        formula = f"{c['weight']:.2f} × {c['confidence']:.2f} × {c['score']:.2f} / {divisor:.2f}"
        tone = "spam" if c["score"] >= SPAM_FROM else "ham" if c["score"] <= HAM_UP_TO else "uncertain"
        end = reached + c["amount"]
        bars.append(Bar(c["agent"], formula, reached, end, f"{c['amount']:.4f}", tone))  # type: ignore[arg-type]
        reached = end
    tone = "spam" if score >= SPAM_FROM else "ham" if score <= HAM_UP_TO else "uncertain"
    return Waterfall(
        tuple(bars),
        Bar("spam score", "the sum", 0.0, score, f"{score:.4f}", tone),  # type: ignore[arg-type]
        (HAM_UP_TO, SPAM_FROM),
        "Each line is weight × confidence × score, over the sum of all weight × confidence. The dashed lines are the "
        f"limits: HAM up to {HAM_UP_TO:g}, SPAM from {SPAM_FROM:g}, and only where the agents agree.",
    )


def _reports(agents: Sequence[Mapping[str, Any]]) -> list[Table]:
    rows = [
        (agent["agent"], words, ", ".join(value) if isinstance(value, list) else str(value))
        for agent in agents
        for name, words in _REPORTS.items()
        if (value := agent.get(name)) not in (None, [], "")
    ]
    return [Table("What the agents report", ("agent", "what", "finding"), tuple(rows))] if rows else []
