"""The credibility panel's contract in, its account out: signals with where they came from, three agents, the mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from malafide.evidence import Evidence
from malafide.render.visible import one_line
from malafide.service.page.account import (
    Account,
    Bar,
    Card,
    Entry,
    Table,
    Tone,
    TrailLine,
    Use,
    Waterfall,
    evidence_of,
)

_CREDIBLE_FROM: Final = 0.6
_DOUBTED_UP_TO: Final = 0.4
_MOST_EVIDENCE: Final = 60
# Which agent reads the signals of a group.
_READERS: Final = {
    "nlp_signals": "TextAgent",
    "misinformation_assessment": "TextAgent",
    "image_signals": "ImageAgent",
    "source_signals": "SourceAgent",
}
_CLAIMS: Final = {
    "supported": "A fact-check supports its claim.",
    "contradicted": "A fact-check contradicts its claim.",
    "unverified": "Its claim is unverified, which does not make it false.",
    "satire": "It is satire: made up to be laughed at, neither true nor false.",
}


def post_account(contract: Mapping[str, Any]) -> Account:
    """The contract holds one post under its id."""
    fields: Mapping[str, Any] = next(iter(contract.values()))
    more = fields["malafide"]
    score, agreement = float(fields["final_credibility_score"]), float(fields["agent_agreement_level"])
    signals: Sequence[Mapping[str, Any]] = more.get("signals", ())
    claim = more.get("claim", "")
    return Account(
        answer="credible"
        if score >= _CREDIBLE_FROM
        else "not_credible"
        if score <= _DOUBTED_UP_TO
        else "unclear",
        headline=_headline(score, claim),
        facts=(
            ("Credibility", f"{score:.2f}"),
            ("Agreement", f"{agreement:.2f} ({more['agreement_band']})"),
            *((("Claim", claim),) if claim else ()),
        ),
        leaning="deceptive" if score < 0.5 else "genuine",
        cards=tuple(_cards(more, fields["reasoning_trace"])),
        entries=tuple(_entries(signals)),
        waterfall=_waterfall(more, score),
        tables=tuple(_tables(signals, more.get("cited", ()))),
        trail=tuple(TrailLine(line) for line in fields["reasoning_trace"]),
        notes=tuple(more.get("limitations", ())),
    )


def _headline(score: float, claim: str) -> str:
    lean = (
        "much"
        if score >= _CREDIBLE_FROM
        else "little"
        if score <= _DOUBTED_UP_TO
        else "neither much nor little"
    )
    return " ".join([f"There is {lean} that speaks for this post.", *filter(None, [_CLAIMS.get(claim, "")])])


def _tone(score: float) -> Tone:
    return "ham" if score >= _CREDIBLE_FROM else "spam" if score <= _DOUBTED_UP_TO else "uncertain"


def _cards(more: Mapping[str, Any], trace: Sequence[str]) -> list[Card]:
    cards = []
    for agent, score in more["agent_scores"].items():
        words = "\n".join(line for line in trace if line.startswith(agent))
        if score is None:
            cards.append(Card(agent, "abstained", analysis=words))
            continue
        cards.append(
            Card(
                name=agent,
                standing="answered",
                tone=_tone(score),
                score=score,
                score_name="credibility",
                second=("weight", more["agent_weights"][agent]),
                analysis=words,
            )
        )
    return cards


def _entries(signals: Sequence[Mapping[str, Any]]) -> list[Entry]:
    """What decided the signals, strongest first; the same words found for the same reason stand once."""
    found: dict[tuple[str, str, int], tuple[Evidence, str]] = {}
    for signal in signals:
        if signal["name"] == "extracted_claim":  # it speaks for nothing and against nothing
            continue
        for e in evidence_of(signal["evidence"]):
            found[(e.kind, e.part, e.start)] = (e, _READERS.get(signal["group"], signal["group"]))
    ranked = sorted(
        found.values(), key=lambda pair: (-pair[0].strength, pair[0].part, pair[0].start, pair[0].kind)
    )
    return [
        Entry(number, evidence, True, (Use(agent),))
        for number, (evidence, agent) in enumerate(ranked[:_MOST_EVIDENCE], start=1)
    ]


def _waterfall(more: Mapping[str, Any], score: float) -> Waterfall:
    bars = []
    reached = 0.0
    for agent, own in more["agent_scores"].items():
        if own is None:
            continue
        weight = more["agent_weights"][agent]
        end = reached + weight * own
        bars.append(Bar(agent, f"{weight:.2f} × {own:.2f}", reached, end, f"{weight * own:.4f}", _tone(own)))
        reached = end
    return Waterfall(
        tuple(bars),
        Bar("credibility", "the sum", 0.0, score, f"{score:.4f}", _tone(score)),
        (_DOUBTED_UP_TO, _CREDIBLE_FROM),
        f"Each line is weight × score. The dashed lines: little speaks for it up to {_DOUBTED_UP_TO:g}, "
        f"much from {_CREDIBLE_FROM:g}.",
    )


def _tables(signals: Sequence[Mapping[str, Any]], cited: Sequence[Mapping[str, Any]]) -> list[Table]:
    tables = []
    if signals:
        rows = tuple(
            (
                s["name"],
                "unknown" if s["value"] is None else one_line(str(s["value"]), 200),
                s["by"],
                s["because"],
            )
            for s in signals
        )
        tables.append(
            Table("The signals, and where they came from", ("signal", "value", "from", "why"), rows)
        )
    if cited:
        found = tuple((c["label"], one_line(c["excerpt"], 200), c["provenance"]["source"]) for c in cited)
        tables.append(Table("Cited", ("label", "words", "source"), found))
    return tables
