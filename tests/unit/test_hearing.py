"""Examining and convening: broken members are named, false quotes are dropped."""

from __future__ import annotations

from dataclasses import replace

from malafide.case import Case, Part, Span
from malafide.evidence import Evidence, observe
from malafide.opinion import Abstention, Failure
from malafide.panel.agent import Agent
from malafide.panel.hearing import convene, examine
from malafide.tools import Tool

CASE = Case("0" * 16, "email", (Part("body", "body", "please verify your account"),))


def honest(case: Case) -> list[Evidence]:
    return [observe(case, Span("body", 7, 13), "t.verify", "request", "weak", "It asks to verify.", tool="t")]


def lying(case: Case) -> list[Evidence]:
    true = honest(case)[0]
    return [
        replace(true, quote="not there"),
        replace(true, part="nowhere"),
        replace(true, start=-1),
        replace(true, quote="", end=7),
    ]


def broken(case: Case) -> list[Evidence]:
    raise ZeroDivisionError("inside the tool")


def test_only_evidence_that_holds_is_kept_and_drops_are_recorded() -> None:
    found = examine(CASE, [Tool("honest", "s", honest), Tool("lying", "s", lying)])
    assert [e.quote for e in found.evidence] == ["verify"]
    assert len(found.dropped) == 4 and all("lying" in line for line in found.dropped)


def test_a_broken_tool_is_a_named_failure_and_the_rest_goes_on() -> None:
    found = examine(CASE, [Tool("broken", "s", broken), Tool("honest", "s", honest)])
    assert found.failures == (Failure("broken", "ZeroDivisionError: inside the tool"),)
    assert len(found.evidence) == 1


def test_a_broken_agent_is_a_named_failure() -> None:
    def thinks(evidence: object) -> Abstention:
        return Abstention("fine", "nothing")

    def breaks(evidence: object) -> Abstention:
        raise KeyError("lost")

    outcomes = convene([Agent("bad", breaks), Agent("fine", thinks)], examine(CASE, []))
    assert outcomes == (Failure("bad", "KeyError: 'lost'"), Abstention("fine", "nothing"))
