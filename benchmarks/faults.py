"""Breaks the document panel on purpose: every tool, agent and action fails, hangs or talks rubbish, alone and in pairs.

The tests run it with one tool of the first look, `python -m benchmarks.documents` with all of them.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

import jsonschema

from malafide.actions.action import CLASSIFY, REPORT, STORE
from malafide.actions.executer import Executer
from malafide.assessment import Analysis, Assessment, Receipt, Retrieval
from malafide.benches.document import Budget, DocumentPanel, Officials
from malafide.case import Case
from malafide.consensus.routing import Routing
from malafide.consensus.supervisor import Ruling
from malafide.contracts import schema
from malafide.contracts.document import document_contract
from malafide.evidence import Evidence
from malafide.intake.documents import read_document
from malafide.knowledge.remembered import Knowledge
from malafide.panel.document.planner import Plan
from malafide.panel.document.toolbox import RETRIEVE, TOOLBOX, Finding
from malafide.tools import Tool, tools

NOTE = (
    b"From: Ann Ferry <ann@rowing.example>\r\nTo: bo@example.com\r\nSubject: Re: minutes of Tuesday\r\n"
    b"Date: Mon, 2 Mar 2026 10:00:00 +0000\r\nMessage-ID: <2@rowing.example>\r\nIn-Reply-To: <1@example.com>\r\n"
    b"References: <1@example.com>\r\nContent-Type: text/plain\r\n\r\nHi Bo,\r\n\r\nthanks for the notes. We meet "
    b"again on Thursday at the boat house; Carla brings the plans and I bring cake. My number is +44 20 7946 0018 if "
    b"you are late. The minutes are at https://rowing.example/minutes.\r\n\r\nSee you, Ann\r\n\r\n"
    b"> Here are my notes of Tuesday.\r\n> Bo\r\n"
)
SCAM = (
    b"From: Wells Fargo <help@wellsfargo-alerts.test>\r\nTo: ann@example.com\r\nSubject: Account suspended\r\n"
    b"Date: Mon, 2 Mar 2026 10:00:00 +0000\r\nMessage-ID: <1@wellsfargo-alerts.test>\r\nContent-Type: text/html\r\n\r\n"
    b"<p>Dear customer, your account has been suspended. Verify your password and card PIN within 24 hours or it will "
    b"be closed.</p><a href='http://wellsfargo.verify-login.test/x'>www.wellsfargo.com</a>"
)
OFFICIALS = {"ROUTER": "route", "PLANNER": "plan", "ANALYST": "analyse", "SUPERVISOR": "rule"}
ACTIONS = (REPORT, STORE, CLASSIFY)
AFTER = {"EXECUTER", *ACTIONS}  # what comes after the answer and cannot change it
MANNERS = ("fails", "hangs", "rubbish", "nonsense")
Fault = tuple[str, str]  # a place and a manner
# Long enough for what is sound, on a busy machine too; what hangs waits as long and is cut off.
BUDGET = Budget(tool_max_calls=6, tool_time_budget=0.6, agent_seconds=0.3, action_seconds=0.6)
IN_TIME = (
    0.6 + 0.3 * (2 + len(OFFICIALS)) + 0.6 + 1.0
)  # tools, first look, store, agents, actions; and a second


def places(looks: Sequence[str]) -> tuple[str, ...]:
    return (*looks, RETRIEVE, *TOOLBOX, *OFFICIALS, *ACTIONS, "EXECUTER")


def combinations(looks: Sequence[str]) -> Iterator[tuple[Fault, ...]]:
    """Every fault alone and every two of different places."""
    alone = [(place, manner) for place in places(looks) for manner in MANNERS]
    yield from ((fault,) for fault in alone)
    yield from (two for two in itertools.combinations(alone, 2) if two[0][0] != two[1][0])


def _invented() -> Evidence:
    """A piece of evidence whose words stand nowhere."""
    return Evidence(
        "made.up", "wording", "deceptive", float("nan"), "body", 0, 9, "not there", "made", "It is made up."
    )


# Of the right type, and wrong all the same.
NONSENSE: dict[str, Callable[[], Any]] = {
    "look": lambda: [_invented()],
    "tool": lambda: Finding(({"a": 1},), (_invented(),)),
    RETRIEVE: lambda: [Retrieval(float("nan"), 400.0)],
    "ROUTER": lambda: Routing("express", "It is quicker."),  # type: ignore[arg-type]
    "PLANNER": lambda: Plan(("delete-everything",), "It is safer."),
    "ANALYST": lambda: (Analysis(float("nan"), 7.0, "Surely."), ()),
    "SUPERVISOR": lambda: Ruling("harmless", "I say so."),  # type: ignore[arg-type]
    "EXECUTER": lambda: [Receipt("report", "perhaps", "?")],  # type: ignore[arg-type]
    "action": lambda: Receipt("report", "perhaps", "?"),  # type: ignore[arg-type]
}


@dataclass
class Saboteur:
    """Makes the faults, and keeps where they were met. `ended` lets go of what hangs."""

    faults: tuple[Fault, ...]
    met: set[str] = field(default_factory=set)
    ended: threading.Event = field(default_factory=threading.Event)

    def manner(self, place: str) -> str:
        return dict(self.faults).get(place, "")

    def act(self, place: str, kind: str) -> Any:
        self.met.add(place)
        match self.manner(place):
            case "fails":
                raise KeyError(f"{place} is broken")
            case "hangs":
                self.ended.wait(30)
                return None
            case "rubbish":
                return "rubbish \ud800"
        return NONSENSE[kind]()

    def panel(self, looks: Sequence[str]) -> DocumentPanel:
        officials = Officials()
        for place, name in OFFICIALS.items():
            if self.manner(place):
                officials = replace(officials, **{name: lambda *_, place=place: self.act(place, place)})
        return DocumentPanel(
            knowledge=Knowledge(precedents=Store(self)),  # type: ignore[arg-type]
            budget=BUDGET,
            officials=officials,
            toolbox={
                name: (lambda _, name=name: self.act(name, "tool")) if self.manner(name) else tool
                for name, tool in TOOLBOX.items()
            },
            looks=tuple(self.look(tools.get(name)) for name in looks),
        )

    def look(self, tool: Tool) -> Tool:
        return replace(tool, run=lambda _: self.act(tool.name, "look")) if self.manner(tool.name) else tool

    def executer(self) -> Callable[[Assessment], list[Receipt]]:
        if self.manner("EXECUTER"):
            return lambda _: self.act("EXECUTER", "EXECUTER")  # type: ignore[no-any-return]
        return Executer([Deed(self, name) for name in ACTIONS], seconds=0.5 * BUDGET.action_seconds)


@dataclass(frozen=True)
class Deed:
    """An action that does nothing, or that goes wrong."""

    saboteur: Saboteur
    name: str

    def __call__(self, assessment: Assessment, *, rehearse: bool) -> Receipt:  # noqa: ARG002
        if self.saboteur.manner(self.name):
            return self.saboteur.act(self.name, "action")  # type: ignore[no-any-return]
        return Receipt(self.name, "done", "done")


@dataclass(frozen=True)
class Store:
    """Precedents of which none is like anything, or which cannot be asked."""

    saboteur: Saboteur
    labelled: bool = True

    def search(self, *_: Any, **__: Any) -> Any:
        return self.saboteur.act(RETRIEVE, RETRIEVE) if self.saboteur.manner(RETRIEVE) else []


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of some faults. `wrong` lists every promise that was broken."""

    faults: tuple[Fault, ...]
    wrong: tuple[str, ...]
    seconds: float
    answer: str


SCHEMA = jsonschema.Draft202012Validator(schema("document"))


def cases() -> tuple[Case, Case]:
    return read_document(NOTE), read_document(SCAM)


def attempt(faults: tuple[Fault, ...], looks: Sequence[str], note: Case, scam: Case) -> Trial:
    """One assessment with these faults: of a harmless mail, or where a fault is in sorting, of a scam."""
    saboteur = Saboteur(faults)
    case = scam if saboteur.manner(CLASSIFY) else note
    started = time.monotonic()
    assessment = saboteur.panel(looks).assess(case, executer=saboteur.executer())
    seconds = time.monotonic() - started
    saboteur.ended.set()
    wrong = [*_broken(assessment, saboteur.met)]
    if seconds > IN_TIME:
        wrong.append(f"took {seconds:.1f} s")
    return Trial(faults, tuple(wrong), seconds, assessment.answer)


def _broken(assessment: Assessment, met: set[str]) -> Iterator[str]:
    contract = document_contract(assessment)
    yield from (error.message for error in SCHEMA.iter_errors(contract))
    named = " ".join(error.agent for error in assessment.errors)
    yield from (f"{place} is not named" for place in met if place not in named)
    trail = " ".join(f"{step.actor} {step.says}" for step in assessment.trail)
    yield from (f"{e.agent} is not in the trail" for e in assessment.errors if e.agent not in trail)
    if contract["processing_metadata"]["errors_encountered"] < len(met):
        yield "not every fault is counted"
    if not met:
        yield "no fault was met"
    if not all(e.holds_in(assessment.case) for e in assessment.evidence):
        yield "evidence that is not in the case was counted"
    if assessment.answer == "not_scam" and (not assessment.evidence or not met <= AFTER):
        yield "called not_scam"


def attempts(what: Iterable[tuple[Fault, ...]], looks: Sequence[str]) -> list[Trial]:
    """All of them, several at once: most of the time is waiting for what hangs."""
    note, scam = cases()
    with ThreadPoolExecutor(24) as pool:
        return list(pool.map(lambda faults: attempt(faults, looks, note, scam), what))
