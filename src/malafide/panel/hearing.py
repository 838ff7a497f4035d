"""Hears tools and agents: a case goes in, evidence that holds and every agent's outcome come out.

The only place where any exception is caught: whoever breaks becomes a named Failure and the rest goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from malafide.case import Case
from malafide.evidence import Evidence
from malafide.opinion import Failure, Outcome
from malafide.panel.agent import Agent
from malafide.tools import Tool

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Examination:
    """What the tools found in a case: evidence whose quotes were checked, and the tools that broke."""

    evidence: tuple[Evidence, ...]
    failures: tuple[Failure, ...]
    dropped: tuple[str, ...]  # one line per piece of evidence whose quote was not there


def _hear(name: str, speak: Callable[[], T]) -> T | Failure:
    try:
        return speak()
    except Exception as error:  # noqa: BLE001 - a broken agent must not silence the others
        return Failure(name, f"{type(error).__name__}: {error}"[:300])


def examine(case: Case, with_tools: Iterable[Tool]) -> Examination:
    """Runs the tools over the case and keeps only evidence whose words stand where it says."""
    evidence: list[Evidence] = []
    failures: list[Failure] = []
    dropped: list[str] = []
    for tool in with_tools:
        found = _hear(tool.name, lambda tool=tool: tool.run(case))  # type: ignore[misc]
        if isinstance(found, Failure):
            failures.append(found)
            continue
        for piece in found:
            if piece.holds_in(case):
                evidence.append(piece)
            else:
                dropped.append(f"{tool.name}: {piece.kind} quoted words that are not in {piece.part!r}; dropped")
    evidence.sort(key=lambda e: (-e.strength, e.kind, e.part, e.start))
    return Examination(tuple(evidence), tuple(failures), tuple(dropped))


def convene(members: Iterable[Agent], examination: Examination) -> tuple[Outcome, ...]:
    """Each agent's outcome, in the order given. None is shown another's answer."""
    return tuple(
        _hear(agent.name, lambda agent=agent: agent.think(examination.evidence))  # type: ignore[misc]
        for agent in members
    )
