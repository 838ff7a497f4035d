"""How a mind is asked: a prompt goes in, a reply or a named fault comes out. It never raises for what a model does."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from malafide.exchange import Reply

# Room for an answer. Models that think before they answer spend their thoughts from it too.
MAX_OUTPUT_TOKENS: Final = 2_000


@dataclass(frozen=True, slots=True)
class Prompt:
    """One question. `system` is the same for every message; the message stands in `user` alone, behind `boundary`."""

    agent: str
    case_id: str
    attempt: int
    system: str
    user: str
    boundary: str  # random, so that no message can hold it
    schema: Mapping[str, Any]
    answer_field: str = "recommendation"  # the field whose tokens' probabilities give the score

    def key(self, model: str) -> str:
        """What must be the same for an answer to be the same; the boundary may differ."""
        parts = [
            model,
            self.system,
            self.user.replace(self.boundary, ""),
            json.dumps(self.schema, sort_keys=True),
        ]
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def characters(self) -> int:
        return len(self.system) + len(self.user)


class Mind(Protocol):
    """Something that answers prompts."""

    name: str

    async def ask(self, prompt: Prompt, seconds: float) -> Reply: ...

    async def close(self) -> None: ...
