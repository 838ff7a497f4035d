"""Chunks in, their rows out in the same order, by several processes. One that dies is replaced, and its case found."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Final

from malafide.errors import Unjudgeable
from malafide.volume.desk import Desk, Done, Orders, lost
from malafide.volume.hands import FORKS, Hand, Ready, Task
from malafide.volume.pieces import Chunk
from malafide.volume.purse import Purse
from malafide.volume.rows import Tally

if TYPE_CHECKING:
    from malafide.knowledge.remembered import Knowledge

_EACH: Final = 2  # tasks a process holds
_AHEAD: Final = 8  # chunks per process that may be done before the one that is awaited
_MOST_DEATHS: Final = 2  # in which one case had a part by itself, before it counts as their cause
_FUTILE: Final = 5  # processes in a row that ended before they were ready to judge


@dataclass(slots=True)
class _Awaited:
    """A chunk on its way: how many parts are still out, and those that came back."""

    chunk: Chunk
    parts: dict[int, Done] = field(default_factory=dict)
    expected: int = 1

    def whole(self) -> Done:
        tally = Tally()
        for part in sorted(self.parts):
            tally.add(self.parts[part].tally)
        return Done(b"".join(self.parts[part].rows for part in sorted(self.parts)), tally)


class Crew:
    """The processes of one run. `inherited` are file handles that must not stay open in them."""

    def __init__(
        self,
        orders: Orders,
        workers: int,
        purse: Purse,
        inherited: Sequence[int] = (),
        *,
        forks: bool = FORKS,
    ) -> None:
        """With `forks` false every process loads what it needs: where threads run, forking is not safe."""
        self._orders, self._workers, self._purse, self._inherited = orders, workers, purse, inherited
        self._knowledge = _warmed(orders) if forks else None
        self._hands: dict[Connection, tuple[int, Hand]] = {}
        self._futile = 0
        for place in range(workers):
            self._hire(place)

    def judge(self, chunks: Iterator[Chunk]) -> Iterator[tuple[Chunk, Done]]:
        """Reads no further ahead than what is judged; memory does not grow with the input."""
        awaited: deque[_Awaited] = deque()
        again: deque[Task] = deque()
        by_number: dict[int, _Awaited] = {}
        more = True
        while True:
            while more and not again and len(awaited) < _AHEAD * self._workers and self._room():
                chunk = next(chunks, None)
                if chunk is None:
                    more = False
                    break
                awaited.append(_Awaited(chunk))
                by_number[chunk.number] = awaited[-1]
                self._give(Task(chunk.number, 0, chunk.pieces))
            while again and self._room():
                self._give(again.popleft())
            if not awaited:
                return
            for task, done in self._heard(again, by_number):
                by_number[task.chunk].parts[task.part] = done
            while awaited and len(awaited[0].parts) == awaited[0].expected:
                ready = awaited.popleft()
                del by_number[ready.chunk.number]
                yield ready.chunk, ready.whole()

    def close(self) -> None:
        for _, hand in self._hands.values():
            hand.end()
        self._hands.clear()

    @property
    def processes(self) -> list[int]:
        """Their numbers, for whoever watches."""
        return [hand.process.pid or 0 for _, hand in self._hands.values()]

    def _room(self) -> bool:
        return any(len(hand.tasks) < _EACH for _, hand in self._hands.values())

    def _give(self, task: Task) -> None:
        _, hand = min(self._hands.values(), key=lambda placed: len(placed[1].tasks))
        hand.give(task)  # one that cannot take it has ended, and is heard next

    def _heard(self, again: deque[Task], by_number: dict[int, _Awaited]) -> Iterator[tuple[Task, Done]]:
        for ready in wait(list(self._hands)):
            assert isinstance(ready, Connection)
            place, hand = self._hands[ready]
            answer = hand.take()
            if answer is None:
                yield from self._bury(place, hand, again, by_number)
            elif isinstance(answer, Ready):
                hand.ready, self._futile = True, 0
            else:
                self._purse.paid(place, answer.tally)
                yield hand.tasks.popleft(), answer

    def _bury(
        self, place: int, hand: Hand, again: deque[Task], by_number: dict[int, _Awaited]
    ) -> Iterator[tuple[Task, Done]]:
        """Replaces a process that ended. What it had in hand is tried again case by case, the rest as it was."""
        how = hand.ended_by
        del self._hands[hand.connection]
        hand.end()
        self._futile += not hand.ready
        if self._futile >= _FUTILE:
            raise Unjudgeable(
                f"the processes that judge end as soon as they begin ({how}); nothing more was done"
            )
        tasks = list(hand.tasks)
        again.extendleft(reversed(tasks[1:]))
        if tasks:
            first = tasks[0]
            self._purse.lost(place, len(first.pieces))
            first.deaths += 1
            if len(first.pieces) > 1:
                parts = [Task(first.chunk, n, (piece,)) for n, piece in enumerate(first.pieces)]
                by_number[first.chunk].expected = len(parts)
                again.extendleft(reversed(parts))
            elif first.deaths < _MOST_DEATHS:
                again.appendleft(first)
            else:
                yield first, lost(first.pieces[0], self._orders, f"judging it ended the process ({how})")
        self._hire(place)

    def _hire(self, place: int) -> None:
        orders = self._orders.with_settings(self._purse.settings(place))
        hand = Hand(orders, self._knowledge, [hand for _, hand in self._hands.values()], self._inherited)
        self._hands[hand.connection] = (place, hand)


def _warmed(orders: Orders) -> Knowledge:
    """Loads every table before any process is forked, so that all share one copy; what is open is closed again."""
    from malafide.knowledge.remembered import remembered
    from malafide.settings import Settings

    knowledge = remembered(orders.catalog)
    desk = Desk(orders.with_settings(Settings()), knowledge)
    desk.warm()
    if knowledge.precedents is not None:
        knowledge.precedents.close()
    return knowledge
