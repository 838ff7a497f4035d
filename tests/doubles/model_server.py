"""A loopback server that speaks both wire formats of language models, well or badly, as told.

    with ModelServer(answer) as server: ...

`answer` is given each request and returns what the model says: a dict (sent as the JSON text of a whole response),
a string (the text as it is), or one of the ways to misbehave below.
"""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Asked:
    """A request as the server got it."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def anthropic(self) -> bool:
        return self.path.endswith("/v1/messages")

    @property
    def system(self) -> str:
        if self.anthropic:
            return "".join(block["text"] for block in self.body["system"])
        return str(self.body["messages"][0]["content"])

    @property
    def user(self) -> str:
        return str(self.body["messages"][-1]["content"])

    @property
    def agent(self) -> str:
        """Which agent asks, told by its spec."""
        for name, mark in _MARKS.items():
            if mark in self.system:
                return name
        return "?"


_MARKS = {
    "content-analyzer": "You are the content analyst",
    "pattern-recognizer": "You are the pattern analyst",
    "intent-analyzer": "You are the intent analyst",
    "consensus-agent": "You chair a panel",
    "pattern-learner": "patterns that were counted in labelled mail",
}


@dataclass(frozen=True)
class Status:
    """An error of the server."""

    code: int
    kind: str = "error"
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None  # a body that is not the format's own


@dataclass(frozen=True)
class Stopped:
    """A response that ended for another reason than being finished: `length` or `refusal`."""

    reason: str
    text: str = ""


@dataclass(frozen=True)
class Silent:
    """Nothing comes for so long."""

    seconds: float


@dataclass(frozen=True)
class Dripping:
    """A response that comes letter by letter and never ends."""

    every: float = 0.05


@dataclass(frozen=True)
class Broken:
    """The connection is closed in the middle of the body."""


@dataclass(frozen=True)
class Raw:
    """These bytes as the body of a success."""

    body: bytes


@dataclass(frozen=True)
class WithTokens:
    """A well-formed answer with the probabilities of its tokens (OpenAI format)."""

    report: dict[str, Any]
    tokens: list[dict[str, Any]]


Behaviour = Callable[[Asked], Any]


class ModelServer:
    """Listens on a free port of the loopback interface."""

    def __init__(self, behave: Behaviour) -> None:
        self.asked: list[Asked] = []
        self.dropped = 0  # connections that the client left before the answer was out
        self.together = 0  # most requests being answered at once
        self._now = 0
        self._lock = threading.Lock()
        self._ending = threading.Event()
        self._behave = behave
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        ).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> ModelServer:
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        double = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                return

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                asked = Asked(self.path, {k.lower(): v for k, v in self.headers.items()}, json.loads(body))
                with double._lock:
                    double.asked.append(asked)
                    double._now += 1
                    double.together = max(double.together, double._now)
                try:
                    self._answer(asked, double._behave(asked))
                except OSError:
                    double.dropped += 1
                finally:
                    with double._lock:
                        double._now -= 1

            def _answer(self, asked: Asked, said: Any) -> None:
                if isinstance(said, Status):
                    raw = said.raw if said.raw is not None else json.dumps(_error(asked, said)).encode()
                    self._send(said.code, raw, said.headers)
                elif isinstance(said, Silent):
                    double._ending.wait(said.seconds)
                    self._send(200, json.dumps(_response(asked, "{}")).encode())
                elif isinstance(said, Dripping):
                    self._drip(said)
                elif isinstance(said, Broken):
                    self.send_response(200)
                    self.send_header("content-length", "5000")
                    self.end_headers()
                    self.wfile.write(b'{"id": "x", "content": [')
                    self.wfile.flush()
                    self.connection.shutdown(socket.SHUT_RDWR)
                    self.close_connection = True
                elif isinstance(said, Raw):
                    self._send(200, said.body)
                elif isinstance(said, Stopped):
                    self._send(200, json.dumps(_response(asked, said.text, said.reason)).encode())
                elif isinstance(said, WithTokens):
                    text = json.dumps(said.report)
                    self._send(200, json.dumps(_response(asked, text, tokens=said.tokens)).encode())
                else:
                    text = said if isinstance(said, str) else json.dumps(said)
                    self._send(200, json.dumps(_response(asked, text)).encode())

            def _send(self, code: int, body: bytes, headers: dict[str, str] | None = None) -> None:
                self.send_response(code)
                for name, value in {"content-type": "application/json", **(headers or {})}.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def _drip(self, said: Dripping) -> None:
                self.send_response(200)
                self.send_header("transfer-encoding", "chunked")
                self.end_headers()
                while not double._ending.is_set():
                    self.wfile.write(b"1\r\n \r\n")
                    self.wfile.flush()
                    time.sleep(said.every)

        return Handler


def _response(
    asked: Asked, text: str, stopped: str = "", tokens: list[dict[str, Any]] | None = None
) -> dict[str, Any]:
    """A response in the format that was asked in."""
    into, out = len(asked.system + asked.user) // 4, len(text) // 4
    if asked.anthropic:
        return {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": asked.body["model"],
            "content": [{"type": "thinking", "thinking": ""}, {"type": "text", "text": text}] if text else [],
            "stop_reason": {"length": "max_tokens", "refusal": "refusal"}.get(stopped, "end_turn"),
            "usage": {
                "input_tokens": len(asked.user) // 4,
                "cache_read_input_tokens": into - len(asked.user) // 4,
                "cache_creation_input_tokens": 0,
                "output_tokens": out,
            },
        }
    message: dict[str, Any] = {"role": "assistant", "content": text or None}
    if stopped == "refusal":
        message = {"role": "assistant", "content": None, "refusal": "I cannot help with that."}
    choice: dict[str, Any] = {
        "index": 0,
        "message": message,
        "finish_reason": "length" if stopped == "length" else "stop",
    }
    if tokens is not None:
        choice["logprobs"] = {"content": tokens}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": asked.body["model"],
        "choices": [choice],
        "usage": {
            "prompt_tokens": into,
            "completion_tokens": out,
            "total_tokens": into + out,
            "prompt_tokens_details": {"cached_tokens": 0},
        },
    }


def _error(asked: Asked, said: Status) -> dict[str, Any]:
    if asked.anthropic:
        return {"type": "error", "error": {"type": said.kind, "message": f"{said.kind} told by the double"}}
    return {
        "error": {
            "message": f"{said.kind} told by the double",
            "type": said.kind,
            "param": None,
            "code": None,
        }
    }


LISTS = {
    "content-analyzer": ("red_flags", "in_favour"),
    "pattern-recognizer": ("patterns_found", "in_favour"),
    "intent-analyzer": ("deception_indicators", "trust_signals"),
}


def report(
    asked: Asked, answer: str, score: float, quote: str = "", confidence: float = 0.9
) -> dict[str, Any]:
    """A report in form, as the agent that asks wants it; the quote goes to the side of the answer."""
    if asked.agent == "consensus-agent":
        return {"recommendation": answer, "spam_score": score, "reasoning": "The findings carry the answer."}
    against, favour = LISTS[asked.agent]
    claim = [{"quote": quote or first_words(asked.user), "why": "these words tell"}]
    intent = {"primary_intent": "ACCESS_PHISHING" if answer == "SPAM" else "INFORMATIONAL"}
    return {
        "recommendation": answer,
        **(intent if asked.agent == "intent-analyzer" else {}),
        against: claim if answer == "SPAM" else [],
        favour: claim if answer == "HAM" else [],
        "spam_score": score,
        "confidence": confidence,
        "analysis": "Told by the double.",
    }


def first_words(user: str) -> str:
    """Some words that were shown: the longest line of the message, its first letters."""
    message = user.split("=== ")[1] if "the message begins" in user else user
    lines = [line[2:].replace(" [...] ", "") for line in message.splitlines() if line.startswith("| ")]
    return max(lines, key=len, default="")[:40].strip()
