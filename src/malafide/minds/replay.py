"""The replaying mind: recorded answers in place of a model, in the order they were given to each agent."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable

from malafide.exchange import Exchange, Reply
from malafide.minds.mind import Prompt


class ReplayMind:
    """Gives back what was recorded. It has no other knowledge: a question that was not asked then is a fault."""

    def __init__(self, exchanges: Iterable[Exchange]) -> None:
        self.name = "replay"
        self._replies: defaultdict[tuple[str, int], deque[Reply]] = defaultdict(deque)
        for exchange in exchanges:
            self._replies[exchange.agent, exchange.attempt].append(exchange.reply)

    async def ask(self, prompt: Prompt, seconds: float) -> Reply:  # noqa: ARG002
        recorded = self._replies[prompt.agent, prompt.attempt]
        if recorded:
            return recorded.popleft()
        return Reply(self.name, fault="no report", detail="this question is not in the record")

    async def close(self) -> None:
        return
