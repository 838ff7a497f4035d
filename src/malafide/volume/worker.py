"""Cases that wait in a store in, rulings in it out: several workers on one database, each case judged exactly once.

A worker holds a case by a lease that it renews while it lives. One that dies stops renewing, and its cases go to
another; what it might still say about them later is not kept.
"""

from __future__ import annotations

import os
import secrets
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from typing import Final

from malafide.errors import BrokenStore, MalafideError
from malafide.service.jobs import Answer, Judge
from malafide.service.judges import Judges
from malafide.settings import Settings
from malafide.store import Claimed, Store
from malafide.volume.purse import Purse, most_workers

LEASE: Final = 60.0  # seconds after which a dead worker's cases are another's
_CASE_SECONDS: Final = 120.0  # that judging one may take
_BETWEEN_LOOKS: Final = 0.5  # at an empty queue
_AT_ONCE: Final = 3  # cases held per process: one in hand, two so that none waits for the database

Log = Callable[[str], None]


@dataclass(slots=True)
class Counts:
    judged: int = 0
    failed: int = 0
    late: int = 0  # another worker had the case by then


class Worker:
    """Takes cases until it is told to stop, and finishes those it holds."""

    def __init__(self, store: Store, settings: Settings, processes: int, lease: float, log: Log) -> None:
        self._store, self._lease, self._log = store, lease, log
        number = most_workers(settings, processes)
        self._judges = Judges(Purse(settings, number).settings(0), number, _CASE_SECONDS)
        self._most = _AT_ONCE * number
        self.name = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(3)}"
        self.counts = Counts()
        self._stopping = threading.Event()
        self._held: dict[Future[Answer], Claimed] = {}

    def stop(self) -> None:
        """May be called from a signal handler."""
        self._stopping.set()

    def run(self) -> Counts:
        renewing = threading.Thread(target=self._renew, name="lease", daemon=True)
        renewing.start()
        try:
            while not self._stopping.is_set():
                if not self._take() and not self._held:
                    self._stopping.wait(_BETWEEN_LOOKS)
                self._settle_some()
            while self._held:
                self._settle_some()
        finally:
            self._stopping.set()
            self._judges.close()
        return self.counts

    def _take(self) -> int:
        """Takes as many cases as there is room for; how many there were."""
        room = self._most - len(self._held)
        if not room:
            return 0
        try:
            claimed = self._store.claim(self.name, self._lease, room)
        except BrokenStore as error:
            self._log(f"{error}; trying again")
            self._stopping.wait(5 * _BETWEEN_LOOKS)
            return 0
        for case in claimed:
            job = Judge(case.panel, case.name, case.content)
            self._held[self._judges.submit(job, None, Judges.LATER)] = case
        return len(claimed)

    def _settle_some(self) -> None:
        """What is judged by now; waits for one when there is no room for more."""
        if not self._held:
            return
        patience = _BETWEEN_LOOKS if len(self._held) >= self._most or self._stopping.is_set() else 0.02
        done, _ = wait(self._held, patience, FIRST_COMPLETED)
        for future in done:
            case = self._held.pop(future)
            try:
                kept = self._settle(case, future)
            except BrokenStore as error:
                self._log(f"{error}; {case.id} will be judged again")
                continue
            self.counts.late += not kept

    def _settle(self, case: Claimed, future: Future[Answer]) -> bool:
        try:
            ruling = future.result().ruling
        except MalafideError as refusal:
            # A refusal is the input's; that nobody is free to judge is not, and others may try.
            self.counts.failed += 1
            return self._store.fail(case.id, self.name, str(refusal), final=refusal.http_status < 500)
        self.counts.judged += 1
        return self._store.settle(case.id, self.name, ruling)

    def _renew(self) -> None:
        renewed = time.monotonic()
        while self._held or not self._stopping.wait(0.1):
            if time.monotonic() - renewed < self._lease / 3:
                time.sleep(0.05)
                continue
            try:
                self._store.renew(self.name, self._lease)
            except BrokenStore as error:
                self._log(f"{error}; trying again")
            renewed = time.monotonic()
