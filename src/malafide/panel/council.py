"""Case and offline outcomes in, outcomes with models heard out: who is asked, in which view, and what it may do.

Three agents are asked side by side, none sees another's answer; then the consensus agent, who sees no word of the
message. No message can move a verdict toward safe by what it says:
- a message that gives orders to its judge is not shown to any model, and the orders count against it;
- a model that strays is asked again without the message, by the names of the tools' findings alone;
- models clear a message only when all three do, and the one who cannot be talked to agrees.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from malafide.case import Case
from malafide.errors import BadSetting
from malafide.evidence import Evidence
from malafide.exchange import Exchange, Reply
from malafide.knowledge.catalog import Catalog
from malafide.minds.briefing import Briefing, Layout, View, brief, lay_out, system_prompt
from malafide.minds.budget import Budget
from malafide.minds.cache import AnswerCache
from malafide.minds.citation import cite
from malafide.minds.gate import Gate
from malafide.minds.llm import LanguageModel
from malafide.minds.loop import Loop
from malafide.minds.mind import Mind, Prompt
from malafide.minds.models import endpoint
from malafide.minds.reports import (
    CONSENSUS_SCHEMA,
    CONSENSUS_WORDS,
    FORMS,
    Report,
    read_consensus,
    read_report,
)
from malafide.opinion import Outcome
from malafide.panel.asking import Asked, Desk, ask, strayed
from malafide.panel.counsel import Testimony, opinion_with, testify, without_clearing
from malafide.panel.spec import agent_spec
from malafide.record.outbound import OutboundLog
from malafide.settings import Settings

CONSENSUS: Final = "consensus-agent"
_ASK: Final = "Examine the message and answer in the form you were given."
_ASK_BLIND: Final = (
    "You are not shown the message, only what the tools' findings are called. Fill in the form, the JSON object alone; "
    "where it wants a quote, copy the line of a finding."
)
_ASK_AGAIN: Final = "This is a second attempt: the first answer could not be used ({wrong}). "
_ASK_LATER: Final = (
    "This is a second attempt: the first came to nothing ({wrong}). Answer shortly, in the given form."
)
_CHAIR: Final = "Judge the findings and tell the story, in the form you were given."


@dataclass(frozen=True, slots=True)
class Heard:
    """What the models said about a case."""

    testimonies: tuple[Testimony, ...]
    missing: tuple[str, ...]  # one line per agent whose model gave nothing to use, with the reason
    exchanges: tuple[Exchange, ...]
    notes: tuple[str, ...]

    @property
    def complete(self) -> bool:
        return not self.missing and len(self.testimonies) == len(FORMS)

    def outcomes(self, offline: Sequence[Outcome], *, clearing: bool) -> tuple[Outcome, ...]:
        """The panel's outcomes; without clearing, nothing a model said makes the message look safer."""
        said = {t.agent: t if clearing else without_clearing(t) for t in self.testimonies}
        return tuple(opinion_with(o, said[o.agent]) if o.agent in said else o for o in offline)

    def evidence(self, *, clearing: bool) -> tuple[Evidence, ...]:
        kept = self.testimonies if clearing else tuple(without_clearing(t) for t in self.testimonies)
        return tuple(e for t in kept for e in t.evidence)


@dataclass(frozen=True, slots=True)
class Chaired:
    """What the consensus agent said: its own view of the findings, and the story."""

    report: Report | None
    exchanges: tuple[Exchange, ...]
    why_not: str = ""


class Council:
    """The minds of the panel, for as long as a run lasts. May be used from several threads."""

    def __init__(
        self,
        settings: Settings,
        catalog: Catalog | None = None,
        minds: Mapping[str, Mind] | None = None,
        run: Budget | None = None,
    ) -> None:
        """`minds` by agent replaces the models of the settings, such as by recorded answers.

        `run` is what a run may still spend that another council of it has begun to.
        """
        self.settings = settings
        self._loop = Loop()
        self.run_budget = run or Budget("run", settings.run)
        live = minds is None
        self._cache = AnswerCache() if live and settings.cache else None
        self._log = OutboundLog() if live else None
        self._minds = dict(minds) if minds is not None else _minds(settings)
        words = {agent: form.words for agent, form in FORMS.items()} | {CONSENSUS: CONSENSUS_WORDS}
        self._system = {
            agent: system_prompt(agent_spec(agent).prompt, words[agent], catalog) for agent in words
        }

    def hear(self, case: Case, evidence: Sequence[Evidence], budget: Budget, view: View = "whole") -> Heard:
        """The three agents' models on a case."""
        return self._loop.run(self._hear(case, evidence, self._desk(budget), view))

    def chair(self, case: Case, evidence: Sequence[Evidence], said: str, budget: Budget) -> Chaired:
        """The consensus agent on the findings. `said` tells what the analysts recommend."""
        if CONSENSUS not in self._minds:
            return Chaired(None, (), "no model is named for it")
        ask_ = f"{said}\n{_CHAIR}"

        def prompts(attempt: int, before: Reply | None) -> Prompt:
            again = "" if before is None else f" The first answer could not be used ({before.fault})."
            given = brief(case, evidence, self.settings.share, "blind", ask_ + again)
            return self._prompt(CONSENSUS, case, attempt, given)

        def read(_: Prompt, reply: Reply) -> Report:
            return read_consensus(reply.text, reply.spam_probability)

        asked: Asked[Report] = self._loop.run(ask(self._minds[CONSENSUS], prompts, read, self._desk(budget)))
        return Chaired(asked.value, asked.exchanges, "" if asked.value else asked.why_not)

    def case_budget(self) -> Budget:
        return Budget("case", self.settings.case)

    def stop(self) -> None:
        """Calls off every question that is under way."""
        self._loop.cancel_all()

    def close(self) -> None:
        """Lets go of every connection and ends the thread."""
        self._loop.run(_close(self._minds.values()))
        self._loop.close()

    def first_prompts(self, case: Case, evidence: Sequence[Evidence], view: View = "whole") -> list[Prompt]:
        """What would be sent for a case, if all goes well: for people to look at."""
        share = self.settings.share
        prompts = [
            self._prompt(agent, case, 1, brief(case, evidence, share, *_wording(view, None)))
            for agent in FORMS
            if agent in self._minds
        ]
        if prompts and CONSENSUS in self._minds:
            said = "The analysts: (here stands what each of them recommends)."
            given = brief(case, evidence, share, "blind", f"{said}\n{_CHAIR}")
            prompts.append(self._prompt(CONSENSUS, case, 1, given))
        return prompts

    def model_of(self, agent: str) -> str:
        return self._minds[agent].name if agent in self._minds else ""

    def _desk(self, budget: Budget) -> Desk:
        return Desk((budget, self.run_budget), self._cache, self._log)

    async def _hear(self, case: Case, evidence: Sequence[Evidence], desk: Desk, view: View) -> Heard:
        agents = [agent for agent in FORMS if agent in self._minds]
        laid_out = cache(lambda seen: lay_out(case, evidence, self.settings.share, seen))
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._one(agent, case, laid_out, view, desk)) for agent in agents]
        testimonies: list[Testimony] = []
        missing: list[str] = []
        exchanges: list[Exchange] = []
        notes: list[str] = []
        for agent, task in zip(agents, tasks, strict=True):
            asked = task.result()
            exchanges.extend(asked.exchanges)
            if asked.value is None:
                missing.append(f"{agent}: {asked.why_not}; its offline opinion stands")
            else:
                testimonies.append(asked.value)
                notes.extend(asked.value.notes)
        return Heard(tuple(testimonies), tuple(missing), tuple(exchanges), tuple(notes))

    async def _one(
        self, agent: str, case: Case, laid_out: Callable[[View], Layout], view: View, desk: Desk
    ) -> Asked[Testimony]:
        given: list[Briefing] = []

        def prompts(attempt: int, before: Reply | None) -> Prompt:
            seen, words = _wording(view, before)
            given.append(laid_out(seen).ask(words))
            return self._prompt(agent, case, attempt, given[-1])

        def read(_: Prompt, reply: Reply) -> Testimony:
            return _testimony(case, agent, reply, given[-1])

        return await ask(self._minds[agent], prompts, read, desk)

    def _prompt(self, agent: str, case: Case, attempt: int, given: Briefing) -> Prompt:
        schema = FORMS[agent].schema if agent in FORMS else CONSENSUS_SCHEMA
        return Prompt(agent, case.id, attempt, self._system[agent], given.user, given.boundary, schema)


def _wording(view: View, before: Reply | None) -> tuple[View, str]:
    """How a question is put: what is shown, and the words that end it."""
    if before is None:
        return view, _ASK if view == "whole" else _ASK_BLIND
    if strayed(before) or view == "blind":
        return "blind", _ASK_AGAIN.format(wrong=before.fault) + _ASK_BLIND
    return view, _ASK_LATER.format(wrong=before.fault)


def _testimony(case: Case, agent: str, reply: Reply, given: Briefing) -> Testimony:
    form = FORMS[agent]
    report = read_report(reply.text, form, reply.spam_probability)
    against, favour = cite(report.against, given.shown), cite(report.favour, given.shown)
    claimed = len(report.against) + len(report.favour)
    found = len(against.found) + len(favour.found)
    made = testify(
        case, agent, reply.model, report, against.found, favour.found, found / claimed if claimed else 0.0
    )
    lost = _dropped(agent, (*against.lost, *favour.lost))
    if not found:
        lost.append(
            f"{agent}: no quote of the model's report stands in the message; it counts as an abstention"
        )
    return Testimony(made.agent, made.model, report, made.amount, made.evidence, (*lost, *made.notes))


def _dropped(agent: str, quotes: Sequence[str]) -> list[str]:
    named = ", ".join(dict.fromkeys(repr(quote[:80]) for quote in quotes))
    how_many = "a quote" if len(quotes) == 1 else f"{len(quotes)} quotes"
    return [f"{agent}: dropped {how_many} of the model's, not in the message: {named}"] if quotes else []


def _minds(settings: Settings) -> dict[str, Mind]:
    """One mind per agent; those of the same name share it, and all share one rate limit."""
    if unknown := set(settings.agents) - {*FORMS, CONSENSUS}:
        raise BadSetting(
            f"no agent named {sorted(unknown)} takes a model; there are {', '.join((*FORMS, CONSENSUS))}"
        )
    named = {agent: settings.agents.get(agent, settings.model) for agent in (*FORMS, CONSENSUS)}
    gate = Gate(settings.concurrency, settings.per_minute)
    made = {name: LanguageModel(endpoint(name, settings.prices), gate) for name in {*named.values()} if name}
    return {agent: made[name] for agent, name in named.items() if name}


async def _close(minds: Iterable[Mind]) -> None:
    for mind in {id(m): m for m in minds}.values():
        await mind.close()
