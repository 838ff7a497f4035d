"""Hard caps on calls, tokens, money and seconds: a call is paid for in advance at its worst, and settled after."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

from malafide.exchange import Reply
from malafide.settings import Caps

# Letters to a token, on the low side, so that what is set aside is never too little (English is nearer to four).
_LETTERS_PER_TOKEN = 2.5


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a call may cost at most."""

    tokens: float
    money: float | None  # None: the model's price is not known


def estimate(characters: int, output_tokens: int, rate: tuple[float, float] | None) -> Estimate:
    """`rate` is dollars per input and per output token."""
    tokens = characters / _LETTERS_PER_TOKEN
    money = None if rate is None else tokens * rate[0] + output_tokens * rate[1]
    return Estimate(tokens + output_tokens, money)


class Budget:
    """What one scope (a case or a run) may still spend. Safe to use from several threads."""

    def __init__(self, scope: str, caps: Caps) -> None:
        self.scope = scope
        self._caps = caps
        self._lock = threading.Lock()
        self._calls = 0
        self._tokens = 0.0
        self._money = 0.0
        self._started = time.monotonic()

    def reserve(self, cost: Estimate) -> str | None:
        """Sets the cost aside; or says which cap forbids it, and sets nothing aside."""
        caps = self._caps
        with self._lock:
            if caps.calls is not None and self._calls + 1 > caps.calls:
                return f"the cap of {caps.calls:g} calls per {self.scope} is reached"
            if caps.tokens is not None and self._tokens + cost.tokens > caps.tokens:
                return f"the cap of {caps.tokens:,.0f} tokens per {self.scope} would be passed"
            if caps.money is not None and cost.money is None:
                return f"there is a cap on money per {self.scope}, and the model's price is not known; set its price"
            if caps.money is not None and self._money + (cost.money or 0.0) > caps.money:
                return f"the cap of ${caps.money:g} per {self.scope} would be passed"
            if self.seconds_left <= 0:
                return f"the cap of {caps.seconds:g} seconds per {self.scope} is reached"
            self._calls += 1
            self._tokens += cost.tokens
            self._money += cost.money or 0.0
        return None

    def settle(self, cost: Estimate, reply: Reply) -> None:
        """Puts what the call did cost in place of what was set aside."""
        with self._lock:
            self._tokens += reply.input_tokens + reply.output_tokens - cost.tokens
            self._money += reply.money - (cost.money or 0.0)

    def release(self, cost: Estimate) -> None:
        """Gives everything back: the call was not made."""
        with self._lock:
            self._calls -= 1
            self._tokens -= cost.tokens
            self._money -= cost.money or 0.0

    @property
    def seconds_left(self) -> float:
        if self._caps.seconds is None:
            return float("inf")
        return self._caps.seconds - (time.monotonic() - self._started)
