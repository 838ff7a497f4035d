"""Text in, whether it baits a click out: rules as data, their strengths added up as log-odds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Final

from malafide.case import Case, Part, Span
from malafide.evidence import Evidence, observe
from malafide.minds.offline import SCALE, logistic
from malafide.rules.rulebook import Rulebook, read_rules
from malafide.signals.signal import Signal, unknown

# Below this many words a text is judged like a headline; a longer one speaks to its readers without baiting them. With
# 20 and 60, 6.6 % of health offices' posts passed for bait; so 2.9 %, and headlines are told apart as well.
_HEADLINE: Final = 15
_LONG: Final = 35
_PRIOR: Final = -1.0
_PRIOR_OF_LONG: Final = -4.0


@cache
def rules(name: str) -> Rulebook:
    """The rules of one file of `signals/data`."""
    source = resources.files("malafide.signals").joinpath(f"data/{name}.yml").read_text(encoding="utf-8")
    return Rulebook(tuple(read_rules(name, source)))


def found_by_rules(case: Case, part: Part, name: str) -> tuple[Evidence, ...]:
    """What the rules of a file find in a part, strongest first."""
    found = [
        observe(
            case, Span(part.name, start, end), rule.id, rule.topic, rule.strength, rule.says,
            direction=rule.direction, tool=rule.tool,
        )
        for rule, start, end in rules(name).spans(part.text)
    ]  # fmt: skip
    return tuple(sorted(found, key=lambda e: (-e.strength, e.start)))


def amount(evidence: Evidence) -> float:
    """What a piece of evidence is worth in log-odds: above zero speaks against the post."""
    return SCALE * evidence.strength * (1.0 if evidence.direction == "deceptive" else -1.0)


def clickbait(case: Case, learned: Signal | None = None) -> Signal:
    """Whether the post is clickbait; what was learned from headlines replaces the built-in rules."""
    parts = [part for part in case.of_role("body") if part.text.strip()]
    if not parts:
        return unknown("nlp_signals", "clickbait", "clickbait rules", "There is no text.")
    if learned is not None:
        return learned
    # Writing in a picture is part of the post; what both say counts once.
    found = {e.kind: e for part in reversed(parts) for e in found_by_rules(case, part, "clickbait")}
    evidence = tuple(sorted(found.values(), key=lambda e: (-e.strength, e.kind)))
    odds = bait_odds(parts[0].text, evidence)
    count = f"{len(evidence)} rule{'' if len(evidence) == 1 else 's'}"
    said = f"{count} spoke; the probability of bait is {logistic(odds):.2f}."
    deciding = tuple(e for e in evidence if (e.direction == "deceptive") == (odds > 0))
    return Signal("nlp_signals", "clickbait", odds > 0.0, "measured", "clickbait rules", said, deciding)


def bait_odds(text: str, evidence: Sequence[Evidence]) -> float:
    """The log-odds that a text is bait."""
    words = len(text.split())
    share = min(1.0, max(0.0, (words - _HEADLINE) / (_LONG - _HEADLINE)))
    return _PRIOR + share * (_PRIOR_OF_LONG - _PRIOR) + sum(map(amount, evidence))
