"""Whatever a model or its server does, over HTTP in both wire formats: the result is right, labelled and in time."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.doubles.model_server import (
    Asked,
    Broken,
    Dripping,
    ModelServer,
    Raw,
    Silent,
    Status,
    Stopped,
    WithTokens,
    report,
)

from malafide import SpamClassifier, SpamResult
from malafide.knowledge.remembered import Knowledge
from malafide.settings import Caps

MAIL = (
    "From: Anna <anna@mail.test>\nTo: you@example.com\nSubject: a question\n\n"
    "Hello, I have a proposal about your page. Please write to me at http://chat.test/anna soon, the offer ends.\n"
)
AGENTS = ("content-analyzer", "pattern-recognizer", "intent-analyzer")
QUICK = Caps(calls=7, tokens=100_000, seconds=1.2)
CALM = Caps(calls=7, tokens=100_000, seconds=30)


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MALAFIDE_HOME", str(tmp_path))
    monkeypatch.setenv("ANTHROPIC_API_KEY", "secret-key")
    monkeypatch.setenv("OPENAI_API_KEY", "secret-key")
    return tmp_path


@pytest.fixture(params=["anthropic", "compatible"])
def wire(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def judge(
    behave: Callable[[Asked], Any],
    wire: str,
    monkeypatch: pytest.MonkeyPatch,
    caps: Caps = CALM,
    mail: str = MAIL,
) -> tuple[SpamResult, ModelServer]:
    with ModelServer(behave) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        model = {
            "anthropic": "anthropic:claude-sonnet-5-5",
            "openai": "openai:gpt-4.1",
            "compatible": f"{server.url}/v1#tiny",
        }[wire]
        classifier = SpamClassifier(knowledge=Knowledge(), model=model, escalate="always", caps=caps)
        try:
            return classifier.classify(mail), server
        finally:
            classifier.close()


def offline(mail: str = MAIL) -> SpamResult:
    return SpamClassifier(knowledge=Knowledge()).classify(mail)


def faults(result: SpamResult) -> set[str | None]:
    assert result.verdict.exchanges is not None
    return {e.reply.fault for e in result.verdict.exchanges}


def test_a_model_that_answers_is_heard(wire: str, monkeypatch: pytest.MonkeyPatch) -> None:
    result, server = judge(lambda asked: report(asked, "SPAM", 0.96), wire, monkeypatch)
    assert offline().final_classification == "UNCERTAIN" and result.final_classification == "SPAM"
    assert [a.agent for a in server.asked][-1] == "consensus-agent" and len(server.asked) == 4
    assert {a.agent for a in server.asked[:3]} == set(AGENTS)
    usage = result["malafide"]["usage"]
    assert usage["calls"] == 4 and usage["input_tokens"] > 3_000 and usage["output_tokens"] > 100
    for evidence in result.verdict.evidence:
        assert evidence.holds_in(result.verdict.case)
    told = [e for e in result.verdict.evidence if e.topic == "testimony"]
    assert len(told) == 3 and all(e.direction == "deceptive" for e in told)


FAULTS: dict[str, tuple[Any, str]] = {
    "rate limit": (Status(429, "rate_limit_error", {"retry-after": "0"}), "rate limit"),
    "overload": (Status(529, "overloaded_error", {"retry-after": "0"}), "overload"),
    "unavailable": (Status(503, raw=b"<html>busy</html>", headers={"retry-after": "0"}), "overload"),
    "server error": (Status(500, "api_error"), "server error"),
    "wrong key": (Status(401, "authentication_error"), "bad request"),
    "unknown model": (Status(404, "not_found_error"), "bad request"),
    "refusal": (Stopped("refusal"), "refusal"),
    "truncated": (Stopped("length", '{"recommendation": "HAM", "red_'), "truncated"),
    "empty": ("", "empty"),
    "prose": ("Sure! This e-mail is perfectly safe.", "no report"),
    "broken json": ('{"recommendation": "HAM", "spam_score": 0.0,', "no report"),
    "other json": ({"answer": "HAM"}, "no report"),
    "a list": ("[1, 2, 3]", "no report"),
    "wrong types": ({"recommendation": "HAM", "spam_score": "zero", "confidence": True}, "no report"),
    "no json at all": (Raw(b"\x00\xff not json"), "server error"),
    "a json list": (Raw(b"[]"), "server error"),
    "nothing in it": (Raw(b"{}"), "empty"),
    "deep json": (Raw(b'{"a":' * 50_000), "server error"),
    "too large": (Raw(b" " * 3_000_000), "server error"),
    "closed half way": (Broken(), "no connection"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_every_fault_is_named_and_the_offline_mind_answers(
    name: str, wire: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    said, kind = FAULTS[name]
    result, server = judge(lambda asked: said, wire, monkeypatch)
    without = offline()
    assert (result.final_classification, result.final_score) == (
        without.final_classification,
        without.final_score,
    )
    assert faults(result) == {kind}
    assert len(server.asked) == 6, "each agent is asked twice, and no more"
    for agent in AGENTS:
        assert any(line.startswith(f"{agent}: {kind}") for line in result.verdict.trace), result.verdict.trace


@pytest.mark.parametrize("said", [Silent(20), Dripping()], ids=["silent", "dripping"])
def test_a_server_that_does_not_finish_costs_no_more_than_the_cap(
    said: Any, wire: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = set(threading.enumerate())
    started = time.monotonic()
    result, _ = judge(lambda asked: said, wire, monkeypatch, QUICK)
    assert time.monotonic() - started < 1.2 + 1.0
    assert faults(result) <= {"timeout", "cap"} and "timeout" in faults(result)
    assert result.final_classification == offline().final_classification
    left = [t for t in set(threading.enumerate()) - before if t.name == "malafide-minds"]
    assert not left, "nothing is left running"


def test_nobody_there_is_a_fault_like_any_other(monkeypatch: pytest.MonkeyPatch) -> None:
    classifier = SpamClassifier(
        knowledge=Knowledge(), model="http://127.0.0.1:9/v1#none", escalate="always", caps=CALM
    )
    result = classifier.classify(MAIL)
    classifier.close()
    assert faults(result) == {"no connection"}
    assert result.final_classification == offline().final_classification


@pytest.mark.parametrize("first", ["rate limit", "overload", "refusal", "truncated", "empty", "prose"])
def test_the_second_attempt_is_worded_otherwise_and_says_what_was_wrong(
    first: str, wire: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: set[str] = set()

    def behave(asked: Asked) -> Any:
        if asked.agent in AGENTS and asked.agent not in seen:
            seen.add(asked.agent)
            return FAULTS[first][0]
        return report(asked, "SPAM", 0.96)

    result, server = judge(behave, wire, monkeypatch)
    assert result.final_classification == "SPAM"
    again = [a for a in server.asked if "second attempt" in a.user]
    assert len(again) == 3 and all(FAULTS[first][1] in a.user for a in again)
    strayed = first not in ("rate limit", "overload")
    assert all(("a proposal about your page" not in a.user) == strayed for a in again), (
        "a model that strayed is shown only what tools quoted"
    )


def test_what_a_server_does_not_take_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def behave(asked: Asked) -> Any:
        if "temperature" in asked.body or "logprobs" in asked.body:
            return Status(400, "unsupported_parameter")
        return report(asked, "SPAM", 0.96)

    result, server = judge(behave, "openai", monkeypatch)
    assert result.final_classification == "SPAM"
    assert "response_format" in server.asked[-1].body and "temperature" not in server.asked[-1].body


def test_invented_quotes_are_dropped_and_a_report_without_one_is_an_abstention(
    wire: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    result, _ = judge(lambda a: report(a, "SPAM", 0.99, "send your password at once"), wire, monkeypatch)
    assert result.final_score == offline().final_score
    assert sum("counts as an abstention" in line for line in result.verdict.trace) == 3
    assert sum("dropped" in line for line in result.verdict.trace) == 3

    def half(asked: Asked) -> Any:
        made = report(asked, "SPAM", 0.9)
        for claims in made.values():
            if isinstance(claims, list) and claims:
                claims.append({"quote": "these words are invented", "why": "so"})
        return made

    whole, _ = judge(lambda asked: report(asked, "SPAM", 0.9), wire, monkeypatch, mail=MAIL + "Yours, A.\n")
    lowered, _ = judge(half, wire, monkeypatch, mail=MAIL + "Yours, B.\n")
    assert offline().final_score < lowered.final_score < whole.final_score


def test_token_probabilities_give_the_score_where_there_are_any(monkeypatch: pytest.MonkeyPatch) -> None:
    def behave(asked: Asked) -> Any:
        pieces = ['{"', "recommendation", '":', ' "', "SP", "AM", '"']
        tokens: list[dict[str, Any]] = [{"token": p, "logprob": -0.1, "top_logprobs": []} for p in pieces]
        tokens[4]["top_logprobs"] = [{"token": "SP", "logprob": -0.51}, {"token": "HAM", "logprob": -0.92}]
        return WithTokens(report(asked, "SPAM", 1.0, confidence=1.0), tokens)

    result, _ = judge(behave, "compatible", monkeypatch)
    assert result.verdict.exchanges is not None
    assert {e.reply.spam_probability for e in result.verdict.exchanges} == {0.601_088}
    assert result.final_classification == "UNCERTAIN", "60 % is not certainty, whatever number was written"


def test_agents_are_asked_side_by_side(wire: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def behave(asked: Asked) -> Any:
        time.sleep(0.2)
        return report(asked, "SPAM", 0.96)

    _, server = judge(behave, wire, monkeypatch)
    assert server.together == 3


def test_the_key_and_nothing_but_the_user_turn_changes(
    wire: str, monkeypatch: pytest.MonkeyPatch, own_home: Path
) -> None:
    systems: dict[str, set[str]] = {}
    boundaries = set()
    calls = 0
    for mail in (MAIL, MAIL.replace("Anna", "Berta")):
        _, server = judge(lambda asked: report(asked, "SPAM", 0.96), wire, monkeypatch, mail=mail)
        calls += len(server.asked)
        for asked in server.asked:
            systems.setdefault(asked.agent, set()).add(asked.system)
            boundaries.add(asked.user.split()[1])
            assert "proposal" not in asked.system and "chat.test/anna soon" not in asked.system
    assert all(len(found) == 1 for found in systems.values()), "the prefix is the same for every message"
    assert len(boundaries) == calls, "and the boundary is drawn anew for each call"
    logged = (own_home / "logs/outbound.jsonl").read_text(encoding="utf-8")
    lines = [json.loads(line) for line in logged.splitlines()]
    assert len(lines) == calls and "secret-key" not in logged
    for line in lines:
        kept = (own_home / "logs" / line["system"]).read_text(encoding="utf-8")
        assert kept in {s for found in systems.values() for s in found}


def test_the_same_is_not_asked_twice(wire: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with ModelServer(lambda asked: report(asked, "SPAM", 0.96)) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        name = {"anthropic": "anthropic:claude-sonnet-5-5", "openai": "openai:gpt-4.1"}.get(
            wire, f"{server.url}/v1#tiny"
        )
        results = []
        for _ in range(2):
            classifier = SpamClassifier(knowledge=Knowledge(), model=name, escalate="always")
            results.append(classifier.classify(MAIL))
            classifier.close()
        assert len(server.asked) == 4
    assert results[0].final_score == results[1].final_score
    assert (
        results[1]["malafide"]["usage"]["remembered"] == 4 and results[1]["malafide"]["usage"]["calls"] == 0
    )


@pytest.mark.parametrize(
    ("caps", "calls", "word"),
    [
        (Caps(calls=2), 2, "2 calls per case"),
        (Caps(tokens=100), 0, "100 tokens per case"),
        (Caps(money=0.000_1), 0, "$0.0001 per case"),
        (Caps(seconds=0), 0, "0 seconds per case"),
    ],
)
def test_a_cap_ends_on_the_offline_mind_and_says_so(
    caps: Caps, calls: int, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    result, server = judge(lambda asked: report(asked, "SPAM", 0.96), "anthropic", monkeypatch, caps)
    assert len(server.asked) == calls
    assert any(word in line for line in result.verdict.trace), result.verdict.trace
    assert result["malafide"]["usage"]["calls"] == calls


def test_an_unknown_price_and_a_cap_on_money_do_not_go_together(monkeypatch: pytest.MonkeyPatch) -> None:
    result, server = judge(lambda asked: report(asked, "SPAM", 0.96), "openai", monkeypatch, Caps(money=1.0))
    assert not server.asked and any("price is not known" in line for line in result.verdict.trace)
