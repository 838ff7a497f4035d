"""The catalog: what was learned from labelled data, as patterns a person can read, edit and take back.

Every pattern says of each phrase in how many spam and how many ham mails it stood, and what it weighs. The file is
`pattern_catalog.json`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, Literal

from malafide.errors import BadCatalog

Family = Literal["content", "intent", "structural"]
Side = Literal["spam", "ham"]
FAMILIES: Final[tuple[Family, ...]] = ("content", "intent", "structural")
FORMAT: Final = 1
FILE_NAME: Final = "pattern_catalog.json"

# The prior of a phrase's log-odds: as if it had been seen in this many mails of each class at its overall rate.
PRIOR_MAILS: Final = 1.0
# No phrase may lean further than this, however clean its counts: what only marks where the data came from is clean.
# A cap of 3 lost half a point of accuracy on Enron, one above 6 gained nothing.
MOST_WEIGHT: Final = 6.0


@dataclass(frozen=True, slots=True)
class Counts:
    """In how many labelled mails of each class something stood."""

    spam: int
    ham: int


@dataclass(frozen=True, slots=True)
class Known:
    """A learned phrase: where it stood, and its weight (above zero: toward spam)."""

    counts: Counts
    weight: float


@dataclass(frozen=True, slots=True)
class Pattern:
    """Phrases that go together, and how often they held. `weight` multiplies them all; a person may change it."""

    pattern_type: str
    family: Family
    side: Side
    description: str
    examples: tuple[str, ...]
    phrases: Mapping[str, Known]
    support: Counts
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Scale:
    """How learned log-odds enter the panel: fitted on held-out verdicts, with few false alarms allowed."""

    turn: float  # the log-odds at which held-out spam and ham are told apart best
    gain: float
    shift: float

    def shared(self, odds: Mapping[Family, float], trust: float) -> dict[Family, float]:
        """The log-odds of each family that leans the way all families together do; their sum is the whole.

        What leans the other way is netted off first: as evidence of its own it would be weighed by another measure.
        Between the turn and where the cautious shift puts the answer, no family leans that way: nothing is said.
        """
        leaning = {family: value - self.turn / len(odds) for family, value in odds.items()}
        whole = trust * (self.gain * sum(leaning.values()) + self.shift)
        agreeing = {family: value for family, value in leaning.items() if value * whole > 0}
        total = sum(agreeing.values())
        return {family: whole * value / total for family, value in agreeing.items()} if total else {}


# What is left of the trust where mail with headers meets a catalog of bare texts, or the reverse. Texts learned from
# one company's mail called 14 % of other people's wanted mail spam; with this 0.1 %.
_FOREIGN: Final = 0.1


@dataclass(frozen=True, slots=True)
class Familiar:
    """Which mail the catalog may speak about: mail whose words it knows, and of the kind it was learned from."""

    silent_below: float  # share of known words
    full_from: float
    headed: float  # share of the learned mails that had a sender, and were not text alone

    def trust(self, known_share: float, *, headed: bool) -> float:
        """How much the catalog may say about a mail, 0 to 1."""
        known = (known_share - self.silent_below) / max(self.full_from - self.silent_below, 1e-6)
        return min(1.0, max(0.0, known)) * (1.0 if headed == (self.headed >= 0.5) else _FOREIGN)


@dataclass(frozen=True, slots=True)
class Correction:
    """A mail that a person labelled: its phrases are counted on top, and go when the label is taken back."""

    case_id: str
    label: Side
    source: str
    when: str
    phrases: Mapping[Family, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Shot:
    """An example mail for a model's prompt."""

    text: str
    patterns: tuple[str, ...]
    score: float


@dataclass(frozen=True, slots=True)
class Catalog:
    """Everything learned."""

    cases: Counts
    sources: tuple[str, ...]
    patterns: tuple[Pattern, ...]
    bias: float  # added for every mail
    unit: float  # the weight of one unit of log-odds, for corrections
    scale: Scale
    familiar: Familiar
    calibration: Mapping[str, float]  # slope, offset, cases
    few_shot: Mapping[Side, tuple[Shot, ...]] = field(default_factory=dict)
    corrections: tuple[Correction, ...] = ()

    def weights(self, family: Family) -> dict[str, tuple[float, Pattern]]:
        """Each phrase of a family with its weight and the pattern it belongs to, labels of people counted in."""
        cases, extra = self._corrected(family)
        found: dict[str, tuple[float, Pattern]] = {}
        for pattern in self.patterns:
            if pattern.family == family:
                for phrase, known in pattern.phrases.items():
                    weight = known.weight
                    if phrase in extra:
                        more = Counts(
                            known.counts.spam + extra[phrase].spam, known.counts.ham + extra[phrase].ham
                        )
                        weight += self.unit * (log_odds(more, cases) - log_odds(known.counts, self.cases))
                    found[phrase] = (pattern.weight * weight, pattern)
        return found

    def _corrected(self, family: Family) -> tuple[Counts, dict[str, Counts]]:
        spam, ham = self.cases.spam, self.cases.ham
        extra: dict[str, Counts] = {}
        for correction in self.corrections:
            is_spam = correction.label == "spam"
            spam, ham = spam + is_spam, ham + (not is_spam)
            for phrase in correction.phrases.get(family, ()):
                known = extra.get(phrase, _NONE)
                extra[phrase] = Counts(known.spam + is_spam, known.ham + (not is_spam))
        return Counts(spam, ham), extra

    def corrected(self, correction: Correction) -> Catalog:
        """With one more labelled mail; a newer label of the same mail replaces the older."""
        kept = tuple(c for c in self.corrections if c.case_id != correction.case_id)
        return replace(self, corrections=tuple(sorted((*kept, correction), key=lambda c: c.case_id)))

    def without(self, case_id: str) -> Catalog:
        return replace(self, corrections=tuple(c for c in self.corrections if c.case_id != case_id))


_NONE: Final = Counts(0, 0)


def log_odds(counts: Counts, cases: Counts) -> float:
    """How much more a phrase stands in spam than in ham, against a prior at its overall rate, and capped."""
    rate = (counts.spam + counts.ham + 0.5) / (cases.spam + cases.ham + 1.0)
    in_spam = (counts.spam + PRIOR_MAILS * rate) / (cases.spam + PRIOR_MAILS)
    in_ham = (counts.ham + PRIOR_MAILS * rate) / (cases.ham + PRIOR_MAILS)
    return max(-MOST_WEIGHT, min(MOST_WEIGHT, math.log(in_spam / in_ham)))


_LISTS: Final[Mapping[tuple[Side, Family], tuple[str, str]]] = {
    ("spam", "content"): ("spam_patterns", "content_patterns"),
    ("spam", "structural"): ("spam_patterns", "structural_patterns"),
    ("spam", "intent"): ("spam_patterns", "intent_patterns"),
    ("ham", "content"): ("ham_patterns", "legitimate_characteristics"),
    ("ham", "structural"): ("ham_patterns", "legitimate_characteristics"),
    ("ham", "intent"): ("ham_patterns", "legitimate_characteristics"),
}
_MOST_INDICATORS: Final = 12


def dump(catalog: Catalog) -> str:
    """The catalog as the text of its file; the same catalog always gives the same text."""
    document: dict[str, Any] = {
        "format": FORMAT,
        "cases": _pair(catalog.cases),
        "sources": list(catalog.sources),
        "spam_patterns": {"content_patterns": [], "structural_patterns": [], "intent_patterns": []},
        "ham_patterns": {"legitimate_characteristics": []},
        "few_shot_examples": {
            side: [
                {"text": s.text, "patterns": list(s.patterns), "score": s.score}
                for s in catalog.few_shot.get(side, ())
            ]
            for side in ("spam", "ham")
        },
        "bias": catalog.bias,
        "unit": catalog.unit,
        "scale": asdict(catalog.scale),
        "familiar": asdict(catalog.familiar),
        "calibration": dict(catalog.calibration),
        "corrections": [
            {
                "case_id": c.case_id,
                "label": c.label,
                "source": c.source,
                "when": c.when,
                "phrases": {family: list(c.phrases.get(family, ())) for family in FAMILIES},
            }
            for c in catalog.corrections
        ],
    }
    for pattern in catalog.patterns:
        group, name = _LISTS[pattern.side, pattern.family]
        document[group][name].append(_pattern_entry(pattern))
    return _compact(json.dumps(document, indent=1, ensure_ascii=False)) + "\n"


def _pattern_entry(pattern: Pattern) -> dict[str, Any]:
    return {
        "pattern_type": pattern.pattern_type,
        "family": pattern.family,
        "description": pattern.description,
        "examples": list(pattern.examples),
        "indicators": list(pattern.phrases)[:_MOST_INDICATORS],
        "weight": pattern.weight,
        "support": _pair(pattern.support),
        "phrases": {p: [k.counts.spam, k.counts.ham, k.weight] for p, k in pattern.phrases.items()},
    }


def _pair(counts: Counts) -> dict[str, int]:
    return {"spam": counts.spam, "ham": counts.ham}


def _compact(text: str) -> str:
    """Counts on one line each: a file a person can scroll."""
    lines = iter(text.split("\n"))  # a string may hold other characters that end a line elsewhere
    return "\n".join(_joined(lines))


def _joined(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        if line.endswith("[") and ": [" in line:
            first = next(lines)
            if first.strip().rstrip(",").lstrip("-").isdigit():
                rest = [first.strip()]
                while not rest[-1].startswith("]"):
                    rest.append(next(lines).strip())
                yield line + " ".join(rest[:-1]) + rest[-1]
                continue
            yield line
            yield first
            continue
        yield line


def load(text: str, where: str) -> Catalog:
    """A catalog from the text of its file. What is wrong with it is named."""
    try:
        document = json.loads(text, parse_constant=_refuse)
        if document["format"] != FORMAT:
            raise BadCatalog(f"{where}: format {document['format']!r}; this version reads {FORMAT}")
        return Catalog(
            cases=Counts(**document["cases"]),
            sources=tuple(document["sources"]),
            patterns=tuple(_patterns(document)),
            bias=float(document["bias"]),
            unit=float(document["unit"]),
            scale=Scale(**document["scale"]),
            familiar=Familiar(**document["familiar"]),
            calibration={k: float(v) for k, v in document["calibration"].items()},
            few_shot={
                side: tuple(Shot(s["text"], tuple(s["patterns"]), s["score"]) for s in shots)
                for side, shots in document["few_shot_examples"].items()
            },
            corrections=tuple(
                Correction(
                    c["case_id"],
                    c["label"],
                    c["source"],
                    c["when"],
                    {f: tuple(p) for f, p in c["phrases"].items()},
                )
                for c in document["corrections"]
            ),
        )
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise BadCatalog(f"{where}: not a pattern catalog: {type(error).__name__}: {error}") from None


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is no number to weigh with")


def _patterns(document: Mapping[str, Any]) -> Iterator[Pattern]:
    for side, group in (("spam", "spam_patterns"), ("ham", "ham_patterns")):
        for entries in document[group].values():
            for entry in entries:
                if entry["family"] not in FAMILIES:
                    raise ValueError(f"family {entry['family']!r}; known are {FAMILIES}")
                yield Pattern(
                    pattern_type=entry["pattern_type"],
                    family=entry["family"],
                    side=side,  # type: ignore[arg-type]
                    description=entry["description"],
                    examples=tuple(entry["examples"]),
                    phrases={
                        p: Known(Counts(int(k[0]), int(k[1])), float(k[2]))
                        for p, k in entry["phrases"].items()
                    },
                    support=Counts(**entry["support"]),
                    weight=float(entry["weight"]),
                )
