"""One budget and one rate limit for all processes of a run: each gets a share of it."""

from __future__ import annotations

import time
from dataclasses import replace

from malafide.settings import Caps, Settings
from malafide.volume.rows import Tally


class Purse:
    """What models may cost in a run, in shares. What was spent before the run went on is gone."""

    def __init__(
        self, settings: Settings, shares: int, spent: Tally | None = None, seconds: float = 0.0
    ) -> None:
        self._started = time.monotonic() - seconds
        self._settings, self._shares = settings, shares
        self._before = spent or Tally()
        self._paid = [Tally() for _ in range(shares)]
        self._broken = [False] * shares  # shares of which nobody knows what is left

    def settings(self, place: int) -> Settings:
        """What the process in that place may do."""
        if not self._settings.thinks:
            return self._settings
        return replace(
            self._settings,
            run=self._caps(place),
            concurrency=max(1, self._settings.concurrency // self._shares),
            per_minute=self._settings.per_minute // self._shares,
        )

    def paid(self, place: int, tally: Tally) -> None:
        self._paid[place].add(tally)

    def lost(self, place: int, cases: int) -> None:
        """A process ended with cases in hand: it may have spent on them what their caps allow."""
        each = self._settings.case
        if each.money is None or each.calls is None or each.tokens is None:
            self._broken[place] = True
        self._paid[place].calls += int((each.calls or 0) * cases)
        self._paid[place].tokens += int((each.tokens or 0) * cases)
        self._paid[place].money += (each.money or 0.0) * cases

    def _caps(self, place: int) -> Caps:
        run, paid, before = self._settings.run, self._paid[place], self._before
        return Caps(
            calls=self._left(run.calls, before.calls, paid.calls, self._settings.case.calls, place),
            tokens=self._left(run.tokens, before.tokens, paid.tokens, self._settings.case.tokens, place),
            money=self._left(run.money, before.money, paid.money, self._settings.case.money, place),
            seconds=None
            if run.seconds is None
            else max(0.0, run.seconds - (time.monotonic() - self._started)),
        )

    def _left(
        self, cap: float | None, before: float, paid: float, per_case: float | None, place: int
    ) -> float | None:
        if cap is None:
            return None
        if self._broken[place] and per_case is None:
            return 0.0
        return max(0.0, (cap - before) / self._shares - paid)


def most_workers(settings: Settings, wanted: int) -> int:
    """Of processes that ask models there are no more than calls at a time, or calls a minute."""
    if not settings.thinks:
        return wanted
    return max(1, min(wanted, settings.concurrency, settings.per_minute or wanted))
