"""A language model proposes the decoy's replies; the same check guards them, and the own lines stand behind it."""

from __future__ import annotations

import secrets
from importlib import resources
from typing import Any, Final

from malafide.decoy.offline import Heard, propose
from malafide.exchange import Reply
from malafide.minds.budget import Budget
from malafide.minds.gate import Gate
from malafide.minds.llm import LanguageModel
from malafide.minds.loop import Loop
from malafide.minds.mind import Mind, Prompt
from malafide.minds.models import endpoint
from malafide.minds.reports import NotAReport, read_object
from malafide.panel.asking import Desk, ask
from malafide.record.outbound import OutboundLog
from malafide.settings import Settings

AGENT: Final = "decoy"
_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"reply": {"type": "string"}},
    "required": ["reply"],
    "additionalProperties": False,
}
_REMEMBERED: Final = 12  # messages of each side the model is shown
_LONGEST: Final = 1_000  # characters shown of one of them
_LONGEST_REPLY: Final = 400


class Persona:
    """Proposes replies with a model; whatever goes wrong, with the lines that ship. `faults` tells how often."""

    def __init__(self, settings: Settings, mind: Mind | None = None) -> None:
        """`mind` replaces the model that the settings name."""
        self._loop = Loop()
        name = settings.agents.get(AGENT, settings.model)
        self._mind = mind or LanguageModel(endpoint(name, settings.prices), Gate(1, settings.per_minute))
        self._caps = settings.case
        self._run = Budget("run", settings.run)
        self._log = OutboundLog() if mind is None else None
        self._system = resources.files("malafide.decoy").joinpath("persona.md").read_text(encoding="utf-8")
        self.faults: list[str] = []

    def __call__(self, heard: Heard) -> str:
        """A reply to what was heard last, not yet checked."""

        def prompts(attempt: int, before: Reply | None) -> Prompt:
            boundary = secrets.token_hex(8)
            again = (
                ""
                if before is None
                else f"\nYour last answer could not be used ({before.fault}). Answer in JSON."
            )
            return Prompt(
                AGENT,
                heard.session,
                attempt,
                self._system,
                _shown(heard, boundary) + again,
                boundary,
                _SCHEMA,
                "reply",
            )

        desk = Desk((Budget("case", self._caps), self._run), None, self._log)
        asked = self._loop.run(ask(self._mind, prompts, lambda _, reply: _read(reply), desk))
        if asked.value is None:
            self.faults.append(asked.why_not)
            return propose(heard)
        return asked.value

    def close(self) -> None:
        """Ends the connection."""
        self._loop.run(self._mind.close())
        self._loop.close()


def _shown(heard: Heard, boundary: str) -> str:
    lines = [f"=== {boundary} the conversation begins ==="]
    skipped = max(0, len(heard.strangers) - _REMEMBERED)
    for number, message in enumerate(heard.strangers[skipped:], skipped):
        lines.extend(_quoted("stranger", message))
        if number < len(heard.replies):
            lines.extend(_quoted("you", heard.replies[number]))
    lines.append(f"=== {boundary} the conversation ends; write your next message ===")
    return "\n".join(lines)


def _quoted(who: str, message: str) -> list[str]:
    return [f"| {who}: {line}" for line in message[:_LONGEST].splitlines() or [""]]


def _read(reply: Reply) -> str:
    said = read_object(reply.text).get("reply")
    if not isinstance(said, str) or not said.strip():
        raise NotAReport("it holds no reply")
    return " ".join(said.split())[:_LONGEST_REPLY]
