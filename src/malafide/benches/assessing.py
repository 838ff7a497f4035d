"""One assessment while it is made: who was heard, what it cost in calls and seconds, and what broke."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Final, TypeVar

from malafide.assessment import ToolResult, TrailStatus, TrailStep
from malafide.case import Case
from malafide.evidence import Direction, Evidence
from malafide.opinion import Failure
from malafide.panel.document.toolbox import Finding, Run
from malafide.panel.hearing import hear_within

T = TypeVar("T")
_DIRECTIONS: Final[tuple[Direction, ...]] = ("deceptive", "genuine")


class Notebook:
    """Budgets are kept here: nothing is heard that does not pass through it."""

    def __init__(self, max_calls: int, time_budget: float, agent_seconds: float) -> None:
        self.calls_left = max_calls
        self.seconds_left = time_budget
        self.agent_seconds = agent_seconds
        self.evidence: list[Evidence] = []
        self.errors: list[Failure] = []
        self.results: list[ToolResult] = []
        self.agents: list[str] = []
        self.trail: list[TrailStep] = []
        self.tell: Callable[[TrailStep], None] | None = None
        self._began = time.monotonic()

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self._began

    @property
    def failed(self) -> list[str]:
        return [f.agent for f in self.errors]

    def note(self, actor: str, says: str, status: TrailStatus = "done", seconds: float = 0.0) -> None:
        at = max(0.0, self.elapsed - seconds)
        self.trail.append(TrailStep(round(at, 6), round(seconds, 6), actor, status, says))
        if self.tell is not None:
            self.tell(self.trail[-1])

    def fail(self, failure: Failure, seconds: float = 0.0) -> None:
        self.errors.append(failure)
        self.note(failure.agent, f"failed: {failure.reason}", "failed", seconds)

    def ask(self, agent: str, think: Callable[[], T], sound: Callable[[T], str]) -> T | None:
        """What an agent says; None when it fails, hangs or talks rubbish. `sound` says what is wrong with it, or ""."""
        if agent not in self.agents:
            self.agents.append(agent)
        started = time.monotonic()
        said = hear_within(agent, lambda: _checked(think(), sound), self.agent_seconds)
        if isinstance(said, Failure):
            self.fail(said, time.monotonic() - started)
            return None
        return said

    def call(self, name: str, run: Callable[[], T], more: int) -> T | None:
        """A counted call of a tool. It gets its share of the time left when `more` calls may follow."""
        if self.calls_left < 1 or self.seconds_left <= 0.0:
            spent = "calls" if self.calls_left < 1 else "seconds"
            self.note(name, f"not called: the budget of {spent} is spent", "skipped")
            return None
        self.calls_left -= 1
        started = time.monotonic()
        said = hear_within(name, run, self.seconds_left / 2 if more else self.seconds_left)
        spent_seconds = time.monotonic() - started
        self.seconds_left -= spent_seconds
        if isinstance(said, Failure):
            self.fail(said, spent_seconds)
            return None
        return said

    def use(self, name: str, case: Case, run: Run, more: int) -> None:
        """A counted call of an evidence tool: what it found is kept as far as it holds."""
        before = self.elapsed
        finding = self.call(name, lambda: _finding(run(case)), more)
        if finding is not None:
            self.keep(name, case, finding, self.elapsed - before)

    def keep(self, name: str, case: Case, finding: Finding, seconds: float) -> None:
        good = [e for e in finding.evidence if holds(e, case)]
        dropped = len(finding.evidence) - len(good)
        known = {(e.kind, e.part, e.start) for e in self.evidence}
        self.evidence.extend(e for e in good if (e.kind, e.part, e.start) not in known)
        self.results.append(ToolResult(name, Finding(finding.items, tuple(good)).output()))
        self.note(name, f"{len(finding.items)} items, {len(good)} pieces of evidence", "done", seconds)
        if dropped:
            self.fail(Failure(name, f"{dropped} pieces of evidence dropped: their words are not in the case"))
        for failure in finding.failures:
            self.fail(Failure(f"{name} ({failure.agent})", failure.reason))


def _checked(said: T, sound: Callable[[T], str]) -> T:
    if wrong := sound(said):
        raise ValueError(f"it answered with rubbish: {wrong}")
    return said


def _finding(said: object) -> Finding:
    if (
        not isinstance(said, Finding)
        or not all(isinstance(item, dict) for item in said.items)
        or not all(isinstance(e, Evidence) for e in said.evidence)
        or not all(isinstance(f, Failure) for f in said.failures)
    ):
        raise ValueError(f"it answered with rubbish: {ascii(said)[:80]}")
    return said


def holds(e: Evidence, case: Case) -> bool:
    """Whether a piece of evidence can be counted: of a known direction and strength, its words in the case."""
    return (
        e.direction in _DIRECTIONS and math.isfinite(e.strength) and 0 < e.strength <= 1 and e.holds_in(case)
    )
