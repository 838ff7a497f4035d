"""Tasks in, results out, over a pipe: one process that judges, as it sees itself and as its leader sees it."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import TYPE_CHECKING, Final

from malafide.errors import MalafideError
from malafide.volume.desk import Desk, Done, Orders
from malafide.volume.pieces import Piece

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

    from malafide.knowledge.remembered import Knowledge

# Forked processes share what was loaded before; other systems than Linux cannot fork safely.
FORKS: Final = sys.platform == "linux"
_JOIN_SECONDS: Final = 5.0


@dataclass(slots=True)
class Task:
    """A chunk, or one case of a chunk that ended the process it was given to."""

    chunk: int
    part: int
    pieces: tuple[Piece, ...]
    deaths: int = 0  # of processes that had it in hand


@dataclass(frozen=True, slots=True)
class Ready:
    """The process has loaded what it needs."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The process cannot begin to judge, and why."""

    kind: type[MalafideError]
    words: str


Answer = Done | Ready | Refused


class Hand:
    """One process, from its leader's side. It holds two tasks, so that it need not wait for the next."""

    def __init__(
        self,
        orders: Orders,
        knowledge: Knowledge | None,
        others: Sequence[Hand],
        inherited: Sequence[int] = (),
    ) -> None:
        """Forked where there is knowledge to share; else the process begins anew and loads its own."""
        self.connection, theirs = multiprocessing.Pipe()
        if sys.platform == "linux" and knowledge is not None:
            # A fork has copies of what its leader holds open: kept open, nobody would see the leader end.
            held = [hand.connection for hand in (*others, self)]
            given = (theirs, orders, knowledge, held, tuple(inherited))
            fork = multiprocessing.get_context("fork")
            self.process: BaseProcess = fork.Process(target=_work, args=given, daemon=True)
        else:
            spawn = multiprocessing.get_context("spawn")
            self.process = spawn.Process(target=_work, args=(theirs, orders, None, (), ()), daemon=True)
        self.process.start()
        theirs.close()
        self.tasks: deque[Task] = deque()
        self.ready = False

    def give(self, task: Task) -> bool:
        """Whether it could be given; a process that just ended is noticed here or when it is heard."""
        self.tasks.append(task)
        try:
            self.connection.send(task.pieces)
        except (BrokenPipeError, ConnectionResetError):
            return False
        return True

    def take(self) -> Done | Ready | None:
        """The result of its first task, or that it is ready for one; None when the process has ended."""
        try:
            answer: Answer = self.connection.recv()
        except (EOFError, ConnectionResetError):
            return None
        if isinstance(answer, Refused):
            raise answer.kind(answer.words)
        return answer

    @property
    def ended_by(self) -> str:
        """What ended the process, in words."""
        self.process.join(_JOIN_SECONDS)
        code = self.process.exitcode
        if code is not None and code < 0:
            return f"signal {signal.Signals(-code).name}"
        return f"exit status {code}"

    def end(self) -> None:
        self.connection.close()
        self.process.kill()
        self.process.join(_JOIN_SECONDS)


def _work(
    connection: Connection,
    orders: Orders,
    knowledge: Knowledge | None,
    held: Sequence[Connection],
    inherited: Sequence[int],
) -> None:
    """The life of a process that judges."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the leader is told as well, and ends this one
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for copy in held:
        copy.close()
    for handle in inherited:
        os.close(handle)
    gc.freeze()
    waiting: SimpleQueue[tuple[Piece, ...]] = SimpleQueue()
    threading.Thread(target=_listen, args=(connection, waiting), daemon=True).start()
    try:
        desk = Desk(orders, knowledge)
    except MalafideError as error:
        connection.send(Refused(type(error), str(error)))
        return
    with suppress(BrokenPipeError, ConnectionResetError):  # the leader is gone
        connection.send(Ready())
        while True:
            connection.send(desk.judge(waiting.get()))


def _listen(connection: Connection, waiting: SimpleQueue[tuple[Piece, ...]]) -> None:
    """Takes tasks as they come, so that the leader never waits to hand one over; ends with its leader."""
    while True:
        try:
            waiting.put(connection.recv())
        except (EOFError, OSError):
            os._exit(0)
