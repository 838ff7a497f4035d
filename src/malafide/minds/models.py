"""A model's name in, where and how to reach it out.

anthropic:claude-sonnet-5-5                   Anthropic's API; the key in ANTHROPIC_API_KEY
openai:NAME                                   OpenAI's API; the key in OPENAI_API_KEY
http://localhost:11434/v1#llama3.2            any OpenAI-compatible address (Ollama, vLLM, llama.cpp), `#` the model
local:/models/small.gguf                      a GGUF file, run in this process (the `local` extra)
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import urlsplit

from malafide.errors import BadSetting
from malafide.settings import DEFAULT_MODEL, Price

Format = Literal["anthropic", "openai"]

# US dollars per million tokens, as published in November 2026; others come from the settings.
_PRICES: Final[Mapping[str, Price]] = {
    "anthropic:claude-sonnet-5-5": Price(2.0, 10.0, 0.2),
    "anthropic:claude-sonnet-5": Price(2.0, 10.0, 0.2),
    "anthropic:claude-opus-5-5": Price(4.0, 20.0, 0.2),
    "anthropic:claude-haiku-4-5": Price(1.0, 5.0, 0.1),
}
_FREE: Final = Price(0.0, 0.0)
_LOOPBACK: Final = frozenset(("localhost", "127.0.0.1", "::1"))


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model answers. The key is never printed, logged or kept."""

    name: str  # as the user wrote it
    format: Format
    url: str  # requests are posted here
    model: str
    headers: tuple[tuple[str, str], ...] = ()
    price: Price | None = None
    official: bool = False  # the provider's own server
    file: str = ""  # a GGUF file to run first; `url` is known then

    @property
    def here(self) -> bool:
        """Whether nothing leaves this machine."""
        return bool(self.file) or urlsplit(self.url).hostname in _LOOPBACK

    @property
    def rate(self) -> tuple[float, float] | None:
        """Dollars per input and output token."""
        return (self.price.input / 1e6, self.price.output / 1e6) if self.price else None

    def __repr__(self) -> str:
        return f"Endpoint({self.name!r})"


def endpoint(
    name: str, prices: Mapping[str, Price] | None = None, environ: Mapping[str, str] = os.environ
) -> Endpoint:
    """The endpoint of a model's name; what is missing to use it is said."""
    kind, _, rest = name.partition(":")
    price = (prices or {}).get(name) or _PRICES.get(name)
    if kind in ("http", "https"):
        return _compatible(name, price, environ)
    if kind == "local" and rest:
        return Endpoint(name, "openai", "", rest.rpartition("/")[2], price=_FREE, file=rest)
    if kind == "anthropic" and rest:
        base = environ.get("ANTHROPIC_BASE_URL", "https://api.anthropic.com").rstrip("/")
        key = (("x-api-key", _key("ANTHROPIC_API_KEY", name, environ)), ("anthropic-version", "2023-06-01"))
        return Endpoint(name, "anthropic", f"{base}/v1/messages", rest, key, price, official=True)
    if kind == "openai" and rest:
        base = environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1").rstrip("/")
        headers = (("authorization", f"Bearer {_key('OPENAI_API_KEY', name, environ)}"),)
        return Endpoint(name, "openai", f"{base}/chat/completions", rest, headers, price, official=True)
    raise BadSetting(
        f"model {name!r}: write {DEFAULT_MODEL}, openai:NAME, local:FILE, "
        "or the address of a compatible server with # and the model's name after it"
    )


def _compatible(name: str, price: Price | None, environ: Mapping[str, str]) -> Endpoint:
    address, _, model = name.partition("#")
    host = urlsplit(address).hostname
    if not host or not model:
        raise BadSetting(f"model {name!r}: an address names its model after a #")
    key = environ.get("MALAFIDE_API_KEY", "")
    headers = (("authorization", f"Bearer {key}"),) if key else ()
    price = price or (_FREE if host in _LOOPBACK else None)
    return Endpoint(name, "openai", f"{address.rstrip('/')}/chat/completions", model, headers, price)


def _key(variable: str, name: str, environ: Mapping[str, str]) -> str:
    if key := environ.get(variable):
        return key
    raise BadSetting(f"model {name!r} needs a key: set {variable}")
