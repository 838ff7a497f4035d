"""The document panel: routes, budgets, and every fault it may meet, alone and in pairs."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from benchmarks import faults
from benchmarks.pdf_writer import pdf

from malafide.actions.action import CLASSIFY, REPORT, STORE
from malafide.assessment import Assessment
from malafide.benches.document import Budget, DocumentPanel
from malafide.case import Case
from malafide.contracts import schema
from malafide.contracts.document import document_contract
from malafide.errors import BadSetting
from malafide.intake.documents import read_document
from malafide.knowledge.document_precedents import labelled
from malafide.knowledge.precedents import Precedents
from malafide.knowledge.remembered import Knowledge
from malafide.panel.document.toolbox import LINK, TOOLBOX, Finding, first_look
from malafide.tools import tools

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


def _reported(trials: list[faults.Trial]) -> list[str]:
    return [f"{trial.faults}: {', '.join(trial.wrong)}" for trial in trials if trial.wrong]


def test_without_a_fault_the_note_is_called_safe() -> None:
    """Or the next tests would prove nothing."""
    note, scam = faults.cases()
    sound_panel = faults.Saboteur(()).panel(first_look())
    assert sound_panel.assess(note).answer == "not_scam" and sound_panel.assess(scam).answer == "scam"


def test_every_fault_alone_and_in_pairs() -> None:
    looks = ("structure",)
    trials = faults.attempts(faults.combinations(looks), looks)
    assert len(trials) > 1_500 and not _reported(trials)
    safe = [t for t in trials if t.answer == "not_scam"]
    assert safe and all(place in faults.AFTER for t in safe for place, _ in t.faults)


def test_every_tool_of_the_first_look_failing_alone() -> None:
    looks = first_look()
    alone = [((look, manner),) for look in looks for manner in faults.MANNERS]
    assert not _reported(faults.attempts(alone, looks))


@pytest.mark.parametrize("manner", ["fails", "rubbish", "nonsense"])
@pytest.mark.parametrize("name", [part for tool in TOOLBOX.values() for part in tool.parts])
def test_a_tool_inside_a_tool(name: str, manner: str, monkeypatch: pytest.MonkeyPatch) -> None:
    saboteur = faults.Saboteur(((name, manner),))
    monkeypatch.setitem(tools._load(), name, saboteur.look(tools.get(name)))
    assessment = sound(panel(budget=faults.BUDGET).assess(faults.cases()[0]))
    assert saboteur.met == {name} and any(f"({name})" in error.agent for error in assessment.errors)
    assert assessment.answer == "suspicious"


@pytest.mark.parametrize("manner", faults.MANNERS)
@pytest.mark.parametrize("name", ["NothingWrong", "PlainDocument"])
def test_a_witness_that_breaks(name: str, manner: str, monkeypatch: pytest.MonkeyPatch) -> None:
    saboteur = faults.Saboteur((("witness", manner),))

    class Witness:
        name = "witness"

        def __call__(self, case: Case, seen: object) -> Any:
            return saboteur.act("witness", "look")

    monkeypatch.setattr(f"malafide.benches.document.{name}", Witness)
    assessment = sound(panel(budget=faults.BUDGET).assess(faults.cases()[0]))
    saboteur.ended.set()
    assert [error.agent for error in assessment.errors] == ["witness"] and assessment.answer == "suspicious"


def test_a_store_that_cannot_be_opened_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "p.sqlite").write_bytes(b"this is no database, however long one looks at it" * 50)
    store = Precedents(tmp_path / "p.sqlite")
    assessment = sound(panel(knowledge=Knowledge(precedents=store)).assess(faults.cases()[0]))
    assert [error.agent for error in assessment.errors] == ["rag-tools.call_rag"]
    assert assessment.answer == "suspicious"


@pytest.mark.parametrize("manner", faults.MANNERS)
@pytest.mark.parametrize("place", [LINK, "structure", "ROUTER"])
def test_no_fast_route_past_a_fault(place: str, manner: str, tmp_path: Path) -> None:
    note, _ = faults.cases()
    remembering = Knowledge(precedents=_store(tmp_path, (note, "not_scam"), (note, "not_scam")))
    saboteur = faults.Saboteur(((place, manner),))
    assert panel(knowledge=remembering).assess(note).route == "fast_legitimate"
    court = replace(saboteur.panel(first_look()), knowledge=remembering)
    assessment = sound(court.assess(note))
    saboteur.ended.set()
    assert saboteur.met == {place} and assessment.answer == "suspicious"
    assert not assessment.route.startswith("fast")


def test_what_was_done_before_an_action_hung_can_be_undone() -> None:
    saboteur = faults.Saboteur(((CLASSIFY, "hangs"),))
    assessment = saboteur.panel(first_look()).assess(faults.cases()[1], executer=saboteur.executer())
    saboteur.ended.set()
    assert [(r.action, r.status) for r in assessment.receipts] == [
        (REPORT, "done"),
        (STORE, "done"),
        (CLASSIFY, "failed"),
    ]
    assert "see whether it was done" in assessment.receipts[-1].says
