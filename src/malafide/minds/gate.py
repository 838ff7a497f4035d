"""One rate limit for all calls to a model, whichever case they belong to."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Gate:
    """So many calls at a time, so many a minute, and none while the server asked to be left alone."""

    def __init__(self, concurrency: int, per_minute: int) -> None:
        self._room = asyncio.Semaphore(concurrency)
        self._between = 60.0 / per_minute if per_minute else 0.0
        self._next = 0.0  # when the next call may start

    @asynccontextmanager
    async def passing(self) -> AsyncIterator[None]:
        """Waits for a turn. Cancelling the wait gives the turn back."""
        async with self._room:
            while (wait := self._next - time.monotonic()) > 0:
                await asyncio.sleep(wait)
            self._next = time.monotonic() + self._between
            yield

    def pause(self, seconds: float) -> None:
        """Nobody starts a call before that."""
        self._next = max(self._next, time.monotonic() + seconds)
