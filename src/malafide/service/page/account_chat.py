"""The honeypot panel's contract in, its account out: votes, how it developed, what was revealed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from malafide.evidence import Evidence
from malafide.render.intelligence import KIND_WORDS
from malafide.render.visible import one_line
from malafide.render.words import percent
from malafide.service.page.account import (
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

_HEADLINES = {
    "scam": "This conversation is a scam",
    "not_scam": "Nothing makes this conversation a scam",
    "suspicious": "A person should look at this conversation",
}


def chat_account(contract: Mapping[str, Any]) -> Account:
    more = contract["malafide"]
    found = evidence_of(more["evidence"])
    number = numbers(found)
    votes = more["votes"]
    kind = contract["scamType"].replace("_", " ")
    told = f": {kind}" if more["answer"] == "scam" and kind not in ("safe", "") else ""
    cast = [vote for vote in votes if vote["status"] == "vote"]
    scores = [float(vote["score"]) for vote in cast]
    return Account(
        answer=more["answer"],
        headline=f"{_HEADLINES[more['answer']]}{told}. {more['reason']}",
        advice=contract["agentNotes"],
        facts=(
            ("Type", kind),
            ("Confidence", percent(contract["confidence"])),
            ("Messages", str(contract["totalMessagesExchanged"])),
            ("Who is who", f"told by {more['roles_told_by']}" if more["roles_told_by"] else "given"),
        ),
        leaning="deceptive" if scores and sum(scores) / len(scores) >= 0.5 else "genuine",
        cards=tuple(_card(vote, found, number) for vote in votes),
        entries=entries_of(
            found, number, frozenset(), uses_of((vote["agent"], vote.get("steps", ())) for vote in votes)
        ),
        unlisted=len(found) - len(number),
        waterfall=_votes(cast) if cast else None,
        tables=(_timeline(more["timeline"]), _revealed(more["intelligence"])),
        trail=tuple(TrailLine(line) for line in more["trace"]),
        notes=(*([str(more["overruled"])] if more["overruled"] else ()), *more["limitations"]),
        sides=more["roles"],
    )


def _card(vote: Mapping[str, Any], found: Sequence[Evidence], number: Mapping[int, int]) -> Card:
    if vote["status"] != "vote":
        return Card(
            vote["agent"], "failed" if vote["status"] == "failure" else "abstained", analysis=vote["reason"]
        )
    scam = vote["vote"] == "scam"
    return Card(
        name=vote["agent"],
        standing="answered",
        tone="spam" if scam else "ham",
        badge="✖ scam" if scam else "✔ no scam",
        score=float(vote["score"]),
        second=("confidence", float(vote["confidence"])),
        analysis=vote["analysis"],
        lines=lines_of(vote["steps"], found, number),
    )


def _votes(cast: Sequence[Mapping[str, Any]]) -> Waterfall:
    """Votes are counted, not added: each is one equal step on the way to more than half."""
    bars = []
    reached = 0.0
    scams = [vote for vote in cast if vote["vote"] == "scam"]
    for vote in [*scams, *(vote for vote in cast if vote["vote"] != "scam")]:
        scam = vote["vote"] == "scam"
        end = reached + (1.0 / len(cast) if scam else 0.0)
        formula = f"score {vote['score']:.2f}, confidence {vote['confidence']:.2f}"
        bars.append(
            Bar(
                vote["agent"], formula, reached, end, "scam" if scam else "no scam", "spam" if scam else "ham"
            )
        )
        reached = end
    tone = "spam" if len(scams) * 2 > len(cast) and len(scams) >= 2 else "ham"
    return Waterfall(
        tuple(bars),
        Bar("votes for scam", "counted", 0.0, reached, f"{len(scams)} of {len(cast)}", tone),  # type: ignore[arg-type]
        (0.5,),
        "Votes are counted: it is a scam where more than half say so, and at least two. The dashed line is half.",
    )


def _timeline(turns: Sequence[Mapping[str, Any]]) -> Table:
    rows = tuple(
        (turn["stage"], str(turn["message"]), turn["sentence"], f"“{one_line(turn['quote'], 120)}”")
        for turn in sorted(turns, key=lambda turn: turn["message"])
    )
    return Table(
        "How it developed",
        ("stage", "message", "what happens", "words"),
        rows,
        "No stage of a scam was seen.",
    )


def _revealed(items: Sequence[Mapping[str, Any]]) -> Table:
    rows = tuple(
        (
            KIND_WORDS.get(item["kind"], item["kind"]),
            _inert(item["kind"], item["value"]),
            str(item["message"]),
            f"“{one_line(item['quote'], 120)}”",
        )
        for item in items
    )
    return Table(
        "What was revealed",
        ("kind", "value", "message", "as written"),
        rows,
        "Nothing that leads to a person or to money.",
    )


def _inert(kind: str, value: str) -> str:
    """The value, unable to act: addresses are broken here, links where everything is drawn."""
    line = one_line(value, 160)
    return line.replace("@", "[@]") if kind in ("link", "email", "upi") else line
