"""The document panel, whole: process, retrieve, route, plan, gather, weigh, rule, act. Reads like SPEC section 3.4."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, get_args

from malafide.assessment import (
    Analysis,
    Answer,
    Assessment,
    Receipt,
    ReceiptStatus,
    Retrieval,
    Route,
    TrailStatus,
    TrailStep,
)
from malafide.benches.assessing import Notebook
from malafide.benches.sound import (
    sound_receipts,
    sound_retrieval,
    wrong_analysis,
    wrong_plan,
    wrong_routing,
    wrong_ruling,
)
from malafide.case import Case
from malafide.consensus.explanation import explain
from malafide.consensus.routing import Routing, by_rules, settle
from malafide.consensus.supervisor import Ruling, rule
from malafide.errors import BadSetting
from malafide.evidence import Evidence
from malafide.knowledge.remembered import Knowledge, remembered
from malafide.opinion import Failure, Step
from malafide.panel.absence import NothingWrong
from malafide.panel.document.analyst import analyse
from malafide.panel.document.planner import Plan, plan
from malafide.panel.document.retrieval import retrieve
from malafide.panel.document.toolbox import LINK, PROCESS, RETRIEVE, TOOLBOX, Finding, Run, faults, first_look
from malafide.panel.hearing import Witness, examine, hear_within, sound_evidence
from malafide.panel.plain_document import PlainDocument
from malafide.tools import Tool, tools

if TYPE_CHECKING:
    from malafide.benches.document_minds import DocumentCouncil

Executer = Callable[[Assessment], Sequence[Receipt]]
Weighed = tuple[Analysis, tuple[Step, ...]]
_SETTLED: Final = (5.0, 95.0)  # a full analysis asks no further tool once it is as clear as this
_ORDER: Final = tuple(TOOLBOX)


@dataclass(frozen=True, slots=True)
class Budget:
    """What one assessment may cost. Retrieval counts as a call; processing and final actions do not."""

    tool_max_calls: int = 4
    tool_time_budget: float = 60.0
    agent_seconds: float = 20.0  # of one agent
    action_seconds: float = 60.0  # of all actions together

    def __post_init__(self) -> None:
        if self.tool_max_calls < 0 or min(self.tool_time_budget, self.agent_seconds, self.action_seconds) < 0:
            raise BadSetting(f"a budget cannot be negative: {self}")


@dataclass(frozen=True, slots=True)
class Officials:
    """The agents' reasoning. Each may be replaced, as long as it answers in kind."""

    route: Callable[[Retrieval], Routing] = lambda r: by_rules(
        r.average_confidence_level, r.average_scam_probability
    )
    plan: Callable[[Case, Route, int], Plan] = plan
    analyse: Callable[[Sequence[Evidence]], Weighed] = analyse
    rule: Callable[..., Ruling] = rule


@dataclass(frozen=True, slots=True)
class DocumentPanel:
    """Assesses mails and documents. With no executer nothing is done beyond the answer."""

    knowledge: Knowledge = field(default_factory=remembered)
    budget: Budget = Budget()
    officials: Officials = Officials()
    toolbox: Mapping[str, Run] = field(default_factory=lambda: TOOLBOX)
    looks: tuple[Tool, ...] = field(default_factory=lambda: tuple(map(tools.get, first_look())))
    council: DocumentCouncil | None = None  # language models for the agents, in place of `officials`
    asides: Sequence[
        Failure | tuple[str, str]
    ] = ()  # what came of asking models, filled while they are heard
    tell: Callable[[TrailStep], None] | None = None  # is told every step as it happens

    def assess(
        self, case: Case, *, route: Route | None = None, executer: Executer | None = None
    ) -> Assessment:
        """The whole assessment. `route` forces one."""
        if route is not None and route not in get_args(Route):
            raise BadSetting(f"there is no route {route!r}; there are {', '.join(get_args(Route))}")
        if self.council is not None:
            return self._with_models(self.council, case, route, executer)
        started = datetime.now(UTC)
        book = Notebook(self.budget.tool_max_calls, self.budget.tool_time_budget, self.budget.agent_seconds)
        book.tell = self.tell
        self._process(case, book)
        retrieval = self._retrieve(case, book)
        routing = self._route(case, retrieval, book, route)
        if not routing.route.startswith("fast"):
            self._gather(case, routing.route, book)
        self._witness(case, book)
        analysis, steps = self._analyse(case, routing.route, book)
        ruling = self._rule(case, analysis, routing.route, book)
        for aside in self.asides:  # a model that failed is an error, but its agent answered without it
            if isinstance(aside, Failure):
                book.fail(aside)
            else:
                book.note(*aside)
        assessment = Assessment(
            workflow_id=secrets.token_hex(6),
            started=started,
            case=case,
            answer=ruling.answer,
            probability=analysis.scam_probability if analysis else 50.0,
            confidence=analysis.confidence_level if analysis else 0.0,
            explanation=explain(ruling, book.evidence, case.limitations, book.failed),
            reason=ruling.reason,
            route=routing.route,
            route_reason=routing.reason,
            evidence=tuple(sorted(book.evidence, key=lambda e: (-e.strength, e.kind, e.part, e.start))),
            steps=steps,
            tool_results=tuple(book.results),
            agents=tuple(book.agents),
            errors=tuple(book.errors),
            trail=tuple(book.trail),
            total_time=book.elapsed,
        )
        return self._execute(assessment, executer, book)

    def _with_models(
        self, council: DocumentCouncil, case: Case, route: Route | None, executer: Executer | None
    ) -> Assessment:
        """The same with the agents' models asked; what they did not manage is in the trail."""
        hearing = council.hear(case)
        thinking = Officials(hearing.route, hearing.plan, hearing.analyse, hearing.rule)
        budget = replace(
            self.budget, agent_seconds=max(self.budget.agent_seconds, council.settings.case.seconds or 0.0)
        )
        panel = replace(self, council=None, officials=thinking, budget=budget, asides=hearing.notes)
        assessment = panel.assess(case, route=route, executer=executer)
        return replace(assessment, exchanges=tuple(hearing.exchanges))

    def _process(self, case: Case, book: Notebook) -> None:
        """The first look: wording, structure, files. What hangs or breaks is named and the rest goes on."""
        name = PROCESS.get(case.kind, PROCESS["email"])
        found: list[Evidence] = []
        broken: list[Failure] = []
        left = self.budget.agent_seconds
        began = book.elapsed
        for look in self.looks:
            started = time.monotonic()
            seen = hear_within(look.name, lambda look=look: examine(case, [look]), left / 2)  # type: ignore[misc]
            left -= time.monotonic() - started
            if isinstance(seen, Failure):
                broken.append(seen)
            else:
                found.extend(seen.evidence)
                broken.extend(faults(seen))
        items = tuple(
            {"part": p.name, "characters": len(p.text)} for p in case.of_role("subject", "body", "attachment")
        )
        book.keep(name, case, Finding(items, tuple(found), tuple(broken)), book.elapsed - began)
        for limitation in case.limitations:
            book.note(name, f"not read: {limitation}")

    def _retrieve(self, case: Case, book: Notebook) -> Retrieval:
        store = self.knowledge.precedents
        any_there = store is not None and hear_within(
            RETRIEVE, lambda: bool(store.labelled), self.budget.agent_seconds
        )
        if isinstance(any_there, Failure):
            book.fail(any_there)
            return Retrieval()
        if store is None or not any_there:
            book.note(RETRIEVE, "not called: nobody has labelled a precedent yet", "skipped")
            return Retrieval()
        before = book.elapsed
        said = book.call(RETRIEVE, lambda: sound_retrieval(retrieve(store, case)), more=1)
        if said is None:
            return Retrieval()
        retrieval, evidence = said
        numbers = {
            "average_confidence_level": retrieval.average_confidence_level,
            "average_scam_probability": retrieval.average_scam_probability,
            "precedents": retrieval.labelled,
            "summary": retrieval.sentence,
        }
        book.keep(RETRIEVE, case, Finding((numbers,), evidence), book.elapsed - before)
        return retrieval

    def _route(self, case: Case, retrieval: Retrieval, book: Notebook, forced: Route | None) -> Routing:
        if forced is not None:
            routing = Routing(forced, "This route was asked for.")
        else:
            said = book.ask("ROUTER", lambda: self.officials.route(retrieval), wrong_routing)
            routing = said or Routing(
                "full_analysis", "The router failed; a full analysis is the last resort."
            )
        if routing.route.startswith("fast"):  # before a reputation is believed, where does it lead?
            book.use(LINK, case, self.toolbox[LINK], more=1)
        routing = settle(routing, retrieval, book.evidence, book.failed)
        book.note("ROUTER", f"{routing.route}: {routing.reason}")
        return routing

    def _gather(self, case: Case, route: Route, book: Notebook) -> None:
        calls = book.calls_left
        said = book.ask("PLANNER", lambda: self.officials.plan(case, route, calls), wrong_plan)
        chosen = said or Plan(_ORDER[:calls], "The planner failed; the usual order is taken.")
        called = {result.tool for result in book.results}
        names = [name for name in dict.fromkeys(chosen.tools) if name not in called]
        book.note("PLANNER", f"{', '.join(names) or 'no tool'}: {chosen.reason}")
        for number, name in enumerate(names, start=1):
            if route == "full_analysis" and self._settled(book):
                book.note(name, "not called: it is clear enough without", "skipped")
                continue
            book.use(name, case, self.toolbox[name], more=len(names) - number)

    def _settled(self, book: Notebook) -> bool:
        low, high = _SETTLED
        probability = analyse(book.evidence)[0].scam_probability
        return not book.errors and (probability >= high or probability <= low)

    def _witness(self, case: Case, book: Notebook) -> None:
        """Those who speak from what was learned, and from silence where everything was looked at."""
        witnesses: list[Witness] = [w for w in self.knowledge.witnesses() if w.name == "catalog"]
        if not book.errors:
            witnesses += [NothingWrong(), PlainDocument()]
        for witness in witnesses:
            seen = tuple(book.evidence)
            said = hear_within(
                witness.name,
                lambda w=witness, s=seen: sound_evidence(w(case, s)),  # type: ignore[misc]
                self.budget.agent_seconds,
            )
            if isinstance(said, Failure):
                book.fail(said)
            elif said:
                book.keep(witness.name, case, Finding((), tuple(said)), 0.0)

    def _analyse(self, case: Case, route: Route, book: Notebook) -> tuple[Analysis | None, tuple[Step, ...]]:
        if route.startswith("fast"):
            analysis, steps = analyse(book.evidence)
            book.note(
                "EXECUTER",
                f"fast route: scam probability {analysis.scam_probability:.0f} from the precedents",
            )
            return analysis, steps
        evidence = tuple(book.evidence)
        said = book.ask(
            "ANALYST", lambda: self.officials.analyse(evidence), lambda said: wrong_analysis(said, case)
        )
        if said is None:
            return None, ()
        analysis, steps = said
        numbers = (
            f"scam probability {analysis.scam_probability:.1f}, confidence {analysis.confidence_level:.2f}"
        )
        book.note("ANALYST", f"{numbers}. {analysis.words}")
        known = set(evidence)  # what a model pointed at joins the rest
        book.evidence.extend(s.evidence for s in steps if s.evidence is not None and s.evidence not in known)
        return said

    def _rule(self, case: Case, analysis: Analysis | None, route: Route, book: Notebook) -> Ruling:
        args = (analysis, tuple(book.evidence), route, tuple(book.failed), case.limitations)
        if route.startswith("fast"):
            answer: Answer = "scam" if route == "fast_scam" else "not_scam"
            return (
                Ruling(answer, f"Nearly the same cases were labelled {answer}.")
                if book.evidence
                else rule(*args)
            )
        said = book.ask("SUPERVISOR", lambda: self.officials.rule(*args), wrong_ruling)
        if said is None:
            said = Ruling("suspicious", "The supervisor failed, so nothing can be ruled out.")
        if said.answer == "not_scam" and rule(*args).answer != "not_scam":
            said = rule(*args)  # nobody calls safe what the rules do not
        book.note("SUPERVISOR", f"{said.answer}: {said.reason}")
        return said

    def _execute(self, assessment: Assessment, executer: Executer | None, book: Notebook) -> Assessment:
        if executer is None:
            return assessment
        book.agents.append("EXECUTER")
        started = time.monotonic()
        said = hear_within(
            "EXECUTER", lambda: sound_receipts(executer(assessment)), self.budget.action_seconds
        )
        if isinstance(said, Failure):
            book.fail(said, time.monotonic() - started)
            said = ()
        for receipt in said:
            book.note(
                "EXECUTER", f"{receipt.action}: {receipt.status}, {receipt.says}", _STATUS[receipt.status]
            )
            if receipt.status == "failed":
                book.errors.append(Failure(receipt.action, receipt.says))
        return replace(
            assessment,
            agents=tuple(book.agents),
            errors=tuple(book.errors),
            trail=tuple(book.trail),
            receipts=tuple(said),
            total_time=book.elapsed,
        )


_STATUS: Final[dict[ReceiptStatus, TrailStatus]] = {
    "done": "done",
    "rehearsed": "done",
    "undone": "done",
    "failed": "failed",
    "skipped": "skipped",
}
