"""Steps in as judges take them, out to whoever watches a case: from its beginning, however late they come."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal

from malafide.judging import Step

EventName = Literal["step", "verdict", "failed"]
_KEPT: Final = 500  # cases whose steps are remembered after the end; older ones are told from their contract


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a case; after a `verdict` or `failed` nothing does."""

    name: EventName
    data: Mapping[str, Any]

    @property
    def last(self) -> bool:
        return self.name != "step"


@dataclass(slots=True)
class _Trail:
    events: list[Event] = field(default_factory=list)
    more: asyncio.Event = field(default_factory=asyncio.Event)
    dropped: bool = False  # another process judges the case

    @property
    def over(self) -> bool:
        return bool(self.events) and self.events[-1].last


class Events:
    """The steps of cases that are being judged here, or were a moment ago. Belongs to the web loop."""

    def __init__(self) -> None:
        self._trails: OrderedDict[str, _Trail] = OrderedDict()
        self.stopped = False

    def begin(self, case: str) -> None:
        self._trails[case] = _Trail()
        while len(self._trails) > _KEPT and next(iter(self._trails.values())).over:
            self._trails.popitem(last=False)

    def add(self, case: str, event: Event) -> None:
        trail = self._trails.get(case)
        if trail is not None and not trail.over:
            trail.events.append(event)
            trail.more.set()
            trail.more = asyncio.Event()

    def drop(self, case: str) -> None:
        """The case went to another process: the store tells how it ends."""
        trail = self._trails.pop(case, None)
        if trail is not None:
            trail.dropped = True
            trail.more.set()

    def knows(self, case: str) -> bool:
        return case in self._trails

    async def follow(self, case: str) -> AsyncIterator[Event]:
        """Everything that happened to the case, then what happens, to its end or the service's."""
        trail = self._trails[case]
        told = 0
        while not self.stopped:
            more = trail.more
            while told < len(trail.events):
                told += 1
                yield trail.events[told - 1]
            if trail.over or trail.dropped:
                return
            await more.wait()

    def stop(self) -> None:
        """Lets everybody who watches go."""
        self.stopped = True
        for trail in self._trails.values():
            trail.more.set()


def step_event(step: Step) -> Event:
    return Event("step", asdict(step))


def steps_of(contract: Mapping[str, Any]) -> list[Event]:
    """The steps of a case judged earlier, from what its contract says of the agents."""
    details = contract.get("malafide") or {}
    rows = details.get("agents") or details.get("votes") or details.get("trail") or []
    return [_told(row) for row in rows if isinstance(row, Mapping)]


def _told(row: Mapping[str, Any]) -> Event:
    status = str(row.get("status", ""))
    ended = {"failure": "failed", "failed": "failed", "abstention": "abstained"}.get(status, "done")
    says = row.get("analysis") or row.get("says") or row.get("reason") or ""
    score = row.get("spam_score", row.get("score"))
    actor = row.get("agent") or row.get("actor") or ""
    return Event("step", {"actor": actor, "status": ended, "says": says, "score": score})
