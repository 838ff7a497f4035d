"""The client: everything the service does, typed, with refusals as errors."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from service_at import MAIL, OPEN_MAIL, At, serving

from malafide.client import Client
from malafide.contracts import schema
from malafide.errors import (
    BadSetting,
    InputTooLarge,
    NotAllowed,
    NotKnown,
    OutOfOrder,
    UnknownName,
    Unreachable,
    UnreadableInput,
)
from malafide.service.choices import ServiceSettings

CHAT = {
    "messages": [
        {"sender": "stranger", "text": "Send the OTP or go to jail"},
        {"sender": "user", "text": "No"},
    ]
}


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[At]:
    settings = ServiceSettings(port=0, judges=1, max_upload=100_000)
    with serving(tmp_path_factory.mktemp("client") / "home", settings) as found:
        yield found


@pytest.fixture
def desk(at: At) -> Iterator[Client]:
    with Client(at.url) as client:
        yield client


def test_every_panel(desk: Client, tmp_path: Path) -> None:
    path = tmp_path / "mail.eml"
    path.write_bytes(MAIL)
    answer = desk.classify(path)
    assert answer.contract["final_classification"] and json.loads(answer.body) == answer.contract
    assert desk.case(answer.case)["name"] == "mail.eml" and desk.content(answer.case) == MAIL
    assert desk.classify(MAIL.decode()).body == answer.body
    assert desk.assess(MAIL).contract["is_scam"]
    assert "scamDetected" in desk.conversation(CHAT).contract
    assert "malafide" not in desk.post({"post_id": "p", "text": "Look"}).contract["p"]
    assert "malafide" in desk.post({"post_id": "p", "text": "Look"}, details=True).contract["p"]
    assert desk.credibility({"post_id": "p", "nlp_signals": {}}).contract["p"]


def test_submitting_watching_and_listing(desk: Client) -> None:
    case = desk.submit(MAIL, name="watched.eml")
    events = list(desk.watch(case))
    assert events[-1].name == "verdict" and {e.name for e in events[:-1]} == {"step"}
    assert desk.wait(case)["state"] == "judged"
    assert [one["id"] for one in desk.cases(q="watched")] == [case]
    assert len(list(desk.cases(most=1))) == len(list(desk.cases()))


def test_labels(desk: Client) -> None:
    case = desk.classify(OPEN_MAIL).case
    assert case in [one["case"]["id"] for one in desk.queue()]
    said = desk.feedback(case, "genuine", "mine")
    assert said["learned"] and desk.undo(case, said["id"])["label"] == "genuine"
    assert desk.replay(case)["equal"]
    assert {entry["action"] for entry in desk.audit(case)} == {"label", "unlabel", "replayed"}
    with pytest.raises(OutOfOrder):
        desk.undo(case, said["id"])


def test_engagements_and_batches(desk: Client, tmp_path: Path) -> None:
    talk = desk.engage(turns=5)
    assert talk.hear("Send the OTP now").reply
    assert talk.end()["assessment"]["totalMessagesExchanged"] == 2
    assert talk.look()["over"] and desk.engagements()[0]["id"] == talk.id
    file = tmp_path / "some.csv"
    file.write_text("number,text\n1,Pay now\n2,Lunch?\n")
    batch = desk.batch(file)
    for _ in range(200):
        if desk.progress(batch)["done"]:
            break
        time.sleep(0.05)
    assert [row["name"] for row in desk.rows(batch)] == ["some.csv#1", "some.csv#2"]
    assert desk.batches()[0]["id"] == batch


def test_what_it_is_made_of(desk: Client) -> None:
    assert desk.ready() and "malafide_judges 1" in desk.metrics()
    assert desk.agents() and desk.tools() and desk.rules() and desk.schema("spam") == schema("spam")
    with pytest.raises(UnknownName, match="nothing was learned"):
        desk.catalog()


def test_refusals_are_errors(desk: Client, at: At) -> None:
    with pytest.raises(UnreadableInput):
        desk.post(b"[1]")
    with pytest.raises(UnreadableInput, match="cannot read"):
        desk.classify(Path("/does/not/exist"))
    with pytest.raises(InputTooLarge):
        desk.classify(b"x" * 100_001)
    with pytest.raises(UnknownName):
        list(desk.watch("c" + "0" * 20))
    with pytest.raises(UnknownName):
        list(desk.rows("b" + "0" * 20))
    with pytest.raises(BadSetting, match="no callback"):
        desk.engage("elsewhere")
    with Client("http://127.0.0.1:9") as nobody, pytest.raises(Unreachable):
        assert not nobody.ready()
        nobody.classify(MAIL)
    token, secret = at.desk.store.new_token("reader", ["read"], 100, "test")
    time.sleep(2.1)
    with pytest.raises(NotKnown):
        desk.classify(MAIL)
    with Client(at.url, token=secret) as reader, pytest.raises(NotAllowed, match="needs the scope 'submit'"):
        assert list(reader.cases(most=1)) is not None
        reader.classify(MAIL)
    at.desk.store.revoke(token.id, "test")
