"""Jobs in, results out in the same order, several at a time: for work that mostly waits for a model."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def in_order(jobs: Iterable[Callable[[], T]], workers: int, stop: Callable[[], None]) -> Iterator[T]:
    """Jobs are taken on a little ahead of what was handed out. Left early, `stop` makes those that run end."""
    if workers < 2:
        yield from (job() for job in jobs)
        return
    from concurrent.futures import Future, ThreadPoolExecutor

    waiting: deque[Future[T]] = deque()
    with ThreadPoolExecutor(workers, thread_name_prefix="malafide-case") as pool:
        try:
            for job in jobs:
                waiting.append(pool.submit(job))
                while waiting and (len(waiting) >= 4 * workers or waiting[0].done()):
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
            if any(future.running() for future in waiting):
                stop()
