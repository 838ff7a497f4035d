"""Values in, ids out once they are on disk: what comes while one transaction is written goes into the next."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import Final, Generic, TypeVar

Item = TypeVar("Item")
_MOST: Final = 100  # of one transaction: about 30 ms, which the first of them waits for the last


class Writer(Generic[Item]):
    """One transaction at a time, for all requests together. Belongs to the web loop."""

    def __init__(self, keep: Callable[[Sequence[Item]], list[str]], pool: Executor) -> None:
        self._keep = keep
        self._pool = pool
        self._waiting: list[tuple[Item, asyncio.Future[str]]] = []
        self._task: asyncio.Task[None] | None = None

    async def write(self, item: Item) -> str:
        """The id of what is then on disk."""
        future: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._waiting.append((item, future))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._flush())
        # A request that is given up must not take the others' transaction with it.
        return await asyncio.shield(future)

    async def _flush(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            batch, self._waiting = self._waiting[:_MOST], self._waiting[_MOST:]
            writing = loop.run_in_executor(self._pool, self._keep, [item for item, _ in batch])
            await asyncio.wait([writing])
            broken = writing.exception()
            for number, (_, future) in enumerate(batch):
                if broken is not None:
                    future.set_exception(broken)
                else:
                    future.set_result(writing.result()[number])
