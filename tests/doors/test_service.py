"""The HTTP API: every route does what it says, and what it accepts is kept."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import httpx
import jsonschema
import pytest
from service_at import MAIL, OPEN_MAIL, At, judged, serving, told

from malafide.contracts import schema
from malafide.service import callbacks
from malafide.service.choices import Callback, ServiceSettings

SECRET = "a secret of the operator"
CHAT = {
    "sessionId": "s1",
    "messages": [
        {"sender": "stranger", "text": "Your account is blocked today. Send the OTP now.", "timestamp": 1},
        {"sender": "user", "text": "Which OTP?", "timestamp": 2},
    ],
}
POST = {"post_id": "p1", "text": "SHOCKING: this root cures everything, doctors hide it!"}
SIGNALS = {
    "post_id": "p2",
    "nlp_signals": {"sentiment": "NEGATIVE", "clickbait": True, "emotion": "anger"},
    "source_signals": {
        "account_trust_score": 0.2,
        "source_reliability_score": 0.3,
        "behavioral_risk_flag": True,
    },
}
SCHEMAS = {
    "classify": ("spam", MAIL),
    "assess": ("document", MAIL),
    "conversation": ("honeypot", json.dumps(CHAT).encode()),
    "post": ("credibility", json.dumps(POST).encode()),
    "credibility": ("credibility", json.dumps(SIGNALS).encode()),
}


class Receiver(HTTPServer):
    """The operator's own address, which notes what is posted to it and fails at first."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.seen: list[tuple[dict[str, str], bytes]] = []
        self.answers = [500, 302]


class _Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.seen.append((dict(self.headers), body))
        status = self.server.answers.pop(0) if self.server.answers else 204
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "http://127.0.0.1:9/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        return


@pytest.fixture(scope="module")
def receiver() -> Iterator[Receiver]:
    server = Receiver()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory, receiver: Receiver) -> Iterator[At]:
    url = f"http://127.0.0.1:{receiver.server_port}/result?from=malafide"
    settings = ServiceSettings(
        port=0, judges=1, max_upload=200_000, max_batch=400_000, callbacks={"soc": Callback(url, SECRET)}
    )
    with serving(tmp_path_factory.mktemp("service") / "home", settings) as found:
        yield found


@pytest.fixture
def client(at: At) -> Iterator[httpx.Client]:
    with at.client() as found:
        yield found


@pytest.mark.parametrize("route", SCHEMAS)
def test_every_panel_answers_with_its_contract_and_keeps_the_case(client: httpx.Client, route: str) -> None:
    name, content = SCHEMAS[route]
    answer = client.post(f"/v1/{route}", content=content)
    assert answer.status_code == 200, answer.text
    jsonschema.validate(answer.json(), schema(name))
    case = answer.headers["x-malafide-case"]
    assert answer.headers["location"] == f"/v1/cases/{case}"
    kept = client.get(f"/v1/cases/{case}").json()
    assert kept["state"] == "judged" and kept["who"] == "local" and kept["size"] == len(content)
    if name != "credibility":
        assert kept["contract"] == answer.json()
    assert client.get(f"/v1/cases/{case}/content").content == content


def test_a_message_may_come_as_it_is_packed_in_json_or_in_a_form(client: httpx.Client) -> None:
    packed = base64.b64encode(MAIL).decode()
    answers = [
        client.post("/v1/classify", content=MAIL),
        client.post("/v1/classify?name=a.eml", content=MAIL, headers={"content-type": "message/rfc822"}),
        client.post("/v1/classify", json={"content_base64": packed, "name": "../../etc/a.eml"}),
        client.post("/v1/classify", json={"text": MAIL.decode()}),
        client.post("/v1/classify", files={"file": ("a.eml", MAIL)}),
        client.post("/v1/classify", data={"text": MAIL.decode()}, files={"other": b""}),
    ]
    assert [answer.status_code for answer in answers[:5]] == [200] * 5
    assert len({answer.content for answer in answers[:5]}) == 1
    names = [client.get(f"/v1/cases/{a.headers['x-malafide-case']}").json()["name"] for a in answers[:5]]
    assert names == ["", "a.eml", "a.eml", "", "a.eml"], "a name is never a path"


def test_details_of_a_post_are_there_when_asked_for(client: httpx.Client) -> None:
    assert "malafide" not in client.post("/v1/post", json=POST).json()["p1"]
    assert "signals" in client.post("/v1/post?details=true", json=POST).json()["p1"]["malafide"]


@pytest.mark.parametrize(
    ("route", "content", "status", "words"),
    [
        ("/v1/classify", b"", 422, ""),
        ("/v1/post", b"[1]", 422, "JSON object"),
        ("/v1/conversation", b"{}", 422, ""),
        ("/v1/classify", b"x" * 200_001, 413, "at most 200,000"),
    ],
)
def test_refusals_say_why_and_name_the_case(
    client: httpx.Client, route: str, content: bytes, status: int, words: str
) -> None:
    answer = client.post(route, content=content)
    assert answer.status_code == status and words in answer.json()["error"]
    assert set(answer.json()) == {"error", "case_id"}


def test_a_body_that_is_too_long_is_refused_while_it_comes(client: httpx.Client) -> None:
    sent = 0

    def endless() -> Iterator[bytes]:
        nonlocal sent
        for _ in range(1_000):
            sent += 100_000
            yield b"x" * 100_000

    with suppress(httpx.TransportError):  # it may close the connection while we write
        assert client.post("/v1/classify", content=endless()).status_code == 413
    assert sent < 50_000_000
    wide = httpx.Headers({"content-type": "application/json"})
    answer = client.post("/v1/feedback", content=b'{"case": "' + b"x" * 1_100_000, headers=wide)
    assert answer.status_code == 413


def test_a_case_is_accepted_watched_and_told_again(client: httpx.Client) -> None:
    answer = client.post("/v1/cases", content=MAIL)
    assert answer.status_code == 202
    case = answer.json()["id"]
    live = told(client.get(answer.json()["events"]))
    assert [name for name, _ in live][-1] == "verdict" and len(live) >= 4
    assert json.loads(live[-1][1])["id"] == case
    assert told(client.get(f"/v1/cases/{case}/events")) == live, "the same, for who comes late"
    later = client.post("/v1/classify", content=MAIL).headers["x-malafide-case"]
    replayed = told(client.get(f"/v1/cases/{later}/events"))
    actors = [json.loads(data)["actor"] for name, data in replayed if name == "step"]
    assert actors == ["content-analyzer", "pattern-recognizer", "intent-analyzer"]
    assert client.get("/v1/cases/c00000000000000000000/events").status_code == 404


def test_what_cannot_be_judged_ends_as_failed(client: httpx.Client) -> None:
    case = client.post("/v1/cases?panel=post", content=b"[]").json()["id"]
    found = judged(client, case)
    assert found["state"] == "failed" and "JSON object" in found["error"]
    assert [name for name, _ in told(client.get(f"/v1/cases/{case}/events"))] == ["failed"]


def test_the_panel_is_recognised(client: httpx.Client) -> None:
    case = client.post("/v1/cases?name=chat.json", content=json.dumps(CHAT).encode()).json()["id"]
    assert judged(client, case)["panel"] == "conversation"


def test_cases_are_listed_filtered_and_paged(client: httpx.Client) -> None:
    for number in range(3):
        client.post(f"/v1/classify?name=paged-{number}.eml", content=MAIL)
    page = client.get("/v1/cases", params={"q": "paged", "most": 2}).json()
    rest = client.get("/v1/cases", params={"q": "paged", "most": 2, "after": page["next"]}).json()
    names = [one["name"] for one in (*page["items"], *rest["items"])]
    assert names == ["paged-2.eml", "paged-1.eml", "paged-0.eml"] and rest["next"] == ""
    assert client.get("/v1/cases", params={"since": "2999-01-01"}).json()["items"] == []
    assert client.get("/v1/cases", params={"after": "rubbish"}).status_code == 400
    assert client.get("/v1/cases", params={"most": 0}).status_code == 422


def test_a_label_teaches_and_is_taken_back_exactly(client: httpx.Client, at: At) -> None:
    case = client.post("/v1/classify", content=OPEN_MAIL).headers["x-malafide-case"]
    asked = [one["case"]["id"] for one in client.get("/v1/queue").json()["items"]]
    assert case in asked
    said = client.post("/v1/feedback", json={"case": case, "label": "deceptive", "note": "seen before"})
    assert said.status_code == 201 and said.json()["learned"] and said.json()["held"] == 0
    assert case not in [one["case"]["id"] for one in client.get("/v1/queue").json()["items"]]
    kept = client.get(f"/v1/cases/{case}").json()
    assert kept["label"] == "deceptive" and kept["labels"][0]["note"] == "seen before"
    taught = client.post("/v1/classify", content=OPEN_MAIL).json()
    assert any(e["topic"] == "precedent" for e in taught["malafide"]["evidence"])
    again = client.post(f"/v1/cases/{case}/replay").json()
    assert not again["equal"] and "malafide.evidence" in again["differences"]
    assert client.delete(f"/v1/feedback/{case}/999").status_code == 409
    gone = client.delete(said.headers["location"])
    assert gone.status_code == 200 and gone.json()["learned"]
    assert client.post(f"/v1/cases/{case}/replay").json()["equal"]
    actions = [e["action"] for e in client.get("/v1/audit", params={"subject": case}).json()["items"]]
    assert actions == ["replayed", "unlabel", "replayed", "label"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"case": "c00000000000000000000", "label": "genuine"}, 404),
        ({"case": "/etc/passwd", "label": "genuine"}, 422),
        ({"case": "c00000000000000000000", "label": "perhaps"}, 422),
        ({"case": "c00000000000000000000", "label": "genuine", "url": "http://example.com"}, 422),
    ],
)
def test_feedback_refuses_what_it_does_not_know(client: httpx.Client, body: Any, status: int) -> None:
    assert client.post("/v1/feedback", json=body).status_code == status


def test_an_engagement_ends_with_a_signed_post_to_the_operator(
    client: httpx.Client, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(callbacks, "WAITS", (0, 0, 0))
    opened = client.post("/v1/engage", json={"callback": "soc", "turns": 3}).json()
    where = f"/v1/engage/{opened['id']}"
    first = client.post(f"{where}/messages", json={"text": "Your bank account is blocked, send the OTP now"})
    assert first.status_code == 200 and first.json()["reply"] and not first.json()["over"]
    client.post(f"{where}/messages", json={"text": "Pay 5000 rupees to acct@upi or the police comes"})
    ended = client.post(f"{where}/end").json()
    assert ended["over"] and ended["assessment"]["totalMessagesExchanged"] == 4
    assert client.post(f"{where}/messages", json={"text": "hello?"}).status_code == 409
    assert client.post(f"{where}/end").json()["deliveries"][0]["id"], "ending again posts nothing twice"
    for _ in range(200):
        state = client.get(where).json()["deliveries"]
        if state[0]["state"] == "delivered":
            break
        threading.Event().wait(0.05)
    assert [(one["state"], one["attempts"]) for one in state] == [("delivered", 3)], state
    headers, body = receiver.seen[-1]
    assert json.loads(body) == ended["assessment"]
    moment, _, digest = headers["X-Malafide-Signature"].partition(",v1=")
    signed = f"{moment.removeprefix('t=')}.".encode() + body
    assert hmac.compare_digest(digest, hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest())
    assert judged(client, ended["case"])["panel"] == "conversation"
    assert client.get("/v1/engage").json()["items"][0]["id"] == opened["id"]


def test_a_caller_can_name_no_address(client: httpx.Client) -> None:
    for wanted in ({"callback": "http://192.0.2.1/"}, {"url": "http://192.0.2.1/"}, {"callback": "other"}):
        assert client.post("/v1/engage", json=wanted).status_code in (400, 422)


def test_an_engagement_ends_by_itself_at_its_limit(client: httpx.Client) -> None:
    where = f"/v1/engage/{client.post('/v1/engage', json={'turns': 1}).json()['id']}"
    assert client.post(f"{where}/end").status_code == 422, "nothing was said"
    assert client.post(f"{where}/messages", json={"text": "hello dear"}).json()["over"]
    assert client.get(where).json()["assessment"]["totalMessagesExchanged"] == 2
    assert client.get(where).json()["deliveries"] == []


BATCHES = {
    "lines.jsonl": (b'{"text": "Pay now"}\n\n{"text": "Lunch at noon?"}\n', "spam", 2),
    "table.csv": (b"subject,text\nHello,\"Pay now, at once\"\nLunch,At noon?\n,Third\n", "spam", 3),
    "box.mbox": (
        b"From a@example.com Mon Jan  1 10:00:00 2024\n" + OPEN_MAIL.replace(b"\r\n", b"\n")
        + b"\nFrom b@example.com Mon Jan  1 11:00:00 2024\n" + MAIL.replace(b"\r\n", b"\n"), "spam", 2,
    ),
    "posts.jsonl": ((json.dumps(POST) + "\n" + json.dumps({**POST, "post_id": "p9"})).encode(), "post", 2),
}  # fmt: skip


@pytest.mark.parametrize("name", BATCHES)
def test_a_batch_is_kept_judged_and_fetched(client: httpx.Client, name: str) -> None:
    content, panel, number = BATCHES[name]
    answer = client.post("/v1/batches", params={"panel": panel, "name": name}, content=content)
    assert answer.status_code == 202, answer.text
    where = answer.headers["location"]
    for _ in range(200):
        batch = client.get(where).json()
        if batch["done"]:
            break
        threading.Event().wait(0.05)
    assert (batch["total"], batch["judged"], batch["failed"]) == (number, number, 0)
    rows = [json.loads(line) for line in client.get(f"{where}/rows").text.splitlines()]
    assert [row["state"] for row in rows] == ["judged"] * number
    assert rows[0]["name"].startswith(f"{name}#")
    assert client.get("/v1/batches").json()["items"][0]["id"] == batch["id"]


@pytest.mark.parametrize("content", [b"", b"\x00\x01\x02", b'{"a": 1}\n'])
def test_a_batch_that_holds_no_message_leaves_nothing(client: httpx.Client, content: bytes) -> None:
    before = len(client.get("/v1/batches").json()["items"])
    answer = client.post("/v1/batches", params={"name": "x.csv"}, content=content)
    assert answer.status_code == 422, answer.text
    assert len(client.get("/v1/batches").json()["items"]) == before
    assert client.post("/v1/batches", content=b"x" * 400_001).status_code == 413


def test_what_malafide_is_made_of(client: httpx.Client) -> None:
    agents = [one["name"] for one in client.get("/v1/agents").json()["items"]]
    assert "content-analyzer" in agents
    assert "links" in [one["name"] for one in client.get("/v1/tools").json()["items"]]
    rules = client.get("/v1/rules").json()["items"]
    assert len(rules) > 50 and set(rules[0]) >= {"id", "tool", "says"}
    assert client.get("/v1/schema/spam").json() == schema("spam")
    assert client.get("/v1/schema/none").status_code == 404
    assert client.get("/v1/catalog").status_code == 404


def test_how_it_goes(client: httpx.Client) -> None:
    assert client.get("/healthz").json()["status"] == "ok"
    assert client.get("/readyz").json() == {"ready": True, "judges": 1}
    text = client.get("/metrics").text
    assert 'malafide_rulings_total{panel="spam",answer=' in text
    assert 'malafide_requests_total{method="POST",route="/v1/classify",status="200"}' in text
    for line in text.splitlines():
        assert line.startswith("# ") or float(line.rpartition(" ")[2]) >= 0


def test_unknown_places_are_refused_in_json(client: httpx.Client) -> None:
    for path, status in (("/v1/none", 404), ("/v1/cases/../../etc", 404), ("/v1/cases/c1", 422)):
        answer = client.get(path)
        assert answer.status_code == status and "error" in answer.json(), path
    assert client.put("/v1/classify").status_code == 405


def test_the_openapi_document_shows_a_request_for_every_route_that_takes_one(client: httpx.Client) -> None:
    document = client.get("/openapi.json").json()
    paths = document["paths"]
    assert {"/v1/classify", "/v1/engage", "/v1/batches", "/v1/cases/{id}/events"} <= set(paths)
    for path in SCHEMAS:
        body = paths[f"/v1/{path}"]["post"]["requestBody"]["content"]
        assert body["application/octet-stream"]["example"]
    assert "/" not in paths, "pages are not part of the API"
