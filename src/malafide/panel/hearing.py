"""Hears tools and agents: a case goes in, evidence that holds and every agent's outcome come out.

The only place where any exception is caught: whoever breaks becomes a named Failure and the rest goes on.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import ParamSpec, Protocol, TypeVar

from malafide.case import Case
from malafide.evidence import Evidence
from malafide.opinion import Failure
from malafide.tools import Tool

P = ParamSpec("P")
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Member(Protocol[T_co]):
    """Somebody on a panel: an agent, which gives an opinion, or a voter, which votes."""

    @property
    def name(self) -> str: ...

    @property
    def think(self) -> Callable[[Sequence[Evidence]], T_co]: ...


class Witness(Protocol):
    """Something that knows more than the case: it is shown the case and what the tools found in it."""

    name: str

    def __call__(self, case: Case, evidence: Sequence[Evidence]) -> list[Evidence]: ...


@dataclass(frozen=True, slots=True)
class Examination:
    """What the tools found in a case: evidence whose quotes were checked, and the tools that broke."""

    evidence: tuple[Evidence, ...]
    failures: tuple[Failure, ...]
    dropped: tuple[str, ...]  # one line per piece of evidence whose quote was not there


def _hear(name: str, speak: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | Failure:
    try:
        return speak(*args, **kwargs)
    except Exception as error:  # noqa: BLE001 - a broken agent must not silence the others
        return Failure(name, f"{type(error).__name__}: {error}"[:300])


def hear_within(name: str, speak: Callable[[], T], seconds: float) -> T | Failure:
    """What is said within so many seconds. Who takes longer is left alone in its thread and heard no more."""
    said: SimpleQueue[T | Failure] = SimpleQueue()
    threading.Thread(target=lambda: said.put(_hear(name, speak)), name=name, daemon=True).start()
    try:
        return said.get(timeout=max(0.001, seconds))
    except Empty:
        return Failure(name, f"cut off: it did not answer within {seconds:.1f} seconds")


def sound_evidence(said: object) -> list[Evidence]:
    """A list of evidence as it was given. Raises ValueError for anything else, which is a failure where it is heard."""
    if not isinstance(said, list) or not all(isinstance(piece, Evidence) for piece in said):
        raise ValueError(f"it answered with rubbish: {ascii(said)[:80]}")
    return said


def examine(case: Case, with_tools: Iterable[Tool], witnesses: Iterable[Witness] = ()) -> Examination:
    """Runs the tools over the case, then the witnesses over what they found; only evidence that holds is kept."""
    evidence: list[Evidence] = []
    failures: list[Failure] = []
    dropped: list[str] = []

    def keep(name: str, found: list[Evidence] | Failure) -> None:
        if isinstance(found, Failure):
            failures.append(found)
            return
        for piece in found:
            if piece.holds_in(case):
                evidence.append(piece)
            else:
                dropped.append(f"{name}: {piece.kind} quoted words that are not in {piece.part!r}; dropped")

    for tool in with_tools:
        said: object = _hear(tool.name, tool.run, case)
        if said != []:  # which is what most tools say of most messages
            keep(tool.name, said if isinstance(said, Failure) else _hear(tool.name, sound_evidence, said))
    for witness in witnesses:
        said = _hear(witness.name, witness, case, tuple(evidence))
        keep(witness.name, said if isinstance(said, Failure) else _hear(witness.name, sound_evidence, said))
    evidence.sort(key=lambda e: (-e.strength, e.kind, e.part, e.start))
    return Examination(tuple(evidence), tuple(failures), tuple(dropped))


def convene(members: Iterable[Member[T]], examination: Examination) -> tuple[T | Failure, ...]:
    """Each member's outcome, in the order given. None is shown another's answer."""
    return tuple(_hear(member.name, member.think, examination.evidence) for member in members)
