"""What the catalog says about a case: evidence in three families, each with the phrases that speak loudest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from malafide.case import Case, Span
from malafide.evidence import Direction, Evidence, Topic
from malafide.knowledge.catalog import FAMILIES, Catalog, Family, Pattern
from malafide.knowledge.wording import locate, wording

# A sum over few phrases is pulled toward nothing, as if this many more had said nothing.
FEW: Final = 5
# Log-odds at which a family is as strong as evidence can be.
FULL: Final = 4.0
TOPICS: Final[Mapping[Family, Topic]] = {
    "content": "learned-content",
    "intent": "learned-intent",
    "structural": "learned-structure",
}
_NAMED: Final = 4  # phrases named in a sentence


@dataclass(frozen=True, slots=True)
class Phrases:
    """The phrases of one case, by family."""

    content: frozenset[str]
    intent: frozenset[str]
    structural: frozenset[str]

    def of(self, family: Family) -> frozenset[str]:
        found: frozenset[str] = getattr(self, family)
        return found


def phrases_of(text: str, kinds: Iterable[str]) -> Phrases:
    """What the catalog counts: words, words in a row, and the kinds of evidence the tools found."""
    said = wording(text)
    return Phrases(said.words, said.pairs, frozenset(kinds))


def known_share(words: frozenset[str], known: Mapping[str, object]) -> float:
    return sum(1 for word in words if word in known) / len(words) if words else 0.0


class Testimony:
    """A catalog made ready to speak about cases."""

    name = "catalog"

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self._weights = {family: catalog.weights(family) for family in FAMILIES}

    def __call__(self, case: Case, evidence: Sequence[Evidence]) -> list[Evidence]:
        """At most one piece of evidence per family."""
        phrases = phrases_of(case.reading, (e.kind for e in evidence))
        known = known_share(phrases.content, self._weights["content"])
        trust = self.catalog.familiar.trust(
            known, headed=case.mail is not None and case.mail.sender is not None
        )
        if trust <= 0.0:
            return []
        hits = {
            f: [(self._weights[f][p][0], p) for p in phrases.of(f) if p in self._weights[f]] for f in FAMILIES
        }
        spoken = sum(map(len, hits.values()))
        odds = {
            family: sum(w for w, _ in found) / (spoken + FEW) + self.catalog.bias * len(found) / spoken
            for family, found in hits.items()
            if found
        }
        shared = self.catalog.scale.shared(odds, trust)
        told = [
            self._evidence(case, evidence, family, hits[family], share) for family, share in shared.items()
        ]
        return [e for e in told if e is not None]

    def _evidence(
        self, case: Case, seen: Sequence[Evidence], family: Family, hits: list[tuple[float, str]], odds: float
    ) -> Evidence | None:
        direction: Direction = "deceptive" if odds > 0 else "genuine"
        strength = round(min(1.0, abs(odds) / FULL), 4)
        ranked = [p for w, p in sorted(hits, key=lambda hit: (-hit[0] * odds, hit[1])) if w * odds > 0][
            :_NAMED
        ]
        spans = _by_kind(seen, ranked) if family == "structural" else locate(case, ranked)
        placed = [p for p in ranked if p in spans]
        if not placed or strength <= 0.0:
            return None
        span = spans[placed[0]]
        pattern = self._weights[family][placed[0]][1]
        return Evidence(
            kind=f"catalog.{family}-{'spam' if odds > 0 else 'ham'}",
            topic=TOPICS[family],
            direction=direction,
            strength=strength,
            part=span.part,
            start=span.start,
            end=span.end,
            quote=case.quote(span),
            found_by="catalog",
            sentence=_sentence(placed, sum(1 for w, _ in hits if w * odds > 0), len(hits), pattern),
        )


def _by_kind(seen: Sequence[Evidence], kinds: Sequence[str]) -> dict[str, Span]:
    found: dict[str, Span] = {}
    for e in seen:
        if e.kind in kinds:
            found.setdefault(e.kind, e.span)
    return found


def _sentence(named: Sequence[str], agreeing: int, known: int, pattern: Pattern) -> str:
    quoted = ", ".join(f"“{phrase}”" for phrase in named)
    side = "spam" if pattern.side == "spam" else "wanted mail"
    return (
        f"{agreeing} of {known} learned phrases lean to {side}, first {quoted} (pattern {pattern.pattern_type}: in "
        f"{pattern.support.spam} spam and {pattern.support.ham} ham mails learned from)."
    )
