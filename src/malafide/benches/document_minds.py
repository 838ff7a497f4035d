"""The document panel's agents with a language model: what it says is bounded, checked and never makes an answer safer.

Each is asked at most twice, the second time in other words; whatever goes wrong, the offline reasoning stands.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, TypeVar, get_args

from malafide.assessment import Analysis, Retrieval, Route
from malafide.case import Case
from malafide.consensus.routing import Routing, by_rules
from malafide.consensus.story import contradiction
from malafide.consensus.supervisor import BOUNDS, Ruling, rule
from malafide.consensus.witness import orders_to_the_judge
from malafide.evidence import Evidence
from malafide.exchange import Exchange, Reply
from malafide.minds.briefing import HOW_IT_IS_SHOWN, View, brief
from malafide.minds.budget import Budget
from malafide.minds.cache import AnswerCache
from malafide.minds.citation import cite
from malafide.minds.gate import Gate
from malafide.minds.llm import LanguageModel
from malafide.minds.loop import Loop
from malafide.minds.mind import Mind, Prompt
from malafide.minds.models import endpoint
from malafide.minds.offline import PRIOR, confidence_of, logistic
from malafide.minds.reports import (
    CONSENSUS_SCHEMA,
    CONSENSUS_WORDS,
    Form,
    NotAReport,
    read_consensus,
    read_object,
    read_report,
)
from malafide.opinion import Failure, Step
from malafide.panel.asking import Asked, Desk, ask, strayed
from malafide.panel.counsel import testify
from malafide.panel.document.analyst import analyse
from malafide.panel.document.planner import Plan, plan
from malafide.panel.document.toolbox import TOOLBOX
from malafide.panel.spec import agent_spec
from malafide.record.outbound import OutboundLog
from malafide.settings import PER_CASE, Settings
from malafide.verdict import Classification

if TYPE_CHECKING:
    from malafide.benches.document import DocumentPanel

AGENTS: Final = ("router", "planner", "analyst", "supervisor")
_FORM: Final = Form("reasons_against", "reasons_in_favour")
_TEXT: Final = {"type": "string"}
_AGAIN: Final = (
    " This is a second attempt: the first answer could not be used ({wrong}). Give the JSON object alone."
)
_ANSWERS: Final[dict[str, Classification]] = {"scam": "SPAM", "not_scam": "HAM", "suspicious": "UNCERTAIN"}
T = TypeVar("T")


def _closed(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(fields),
        "required": list(fields),
        "additionalProperties": False,
    }


_SCHEMAS: Final[Mapping[str, dict[str, Any]]] = {
    "router": _closed({"route": {"type": "string", "enum": list(get_args(Route))}, "reason": _TEXT}),
    "planner": _closed(
        {"tools": {"type": "array", "items": {"type": "string", "enum": list(TOOLBOX)}}, "reason": _TEXT}
    ),
    "analyst": _FORM.schema,
    "supervisor": CONSENSUS_SCHEMA,
}
_WORDS: Final[Mapping[str, str]] = {
    "router": 'One JSON object with exactly "route" and "reason" (one plain sentence). Nothing before or after it.',
    "planner": 'One JSON object with exactly "tools" (names, in order) and "reason" (one plain sentence).',
    "analyst": _FORM.words,
    "supervisor": CONSENSUS_WORDS,
}


class DocumentCouncil:
    """The models of the document panel, for as long as a run lasts."""

    def __init__(self, settings: Settings, minds: Mapping[str, Mind] | None = None) -> None:
        """`minds` by agent replaces the models of the settings, such as by recorded answers."""
        self.settings = settings
        self.loop = Loop()
        self.run = Budget("run", settings.run)
        self.cache = AnswerCache() if minds is None and settings.cache else None
        self.log = OutboundLog() if minds is None else None
        self.minds = dict(minds) if minds is not None else _minds(settings)
        self.system = {a: f"{agent_spec(a).prompt}\n\n{HOW_IT_IS_SHOWN}\n\n{_WORDS[a]}\n" for a in AGENTS}

    def hear(self, case: Case) -> Hearing:
        """The agents for one case."""
        caps = self.settings.case
        if caps == PER_CASE:  # nobody chose: four agents, each of which may need a second attempt
            caps = replace(caps, calls=2 * len(AGENTS))
        return Hearing(self, case, Desk((Budget("case", caps), self.run), self.cache, self.log))

    def close(self) -> None:
        """Ends the connections."""
        for mind in {id(m): m for m in self.minds.values()}.values():
            self.loop.run(mind.close())
        self.loop.close()


def models_of(settings: Settings) -> dict[str, str]:
    """The model of each agent that has one."""
    named = {agent: settings.agents.get(agent, settings.model) for agent in AGENTS}
    return {agent: name for agent, name in named.items() if name}


def _minds(settings: Settings) -> dict[str, Mind]:
    gate = Gate(settings.concurrency, settings.per_minute)
    named = models_of(settings)
    made = {name: LanguageModel(endpoint(name, settings.prices), gate) for name in {*named.values()}}
    return {agent: made[name] for agent, name in named.items()}


class _Mute:
    """Keeps what it is asked and answers nothing."""

    name = "nobody"

    def __init__(self) -> None:
        self.asked: list[Prompt] = []

    async def ask(self, prompt: Prompt, seconds: float) -> Reply:  # noqa: ARG002
        self.asked.append(prompt)
        return Reply(self.name, fault="cap", detail="nothing is sent")

    async def close(self) -> None:
        return


def would_ask(panel: DocumentPanel, case: Case, route: Route | None, settings: Settings) -> list[Prompt]:
    """The first questions that models would be asked about a case; nothing is sent."""
    if not settings.thinks:
        return []
    mute = _Mute()
    council = DocumentCouncil(settings, dict.fromkeys(models_of(settings), mute))
    try:
        replace(panel, council=council).assess(case, route=route)
    finally:
        council.close()
    return mute.asked


@dataclass(slots=True)
class Hearing:
    """The agents of one assessment. `notes` tell what the models changed and where they failed."""

    council: DocumentCouncil
    case: Case
    desk: Desk
    notes: list[Failure | tuple[str, str]] = field(default_factory=list)
    exchanges: list[Exchange] = field(default_factory=list)

    def route(self, retrieval: Retrieval) -> Routing:
        """The model may be more careful than the rules, never faster."""
        rules = by_rules(retrieval.average_confidence_level, retrieval.average_scam_probability)
        if self.council.settings.escalate != "always":
            return rules
        numbers = (
            f"average_confidence_level: {retrieval.average_confidence_level}\n"
            f"average_scam_probability: {retrieval.average_scam_probability}\nprecedents: {retrieval.labelled}"
        )
        said = self._ask("router", lambda _: numbers, _read_route)
        if said is None or (said.route.startswith("fast") and said.route != rules.route):
            return rules
        return said

    def plan(self, case: Case, route: Route, calls: int) -> Plan:
        own = plan(case, route, calls)
        if self.council.settings.escalate != "always" or not calls:
            return own
        links = len(case.mail.links) if case.mail else 0
        headers = bool(case.mail and case.mail.headers)
        facts = (
            f"kind: {case.kind}\nroute: {route}\ncalls: {calls}\nlinks: {links}\nheaders: {headers}\n"
            f"characters of text: {len(case.reading)}\ndigits: {sum(c.isdigit() for c in case.reading[:4_000])}"
        )
        said = self._ask("planner", lambda _: facts, _read_plan)
        return own if said is None else Plan(said.tools[:calls], said.reason)

    def analyse(self, evidence: Sequence[Evidence]) -> tuple[Analysis, tuple[Step, ...]]:
        """The offline arithmetic, and on top the suspicion a model can prove by the document's own words."""
        analysis, steps = analyse(evidence)
        if not self._open(analysis) or orders_to_the_judge(evidence) is not None:
            return analysis, steps
        shown: list[Any] = []

        def words(before: Reply | None) -> str:
            view: View = "blind" if before is not None and strayed(before) else "whole"
            how = (
                "Quote findings by their lines."
                if view == "blind"
                else "Weigh it, in the form you were given."
            )
            given = brief(
                self.case,
                evidence,
                self.council.settings.share,
                view,
                how,
            )
            shown.append(given)
            return given.user

        report = self._ask(
            "analyst", words, lambda reply: read_report(reply.text, _FORM, reply.spam_probability), shown
        )
        if report is None:
            return analysis, steps
        against, favour = cite(report.against, shown[-1].shown), cite(report.favour, shown[-1].shown)
        claimed = len(report.against) + len(report.favour)
        share = (len(against.found) + len(favour.found)) / claimed if claimed else 0.0
        made = testify(
            self.case,
            "analyst",
            self.council.minds["analyst"].name,
            report,
            against.found,
            favour.found,
            share,
        )
        self.notes += [("ANALYST", note) for note in made.notes]
        if made.amount <= 0:
            if made.amount < 0:
                self.notes.append(
                    ("ANALYST", "the model holds it for harmless; not counted, no model clears alone")
                )
            return analysis, steps
        each = made.amount / len(made.evidence)
        added = tuple(Step(e.kind, round(each, 6), e) for e in made.evidence)
        return _weighed(analysis, (*(steps or (Step("prior", PRIOR),)), *added), report.words)

    def rule(
        self,
        analysis: Analysis | None,
        evidence: Sequence[Evidence],
        route: Route,
        failed: Sequence[str],
        unread: Sequence[str],
    ) -> Ruling:
        """The rules' answer, which a model may make more careful, with its words where they do not contradict it."""
        ruling = rule(analysis, evidence, route, failed, unread)
        if analysis is None or not evidence or not self._open(analysis):
            return ruling
        share = self.council.settings.share
        given = [
            brief(self.case, evidence, share, "blind", "Judge the findings and explain, in the form given.")
        ]
        said = self._ask(
            "supervisor",
            lambda _: given[0].user,
            lambda reply: read_consensus(reply.text, reply.spam_probability),
            given,
        )
        if said is None:
            return ruling
        if ruling.answer == "not_scam" and said.recommendation == "SPAM":
            ruling = Ruling(
                "suspicious", "The findings alone look like a scam to the model that did not read it."
            )
        wrong = contradiction(said.words, _ANSWERS[ruling.answer], [])
        if wrong is not None:
            self.notes.append(("SUPERVISOR", f"the model's explanation was left out, because {wrong}"))
            return ruling
        return replace(ruling, words=said.words)

    def _open(self, analysis: Analysis) -> bool:
        """Whether models are asked: always, or about what the offline reasoning leaves open."""
        low, high = BOUNDS["deep_analysis"]
        how = self.council.settings.escalate
        return how == "always" or (how == "uncertain" and low < analysis.scam_probability < high)

    def _ask(
        self,
        agent: str,
        words: Callable[[Reply | None], str],
        read: Callable[[Reply], T],
        shown: Sequence[Any] = (),
    ) -> T | None:
        mind = self.council.minds.get(agent)
        if mind is None:
            return None

        def prompts(attempt: int, before: Reply | None) -> Prompt:
            user = words(before) + ("" if before is None else _AGAIN.format(wrong=before.fault))
            boundary = shown[-1].boundary if shown else ""
            return Prompt(
                agent, self.case.id, attempt, self.council.system[agent], user, boundary, _SCHEMAS[agent],
                "route" if agent == "router" else "recommendation",
            )  # fmt: skip

        asked: Asked[T] = self.council.loop.run(ask(mind, prompts, lambda _, reply: read(reply), self.desk))
        self.exchanges.extend(asked.exchanges)
        if asked.value is None:
            self.notes.append(
                Failure(f"{agent.upper()} (model)", f"{asked.why_not}; its offline answer stands")
            )
        return asked.value


def _weighed(before: Analysis, steps: tuple[Step, ...], words: str) -> tuple[Analysis, tuple[Step, ...]]:
    total = math.fsum(s.amount for s in steps)
    mass = math.fsum(abs(s.amount) for s in steps if s.evidence is not None)
    confidence = confidence_of(total - PRIOR, mass)
    return Analysis(
        round(100 * logistic(total), 2), confidence, f"{before.words} The model adds: {words}"
    ), steps


def _reason(fields: Mapping[str, Any]) -> str:
    flat = " ".join("".join(c if c.isprintable() else " " for c in str(fields.get("reason") or "")).split())[
        :200
    ]
    return f"{flat or 'The model chose it.'} (chosen by a model)"


def _read_route(reply: Reply) -> Routing:
    fields = read_object(reply.text)
    chosen = next((route for route in get_args(Route) if route == fields.get("route")), None)
    if chosen is None:
        raise NotAReport(f"route is {str(fields.get('route'))[:40]!r}")
    return Routing(chosen, _reason(fields))


def _read_plan(reply: Reply) -> Plan:
    fields = read_object(reply.text)
    named = fields.get("tools")
    if (
        not isinstance(named, list)
        or not named
        or not all(isinstance(n, str) and n in TOOLBOX for n in named)
    ):
        raise NotAReport(f"tools is {str(named)[:80]!r}")
    return Plan(tuple(dict.fromkeys(named)), _reason(fields))
