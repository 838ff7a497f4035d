"""The desk: where requests and pages bring a message and get a ruling, or say what a case is.

It joins the judges, the store and the live steps. Whatever it says was accepted is on disk by then.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, Final, ParamSpec, TypeVar, cast

from malafide.errors import OutOfOrder, UnknownName
from malafide.judging import PANELS, PanelName, Ruling, Step
from malafide.knowledge.precedent_record import teaches
from malafide.render.json_text import json_text
from malafide.service.choices import ServiceSettings
from malafide.service.events import Event, Events, step_event, steps_of
from malafide.service.jobs import Again, Answer, Job, Judge, Rank, Recognise, TakeBack, Taught, Teach
from malafide.service.judges import Judges
from malafide.service.metrics import Metrics
from malafide.service.tracing import tracer
from malafide.service.writer import Writer
from malafide.store import CaseLine, Label, NewCase, Said, Store, StoredCase

P = ParamSpec("P")
T = TypeVar("T")
_BETWEEN_LOOKS: Final = 0.5  # seconds, at a case that another process judges
_FIRST_LOOK: Final = 0.01  # seconds: a case that was just accepted is taken up here within milliseconds
_MOST_ASKED: Final = 500


@dataclass(frozen=True, slots=True)
class Asked:
    """A case to ask a person about."""

    line: CaseLine
    doubt: float
    likes: int  # how many other open cases are like it


@dataclass(frozen=True, slots=True)
class Spoken:
    """What became of a label."""

    label: Label | None
    id: int
    learned: bool  # whether it changes what malafide remembers, and not the store alone
    held: int  # labels of this person that wait for a confirmation because they came in a burst


@dataclass(frozen=True, slots=True)
class Replayed:
    """A case judged again: whether the answer is the same to the byte, and where it is not."""

    equal: bool
    differences: tuple[str, ...]
    answer: str
    score: float


class Desk:
    """All that a door of the service needs. Its coroutines belong to the web loop."""

    def __init__(self, store: Store, judges: Judges, settings: ServiceSettings) -> None:
        self.store = store
        self.judges = judges
        self.settings = settings
        self.events = Events()
        self.metrics = Metrics()
        self.arrived = asyncio.Event()  # somebody submitted a case that waits
        self.due = asyncio.Event()  # something is to be posted
        self._threads = ThreadPoolExecutor(8, "store")
        self._write_thread = ThreadPoolExecutor(1, "writer")
        self._judged: Writer[tuple[NewCase, Ruling]] = Writer(store.submit_many_judged, self._write_thread)
        self._accepted: Writer[NewCase] = Writer(store.submit_many, self._write_thread)

    async def ask(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Calls the store, which may wait for a disk, outside the loop."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, partial(call, *args, **kwargs))

    async def run(self, job: Job) -> Any:
        """The result of a job of the judges."""
        return await asyncio.wrap_future(self.judges.submit(job))

    async def panel(self, panel: str, name: str, content: bytes) -> PanelName:
        """The panel of that name; with no name, the one that the content is for."""
        if not panel:
            return cast(PanelName, await self.run(Recognise(name, content)))
        chosen = next((one for one in PANELS if one == panel), None)
        if chosen is None:
            raise UnknownName(f"there is no panel {panel!r}; there are: {', '.join(PANELS)}")
        return chosen

    async def judge_now(
        self, panel: str, name: str, content: bytes, who: str, details: bool = True
    ) -> tuple[str, Answer]:
        """The id and the answer of a case that is judged at once and is on disk when this returns."""
        chosen = await self.panel(panel, name, content)
        with tracer.start_as_current_span("judge", attributes={"malafide.panel": chosen}) as span:
            answer: Answer = await self.run(Judge(chosen, name, content, details))
            span.set_attribute("malafide.answer", answer.ruling.answer)
        self.metrics.judged(answer.ruling)
        return await self._judged.write((NewCase(chosen, name, content, who), answer.ruling)), answer

    async def accept(self, panel: str, name: str, content: bytes, who: str) -> str:
        """The id of a case that is on disk when this returns and is judged soon after."""
        chosen = await self.panel(panel, name, content)
        case = await self._accepted.write(NewCase(chosen, name, content, who))
        self.arrived.set()
        return case

    async def known(self, case: str) -> StoredCase:
        found = await self.ask(self.store.case, case)
        if found is None:
            raise UnknownName(f"there is no case {case[:40]!r}")
        return found

    async def follow(self, case: str) -> AsyncIterator[Event]:
        """What happened to a case and happens to it, to its end."""
        pause = _FIRST_LOOK
        while not self.events.stopped:
            if self.events.knows(case):
                async for event in self.events.follow(case):
                    yield event
                    if event.last:
                        return
                continue
            found = await self.known(case)
            if found.line.state in ("judged", "failed"):
                for event in _ending(found):
                    yield event
                return
            await asyncio.sleep(pause)
            pause = min(_BETWEEN_LOOKS, pause * 2)

    def watch(self, case: str) -> Callable[[Step], None]:
        """A listener for judges' threads that passes steps on to whoever watches."""
        loop = asyncio.get_running_loop()
        self.events.begin(case)
        return lambda step: cast(None, loop.call_soon_threadsafe(self.events.add, case, step_event(step)))

    async def label(self, case: str, who: str, label: Said, note: str = "") -> Spoken:
        """A person says what a case is. It is learned from; a burst of labels of one person is held back."""
        found = await self.known(case)
        if found.line.state != "judged":
            raise OutOfOrder(f"case {case} is {found.line.state}; say what it is once it is judged")
        taught = None
        panel: str = found.line.panel
        if teaches(panel):
            teach = Teach(panel, found.line.name, found.content, label == "deceptive", who)
            taught = cast(Taught, await self.run(teach))
        number = await self.ask(self.store.label, case, who, label, note)
        return Spoken(None, number, taught is not None, taught.held if taught else 0)

    async def unlabel(self, case: str, number: int, who: str) -> Spoken:
        """Takes the last label of a case back; what was learned from it is then as before."""
        found = await self.known(case)
        standing = [one for one in found.labels if one.undone_at is None]
        if not standing or standing[-1].id != number:
            raise OutOfOrder(
                f"label {number} is not the last of case {case}; labels are taken back from the last"
            )
        gone = await self.ask(self.store.unlabel, number, who)
        panel: str = found.line.panel
        learned = teaches(panel) and bool(await self.run(TakeBack(panel, found.line.case_id)))
        return Spoken(gone, number, learned, 0)

    async def queue(self) -> list[Asked]:
        """The open cases, in the order in which to ask about them; those that are no mail come last."""
        found = await self.ask(self.store.open_cases, _MOST_ASKED)
        mails = [one for one in found if one.waiting is not None]
        ranked = await self.run(Rank(tuple(one.waiting for one in mails if one.waiting is not None)))
        asked = [Asked(mails[place].line, doubt, likes) for place, doubt, likes in ranked]
        rest = [Asked(one.line, _doubt(one.line), 0) for one in found if one.waiting is None]
        return asked + sorted(rest, key=lambda one: -one.doubt)

    async def replay(self, case: str) -> Replayed:
        """Judges a case again, with what is known now, and says whether the answer is the same."""
        found = await self.known(case)
        if found.line.state != "judged":
            raise OutOfOrder(f"case {case} is {found.line.state}; only what was judged can be judged again")
        line = found.line
        again: Ruling = await self.run(Again(line.panel, line.name, found.content))
        before, now = _timeless(found.contract), _timeless(again.contract)
        return Replayed(before == now, tuple(_differences(before, now)), again.answer, again.score)

    def close(self) -> None:
        """Ends the judges once they are done, then the store."""
        self.events.stop()
        self.judges.close(self.settings.stop_seconds)
        self._write_thread.shutdown()
        self._threads.shutdown()
        self.store.close()


def _doubt(line: CaseLine) -> float:
    return round(max(1.0 - abs(2.0 * line.score - 1.0), 1.0 - line.agreement), 4)


def _ending(found: StoredCase) -> list[Event]:
    """What happened to a case that is done, as the store tells it."""
    if found.line.state == "failed":
        return [failed_event(found.line.error)]
    return [*steps_of(found.contract), verdict_event(found.line)]


def verdict_event(line: CaseLine) -> Event:
    return Event("verdict", line_document(line))


def failed_event(error: str) -> Event:
    return Event("failed", {"error": error})


def line_document(line: CaseLine) -> dict[str, Any]:
    """A case as lists show it, in JSON."""
    fields = asdict(line)
    for moment in ("submitted_at", "judged_at"):
        if fields[moment] is not None:
            fields[moment] = fields[moment].isoformat()
    return fields


# What the clock decides, and a number that is drawn for each assessment.
_TIMES: Final = frozenset({"total_time", "workflow_id", "at", "seconds", "started", "elapsed_ms"})


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _timeless(one) for key, one in value.items() if key not in _TIMES}
    if isinstance(value, list | tuple):
        return [_timeless(one) for one in value]
    return value


def _differences(before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """The fields of the contract that differ, those under `malafide` by their own names."""
    names: list[str] = []
    for key in {**before, **now}:
        old, new = before.get(key), now.get(key)
        if old == new:
            continue
        if key == "malafide" and isinstance(old, dict) and isinstance(new, dict):
            names += [f"malafide.{inner}" for inner in _differences(old, new)]
        else:
            names.append(key)
    return names


def as_json(value: Any) -> bytes:
    """A document of the API on one line."""
    return json_text(value, pretty=False).encode() + b"\n"
