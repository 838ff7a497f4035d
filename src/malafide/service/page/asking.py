"""Open cases in, the order in which to ask about them out: worked out now and then, and kept in between.

Working it out for 500 cases takes half a second, and a person who decides with one key does not wait that long.
What was decided leaves the order without changing the rest; what came in since is asked about a little later.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Final

from malafide.service.desk import Asked, Desk

_SHARE: Final = 20  # the order is worked out at most for one part in so many of the time


@dataclass(slots=True)
class Order:
    """The order of one service's queue. Belongs to the web loop."""

    _order: list[Asked] = field(default_factory=list)
    _until: float = 0.0

    async def asked(self, desk: Desk) -> list[Asked]:
        """All open cases, the one to ask about first on top."""
        found = {one.id for one in await desk.ask(desk.store.open_cases)}
        known = {one.line.id for one in self._order}
        if not found <= known and (not found & known or time.monotonic() >= self._until):
            started = time.monotonic()
            self._order = await desk.queue()
            ended = time.monotonic()
            self._until = ended + _SHARE * (ended - started)
        return [one for one in self._order if one.line.id in found]
