"""One contract over everything registered: each tool, each agent, each spec."""

from __future__ import annotations

import inspect

import pytest

from malafide.benches.spam import as_case
from malafide.case import Case, Part
from malafide.contracts import schema
from malafide.panel.agent import Agent, agents
from malafide.panel.hearing import examine
from malafide.panel.spec import agent_spec
from malafide.tools import Tool, tools

EMPTY = Case("0" * 16, "email", ())
BARE = Case("1" * 16, "email", (Part("body", "body", "\u0000\ud800 \u202e <b>x</b> " * 50),))
RICH = as_case(
    b'From: "PayPal Service" <help@paypa1-secure.test>\r\nReply-To: boss@freemail.test\r\n'
    b"To: undisclosed-recipients:;\r\nSubject: URGENT!!! your account will be suspended\r\n"
    b"Date: Mon, 1 Jan 2035 10:00:00 +0000\r\n"
    b"Content-Type: text/html; charset=utf-8\r\n\r\n"
    b"<html><body><p>Dear customer, verify your password within 24 hours or your account will be closed.</p>"
    b"<a href='http://192.0.2.7/login'>https://www.paypal.com/signin</a>"
    b"<div style='display:none'>filler words to fool the filter, many of them, one after the other</div>"
    b"<form action='http://198.51.100.3/x'><input type=password></form></body></html>"
)


@pytest.mark.parametrize("tool", list(tools), ids=lambda t: t.name)
def test_every_tool_keeps_the_contract(tool: Tool) -> None:
    assert tool.sentence.endswith("."), "a tool says in one sentence what it looks at"
    assert list(inspect.signature(tool.run).parameters) == ["case"]
    for case in (EMPTY, BARE, RICH):
        for evidence in tool.run(case):
            assert evidence.holds_in(case), evidence
            assert evidence.found_by == tool.name
            assert 0.0 < evidence.strength <= 1.0
            assert evidence.sentence.endswith((".", "?", "!")) and "\n" not in evidence.sentence
            assert "." in evidence.kind


@pytest.mark.parametrize("tool", list(tools), ids=lambda t: t.name)
def test_every_tool_gives_the_same_answer_twice(tool: Tool) -> None:
    assert tool.run(RICH) == tool.run(RICH)


@pytest.mark.parametrize("agent", list(agents), ids=lambda a: a.name)
def test_every_agent_keeps_the_contract(agent: Agent) -> None:
    spec = agent_spec(agent.name)
    assert spec.name == agent.name
    assert set(spec.tools) <= set(tools.names()), "an agent's spec names tools that exist"
    evidence = examine(RICH, tools).evidence
    outcome = agent.think(evidence)
    assert agent.think(evidence) == outcome
    assert agent.think([]).agent == agent.name
    assert type(agent.think([])).__name__ == "Abstention"
    assert outcome.agent == agent.name


def test_the_schema_names_every_field_and_range() -> None:
    spam = schema("spam")
    assert set(spam["required"]) == set(spam["properties"])
    assert (
        spam["properties"]["final_score"]["minimum"] == 0
        and spam["properties"]["final_score"]["maximum"] == 1
    )
    assert spam["properties"]["final_classification"]["enum"] == ["SPAM", "HAM", "UNCERTAIN"]
