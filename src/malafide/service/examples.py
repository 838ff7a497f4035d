"""What the OpenAPI document shows of requests and refusals, with made-up messages."""

from __future__ import annotations

import json
from typing import Any, Final

from pydantic import BaseModel, Field

from malafide.judging import PanelName

_MAIL: Final = (
    "From: Parcel desk <desk@parcels.example>\nTo: ana@example.com\nSubject: Your parcel is held\n\n"
    "Pay the fee of 1.99 within 24 hours at http://192.0.2.7/pay or it is destroyed.\n"
)
_CHAT: Final = {
    "sessionId": "s1",
    "messages": [
        {"sender": "stranger", "text": "Your account is blocked today. Send the OTP now.", "timestamp": 1},
        {"sender": "user", "text": "Which OTP?", "timestamp": 2},
    ],
}
_POST: Final = {"post_id": "p1", "text": "SHOCKING: this root cures everything, doctors hide it!"}
_SIGNALS: Final = {
    "post_id": "p2",
    "nlp_signals": {"sentiment": "NEGATIVE", "clickbait": True, "emotion": "anger"},
    "source_signals": {
        "account_trust_score": 0.2,
        "source_reliability_score": 0.3,
        "behavioral_risk_flag": True,
    },
}
MESSAGES: Final[dict[PanelName, str]] = {
    "spam": _MAIL,
    "document": _MAIL,
    "conversation": json.dumps(_CHAT),
    "post": json.dumps(_POST),
    "credibility": json.dumps(_SIGNALS),
}


class Refusal(BaseModel):
    """Why something was not done."""

    error: str = Field(description="One sentence.", examples=["there is no case 'c0'"])
    case_id: str | None = Field(
        default=None, description="Of a message that was refused: the digest it would have as a case."
    )


_WHY: Final = {
    400: "A value that is not allowed.",
    401: "No token, or none that counts.",
    403: "The token lacks the scope, or the request came from another site.",
    404: "There is nothing of that name.",
    409: "It does not fit the state things are in.",
    413: "Too large.",
    422: "It cannot be read.",
    429: "Asked too often.",
    503: "Nobody is free to do it; ask again.",
}


def refusals(*codes: int) -> dict[int | str, dict[str, Any]]:
    """The refusals that a route may give, beside those that every route may."""
    return {code: {"model": Refusal, "description": _WHY[code]} for code in (400, 401, 403, 422, 429, *codes)}


def body(panel: PanelName) -> dict[str, Any]:
    """A message as a request brings it."""
    message = MESSAGES[panel]
    raw = json.loads(message) if panel in ("conversation", "post", "credibility") else None
    packed = {"text": message, "name": "example"}
    as_json = {"text": "a message", **({} if raw is None else {"raw": "the message itself"})}
    shown: dict[str, Any] = {"packed": {"summary": as_json["text"], "value": packed}}
    if raw is not None:
        shown["raw"] = {"summary": as_json["raw"], "value": raw}
    return {
        "required": True,
        "description": "The message as it is, with any content type; or packed in JSON; or a file of a form.",
        "content": {
            "application/octet-stream": {
                "schema": {"type": "string", "format": "binary"},
                "example": message,
            },
            "application/json": {"schema": {"type": "object"}, "examples": shown},
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "properties": {"file": {"type": "string", "format": "binary"}},
                    "required": ["file"],
                }
            },
        },
    }


def judging(panel: PanelName) -> dict[str, Any]:
    """What a route that judges says of itself."""
    answers = refusals(413, 503)
    answers[200] = {
        "description": "The answer.",
        "headers": {
            "X-Malafide-Case": {
                "description": "The id of the case that was kept.",
                "schema": {"type": "string"},
            },
            "Location": {"description": "Where the case is.", "schema": {"type": "string"}},
        },
    }
    return {"responses": answers, "openapi_extra": {"requestBody": body(panel)}}
