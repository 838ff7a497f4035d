"""Counts in, patterns out: phrases that stand in the same mails are one habit, and get one name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from malafide.knowledge.catalog import FAMILIES, Counts, Family, Known, Pattern, Shot, Side
from malafide.learning.samples import Sample

Table = Mapping[Family, Mapping[str, Known]]

# How many phrases of a family and side are kept, heaviest in evidence first, and how many patterns they make.
_MOST_PHRASES: Final[Mapping[Family, int]] = {"content": 8_000, "intent": 12_000, "structural": 300}
_MOST_PATTERNS: Final = 10
_TOGETHER: Final = 0.25  # Jaccard of the mails two phrases stand in, from which on they are one habit
_MOST_EXAMPLES: Final = 3
_SHOTS: Final = 8
_SHOT_CHARACTERS: Final = 500


def group(samples: Sequence[Sample], known: Table) -> tuple[Pattern, ...]:
    """The patterns of both sides and all families, those with most support first."""
    patterns: list[Pattern] = []
    for side in ("spam", "ham"):
        for family in FAMILIES:
            patterns.extend(_of_family(samples, known, family, side))
    return tuple(patterns)


def _of_family(samples: Sequence[Sample], known: Table, family: Family, side: Side) -> list[Pattern]:
    sign = 1.0 if side == "spam" else -1.0
    phrases = known[family]
    ranked = sorted(
        (p for p, k in phrases.items() if k.weight * sign > 0),
        key=lambda p: (-abs(phrases[p].weight) * (phrases[p].counts.spam + phrases[p].counts.ham) ** 0.5, p),
    )[: _MOST_PHRASES[family]]
    where = _where(samples, family, frozenset(ranked), spam=side == "spam")
    groups: list[list[str]] = []
    left = ranked
    while left and len(groups) < _MOST_PATTERNS:
        seed = left[0]
        members = [p for p in left if p == seed or _jaccard(where[seed], where[p]) >= _TOGETHER]
        chosen = set(members)
        groups.append(members)
        left = [p for p in left if p not in chosen]
    made = [_pattern(samples, known, family, side, members) for members in groups]
    if left:
        made.append(_pattern(samples, known, family, side, left, rest=True))
    return made


def _where(
    samples: Sequence[Sample], family: Family, phrases: frozenset[str], *, spam: bool
) -> dict[str, int]:
    """For each phrase the mails of one class it stands in, as the bits of a number."""
    bits: defaultdict[str, list[int]] = defaultdict(list)
    for number, sample in enumerate(samples):
        if sample.spam == spam:
            for phrase in sample.phrases.of(family) & phrases:
                bits[phrase].append(number)
    return {phrase: sum(1 << n for n in numbers) for phrase, numbers in bits.items()} | {
        phrase: 0 for phrase in phrases if phrase not in bits
    }


def _jaccard(a: int, b: int) -> float:
    union = (a | b).bit_count()
    return (a & b).bit_count() / union if union else 0.0


def _pattern(
    samples: Sequence[Sample],
    known: Table,
    family: Family,
    side: Side,
    members: Sequence[str],
    *,
    rest: bool = False,
) -> Pattern:
    chosen = frozenset(members)
    spam = ham = 0
    examples: list[str] = []
    for sample in samples:
        if sample.phrases.of(family) & chosen:
            spam, ham = spam + sample.spam, ham + (not sample.spam)
            if sample.spam == (side == "spam") and len(examples) < _MOST_EXAMPLES:
                examples.append(" ".join(sample.text.split())[:120])
    name = f"other-{family}" if rest else members[0].replace(" ", "-").replace(".", "-")
    return Pattern(
        pattern_type=f"{side}-{name}",
        family=family,
        side=side,
        description=_description(members, family, side, rest),
        examples=tuple(examples),
        phrases={p: known[family][p] for p in members},
        support=Counts(spam, ham),
    )


def _description(members: Sequence[str], family: Family, side: Side, rest: bool) -> str:
    what = {"content": "Words", "intent": "Words in a row", "structural": "Findings of the tools"}[family]
    where = "spam" if side == "spam" else "wanted mail"
    listed = ", ".join(members[:5])
    if rest:
        return f"{what} that {where} has more often, and that form no pattern of their own: {listed}, ..."
    return f"{what} that come together in {where}: {listed}."


def few_shot(samples: Sequence[Sample], patterns: Sequence[Pattern]) -> dict[Side, tuple[Shot, ...]]:
    """Examples of each class that show as many different patterns as possible."""
    return {
        side: _shots([s for s in samples if s.spam == (side == "spam")], patterns, side)
        for side in ("spam", "ham")
    }


def _shots(samples: Sequence[Sample], patterns: Sequence[Pattern], side: Side) -> tuple[Shot, ...]:
    own = [p for p in patterns if p.side == side and not p.pattern_type.startswith(f"{side}-other-")]
    shown: dict[str, set[str]] = {}
    for sample in samples[:2_000]:
        shown[sample.case_id] = {
            p.pattern_type for p in own if not sample.phrases.of(p.family).isdisjoint(p.phrases)
        }
    texts = {s.case_id: s.text for s in samples}
    chosen: list[Shot] = []
    covered: set[str] = set()
    while shown and len(chosen) < _SHOTS:
        best = max(shown, key=lambda c: (len(shown[c] - covered), len(shown[c]), c))
        found = shown.pop(best)
        covered |= found
        text = " ".join(texts[best].split())[:_SHOT_CHARACTERS]
        chosen.append(Shot(text, tuple(sorted(found)), 0.95 if side == "spam" else 0.05))
    return tuple(chosen)
