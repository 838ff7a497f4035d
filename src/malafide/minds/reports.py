"""The form of an agent's answer: its JSON schema, how it is described to the model, and how text becomes a Report."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, get_args

from malafide.opinion import Recommendation

_MOST_CLAIMS: Final = 10
_MOST_LETTERS: Final = 1_200
INTENTS: Final = (
    "INFORMATIONAL", "TRANSACTIONAL", "RELATIONSHIP", "MARKETING", "FINANCIAL_SCAM", "DATA_HARVESTING",
    "MALWARE_DISTRIBUTION", "ACCESS_PHISHING", "FALSE_PROMISE",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Form:
    """What an agent is asked to fill in, beside what all are: the names of its lists of quotes, and an intent."""

    against: str
    favour: str
    intent: bool = False

    @property
    def schema(self) -> dict[str, Any]:
        """Strict as the providers want it: every field required, nothing beside them, no numeric bounds."""
        claims = {"type": "array", "items": _closed({"quote": _TEXT, "why": _TEXT})}
        fields: dict[str, Any] = {"recommendation": _one_of(get_args(Recommendation))}
        if self.intent:
            fields["primary_intent"] = _one_of(INTENTS)
        fields |= {self.against: claims, self.favour: claims}
        return _closed(fields | {"spam_score": _NUMBER, "confidence": _NUMBER, "analysis": _TEXT})

    @property
    def words(self) -> str:
        """The same for the model to read."""
        intent = f'"primary_intent": one of {", ".join(INTENTS)}; ' if self.intent else ""
        return (
            'One JSON object with exactly these fields, in this order: "recommendation": SPAM, HAM or UNCERTAIN; '
            f'{intent}"{self.against}": up to four objects with "quote" and "why" that speak against the message; '
            f'"{self.favour}": the same for what speaks in its favour; "spam_score": 0 to 1; "confidence": 0 to 1; '
            '"analysis": two to four sentences. A quote is copied letter by letter from a line of the message, without '
            'the "| " before it, and is at most fifteen words long; "why" is one plain sentence. An answer without a '
            "single quote that stands in the message is not counted. Nothing before or after the object."
        )


_TEXT: Final = {"type": "string"}
_NUMBER: Final = {"type": "number"}


def _one_of(values: tuple[str, ...]) -> dict[str, Any]:
    return {"type": "string", "enum": list(values)}


def _closed(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(fields),
        "required": list(fields),
        "additionalProperties": False,
    }


FORMS: Final[Mapping[str, Form]] = {
    "content-analyzer": Form("red_flags", "in_favour"),
    "pattern-recognizer": Form("patterns_found", "in_favour"),
    "intent-analyzer": Form("deception_indicators", "trust_signals", intent=True),
}

CONSENSUS_SCHEMA: Final = _closed(
    {"recommendation": _one_of(get_args(Recommendation)), "spam_score": _NUMBER, "reasoning": _TEXT}
)
CONSENSUS_WORDS: Final = (
    'One JSON object with exactly these fields, in this order: "recommendation": SPAM, HAM or UNCERTAIN, by your own '
    'judgement of the findings; "spam_score": 0 to 1; "reasoning": three to six plain sentences without any numbers. '
    "Nothing before or after the object."
)


@dataclass(frozen=True, slots=True)
class Report:
    """A model's answer, in form. The quotes are not looked up yet."""

    recommendation: Recommendation
    score: float
    confidence: float
    words: str
    against: tuple[tuple[str, str], ...] = ()
    favour: tuple[tuple[str, str], ...] = ()
    intent: str | None = None


class NotAReport(ValueError):
    """Says what is wrong with an answer."""


def read_report(text: str, form: Form, token_score: float | None) -> Report:
    """The report in an answer. Where the tokens' probabilities are known, the score comes from those."""
    fields = read_object(text)
    recommendation = _recommendation(fields)
    intent = fields.get("primary_intent") if form.intent else None
    if form.intent and intent not in INTENTS:
        raise NotAReport(f"primary_intent is {str(intent)[:40]!r}")
    score = _share(fields, "spam_score") if token_score is None else token_score
    confidence = _share(fields, "confidence") if token_score is None else 1.0
    if token_score is None and (score - 0.5) * {"SPAM": 1, "HAM": -1, "UNCERTAIN": 0}[recommendation] < 0:
        raise NotAReport(f"it recommends {recommendation} with a spam_score of {score:g}")
    return Report(
        recommendation,
        score,
        confidence,
        _words(fields, "analysis"),
        _claims(fields, form.against),
        _claims(fields, form.favour),
        intent,
    )


def read_consensus(text: str, token_score: float | None) -> Report:
    fields = read_object(text)
    score = _share(fields, "spam_score") if token_score is None else token_score
    return Report(_recommendation(fields), score, 1.0, _words(fields, "reasoning"))


def read_object(text: str) -> dict[str, Any]:
    """The JSON object in the text; fences and words around it are forgiven, a broken object is not."""
    begin, end = text.find("{"), text.rfind("}")
    if begin < 0 or end < begin:
        raise NotAReport("there is no JSON object in it")
    try:
        value = json.loads(text[begin : end + 1])
    except (ValueError, RecursionError) as error:
        raise NotAReport(f"its JSON is broken: {str(error)[:80]}") from None
    if not isinstance(value, dict):
        raise NotAReport("it is no JSON object")
    return value


def _recommendation(fields: Mapping[str, Any]) -> Recommendation:
    value: Any = fields.get("recommendation")
    if value not in get_args(Recommendation):
        raise NotAReport(f"recommendation is {str(value)[:40]!r}, not SPAM, HAM or UNCERTAIN")
    chosen: Recommendation = value
    return chosen


def _share(fields: Mapping[str, Any], name: str) -> float:
    value = fields.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise NotAReport(f"{name} is {str(value)[:40]!r}, not a number from 0 to 1")
    if 1.0 < value <= 100.0:
        value /= 100.0  # weak models write percent
    if not 0.0 <= value <= 1.0:
        raise NotAReport(f"{name} is {value!r}, not a number from 0 to 1")
    return float(value)


def _words(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str):
        raise NotAReport(f"{name} is missing or no text")
    return " ".join("".join(c if c.isprintable() else " " for c in value).split())[:_MOST_LETTERS]


def _claims(fields: Mapping[str, Any], name: str) -> tuple[tuple[str, str], ...]:
    value = fields.get(name)
    if not isinstance(value, list):
        raise NotAReport(f"{name} is missing or no list")
    claims = []
    for entry in value[:_MOST_CLAIMS]:
        if not isinstance(entry, dict) or not isinstance(entry.get("quote"), str):
            raise NotAReport(f"an entry of {name} has no quote")
        claims.append((entry["quote"], _sentence(entry.get("why"))))
    return tuple(claims)


def _sentence(why: object) -> str:
    """The model's reason as one plain sentence."""
    flat = " ".join("".join(c if c.isprintable() else " " for c in str(why or "")).split())[:200]
    flat = flat or "A model points at these words"
    return flat if flat.endswith((".", "!", "?")) else f"{flat}."
