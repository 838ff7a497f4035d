"""Text in, rule matches out: all phrases of all rules at once.

The vocabulary says which phrases can match at all, and where; only those are run, and only there, each as one
linear-time RE2 expression that is compiled on first need.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib import resources
from typing import Any, Final, Literal, cast, get_args

import re2
import yaml

from malafide.case import Case, Role, Span
from malafide.errors import BadRule
from malafide.evidence import STRENGTHS, Direction, Evidence, Strength, Topic, observe
from malafide.folding import fold, single_bytes
from malafide.knowledge.scripts import Matcher, matcher
from malafide.rules.lookup import lookup_of
from malafide.rules.phrase import compile_phrase
from malafide.rules.vocabulary import Place, Vocabulary

Language = Literal["en", "de", "fr", "es", "pt", "it", "nl", "hi-latn"]
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


class Rulebook:
    """Rules made ready for matching."""

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        self.rules = rules
        self._phrases: list[tuple[Rule, str, bool]] = []  # the flag: an `unless`
        for rule in rules:
            self._phrases.extend((rule, p, False) for phrases in rule.phrases.values() for p in phrases)
            self._phrases.extend((rule, p, True) for p in rule.unless)
        self._vocabulary = Vocabulary([lookup_of(phrase) for _, phrase, _ in self._phrases])
        self._compiled: dict[int, Matcher] = {}

    def spans(self, text: str, role: Role | None = None) -> list[tuple[Rule, int, int]]:
        """Every rule that matches the text, with its first match; rules excused by an `unless` are left out.

        With a role, only the rules that are for parts of that role.
        """
        folded = fold(text)
        plain = folded.plain
        first: dict[str, tuple[Rule, int, int]] = {}
        for number, anchors in self._vocabulary.possible(plain):
            rule, _, is_excuse = self._phrases[number]
            # The excuses of a rule stand behind its phrases: without a match there is nothing to excuse.
            if (rule.id in first) is not is_excuse or (role and role not in rule.where):
                continue
            found = self._search(number, plain, self._vocabulary.places(number, anchors, len(plain)))
            if found is None:
                continue
            if is_excuse:
                del first[rule.id]
            else:
                first[rule.id] = (rule, *folded.span(*found))
        return list(first.values())

    def _search(self, number: int, plain: bytes, places: Iterable[Place]) -> Place | None:
        match = self._compiled.get(number) or self._compile(number)
        opens = self._vocabulary.opens(number)
        for start, end in places:
            first, last = match(plain, start, end)[0]
            # Where a place is cut out, half a word looks like a whole one. At an anchor there is no word cut.
            if first >= 0 and (first > start or start == 0 or opens) and (last < end or end == len(plain)):
                return first, last
        return None

    def _compile(self, number: int) -> Matcher:
        pattern = compile_phrase(self._phrases[number][1]).expression
        expression = re2.compile(single_bytes(pattern), _options())
        match = self._compiled[number] = matcher(expression, at_start=self._vocabulary.opens(number))
        return match

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
def _options() -> Any:
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1  # see single_bytes
    return options


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
def matched(case: Case) -> list[Match]:
    """What all rules that ship with malafide find in the case."""
    return rulebook().matches(case)


def rule_evidence(case: Case, tool: str) -> list[Evidence]:
    """What the rules of one tool find in the case. The matching is done once per case, for all tools."""
    found = []
    for match in matched(case):
        rule = match.rule
        if rule.tool == tool:
            e = observe(
                case,
                match.span,
                rule.id,
                rule.topic,
                rule.strength,
                rule.says,
                direction=rule.direction,
                tool=tool,
            )
            faded = _fading(rule, match.span)
            found.append(e if faded == 1.0 else replace(e, strength=round(e.strength * faded, 4)))
    return found


# A newsletter of twenty articles says anything somewhere; a deceiver says it early. What stands deeper in the text
# than this counts less, down to a share. Without, 6 % of legitimate newsletters were called spam; with it 3 %.
_EARLY: Final = 1_000
_LEAST_SHARE: Final = 0.3


def _fading(rule: Rule, span: Span) -> float:
    """The share of its strength that a finding keeps for where it stands. By place, not by length: text added
    behind must not weaken what stands before it, and what addresses the judge or is near-proof never fades."""
    depth = span.start
    if span.part.startswith("page/"):  # of a document: each page before it counts as text
        depth += (int(span.part.removeprefix("page/")) - 1) * _EARLY
    elif span.part != "body":
        return 1.0
    if rule.direction == "genuine" or rule.strength == "decisive" or rule.topic == "judge":
        return 1.0
    return max(_LEAST_SHARE, min(1.0, _EARLY / max(depth, 1)))
