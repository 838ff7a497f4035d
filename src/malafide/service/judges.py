"""Jobs in, results out: a pool of judge processes, each served by a thread of its own.

A judge that dies is replaced and its job given once more; a job that ends two judges, or takes too long, is refused.
"""

from __future__ import annotations

import os
import pickle
import select
import subprocess
import sys
import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import count
from queue import PriorityQueue
from typing import Any, Final, Literal

from malafide.errors import Busy, MalafideError, Unjudgeable
from malafide.judging import Tell
from malafide.service.jobs import Job
from malafide.service.judge_process import LENGTH, frame
from malafide.settings import Settings

_ATTEMPTS: Final = 2
_START_SECONDS: Final = 120.0  # a judge loads its panels: one second, more on a busy machine
_END_SECONDS: Final = 5.0  # in which a killed judge is noticed by its thread
_LAST: Final = 1 << 30  # the priority of the end
_READ: Final = 1 << 20
# A process has one thread at work; more than one for numpy would take the other judges' cores.
_ENVIRONMENT: Final = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


class Died(Exception):
    """The process ended before it answered."""


class Late(Exception):
    """The process did not answer in time."""


@dataclass(order=True, slots=True)
class _Task:
    priority: int
    number: int
    job: Job | None = field(compare=False)
    tell: Tell | None = field(compare=False, default=None)
    future: Future[Any] = field(compare=False, default_factory=Future)


class _Process:
    """One judge process, from this side."""

    def __init__(self, settings: Settings) -> None:
        self._popen = subprocess.Popen(
            [sys.executable, "-m", "malafide.service.judge_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **_ENVIRONMENT},
        )
        self.pid = self._popen.pid
        assert self._popen.stdout is not None
        self._pipe = self._popen.stdout.fileno()
        self._poll = select.poll()  # select() itself fails above descriptor 1023
        self._poll.register(self._pipe, select.POLLIN | select.POLLHUP)
        try:
            self._send(settings)
            self._receive(time.monotonic() + _START_SECONDS)
        except (Died, Late):
            self.kill()
            raise

    def run(self, job: Job, tell: Tell | None, seconds: float) -> Any:
        """The result of the job. Raises the refusal, or Died, or Late."""
        deadline = time.monotonic() + seconds
        self._send((job, tell is not None))
        while True:
            kind, value = self._receive(deadline)
            if kind == "step":
                if tell is not None:
                    tell(value)
            elif kind == "refused":
                raise value
            else:
                return value

    def _send(self, value: Any) -> None:
        assert self._popen.stdin is not None
        try:
            self._popen.stdin.write(frame(value))
            self._popen.stdin.flush()
        except (BrokenPipeError, OSError):
            raise Died from None

    def _receive(self, deadline: float) -> tuple[str, Any]:
        length = LENGTH.unpack(self._exactly(LENGTH.size, deadline))[0]
        answer: tuple[str, Any] = pickle.loads(self._exactly(length, deadline))
        return answer

    def _exactly(self, size: int, deadline: float) -> bytes:
        parts: list[bytes] = []
        while size:
            if not self._poll.poll(max(0.0, deadline - time.monotonic()) * 1000.0):
                raise Late
            part = os.read(self._pipe, min(size, _READ))
            if not part:
                raise Died
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def stop(self) -> None:
        """Ends it at once, whatever it does; its thread finds it dead."""
        self._popen.kill()

    def kill(self) -> None:
        self._popen.kill()
        self.close()

    def close(self) -> None:
        """Ends its input, and waits for it to go."""
        for pipe in (self._popen.stdin, self._popen.stdout):
            try:
                if pipe is not None:
                    pipe.close()
            except OSError:
                continue
        try:
            self._popen.wait(5)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            self._popen.wait()


class Judges:
    """The pool. `submit` may be called from any thread."""

    NOW: Final = 0  # somebody waits for the answer
    LATER: Final = 1

    def __init__(self, settings: Settings, processes: int, seconds: float) -> None:
        self._settings = settings
        self._seconds = seconds
        self._queue: PriorityQueue[_Task] = PriorityQueue()
        self._numbers = count()
        self._running: dict[int, _Process] = {}
        self._busy = 0
        self._lock = threading.Lock()
        self._open = True
        self.replaced = 0  # judges that died or were too slow
        self.ready = threading.Event()
        self._threads = [
            threading.Thread(target=self._serve, args=(number,), name=f"judge-{number}", daemon=True)
            for number in range(processes)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, job: Job, tell: Tell | None = None, priority: Literal[0, 1] = 0) -> Future[Any]:
        """The future result of a job. `tell` is called from the judge's thread."""
        task = _Task(priority, next(self._numbers), job, tell)
        if not self._open:
            task.future.set_exception(Busy("the service is about to stop; ask again in a moment"))
            return task.future
        self._queue.put(task)
        return task.future

    @property
    def processes(self) -> int:
        return len(self._threads)

    @property
    def busy(self) -> int:
        return self._busy

    @property
    def waiting(self) -> int:
        return self._queue.qsize()

    @property
    def pids(self) -> list[int]:
        with self._lock:
            return [one.pid for one in self._running.values()]

    def close(self, patience: float = 30.0) -> None:
        """Lets every judge finish what was given to it, and ends it; who takes longer than the patience is killed."""
        self._open = False
        for _ in self._threads:
            self._queue.put(_Task(_LAST, next(self._numbers), None))
        until = time.monotonic() + patience
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))
        with self._lock:
            for process in self._running.values():
                process.stop()
        for thread in self._threads:
            thread.join(_END_SECONDS)

    def _serve(self, number: int) -> None:
        self._started(number)
        while (task := self._queue.get()).job is not None:
            if not task.future.set_running_or_notify_cancel():
                continue
            with self._lock:
                self._busy += 1
            try:
                self._do(number, task)
            finally:
                with self._lock:
                    self._busy -= 1
        with self._lock:
            process = self._running.pop(number, None)
        if process is not None:
            process.close()

    def _started(self, number: int) -> _Process | None:
        """The judge of that number, started if there is none. None when it cannot be."""
        if number not in self._running:
            try:
                process = _Process(self._settings)
            except (Died, Late, OSError):
                return None
            with self._lock:
                self._running[number] = process
            self.ready.set()
        return self._running[number]

    def _do(self, number: int, task: _Task) -> None:
        for _ in range(_ATTEMPTS):
            process = self._started(number) if self._open or number in self._running else None
            if process is None or task.job is None:
                task.future.set_exception(Busy("no judge can be started; the service's own log says why"))
                return
            try:
                result = process.run(task.job, task.tell, self._seconds)
            except MalafideError as refusal:
                task.future.set_exception(refusal)
                return
            except Late:
                self._lost(number)
                task.future.set_exception(
                    Unjudgeable(f"it was not judged within {self._seconds:g} seconds, and is given up")
                )
                return
            except Died:
                self._lost(number)
            else:
                task.future.set_result(result)
                return
        task.future.set_exception(Unjudgeable("it ended two judges that took it up, and is given up"))

    def _lost(self, number: int) -> None:
        with self._lock:
            process = self._running.pop(number)
            self.replaced += 1
        process.kill()
