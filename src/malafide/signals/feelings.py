"""Text in, sentiment and emotion out, by counted words of feeling; the words that decided are quoted.

Seven languages have lists. Text in another language, or too short to tell which, has no sentiment here: that is
"unknown", and not the same as neutral.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

import yaml

from malafide.case import Case, Part, Span
from malafide.evidence import Direction, Evidence, observe
from malafide.folding import fold
from malafide.knowledge.languages import identify, likeliest
from malafide.signals.signal import Signal, unknown

EMOTIONS: Final = ("anger", "fear", "disgust", "joy", "sadness", "surprise")
_BY: Final = "words of feeling"
_TOKEN: Final = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_MOST_CHARACTERS: Final = 4_000
_REACH: Final = 3  # words after a negator that it turns round
_LEAST_SHARE: Final = 0.6  # of the words of feeling that must lean one way
_QUOTED: Final = 4
_AGAINST: Final = frozenset({"anger", "fear", "disgust", "negative"})
_SHORTEST_PREFIX: Final = 3


@dataclass(frozen=True, slots=True)
class _Lexicon:
    """The lists a word stands in, for whole words and for beginnings."""

    words: Mapping[str, tuple[str, ...]]
    beginnings: Mapping[str, tuple[str, ...]]
    longest: int

    def lists(self, word: str) -> tuple[str, ...]:
        found = self.words.get(word, ())
        for end in range(_SHORTEST_PREFIX, min(len(word), self.longest) + 1):
            found += self.beginnings.get(word[:end], ())
        return found


@dataclass(frozen=True, slots=True)
class _Found:
    """One word of feeling and where it stands; `turned` when a negator stands before it."""

    lists: tuple[str, ...]
    start: int
    end: int
    turned: bool


@cache
def _document() -> dict[str, Any]:
    source = resources.files("malafide.signals").joinpath("data/feelings.yml").read_bytes()
    document: dict[str, Any] = yaml.load(source, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return document


def languages() -> tuple[str, ...]:
    return tuple(_document()["positive"])


@cache
def _lexicon(language: str) -> _Lexicon:
    words: defaultdict[str, tuple[str, ...]] = defaultdict(tuple)
    beginnings: defaultdict[str, tuple[str, ...]] = defaultdict(tuple)
    for name in ("negators", "positive", "negative", *EMOTIONS):
        for entry in _document()[name][language].split():
            plain = fold(entry).text
            table, key = (beginnings, plain[:-1]) if plain.endswith("*") else (words, plain)
            if name not in table[key]:
                table[key] += (name,)
    return _Lexicon(dict(words), dict(beginnings), max(map(len, beginnings), default=0))


def feelings(case: Case) -> tuple[Signal, Signal]:
    """The sentiment and the emotion of a post."""
    parts = [part for part in case.of_role("body") if part.text.strip()]
    if not parts:
        because = "There is no text."
        return unknown("nlp_signals", "sentiment", _BY, because), unknown(
            "nlp_signals", "emotion", _BY, because
        )
    part = parts[0]
    language, _ = identify(part.text)
    if language and language not in languages():
        because = f"There are no words of feeling for the language {language!r}."
        return unknown("nlp_signals", "sentiment", _BY, because), unknown(
            "nlp_signals", "emotion", _BY, because
        )
    # A headline has few little words to tell its language by: one of them will do, and none means English or nothing.
    short = language or likeliest(part.text)
    found = _look(part.text, _lexicon(short or "en"))
    if not short and (not found or not part.text.isascii()):
        because = "The text is too short to tell its language."
        return unknown("nlp_signals", "sentiment", _BY, because), unknown(
            "nlp_signals", "emotion", _BY, because
        )
    language = short or "en"
    return _sentiment(case, part, found, language), _emotion(case, part, found, language)


def _look(text: str, lexicon: _Lexicon) -> list[_Found]:
    folded = fold(text[:_MOST_CHARACTERS])
    found: list[_Found] = []
    since = _REACH + 1  # words since the last negator
    for match in _TOKEN.finditer(folded.text):
        lists = lexicon.lists(match.group())
        if "negators" in lists:
            since = 0
        elif lists:
            found.append(_Found(lists, *folded.span(match.start(), match.end()), since <= _REACH))
        since += 1
    return found


def _sentiment(case: Case, part: Part, found: Sequence[_Found], language: str) -> Signal:
    sides: dict[str, list[_Found]] = {"positive": [], "negative": []}
    for one in found:
        in_both = "positive" in one.lists and "negative" in one.lists
        for side in () if in_both else ("positive", "negative"):
            if side in one.lists:
                other = "negative" if side == "positive" else "positive"
                sides[other if one.turned else side].append(one)
    total = len(sides["positive"]) + len(sides["negative"])
    by = f"{_BY} ({language})"
    if not total:
        return Signal(
            "nlp_signals", "sentiment", "NEUTRAL", "measured", by, "It has no words of praise or blame."
        )
    side = max(("negative", "positive"), key=lambda s: len(sides[s]))
    said = f"{_words(len(sides['positive']))} of praise and {_words(len(sides['negative']))} of blame."
    if len(sides[side]) < _LEAST_SHARE * total:
        return Signal("nlp_signals", "sentiment", "NEUTRAL", "measured", by, f"It has {said}")
    evidence = _quoted(case, part, sides[side], "sentiment", side)
    return Signal("nlp_signals", "sentiment", side.upper(), "measured", by, f"It has {said}", evidence)


def _emotion(case: Case, part: Part, found: Sequence[_Found], language: str) -> Signal:
    groups = {name: [one for one in found if name in one.lists and not one.turned] for name in EMOTIONS}
    by = f"{_BY} ({language})"
    strongest = max(EMOTIONS, key=lambda name: len(groups[name]))
    count = len(groups[strongest])
    if not count:
        return Signal(
            "nlp_signals", "emotion", "neutral", "measured", by, "It has no words of strong feeling."
        )
    because = f"{_words(count)} of {strongest}, no fewer than of any other feeling."
    evidence = _quoted(case, part, groups[strongest], "emotion", strongest)
    return Signal("nlp_signals", "emotion", strongest, "measured", by, because, evidence)


def _words(count: int) -> str:
    return "1 word" if count == 1 else f"{count} words"


def _quoted(case: Case, part: Part, found: Sequence[_Found], kind: str, name: str) -> tuple[Evidence, ...]:
    direction: Direction = "deceptive" if name in _AGAINST else "genuine"
    what = {"positive": "praise", "negative": "blame"}.get(name, name)
    return tuple(
        observe(
            case, Span(part.name, one.start, one.end), f"{kind}.{name}", "tone", "slight",
            f"A word of {what}{', turned round by a negation' if one.turned else ''}.",
            direction=direction, tool="feelings",
        )
        for one in found[:_QUOTED]
    )  # fmt: skip


def examples() -> list[tuple[str, str | None, str | None]]:
    """What the lists promise: text, sentiment and emotion; None where nothing is promised."""
    return [(text, sentiment, emotion) for text, sentiment, emotion in _document()["examples"]]
