"""A live conversation: the stranger's message in, a safe reply out, until a limit; then the assessment of all of it.

Whoever proposes replies - the lines that ship, or a model - stands behind one function, and the same check guards both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from malafide.benches.honeypot import Conversation, HoneypotJudge, HoneypotResult
from malafide.decoy.offline import Heard, propose
from malafide.decoy.safety import Violation, unsafe
from malafide.errors import BadSetting

Propose = Callable[[Heard], str]
MOST_TURNS: Final = 40
_FALLBACK: Final = (
    "Sorry, I did not follow. Can you say it again?",
    "One moment please, the kettle is on.",
    "I am a bit slow with this, please be patient with me.",
    "Can you explain it once more, slowly?",
)
_GOODBYE: Final = "I have to go now, my neighbour is at the door. Goodbye."


@dataclass(frozen=True, slots=True)
class Turn:
    """One exchange: the reply that is sent, and what was held back on the way to it."""

    reply: str
    held_back: tuple[Violation, ...]
    over: bool
    result: HoneypotResult


class Engagement:
    """Plays a believable, harmless person. `hear` a message, send the reply; stop when it says `over`."""

    def __init__(
        self,
        session: str = "",
        *,
        propose_reply: Propose = propose,
        turns: int = MOST_TURNS,
        judge: HoneypotJudge | None = None,
    ) -> None:
        if not 1 <= turns <= 500:
            raise BadSetting(f"turns is {turns!r}; expected 1 to 500")
        self._session = session
        self._propose = propose_reply
        self._most = turns
        self._conversation = Conversation(judge, session)
        self._strangers: list[str] = []
        self._replies: list[str] = []
        self.result: HoneypotResult | None = None

    def resume(self, exchanges: Iterable[tuple[str, str]]) -> None:
        """Takes up a conversation that was begun elsewhere: each message of the stranger with its reply."""
        for message, reply in exchanges:
            self._strangers.append(message)
            self._replies.append(reply)
            self._conversation.add("stranger", message or " ")
            self._conversation.add("user", reply)

    def hear(self, message: str) -> Turn:
        """The reply to the stranger's message, checked."""
        self._strangers.append(message)
        self._conversation.append("stranger", message or " ")
        over = len(self._strangers) >= self._most
        reply, held_back = (_GOODBYE, ()) if over else self._checked(message)
        self._replies.append(reply)
        self.result = self._conversation.append("user", reply)
        return Turn(reply, held_back, over, self.result)

    def _checked(self, message: str) -> tuple[str, tuple[Violation, ...]]:
        heard = Heard(self._session, tuple(self._strangers), tuple(self._replies))
        proposed = self._propose(heard)
        violations = unsafe(proposed, message)
        if not violations:
            return proposed, ()
        start = len(self._replies)
        for i in range(len(_FALLBACK)):
            line = _FALLBACK[(start + i) % len(_FALLBACK)]
            if not unsafe(line, message):
                return line, tuple(violations)
        return _GOODBYE, tuple(violations)  # the stranger quotes every line we have: nothing is left to say
