"""The two wire formats that servers of language models speak: requests out of prompts, replies out of responses.

Pure functions. `plain` counts how often the server refused a request of ours: 1 leaves out what some models do not
take (temperature, effort, token probabilities), 2 the schema too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from malafide.exchange import FaultKind
from malafide.minds.mind import MAX_OUTPUT_TOKENS, Prompt
from malafide.minds.probabilities import spam_probability

# Models that answer a request with a temperature by an error.
_NO_TEMPERATURE: Final = (
    "claude-sonnet-5", "claude-opus-5", "claude-opus-4-7", "claude-opus-4-8", "claude-fable", "claude-mythos",
    "claude-haiku-5", "gpt-5", "gpt-6", "o1", "o3", "o4",
)  # fmt: skip
# Models that think first and can be told to keep it short.
_EFFORT: Final = ("claude-sonnet-5", "claude-opus-5", "claude-fable", "claude-mythos", "claude-haiku-5")
_TOP: Final = 10  # alternatives asked for per token
_MOST_ITEMS: Final = 3
_MOST_LETTERS: Final = 400
_LETTERS_IN_LISTS: Final = 120

Fields = dict[str, Any]


def anthropic_request(model: str, prompt: Prompt, plain: int) -> Fields:
    """A body for POST /v1/messages. The stable system prompt is marked for the provider's prompt cache."""
    body: Fields = {
        "model": model,
        "max_tokens": MAX_OUTPUT_TOKENS,
        "system": [{"type": "text", "text": prompt.system, "cache_control": {"type": "ephemeral"}}],
        "messages": [{"role": "user", "content": prompt.user}],
    }
    config: Fields = {}
    if plain < 2:
        config["format"] = {"type": "json_schema", "schema": dict(prompt.schema)}
    if plain < 1 and model.startswith(_EFFORT):
        config["effort"] = "low"
    if plain < 1 and not model.startswith(_NO_TEMPERATURE):
        body["temperature"] = 0
    return {**body, "output_config": config} if config else body


def openai_request(model: str, prompt: Prompt, plain: int, *, official: bool) -> Fields:
    """A body for POST /chat/completions. OpenAI's own server and compatible ones name the output limit differently."""
    thinks = model.startswith(_NO_TEMPERATURE)
    body: Fields = {
        "model": model,
        "messages": [{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}],
        "max_completion_tokens" if official else "max_tokens": MAX_OUTPUT_TOKENS,
    }
    if plain < 1 and not thinks:
        body |= {"temperature": 0, "logprobs": True, "top_logprobs": _TOP}
    if plain < 2:
        body["response_format"] = {
            "type": "json_schema",
            "json_schema": {
                "name": "report",
                "strict": True,
                "schema": dict(prompt.schema) if official else _bounded(prompt.schema),
            },
        }
    return body


def _bounded(schema: Mapping[str, Any], letters: int = _MOST_LETTERS) -> Fields:
    """The schema with bounds on lists and texts: without them a weak model may go on until it is cut off."""
    listed = schema.get("type") == "array"
    bounded: Fields = {}
    for key, value in schema.items():
        bounded[key] = (
            _bounded(value, _LETTERS_IN_LISTS if listed else letters) if isinstance(value, dict) else value
        )
    if listed:
        bounded["maxItems"] = _MOST_ITEMS
    elif schema.get("type") == "string" and "enum" not in schema:
        bounded["maxLength"] = letters
    return bounded


def read_anthropic(data: Mapping[str, Any], prompt: Prompt) -> Fields:  # noqa: ARG001 - both readers are called alike
    """The fields of a Reply."""
    usage = _mapping(data.get("usage"))
    cached = _count(usage, "cache_read_input_tokens")
    fields: Fields = {
        "text": "".join(
            str(block.get("text", ""))
            for block in data.get("content") or ()
            if isinstance(block, dict) and block.get("type") == "text"
        ),
        "input_tokens": _count(usage, "input_tokens") + cached + _count(usage, "cache_creation_input_tokens"),
        "cached_tokens": cached,
        "output_tokens": _count(usage, "output_tokens"),
    }
    return fields | _fault(
        {"max_tokens": "length"}.get(str(data.get("stop_reason")), data.get("stop_reason")), fields["text"]
    )


def read_openai(data: Mapping[str, Any], prompt: Prompt) -> Fields:
    choices = data.get("choices")
    choice = _mapping(choices[0]) if isinstance(choices, list) and choices else {}
    message = _mapping(choice.get("message"))
    usage = _mapping(data.get("usage"))
    text = message.get("content")
    fields: Fields = {
        "text": text if isinstance(text, str) else "",
        "input_tokens": _count(usage, "prompt_tokens"),
        "cached_tokens": _count(_mapping(usage.get("prompt_tokens_details")), "cached_tokens"),
        "output_tokens": _count(usage, "completion_tokens"),
        "spam_probability": spam_probability(
            _mapping(choice.get("logprobs")).get("content"), prompt.answer_field
        ),
    }
    if message.get("refusal") or choice.get("finish_reason") == "content_filter":
        return fields | {"fault": "refusal", "detail": "the model refused to answer"}
    return fields | _fault(choice.get("finish_reason"), fields["text"])


def _fault(stopped: object, text: str) -> Fields:
    if stopped == "refusal":
        return {"fault": "refusal", "detail": "the model refused to answer"}
    if stopped == "length":
        return {"fault": "truncated", "detail": f"the answer was cut off after {len(text)} characters"}
    return {} if text.strip() else {"fault": "empty", "detail": "the answer is empty"}


def refused(status: int, body: bytes) -> tuple[FaultKind, str]:
    """What a response that is no success means."""
    said = _error_words(body)
    if status == 429:
        return "rate limit", f"the server limits the rate: {said}"
    if status in (503, 529):
        return "overload", f"the server is too busy ({status}): {said}"
    if status >= 500:
        return "server error", f"the server failed ({status}): {said}"
    return "bad request", f"the server refused the request ({status}): {said}"


def _error_words(body: bytes) -> str:
    try:
        error = json.loads(body).get("error")
        words = error.get("message") if isinstance(error, dict) else error
    except (ValueError, AttributeError, RecursionError):
        words = body.decode("utf-8", "replace")
    return " ".join(str(words or "no reason given").split())[:200]


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _count(usage: Mapping[str, Any], name: str) -> int:
    value = usage.get(name)
    return value if isinstance(value, int) and value >= 0 else 0
