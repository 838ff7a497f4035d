"""Text in, rule matches out: all phrases of all rules at once.

Each phrase names the words it cannot do without. Which of those the text has is found once, for all phrases;
only those that lack none are then run, each as one linear-time RE2 expression, compiled on first need. Of
1,200 phrases that leaves 14 for a mail of 2 kB, where one necessary word alone left 130.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Any, Final, Literal, cast, get_args

import ahocorasick_rs
import re2
import yaml

from malafide.case import Case, Role, Span
from malafide.errors import BadRule
from malafide.evidence import STRENGTHS, Direction, Evidence, Strength, Topic, observe
from malafide.folding import fold
from malafide.rules.phrase import Phrase, compile_phrase

Language = Literal["en", "de", "fr", "es", "pt", "it", "nl"]
_READ: Final[tuple[Role, ...]] = ("subject", "body", "nested", "attachment")
_FIELDS: Final = {
    "id",
    "topic",
    "strength",
    "direction",
    "says",
    "phrases",
    "unless",
    "where",
    "hits",
    "misses",
}


@dataclass(frozen=True, slots=True)
class Rule:
    """One entry of a rule file."""

    id: str  # "<file>.<name>"
    tool: str  # the tool that reports it
    topic: Topic
    strength: Strength
    direction: Direction
    says: str
    phrases: dict[Language, tuple[str, ...]]
    unless: tuple[str, ...]
    where: tuple[Role, ...]
    hits: tuple[str, ...]
    misses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Match:
    rule: Rule
    span: Span


# Everything RE2 does not take for part of a word becomes a space.
_SEPARATE: Final = bytes(c if chr(c).isalnum() or c == 95 else 32 for c in range(128)) + b" " * 128


class _Vocabulary:
    """The words that phrases need, and which phrases a text with certain words may match."""

    def __init__(self, phrases: Iterable[Phrase]) -> None:
        self._always: list[int] = []
        self._by_word: defaultdict[str, list[int]] = defaultdict(list)
        self._others: list[list[frozenset[str]]] = []
        words: set[str] = set()
        for number, phrase in enumerate(phrases):
            self._others.append([frozenset(need) for need in phrase.needs[1:]])
            words.update(word for need in phrase.needs for word in need)
            for word in phrase.anchors:
                self._by_word[word].append(number)
            if not phrase.needs:
                self._always.append(number)
        self._signs = [word for word in words if word.startswith("=")]
        self._words = {word for word in words if " " not in word and not word.endswith("*")}
        self._beginnings = _Finder(word for word in words if " " not in word and word.endswith("*"))
        self._rows = _Finder(word for word in words if " " in word)

    def possible(self, plain: str) -> list[int]:
        """The numbers of the phrases that may match the folded text, in order."""
        row = plain.encode("ascii", "replace").translate(_SEPARATE).decode("ascii").split()
        words = set(row)
        present = self._words & words
        present.update(sign for sign in self._signs if sign[1:] in plain)
        present.update(self._beginnings.found(" ".join(words)), self._rows.found(" ".join(row)))
        numbers = set(self._always)
        for word in present & self._by_word.keys():
            for number in self._by_word[word]:
                if number not in numbers and not any(map(present.isdisjoint, self._others[number])):
                    numbers.add(number)
        return sorted(numbers)


class _Finder:
    """Finds which of many entries (words in a row, `*` for an open end) stand in a row of words."""

    def __init__(self, entries: Iterable[str]) -> None:
        self._entries = sorted(entries)
        patterns = [f" {entry[:-1]}" if entry.endswith("*") else f" {entry} " for entry in self._entries]
        self._automaton = ahocorasick_rs.AhoCorasick(patterns)

    def found(self, row: str) -> set[str]:
        matches = self._automaton.find_matches_as_indexes(f" {row} ", overlapping=True)
        return {self._entries[number] for number in {match[0] for match in matches}}


class Rulebook:
    """Rules made ready for matching."""

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        self.rules = rules
        self._phrases: list[tuple[Rule, Phrase, bool]] = []  # the flag: an `unless`
        for rule in rules:
            for phrases in rule.phrases.values():
                self._phrases.extend((rule, compile_phrase(p), False) for p in phrases)
            self._phrases.extend((rule, compile_phrase(p), True) for p in rule.unless)
        self._vocabulary = _Vocabulary(p for _, p, _ in self._phrases)
        self._compiled: dict[int, Any] = {}

    def _expression(self, number: int) -> Any:
        compiled = self._compiled.get(number)
        if compiled is None:
            compiled = self._compiled[number] = re2.compile(self._phrases[number][1].expression)
        return compiled

    def spans(self, text: str, role: Role | None = None) -> list[tuple[Rule, int, int]]:
        """Every rule that matches the text, with its first match; rules excused by an `unless` are left out.

        With a role, only the rules that are for parts of that role.
        """
        folded = fold(text)
        first: dict[str, tuple[Rule, int, int]] = {}
        excused: set[str] = set()
        for number in self._vocabulary.possible(folded.text):
            rule, _, is_excuse = self._phrases[number]
            # A rule is found once, and only a rule that was found needs an excuse; its excuses come after it.
            if is_excuse != (rule.id in first) or (role and role not in rule.where):
                continue
            match = self._expression(number).search(folded.text)
            if match is None or match.start() == match.end():
                continue
            if is_excuse:
                excused.add(rule.id)
            else:
                first[rule.id] = (rule, *folded.span(match.start(), match.end()))
        return [hit for rule_id, hit in first.items() if rule_id not in excused]

    def matches(self, case: Case) -> list[Match]:
        """Every rule that matches somewhere in the case: once each, where it stands first."""
        found: dict[str, Match] = {}
        for part in case.of_role("subject", "body", "nested", "attachment", "header", "hidden"):
            if not part.text or (part.role == "header"):
                continue
            for rule, start, end in self.spans(part.text, part.role):
                if rule.id not in found:
                    found[rule.id] = Match(rule, Span(part.name, start, end))
        return list(found.values())


@cache
def rulebook() -> Rulebook:
    """The rules that ship with malafide."""
    rules: list[Rule] = []
    for entry in sorted(resources.files("malafide.rules").iterdir(), key=lambda e: e.name):
        if entry.name.endswith(".yml"):
            rules.extend(read_rules(entry.name.removesuffix(".yml"), entry.read_text(encoding="utf-8")))
    seen: set[str] = set()
    for rule in rules:
        if rule.id in seen:
            raise BadRule(f"two rules are named {rule.id!r}")
        seen.add(rule.id)
    return Rulebook(tuple(rules))


def read_rules(name: str, text: str) -> list[Rule]:
    """The rules of one file; `name` is its name without the ending and begins every rule's id."""
    document = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    if not isinstance(document, dict) or set(document) != {"tool", "rules"}:
        raise BadRule(f"rule file {name!r}: expected the keys 'tool' and 'rules'")
    return [_rule(name, str(document["tool"]), entry) for entry in document["rules"]]


def _rule(file: str, tool: str, entry: Any) -> Rule:
    identity = f"{file}.{entry.get('id')}"
    if unknown := set(entry) - _FIELDS:
        raise BadRule(f"rule {identity!r}: unknown fields {sorted(unknown)}; known are {sorted(_FIELDS)}")
    if missing := {"id", "topic", "strength", "says", "phrases", "hits", "misses"} - set(entry):
        raise BadRule(f"rule {identity!r}: missing fields {sorted(missing)}")
    if entry["topic"] not in get_args(Topic):
        raise BadRule(f"rule {identity!r}: topic {entry['topic']!r}; known are {sorted(get_args(Topic))}")
    if entry["strength"] not in STRENGTHS:
        raise BadRule(f"rule {identity!r}: strength {entry['strength']!r}; known are {list(STRENGTHS)}")
    if unknown := set(entry["phrases"]) - set(get_args(Language)):
        raise BadRule(f"rule {identity!r}: unknown languages {sorted(unknown)}")
    return Rule(
        id=identity,
        tool=tool,
        topic=entry["topic"],
        strength=entry["strength"],
        direction=cast(Direction, entry.get("direction", "deceptive")),
        says=entry["says"],
        phrases={language: tuple(phrases) for language, phrases in entry["phrases"].items()},
        unless=tuple(entry.get("unless", ())),
        where=tuple(entry.get("where", _READ)),
        hits=tuple(entry["hits"]),
        misses=tuple(entry["misses"]),
    )


@lru_cache(maxsize=4)
def _matches(case: Case) -> list[Match]:
    return rulebook().matches(case)


def rule_evidence(case: Case, tool: str) -> list[Evidence]:
    """What the rules of one tool find in the case. The matching is done once per case, for all tools."""
    return [
        observe(
            case, match.span, match.rule.id, match.rule.topic, match.rule.strength, match.rule.says,
            direction=match.rule.direction, tool=tool,
        )
        for match in _matches(case)
        if match.rule.tool == tool
    ]  # fmt: skip
