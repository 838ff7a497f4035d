"""A language model behind HTTP as a mind: a prompt goes out, a reply or a named fault comes back, always in time."""

from __future__ import annotations

import asyncio
import json
import time
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from malafide.errors import BadSetting
from malafide.exchange import FaultKind, Reply
from malafide.minds import wire
from malafide.minds.gate import Gate
from malafide.minds.mind import Prompt
from malafide.minds.models import Endpoint

if TYPE_CHECKING:
    import httpx

_MOST_BYTES: Final = 2_000_000  # of a response; more is no answer
_LONGEST_PAUSE: Final = 20.0  # seconds a server may ask for
_CONNECT_SECONDS: Final = 10.0


class LanguageModel:
    """One model at one endpoint. All its calls run in one event loop."""

    def __init__(self, endpoint: Endpoint, gate: Gate) -> None:
        _require(endpoint)
        self.name = endpoint.name
        self.endpoint = endpoint
        self._gate = gate
        self._plain = 0  # how much had to be left out for this server to take a request
        self._url = endpoint.url
        self._starting = asyncio.Lock()
        self._client: httpx.AsyncClient | None = None

    async def ask(self, prompt: Prompt, seconds: float) -> Reply:
        """The reply. Whatever the server does, this takes no longer than `seconds`, waiting for a turn included."""
        started = time.monotonic()
        try:
            async with asyncio.timeout(min(seconds, 86_400.0)):
                async with self._gate.passing():
                    plain = self._plain
                    status, body, pause = await self._post(prompt, plain)
        except TimeoutError:
            return self._fault("timeout", f"no whole answer within {seconds:.0f} seconds", started)
        except BadSetting as error:
            return self._fault("no connection", str(error), started)
        except _http_errors() as error:
            return self._fault("no connection", f"{type(error).__name__}: {error}"[:200], started)
        if status != 200:
            kind, detail = wire.refused(status, body)
            if status in (400, 422):
                self._plain = max(self._plain, plain + 1)
            elif kind in ("rate limit", "overload"):
                self._gate.pause(min(pause, _LONGEST_PAUSE))
            return self._fault(kind, detail, started)
        return self._read(body, prompt, started)

    def _read(self, body: bytes, prompt: Prompt, started: float) -> Reply:
        try:
            data = json.loads(body)
        except (ValueError, RecursionError):
            return self._fault("server error", "the response is no JSON, or was cut off", started)
        if not isinstance(data, dict):
            return self._fault("server error", "the response is no JSON object", started)
        read = wire.read_anthropic if self.endpoint.format == "anthropic" else wire.read_openai
        fields = read(data, prompt)
        return Reply(
            self.name,
            **fields,
            money=self._money(fields),
            priced=self.endpoint.price is not None,
            seconds=round(time.monotonic() - started, 3),
        )

    async def _post(self, prompt: Prompt, plain: int) -> tuple[int, bytes, float]:
        """Status, body and how long the server asks to wait."""
        async with self._starting:
            client = await self._ready()
        body: Any = (
            wire.anthropic_request(self.endpoint.model, prompt, plain)
            if self.endpoint.format == "anthropic"
            else wire.openai_request(self.endpoint.model, prompt, plain, official=self.endpoint.official)
        )
        content = json.dumps(body, ensure_ascii=True).encode("ascii")
        async with client.stream("POST", self._url, content=content) as response:
            received = bytearray()
            async for chunk in response.aiter_bytes():
                received += chunk
                if len(received) > _MOST_BYTES:
                    return 500, b"the response is too large", 0.0
            return response.status_code, bytes(received), _seconds(response.headers.get("retry-after"))

    async def _ready(self) -> httpx.AsyncClient:
        if self._client is None:
            import httpx

            if self.endpoint.file:
                from malafide.minds.local import start

                address = await asyncio.to_thread(start, self.endpoint.file)
                self._url = f"{address}/v1/chat/completions"
            # What stays on this machine must not go through a proxy; and a redirect would send mail elsewhere.
            self._client = httpx.AsyncClient(
                headers={"content-type": "application/json", **dict(self.endpoint.headers)},
                timeout=httpx.Timeout(None, connect=_CONNECT_SECONDS),
                trust_env=not self.endpoint.here,
                verify=not self._url.startswith(
                    "http://"
                ),  # there is nothing to verify, and reading all roots is slow
                follow_redirects=False,
            )
        return self._client

    def _money(self, fields: dict[str, Any]) -> float:
        price = self.endpoint.price
        if price is None:
            return 0.0
        cached = fields["cached_tokens"]
        fresh = fields["input_tokens"] - cached
        cached_price = price.input if price.cached is None else price.cached
        total = fresh * price.input + cached * cached_price + fields["output_tokens"] * price.output
        return float(round(total / 1e6, 8))

    def _fault(self, kind: FaultKind, detail: str, started: float) -> Reply:
        return Reply(self.name, fault=kind, detail=detail, seconds=round(time.monotonic() - started, 3))

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()
            self._client = None


def _require(endpoint: Endpoint) -> None:
    """Refuses at once what could never work."""
    if find_spec("httpx") is None:
        raise BadSetting("language models need the extra 'llm': pip install 'malafide[llm]'")
    if endpoint.file and find_spec("xllamacpp") is None:
        raise BadSetting("a local model needs the extra 'local': pip install 'malafide[local]'")
    if endpoint.file and not Path(endpoint.file).expanduser().is_file():
        raise BadSetting(f"model file {endpoint.file!r} is not there; name a GGUF file after 'local:'")


def _http_errors() -> tuple[type[Exception], ...]:
    """What httpx raises for a bad line; asked for only when something was raised."""
    import httpx

    return (httpx.HTTPError, httpx.InvalidURL, OSError)


def _seconds(value: str | None) -> float:
    try:
        return max(0.0, float(value)) if value else 1.0
    except ValueError:
        return 1.0  # a date: the clock there is not ours
