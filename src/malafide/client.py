"""A small client of the service, for programs: messages in, the same answers as everywhere out.

    from malafide.client import Client

    with Client("http://127.0.0.1:8300", token="mf_...") as desk:
        answer = desk.classify(Path("mail.eml"))
        print(answer.contract["final_classification"], answer.case)

A refusal of the service is raised as the same error that the command line would end with.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, Self

from malafide.errors import (
    BadAddress,
    BadSetting,
    Busy,
    InputTooLarge,
    MalafideError,
    MissingExtra,
    NotAllowed,
    NotKnown,
    OutOfOrder,
    TooOften,
    UnknownName,
    Unreachable,
    UnreadableInput,
)

if TYPE_CHECKING:
    import httpx

Message = bytes | str | Path | Mapping[str, Any]
Panel = Literal["spam", "document", "conversation", "post", "credibility"]
Said = Literal["deceptive", "genuine"]
_REFUSALS: Final[dict[int, type[MalafideError]]] = {
    one.http_status: one
    for one in (
        BadSetting, NotKnown, NotAllowed, UnknownName, OutOfOrder, InputTooLarge, BadAddress, UnreadableInput,
        TooOften, Busy,
    )
}  # fmt: skip
_BETWEEN: Final = 0.2  # seconds between looks at something that is under way


@dataclass(frozen=True, slots=True)
class Answer:
    """What a panel answered: the contract, the very bytes of it, and the id of the case that was kept."""

    case: str
    contract: dict[str, Any]
    body: bytes


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a case: a `step`, and at the end `verdict` or `failed`."""

    name: Literal["step", "verdict", "failed"]
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Turn:
    """The reply to send to a stranger. `over`: it was the last."""

    reply: str
    over: bool
    turns: int
    held_back: tuple[str, ...]


class Client:
    """One service. May be used from several threads; close it, or use it in a `with` block."""

    def __init__(self, url: str = "http://127.0.0.1:8300", token: str = "", timeout: float = 60.0) -> None:
        try:
            import httpx
        except ImportError:
            raise MissingExtra(
                "the client needs the extra 'client': pip install 'malafide[client]'"
            ) from None
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._http = httpx.Client(base_url=url, headers=headers, timeout=timeout)
        self._trouble = httpx.HTTPError

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def classify(self, mail: Message, name: str = "") -> Answer:
        """Whether a mail is SPAM, HAM or UNCERTAIN, and why."""
        return self._judge("classify", mail, name)

    def assess(self, document: Message, name: str = "") -> Answer:
        """Whether a document or mail is a scam, and why."""
        return self._judge("assess", document, name)

    def conversation(self, chat: Message, name: str = "") -> Answer:
        """Whether a conversation is a scam, and what it reveals."""
        return self._judge("conversation", chat, name)

    def post(self, post: Message, name: str = "", *, details: bool = False) -> Answer:
        """How credible a raw post is."""
        return self._judge("post", post, name, details=details)

    def credibility(self, post: Message, name: str = "", *, details: bool = False) -> Answer:
        """How credible a post is by signals that are given."""
        return self._judge("credibility", post, name, details=details)

    def submit(self, message: Message, panel: Panel | Literal[""] = "", name: str = "") -> str:
        """The id of a case that is kept now and judged soon; with no panel, the service recognises it."""
        content, called = _content(message, name)
        accepted = self._ask("POST", "/v1/cases", params={"panel": panel, "name": called}, content=content)
        return str(accepted.json()["id"])

    def watch(self, case: str) -> Iterator[Event]:
        """What happened to a case and happens to it, to its end."""
        try:
            with self._http.stream("GET", f"/v1/cases/{case}/events", timeout=None) as answer:
                if answer.status_code != 200:
                    answer.read()
                    _check(answer)
                name = ""
                for line in answer.iter_lines():
                    field, _, value = line.partition(": ")
                    if field == "event":
                        name = value
                    elif field == "data":
                        yield Event(name, json.loads(value))  # type: ignore[arg-type]
        except self._trouble as error:
            raise _unreachable(error) from None

    def wait(self, case: str, seconds: float = 120.0) -> dict[str, Any]:
        """The case once it is judged or has failed."""
        until = time.monotonic() + seconds
        while (found := self.case(case))["state"] not in ("judged", "failed"):
            if time.monotonic() > until:
                raise Busy(f"case {case} is still {found['state']} after {seconds:g} seconds")
            time.sleep(_BETWEEN)
        return found

    def case(self, case: str) -> dict[str, Any]:
        """Everything about one case but its content."""
        return self._document("GET", f"/v1/cases/{case}")

    def content(self, case: str) -> bytes:
        """The message of a case."""
        return self._ask("GET", f"/v1/cases/{case}/content").content

    def cases(self, **chosen: Any) -> Iterator[dict[str, Any]]:
        """Cases, newest first: all that fit q, panel, answer, state, open, labelled, since, until, batch."""
        after = ""
        while True:
            page = self._document("GET", "/v1/cases", params={**chosen, "after": after})
            yield from page["items"]
            after = page["next"]
            if not after:
                return

    def replay(self, case: str) -> dict[str, Any]:
        """Judges a case again; whether the answer is the same, and where it is not."""
        return self._document("POST", f"/v1/cases/{case}/replay")

    def feedback(self, case: str, label: Said, note: str = "") -> dict[str, Any]:
        """Says what a case is; `id` of the answer is for `undo`."""
        return self._document("POST", "/v1/feedback", json={"case": case, "label": label, "note": note})

    def undo(self, case: str, label: int) -> dict[str, Any]:
        """Takes back what was said last of a case."""
        return self._document("DELETE", f"/v1/feedback/{case}/{label}")

    def queue(self, most: int = 50) -> list[dict[str, Any]]:
        """Open cases, the most informative first."""
        return self._items("/v1/queue", most=most)

    def audit(self, subject: str = "", most: int = 100) -> list[dict[str, Any]]:
        """What was done, by whom and when; newest first."""
        return self._items("/v1/audit", subject=subject, most=most)

    def engage(self, callback: str = "", turns: int = 40) -> Engagement:
        """Opens an engagement; `callback` names one of the operator's."""
        opened = self._document("POST", "/v1/engage", json={"callback": callback, "turns": turns})
        return Engagement(self, str(opened["id"]))

    def engagements(self) -> list[dict[str, Any]]:
        return self._items("/v1/engage")

    def batch(self, messages: bytes | Path, panel: Panel = "spam", name: str = "") -> str:
        """The id of a batch: a mailbox, CSV, TSV or JSON Lines of messages, all kept now and judged soon."""
        content, called = _content(messages, name)
        params = {"panel": panel, "name": called}
        return str(self._ask("POST", "/v1/batches", params=params, content=content).json()["id"])

    def progress(self, batch: str) -> dict[str, Any]:
        """How far a batch is."""
        return self._document("GET", f"/v1/batches/{batch}")

    def batches(self) -> list[dict[str, Any]]:
        return self._items("/v1/batches")

    def rows(self, batch: str) -> Iterator[dict[str, Any]]:
        """Every case of a batch with its answer, in the order it came."""
        try:
            with self._http.stream("GET", f"/v1/batches/{batch}/rows") as answer:
                if answer.status_code != 200:
                    answer.read()
                    _check(answer)
                for line in answer.iter_lines():
                    yield json.loads(line)
        except self._trouble as error:
            raise _unreachable(error) from None

    def catalog(self) -> dict[str, Any]:
        """What was learned."""
        return self._document("GET", "/v1/catalog")

    def agents(self) -> list[dict[str, Any]]:
        return self._items("/v1/agents")

    def tools(self) -> list[dict[str, Any]]:
        return self._items("/v1/tools")

    def rules(self) -> list[dict[str, Any]]:
        return self._items("/v1/rules")

    def schema(self, name: str) -> dict[str, Any]:
        """The JSON Schema of a panel's answer."""
        return self._document("GET", f"/v1/schema/{name}")

    def ready(self) -> bool:
        """Whether the service can judge now."""
        try:
            return self._http.get("/readyz").status_code == 200
        except self._trouble:
            return False

    def metrics(self) -> str:
        """Its counters, as Prometheus reads them."""
        return self._ask("GET", "/metrics").text

    def _judge(self, route: str, message: Message, name: str, *, details: bool = False) -> Answer:
        content, called = _content(message, name)
        params: dict[str, Any] = {"name": called, **({"details": True} if details else {})}
        answer = self._ask("POST", f"/v1/{route}", params=params, content=content)
        return Answer(answer.headers["x-malafide-case"], answer.json(), answer.content)

    def _items(self, path: str, **params: Any) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._document("GET", path, params=params)["items"]
        return found

    def _document(self, method: str, path: str, **given: Any) -> dict[str, Any]:
        found: dict[str, Any] = self._ask(method, path, **given).json()
        return found

    def _ask(self, method: str, path: str, **given: Any) -> httpx.Response:
        try:
            answer = self._http.request(method, path, **given)
        except self._trouble as error:
            raise _unreachable(error) from None
        _check(answer)
        return answer


@dataclass(frozen=True, slots=True)
class Engagement:
    """A conversation that malafide leads with a stranger."""

    client: Client
    id: str

    def hear(self, message: str) -> Turn:
        """The reply to the stranger's message."""
        said = self.client._document("POST", f"/v1/engage/{self.id}/messages", json={"text": message})
        return Turn(said["reply"], said["over"], said["turns"], tuple(said["held_back"]))

    def end(self) -> dict[str, Any]:
        """Ends it; its `assessment` is posted to the callback, if it has one."""
        return self.client._document("POST", f"/v1/engage/{self.id}/end")

    def look(self) -> dict[str, Any]:
        """All that was said, and how far the result is on its way."""
        return self.client._document("GET", f"/v1/engage/{self.id}")


def _content(message: Message, name: str) -> tuple[bytes, str]:
    if isinstance(message, Path):
        try:
            return message.read_bytes(), name or message.name
        except OSError as error:
            raise UnreadableInput(f"cannot read {str(message)!r}: {error.strerror or error}") from None
    if isinstance(message, bytes):
        return message, name
    return (message if isinstance(message, str) else json.dumps(message)).encode("utf-8", "replace"), name


def _check(answer: httpx.Response) -> None:
    """Raises what the service refused with."""
    if answer.is_success:
        return
    try:
        words = str(answer.json()["error"])
    except (ValueError, KeyError, TypeError):
        words = f"the service answered with status {answer.status_code}"
    raise _REFUSALS.get(answer.status_code, MalafideError)(words)


def _unreachable(error: Exception) -> Unreachable:
    return Unreachable(f"the service cannot be reached: {error or type(error).__name__}")
