"""A signal: one thing known about a post, or not known, with where that came from and the words that decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from malafide.evidence import Evidence

Origin = Literal["given", "measured", "unknown"]
Group = Literal["nlp_signals", "source_signals", "image_signals", "misinformation_assessment"]
Value = bool | float | str | None


@dataclass(frozen=True, slots=True)
class Signal:
    """`value` is None exactly when `origin` is "unknown"; `because` then says why it could not be judged."""

    group: Group
    name: str  # as in the contract: sentiment, account_trust_score, ...
    value: Value
    origin: Origin
    by: str  # who says so: "given with the post", "words of feeling (en)", ...
    because: str  # one plain sentence
    evidence: tuple[Evidence, ...] = ()

    @property
    def line(self) -> str:
        """The signal as a line of the trace."""
        return f"signal {self.name}: {self.shown} ({self.by}): {self.because}"

    @property
    def shown(self) -> str:
        """The value in words."""
        if self.value is None:
            return "unknown"
        if isinstance(self.value, bool):
            return "true" if self.value else "false"
        return f"{self.value:.4f}" if isinstance(self.value, float) else " ".join(str(self.value).split())


def given_signal(group: Group, name: str, value: Value) -> Signal:
    """A signal that came with the post. Null is what the giver could not tell."""
    origin: Origin = "unknown" if value is None else "given"
    return Signal(group, name, value, origin, "given with the post", "It was given with the post.")


def unknown(group: Group, name: str, by: str, because: str) -> Signal:
    return Signal(group, name, None, "unknown", by, because)
