"""Every rule keeps its promises: what it must find, what it must leave alone, and what it tells people."""

from __future__ import annotations

import re
from importlib import resources

import pytest
import re2

from malafide.folding import fold
from malafide.registry import Registry
from malafide.rules.chat import chat_rulebook
from malafide.rules.lookup import document
from malafide.rules.phrase import compile_phrase
from malafide.rules.rulebook import Rule, Rulebook, rulebook
from malafide.tools import Tool, tools

RULES = (*rulebook().rules, *chat_rulebook().rules)
each_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)


def _finds(rule: Rule, text: str) -> bool:
    return any(found.id == rule.id for found, _, _ in Rulebook((rule,)).spans(text))


@each_rule
def test_it_finds_its_hits(rule: Rule) -> None:
    assert len(rule.hits) >= 2
    assert [hit for hit in rule.hits if not _finds(rule, hit)] == []


@each_rule
def test_it_leaves_harmless_look_alikes_alone(rule: Rule) -> None:
    assert rule.misses
    assert [miss for miss in rule.misses if _finds(rule, miss)] == []


@each_rule
def test_every_language_it_speaks_is_shown_by_a_hit(rule: Rule) -> None:
    hits = [fold(hit).text for hit in rule.hits]
    silent = [
        language
        for language, phrases in rule.phrases.items()
        if not any(re2.search(compile_phrase(phrase).expression, hit) for phrase in phrases for hit in hits)
    ]
    assert silent == []


@each_rule
def test_no_phrase_is_tried_on_every_message(rule: Rule) -> None:
    """A phrase without a certain word costs time on every mail; the whole rulebook has a budget."""
    sources = [phrase for phrases in rule.phrases.values() for phrase in phrases]
    assert [source for source in (*sources, *rule.unless) if not compile_phrase(source).needs] == []


@each_rule
def test_it_speaks_plainly(rule: Rule) -> None:
    assert re.fullmatch(r"[a-z]+\.[a-z0-9]+(-[a-z0-9]+)*", rule.id), "ids are kebab-case"
    assert re.fullmatch(r"[A-Z0-9][^.!?]*\.", rule.says), "one sentence, ending with a period"
    assert len(rule.says) <= 140
    assert rule.where, "a rule that reads nothing finds nothing"


def test_ids_are_unique() -> None:
    ids = [rule.id for rule in RULES]
    assert len(ids) == len(set(ids))


def test_every_rule_has_a_tool_that_reports_it() -> None:
    registered: Registry[Tool] = tools
    assert {rule.tool for rule in RULES} <= set(registered.names())


def test_how_phrases_are_looked_up_was_worked_out_from_these_rules() -> None:
    kept = (resources.files("malafide.rules") / "lookup.json").read_text(encoding="utf-8")
    assert kept == document(), "the rules changed: run `python -m malafide.rules.lookup`"
