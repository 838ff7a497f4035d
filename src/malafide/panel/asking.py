"""One agent's question to its mind, from prompt to usable text: cap, log, cache, and at most two attempts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Generic, TypeVar

from malafide.exchange import STRAYING, Exchange, Reply
from malafide.minds.budget import Budget, Estimate, estimate
from malafide.minds.cache import AnswerCache
from malafide.minds.llm import LanguageModel
from malafide.minds.mind import MAX_OUTPUT_TOKENS, Mind, Prompt
from malafide.minds.reports import NotAReport
from malafide.record.outbound import Outbound, OutboundLog

ATTEMPTS: Final = 2
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Desk:
    """What every question goes through."""

    budgets: tuple[Budget, ...]  # of the case, of the run
    cache: AnswerCache | None
    log: OutboundLog | None


@dataclass(frozen=True, slots=True)
class Asked(Generic[T]):
    """What came of a question: what was read from the answer, or None, with every exchange on the way."""

    value: T | None
    exchanges: tuple[Exchange, ...]

    @property
    def why_not(self) -> str:
        """What was wrong with the last answer."""
        last = self.exchanges[-1].reply
        return f"{last.fault}: {last.detail}"


async def ask(
    mind: Mind, prompts: Callable[[int, Reply | None], Prompt], read: Callable[[Prompt, Reply], T], desk: Desk
) -> Asked[T]:
    """Asks, and once more when the answer cannot be used. `prompts` words each attempt, told what was wrong before."""
    exchanges: list[Exchange] = []
    for attempt in range(1, ATTEMPTS + 1):
        prompt = prompts(attempt, exchanges[-1].reply if exchanges else None)
        reply = await _once(mind, prompt, desk, ATTEMPTS + 1 - attempt)
        value: T | None = None
        if reply.fault is None:
            try:
                value = read(prompt, reply)
            except NotAReport as wrong:
                reply = replace(reply, fault="no report", detail=str(wrong))
        exchanges.append(Exchange(prompt.agent, attempt, reply))
        if reply.fault is None:
            if desk.cache is not None and not reply.remembered:
                desk.cache.put(prompt.key(mind.name), reply)
            return Asked(value, tuple(exchanges))
        if reply.fault in ("cap", "not logged"):
            break
    return Asked(None, tuple(exchanges))


async def _once(mind: Mind, prompt: Prompt, desk: Desk, attempts_left: int) -> Reply:
    if desk.cache is not None and (known := desk.cache.get(prompt.key(mind.name))) is not None:
        return known
    cost = _cost(mind, prompt)
    taken: list[Budget] = []
    for budget in desk.budgets:
        if (why := budget.reserve(cost)) is not None:
            _release(taken, cost)
            return Reply(mind.name, fault="cap", detail=why)
        taken.append(budget)
    if desk.log is not None and isinstance(mind, LanguageModel) and not mind.endpoint.file:
        try:
            desk.log.write(_outbound(mind, prompt))
        except OSError as error:
            _release(taken, cost)
            return Reply(
                mind.name, fault="not logged", detail=f"what would be sent cannot be logged: {error.strerror}"
            )
    # Half of what is left for a first attempt, so that there is time for a second.
    seconds = min(budget.seconds_left for budget in desk.budgets) / attempts_left
    reply = await mind.ask(prompt, max(0.0, seconds))
    for budget in taken:
        budget.settle(cost, reply)
    return reply


def _cost(mind: Mind, prompt: Prompt) -> Estimate:
    rate = mind.endpoint.rate if isinstance(mind, LanguageModel) else (0.0, 0.0)
    return estimate(prompt.characters, MAX_OUTPUT_TOKENS, rate)


def _release(budgets: Sequence[Budget], cost: Estimate) -> None:
    for budget in budgets:
        budget.release(cost)


def _outbound(mind: LanguageModel, prompt: Prompt) -> Outbound:
    endpoint = mind.endpoint
    return Outbound(
        prompt.case_id, prompt.agent, prompt.attempt, endpoint.name, endpoint.url, prompt.system, prompt.user
    )


def strayed(reply: Reply) -> bool:
    """Whether the model, not the line, was the trouble: the message may have led it astray."""
    return reply.fault in STRAYING
