"""The document panel: routes, budgets, and every fault it may meet, alone and in pairs."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from benchmarks.pdf_writer import pdf

from malafide.assessment import Assessment, Receipt
from malafide.benches.document import Budget, DocumentPanel, Officials
from malafide.case import Case
from malafide.contracts import schema
from malafide.contracts.document import document_contract
from malafide.errors import BadSetting
from malafide.intake.documents import read_document
from malafide.knowledge.document_precedents import labelled
from malafide.knowledge.precedents import Precedents
from malafide.knowledge.remembered import Knowledge
from malafide.panel.document.toolbox import LINK, NUMBER, ORGANISATION, TOOLBOX, Finding

SCHEMA = schema("document")
LETTER = """Minutes of the rowing club, 3 March
We met on Tuesday evening and talked about the new boat house. It will be ready in June.
The treasurer reported on the year. Thanks to everyone who helped with the summer fair.
[Our website](https://rowing.example/minutes)"""
PHISH = """Your account has been suspended
Verify your password within 24 hours or your account will be closed.
[Verify now](http://paypa1-secure.test/login)"""


def panel(**changes: Any) -> DocumentPanel:
    return DocumentPanel(**{"knowledge": Knowledge(), **changes})


def sound(assessment: Assessment) -> Assessment:
    contract = document_contract(assessment)
    jsonschema.validate(contract, SCHEMA)
    assert all(e.holds_in(assessment.case) for e in assessment.evidence)
    named = " ".join(step.actor + step.says for step in assessment.trail)
    assert all(error.agent in named for error in assessment.errors), "every fault is named in the trail"
    if assessment.answer == "not_scam":
        assert assessment.evidence
        assert {error.agent for error in assessment.errors} <= {"EXECUTER"}, "only what came after the answer"
    return assessment


@pytest.mark.parametrize(("text", "answer"), [(LETTER, "not_scam"), (PHISH, "scam")])
def test_answers(text: str, answer: str) -> None:
    assessment = sound(panel().assess(read_document(pdf(text))))
    assert assessment.answer == answer
    assert assessment.route == "deep_analysis"
    assert assessment.agents == ("ROUTER", "PLANNER", "ANALYST", "SUPERVISOR")
    total = sum(step.amount for step in assessment.steps)
    assert assessment.probability == pytest.approx(100 / (1 + 2.718281828459045**-total), abs=0.01)


def test_deep_differs_from_full() -> None:
    case = read_document(pdf(PHISH.replace("[Verify now](http://paypa1-secure.test/login)", "Reply today.")))
    full, deep = (panel().assess(case, route=route) for route in ("full_analysis", "deep_analysis"))
    called = [[r.tool for r in a.tool_results if r.tool in TOOLBOX] for a in (full, deep)]
    assert LINK not in called[0] and LINK in called[1], "deep asks tools that full sees no use in"
    middling = read_document(
        pdf("Dear customer, please act now. Payment is due within 24 hours or a fee is added.")
    )
    answers = {
        route: panel().assess(middling, route=route).answer for route in ("full_analysis", "deep_analysis")
    }
    assert answers["deep_analysis"] == "suspicious"


def _store(tmp_path: Path, *entries: tuple[Case, str]) -> Precedents:
    store = Precedents(tmp_path / "p.sqlite")
    for number, (case, label) in enumerate(entries):
        store.store(labelled(replace(case, id=f"{number:016x}"), label, "ann", "2026-01-01"))
    return store


def test_fast_routes_need_only_the_executer(tmp_path: Path) -> None:
    letter, phish = read_document(pdf(LETTER)), read_document(pdf(PHISH))
    store = _store(tmp_path, (letter, "not_scam"), (phish, "scam"))
    for case, route, answer in ((letter, "fast_legitimate", "not_scam"), (phish, "fast_scam", "scam")):
        assessment = sound(panel(knowledge=Knowledge(precedents=store)).assess(case, executer=lambda _: []))
        assert (assessment.route, assessment.answer) == (route, answer)
        assert assessment.agents == ("ROUTER", "EXECUTER")


def test_a_known_letter_with_a_new_link_does_not_ride_its_reputation(tmp_path: Path) -> None:
    letter = read_document(pdf(LETTER))
    store = _store(tmp_path, (letter, "not_scam"), (letter, "not_scam"))
    new = read_document(pdf(LETTER.replace("https://rowing.example/minutes", "http://other-place.test/x")))
    assessment = sound(panel(knowledge=Knowledge(precedents=store)).assess(new))
    assert assessment.route == "full_analysis"
    assert "other-place.test" in assessment.route_reason


def test_own_verdicts_are_no_precedents(tmp_path: Path) -> None:
    from malafide.knowledge.document_precedents import own_verdict

    case = read_document(pdf(PHISH))
    store = Precedents(tmp_path / "p.sqlite")
    store.store(own_verdict(case, "2026-01-01"))
    assessment = panel(knowledge=Knowledge(precedents=store)).assess(case)
    assert assessment.route == "deep_analysis"
    assert not [r for r in assessment.tool_results if r.tool == "rag-tools.call_rag"]
    store.store(labelled(replace(case, id="f" * 16), "scam", "ann", "2026-01-01"))
    assert panel(knowledge=Knowledge(precedents=store)).assess(case).route == "fast_scam"
    store.forget("f" * 16, "document")
    assert panel(knowledge=Knowledge(precedents=store)).assess(case).route == "deep_analysis"


def test_retrieval_counts_as_a_call(tmp_path: Path) -> None:
    store = _store(
        tmp_path, (read_document(pdf("Something else entirely, about roses and tulips.")), "not_scam")
    )
    found = panel(knowledge=Knowledge(precedents=store), budget=Budget(tool_max_calls=2)).assess(
        read_document(pdf(PHISH))
    )
    counted = [r.tool for r in found.tool_results if r.tool in TOOLBOX or r.tool == "rag-tools.call_rag"]
    assert len(counted) == 2


@pytest.mark.parametrize("calls", range(5))
def test_never_more_calls_than_allowed(calls: int) -> None:
    assessment = sound(panel(budget=Budget(tool_max_calls=calls)).assess(read_document(pdf(PHISH))))
    assert sum(r.tool in TOOLBOX for r in assessment.tool_results) <= calls


def test_a_tool_that_sleeps_is_cut_off() -> None:
    slow = {**TOOLBOX, LINK: lambda case: time.sleep(30)}
    started = time.monotonic()
    assessment = sound(
        panel(toolbox=slow, budget=Budget(tool_time_budget=0.6)).assess(read_document(pdf(LETTER)))
    )
    assert time.monotonic() - started < 3
    assert assessment.answer == "suspicious"
    assert any(step.actor == LINK and "cut off" in step.says for step in assessment.trail)
    assert "extract_link" in assessment.explanation


def test_all_tools_down_is_suspicious() -> None:
    def broken(case: Case) -> Finding:
        raise ConnectionError("no tool answers")

    assessment = sound(
        panel(toolbox=dict.fromkeys(TOOLBOX, broken), looks=()).assess(read_document(pdf(LETTER)))
    )
    assert assessment.answer == "suspicious" and not assessment.evidence
    assert len(assessment.errors) == 3
    assert "failed" in assessment.explanation


def test_an_unknown_route_is_refused() -> None:
    with pytest.raises(BadSetting, match="there is no route"):
        panel().assess(read_document(pdf(LETTER)), route="express")  # type: ignore[arg-type]


def _raises(*_: Any, **__: Any) -> Any:
    raise KeyError("broken")


def _hangs(*_: Any, **__: Any) -> Any:
    time.sleep(5)


def _rubbish(*_: Any, **__: Any) -> Any:
    return "rubbish \ud800"


MANNERS: dict[str, Callable[..., Any]] = {"raises": _raises, "hangs": _hangs, "rubbish": _rubbish}
PLACES = [LINK, NUMBER, ORGANISATION, "ROUTER", "PLANNER", "ANALYST", "SUPERVISOR", "EXECUTER"]
ALONE = [((place, manner),) for place in PLACES for manner in MANNERS]
PAIRS = [
    ((a, m), (b, n)) for a, b in itertools.combinations(PLACES, 2) for m in MANNERS for n in MANNERS
]  # fmt: skip


def _with_faults(
    faults: tuple[tuple[str, str], ...], met: set[str]
) -> tuple[DocumentPanel, Callable[[Assessment], list[Receipt]]]:
    toolbox: dict[str, Any] = dict(TOOLBOX)
    officials = Officials()
    executer: Callable[[Assessment], list[Receipt]] = lambda _: [Receipt("report", "done", "written")]  # noqa: E731
    field_of = {"ROUTER": "route", "PLANNER": "plan", "ANALYST": "analyse", "SUPERVISOR": "rule"}

    def faulty(place: str, manner: str) -> Callable[..., Any]:
        def act(*args: Any) -> Any:
            met.add(place)
            return MANNERS[manner](*args)

        return act

    for place, manner in faults:
        if place in toolbox:
            toolbox[place] = faulty(place, manner)
        elif place == "EXECUTER":
            executer = faulty(place, manner)
        else:
            officials = replace(officials, **{field_of[place]: faulty(place, manner)})
    budget = Budget(tool_time_budget=0.08, agent_seconds=0.03, action_seconds=0.03)
    looks = ("phishing", "requests", "genuine")
    return panel(toolbox=toolbox, officials=officials, budget=budget, looks=looks), executer


def _named(faults: tuple[tuple[str, str], ...]) -> str:
    return " + ".join(f"{place.rpartition('.')[2]} {manner}" for place, manner in faults)


@pytest.mark.parametrize("faults", [*ALONE, *PAIRS], ids=_named)
def test_faults_alone_and_in_pairs(faults: tuple[tuple[str, str], ...]) -> None:
    met: set[str] = set()
    court, executer = _with_faults(faults, met)
    started = time.monotonic()
    assessment = sound(court.assess(read_document(pdf(LETTER)), executer=executer))
    assert time.monotonic() - started < 2
    assert met, "the faults were met"
    assert assessment.answer != "not_scam" or met == {"EXECUTER"}
    assert met <= {error.agent for error in assessment.errors}, "every fault is named"
    assert document_contract(assessment)["processing_metadata"]["errors_encountered"] >= len(met)
