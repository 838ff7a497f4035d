"""What was asked of a language model and what came back: plain data that a verdict carries and a record keeps."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

# Why an answer cannot be used.
FaultKind = Literal[
    "timeout",  # nothing whole came in time
    "rate limit",
    "overload",  # the server says it is too busy
    "server error",
    "no connection",
    "bad request",  # the server refused the request itself, such as an option it does not know
    "refusal",  # the model would not answer
    "truncated",  # the answer was cut off
    "empty",
    "no report",  # something else than the report that was asked for
    "cap",  # not asked: a cap was reached
    "not logged",  # not asked: what would be sent could not be written to the log first
]
# The model's own faults, not the line's: the message may have led it astray.
STRAYING: frozenset[FaultKind | None] = frozenset(("refusal", "truncated", "empty", "no report"))


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back from one call. With a `fault` there is nothing to use in it, though it may have cost."""

    model: str
    text: str = ""
    fault: FaultKind | None = None
    detail: str = ""  # about the fault, in words
    spam_probability: float | None = None  # from the probabilities of the answer's own tokens
    input_tokens: int = 0  # all of them
    cached_tokens: int = 0  # of those, read from the provider's prompt cache
    output_tokens: int = 0
    money: float = 0.0  # US dollars
    priced: bool = True  # whether the model's price is known; `money` is 0 where not
    seconds: float = 0.0
    remembered: bool = False  # from the response cache: no call was made


@dataclass(frozen=True, slots=True)
class Exchange:
    """One call in its place: which agent asked, and for the how-manieth time."""

    agent: str
    attempt: int
    reply: Reply


@dataclass(frozen=True, slots=True)
class Usage:
    """What the calls of a case, or of a run, came to."""

    calls: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    money: float = 0.0
    seconds: float = 0.0  # the calls' own, added up; calls run side by side
    remembered: int = 0  # answers taken from the response cache
    unpriced: int = 0  # calls whose price is not known, and which `money` leaves out

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens

    @property
    def paid(self) -> str:
        """The money in words, never as if a call were free that is only not known to cost."""
        if self.unpriced and self.unpriced == self.calls:
            return "a price that is not known"
        return f"${self.money:.2f}" + (
            f" and {self.unpriced:,} at a price not known" if self.unpriced else ""
        )


def usage_of(exchanges: Iterable[Exchange]) -> Usage:
    made = [e.reply for e in exchanges if e.reply.fault not in ("cap", "not logged")]
    called = [r for r in made if not r.remembered]
    return Usage(
        calls=len(called),
        input_tokens=sum(r.input_tokens for r in called),
        cached_tokens=sum(r.cached_tokens for r in called),
        output_tokens=sum(r.output_tokens for r in called),
        money=round(math.fsum(r.money for r in called), 6),
        seconds=round(math.fsum(r.seconds for r in called), 3),
        remembered=len(made) - len(called),
        unpriced=sum(not r.priced for r in called),
    )


def unheard(exchanges: Iterable[Exchange]) -> dict[FaultKind, str]:
    """Why agents were not heard through their models, after all attempts: each kind of fault with its first words."""
    last = {e.agent: e.reply for e in exchanges}
    found: dict[FaultKind, str] = {}
    for reply in last.values():
        if reply.fault is not None:
            found.setdefault(reply.fault, reply.detail)
    return found
