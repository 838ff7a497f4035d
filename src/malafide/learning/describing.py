"""A catalog in, the same catalog with better names out: a model names and describes what the statistics found.

It may invent nothing. Patterns, phrases and counts stay as they are; a name or description is taken only when the model
can point at phrases of that very pattern for it.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import re2

from malafide.exchange import Exchange, Reply
from malafide.knowledge.catalog import Catalog, Pattern
from malafide.minds.budget import Budget
from malafide.minds.cache import AnswerCache
from malafide.minds.loop import Loop
from malafide.minds.mind import Mind, Prompt
from malafide.minds.reports import NotAReport
from malafide.panel.asking import Desk, ask
from malafide.panel.spec import agent_spec
from malafide.record.outbound import OutboundLog
from malafide.settings import Caps

LEARNER: Final = "pattern-learner"
_AT_ONCE: Final = 8  # patterns in one question
_PHRASES: Final = 12
_LEAST_SUPPORT: Final = 2  # phrases that must carry a name
_NAME: Final = re2.compile(r"[a-z]{2,20}(-[a-z]{1,20}){1,4}")
_FORM: Final = (
    'Answer with one JSON object: "patterns", a list with one object for each pattern you were shown, with "number", '
    '"name", "description" and "phrases". Nothing before or after it.'
)
_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        "patterns": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "number": {"type": "integer"},
                    "name": {"type": "string"},
                    "description": {"type": "string"},
                    "phrases": {"type": "array", "items": {"type": "string"}},
                },
                "required": ["number", "name", "description", "phrases"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["patterns"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Described:
    """The catalog with its new names, and what became of each suggestion."""

    catalog: Catalog
    named: int
    notes: tuple[str, ...]
    exchanges: tuple[Exchange, ...]


@dataclass(frozen=True, slots=True)
class _Suggestion:
    name: str
    description: str
    phrases: tuple[str, ...]


def describe(catalog: Catalog, mind: Mind, caps: Caps | None = None) -> Described:
    """The catalog as the model words it. What is wrong with a suggestion leaves that pattern as it was."""
    loop = Loop()
    desk = Desk((Budget("run", caps or Caps(seconds=600)),), AnswerCache(), OutboundLog())
    named: dict[int, _Suggestion] = {}
    notes: list[str] = []
    exchanges: list[Exchange] = []
    numbers = [n for n, p in enumerate(catalog.patterns) if not p.pattern_type.startswith(f"{p.side}-other-")]
    try:
        for start in range(0, len(numbers), _AT_ONCE):
            shown = {n: catalog.patterns[n] for n in numbers[start : start + _AT_ONCE]}
            asked = loop.run(ask(mind, _prompts(shown), lambda _, reply: _read(reply), desk))
            exchanges.extend(asked.exchanges)
            if asked.value is None:
                notes.append(f"{len(shown)} patterns keep their names: {asked.why_not}")
                continue
            for number, suggestion in asked.value:
                _consider(number, suggestion, shown, named, notes)
    finally:
        loop.run(mind.close())
        loop.close()
    patterns = tuple(_worded(p, named.get(n)) for n, p in enumerate(catalog.patterns))
    return Described(replace(catalog, patterns=patterns), len(named), tuple(notes), tuple(exchanges))


def _prompts(shown: Mapping[int, Pattern]) -> Callable[[int, Reply | None], Prompt]:
    def prompt(attempt: int, before: Reply | None) -> Prompt:
        boundary = secrets.token_hex(8)
        lines = [f"=== {boundary} patterns begin ==="]
        for number, pattern in shown.items():
            lines.append(
                f"# pattern {number}: in {pattern.support.spam} unwanted and {pattern.support.ham} wanted mails"
            )
            lines.append(f"| phrases: {json.dumps(list(pattern.phrases)[:_PHRASES], ensure_ascii=False)}")
            lines.extend(
                f"| example: {json.dumps(e[:160], ensure_ascii=False)}" for e in pattern.examples[:2]
            )
        lines.append(f"=== {boundary} patterns end ===")
        again = (
            ""
            if before is None
            else f" The first answer could not be used ({before.fault}): keep to the form."
        )
        lines.append(f"Name and describe each.{again}")
        system = f"{agent_spec(LEARNER).prompt}\n\n## The form of the answer\n\n{_FORM}\n"
        return Prompt(LEARNER, "", attempt, system, "\n".join(lines), boundary, _SCHEMA)

    return prompt


def _read(reply: Reply) -> list[tuple[int, _Suggestion]]:
    begin, end = reply.text.find("{"), reply.text.rfind("}")
    try:
        entries = json.loads(reply.text[begin : end + 1])["patterns"]
        return [
            (
                int(e["number"]),
                _Suggestion(str(e["name"]), str(e["description"]), tuple(str(p) for p in e["phrases"])),
            )
            for e in entries
        ]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise NotAReport(f"it is not the list that was asked for: {type(error).__name__}") from None


def _consider(
    number: int,
    suggestion: _Suggestion,
    shown: Mapping[int, Pattern],
    named: dict[int, _Suggestion],
    notes: list[str],
) -> None:
    """Takes a suggestion that the pattern bears out."""
    if number not in shown:
        notes.append(f"a pattern {number} was invented; left out")
        return
    pattern = shown[number]
    if not suggestion.name:
        return
    support = [p for p in dict.fromkeys(suggestion.phrases) if p in pattern.phrases]
    taken = {s.name for s in named.values()}
    if not _NAME.fullmatch(suggestion.name) or suggestion.name in taken:
        notes.append(
            f"{pattern.pattern_type}: {suggestion.name[:40]!r} is no name of its own; kept as it was"
        )
    elif len(support) < min(_LEAST_SUPPORT, len(pattern.phrases)):
        notes.append(
            f"{pattern.pattern_type}: {suggestion.name!r} rests on no phrases of the pattern; kept as it was"
        )
    else:
        named[number] = suggestion


def _worded(pattern: Pattern, suggestion: _Suggestion | None) -> Pattern:
    if suggestion is None:
        return pattern
    words = " ".join("".join(c if c.isprintable() else " " for c in suggestion.description).split())[:300]
    return replace(
        pattern, pattern_type=f"{pattern.side}-{suggestion.name}", description=words or pattern.description
    )
