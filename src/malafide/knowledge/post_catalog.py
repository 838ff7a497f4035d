"""What was learned from labelled posts or headlines, ready to speak: a probability, and the words that decided."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from malafide.case import Part, Span
from malafide.home import home
from malafide.knowledge.catalog import FAMILIES, Catalog, Family
from malafide.knowledge.post_wording import locate_in_post, post_phrases
from malafide.knowledge.remembered import read_catalog
from malafide.knowledge.testimony import FEW, known_share

Kind = Literal["post", "headline"]
_NAMED: Final = 4


@dataclass(frozen=True, slots=True)
class Testified:
    """What the catalog says about a text. `odds` above zero: like the posts labelled fake, or the headlines bait."""

    odds: float  # calibrated on held-out posts, and pulled toward zero where few words are known
    known: int  # phrases of the text that are known
    share: float  # of the words of the text that are known
    words: tuple[tuple[str, Span], ...]  # the heaviest on the side of the odds, with where they stand


class PostCatalog:
    """A catalog of posts made ready to speak about texts."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self._weights = {family: catalog.weights(family) for family in FAMILIES}

    def speak(self, part: Part, kinds: Iterable[str] = ()) -> Testified | None:
        """None where too few of the words are known to say anything."""
        phrases = post_phrases(part.text, kinds)
        share = known_share(phrases.content, self._weights["content"])
        trust = self.catalog.familiar.trust(share, headed=False)
        hits: list[tuple[float, str, Family]] = [
            (self._weights[f][p][0], p, f) for f in FAMILIES for p in phrases.of(f) if p in self._weights[f]
        ]
        if trust <= 0.0 or not hits:
            return None
        total = sum(weight for weight, _, _ in hits) / (len(hits) + FEW) + self.catalog.bias
        calibration = self.catalog.calibration
        odds = trust * (calibration["slope"] * total + calibration["offset"])
        ranked = [
            p
            for w, p, f in sorted(hits, key=lambda h: (-h[0] * odds, h[1]))
            if w * odds > 0 and f != "structural"
        ]
        spans = locate_in_post(part, ranked[: 4 * _NAMED])
        words = tuple((phrase, spans[phrase]) for phrase in ranked if phrase in spans)[:_NAMED]
        return Testified(odds, len(hits), share, words)


def catalog_file(kind: Kind) -> Path:
    return home() / f"{kind}_catalog.json"


def remembered_catalog(kind: Kind) -> PostCatalog | None:
    """What was learned of a kind, or None where nothing was."""
    path = catalog_file(kind)
    return PostCatalog(read_catalog(path)) if path.exists() else None
