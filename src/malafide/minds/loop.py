"""One event loop in one thread, for all calls to models; many cases may wait on it, and stopping it leaves nothing."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class Loop:
    """Runs coroutines for callers that are not asynchronous. Starts on first use."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result. If the caller is interrupted, the work is cancelled and has ended before this returns."""
        future = asyncio.run_coroutine_threadsafe(_held(work), self._started())
        try:
            return future.result()
        finally:
            if not future.done():
                future.cancel()
                asyncio.run_coroutine_threadsafe(_settle(), self._started()).result()

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(
                    target=self._loop.run_forever, name="malafide-minds", daemon=True
                )
                self._thread.start()
            return self._loop

    def cancel_all(self) -> None:
        """Cancels all work; those who wait for it are told so."""
        with self._lock:
            loop = self._loop
        if loop is not None:
            loop.call_soon_threadsafe(lambda: [task.cancel() for task in asyncio.all_tasks(loop)])

    def close(self) -> None:
        with self._lock:
            loop, thread = self._loop, self._thread
            self._loop = self._thread = None
        if loop is not None and thread is not None:
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()


async def _held(work: Coroutine[Any, Any, T]) -> T:
    return await work


async def _settle() -> None:
    """Waits until tasks that were cancelled are gone."""
    own = asyncio.current_task()
    ending = [t for t in asyncio.all_tasks() if t is not own and t.cancelling()]
    if ending:
        await asyncio.wait(ending, timeout=5.0)
