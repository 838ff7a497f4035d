"""Cases that wait in, rulings in the store out: what was accepted is judged here, also after a restart.

Other processes may take cases from the same store; the store gives each case to one of them.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar

from malafide.errors import MalafideError
from malafide.service.desk import Desk, failed_event, verdict_event
from malafide.service.jobs import Answer, Judge
from malafide.service.judges import Judges
from malafide.store import Claimed

P = ParamSpec("P")
T = TypeVar("T")
_LEASE: Final = 60.0  # seconds; renewed while this process lives, so that a dead one's cases are free soon
_BETWEEN_LOOKS: Final = 1.0  # seconds, for cases that another process submitted
_log = logging.getLogger("malafide.service")


class Backlog:
    """Takes waiting cases as fast as judges are free, after whoever waits for an answer."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        # No two services have the same address at a time: what this name still holds was a dead one's.
        self._worker = f"{socket.gethostname()}:{desk.settings.port or f'process {os.getpid()}'}"
        self._at_once = 2 * desk.judges.processes
        self._running: set[asyncio.Task[None]] = set()
        self._stopping = False

    async def run(self) -> None:
        """Until it is stopped; what is being judged then is finished."""
        desk = self._desk
        renewing = asyncio.create_task(self._renew())
        try:
            await self._tried(desk.store.release, self._worker)
            while not self._stopping:
                free = self._at_once - len(self._running)
                desk.arrived.clear()
                claimed = (
                    await self._tried(desk.store.claim, self._worker, _LEASE, free) or [] if free else []
                )
                for one in claimed:
                    task = asyncio.create_task(self._judge(one))
                    self._running.add(task)
                    task.add_done_callback(self._running.discard)
                await self._pause(full=free <= len(claimed))
            if self._running:
                await asyncio.wait(self._running)
        finally:
            renewing.cancel()

    def stop(self) -> None:
        self._stopping = True
        self._desk.arrived.set()

    async def _pause(self, *, full: bool) -> None:
        """Waits for room where there is none, and for something to do otherwise."""
        if full and self._running:
            await asyncio.wait(self._running, return_when=asyncio.FIRST_COMPLETED)
            return
        try:
            await asyncio.wait_for(self._desk.arrived.wait(), _BETWEEN_LOOKS)
        except TimeoutError:
            return

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(_LEASE / 3)
            await self._tried(self._desk.store.renew, self._worker, _LEASE)

    async def _tried(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
        """What the store says; None while it cannot be asked, as when its server starts again."""
        try:
            return await self._desk.ask(call, *args, **kwargs)
        except MalafideError as error:
            _log.warning("the store cannot be used: %s", error)
            return None

    async def _judge(self, claimed: Claimed) -> None:
        desk, case = self._desk, claimed.id
        listener = desk.watch(case)
        job = Judge(claimed.panel, claimed.name, claimed.content)
        try:
            answer: Answer = await asyncio.wrap_future(desk.judges.submit(job, listener, Judges.LATER))
        except MalafideError as refusal:
            # A refusal is the input's; that nobody is free to judge is not, and others may try.
            final = refusal.http_status < 500
            _log.info("case %s was not judged: %s", case, type(refusal).__name__)
            if await self._tried(desk.store.fail, case, self._worker, str(refusal), final=final) and final:
                desk.events.add(case, failed_event(str(refusal)))
            desk.events.drop(case)
            return
        if await self._tried(desk.store.settle, case, self._worker, answer.ruling):
            desk.metrics.judged(answer.ruling)
            found = await self._tried(desk.store.case, case)
            if found is not None:
                desk.events.add(case, verdict_event(found.line))
                return
        desk.events.drop(case)
