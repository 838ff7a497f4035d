"""Votes made elsewhere in, votes as the panel counts them out. Spellings differ; what is no vote is refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from malafide.errors import BadSetting
from malafide.opinion import Abstention, Vote

_NAMES: Final = ("agent", "agentName", "agent_name", "voter", "name", "agentId", "id")
_VOTES: Final = ("vote", "isScam", "is_scam", "scam", "scamDetected", "verdict", "decision", "classification")
_TYPES: Final = ("scamType", "scam_type", "type", "category")
_REASONS: Final = ("reasoning", "reason", "analysis", "notes", "explanation")
_SCAM: Final = frozenset({"scam", "true", "yes", "spam", "fraud", "phishing", "malicious", "1"})
_SAFE: Final = frozenset(
    {
        "not_scam",
        "not scam",
        "safe",
        "false",
        "no",
        "legit",
        "legitimate",
        "ham",
        "benign",
        "genuine",
        "0",
        "not-scam",
    }
)
_OPEN: Final = frozenset({"suspicious", "uncertain", "unknown", "abstain", "unsure", "none"})


def read_votes(votes: Iterable[Mapping[str, Any] | Vote]) -> Iterator[Vote | Abstention]:
    """The votes, in order. An undecided one is an abstention."""
    for number, vote in enumerate(votes, start=1):
        yield vote if isinstance(vote, Vote) else _vote(vote, number)


def _vote(entry: Mapping[str, Any], number: int) -> Vote | Abstention:
    if not isinstance(entry, Mapping):
        raise BadSetting(
            f"vote {number} is {type(entry).__name__}; expected an object with vote and confidence"
        )
    name = str(_first(entry, _NAMES) or f"voter-{number}")
    said = _first(entry, _VOTES)
    word = str(said).strip().lower()
    if said is not None and word in _OPEN:
        return Abstention(name, str(_first(entry, _REASONS) or "The vote was left open."))
    if word not in _SCAM and word not in _SAFE:
        raise BadSetting(
            f"vote {number} ({name}) says {said!r}; expected true or false, or one of scam, not_scam, suspicious"
        )
    scam = word in _SCAM
    kind = str(_first(entry, _TYPES) or "unknown") if scam else "safe"
    confidence = _confidence(entry.get("confidence", 0.5), number, name)
    return Vote(
        name,
        scam,
        confidence,
        kind,
        confidence if scam else 1 - confidence,
        str(_first(entry, _REASONS) or ""),
        (),
    )


def _confidence(value: Any, number: int, name: str) -> float:
    try:
        confidence = float(value)
    except (TypeError, ValueError):
        confidence = -1.0
    if not 0.0 <= confidence <= 1.0:
        raise BadSetting(f"vote {number} ({name}) has confidence {value!r}; expected a number from 0 to 1")
    return confidence


def _first(entry: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    return next((entry[key] for key in keys if entry.get(key) is not None), None)
