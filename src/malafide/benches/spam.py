"""The spam panel, whole: a mail goes in, three agents weigh what the tools found, a verdict comes out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from malafide.benches.side_by_side import in_order
from malafide.case import Case
from malafide.consensus.calibration import BUILT_IN, Calibration
from malafide.consensus.narrative import key_evidence, narrate, summarise, trace_lines
from malafide.consensus.weighted import WEIGHTS, Decision, decide
from malafide.contracts.spam import SpamContract, spam_contract
from malafide.errors import BadSetting
from malafide.intake import read_bytes, read_text
from malafide.knowledge.recollection import Recollection
from malafide.knowledge.remembered import Knowledge, remembered
from malafide.knowledge.testimony import Testimony
from malafide.opinion import Failure, Opinion, Outcome
from malafide.panel.absence import NothingWrong
from malafide.panel.agent import agents
from malafide.panel.hearing import Examination, Witness, convene, examine
from malafide.settings import Caps, Escalate, Settings
from malafide.tools import tools
from malafide.verdict import Verdict

if TYPE_CHECKING:
    from malafide.benches.thinking import Thought
    from malafide.minds.briefing import View
    from malafide.minds.mind import Prompt
    from malafide.panel.council import Council

Input = str | bytes | Case
Heard = Callable[[Outcome], None]
WITNESSES: Final[tuple[Witness, ...]] = (NothingWrong(),)


def _nobody(_: Outcome) -> None:
    return


class SpamResult(dict[str, Any]):
    """The contract's fields by key and by attribute; `verdict` is the whole document behind them."""

    verdict: Verdict

    def __init__(self, verdict: Verdict) -> None:
        contract: SpamContract = spam_contract(verdict)
        super().__init__(contract)
        self.__dict__["verdict"] = verdict

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"a spam result has no field {name!r}; it has {', '.join(self)}") from None


class SpamClassifier:
    """Classifies mail.

    `weights` replaces the agents' weights by name; they are normalised over who answers. `knowledge` is what was
    learned: by default what the home folder remembers, and `Knowledge()` for built-in knowledge only. `model` names
    a language model for the agents, or one for each; a Council is one made ready. `escalate` says which messages it
    is asked about, `caps` what one message may cost. With no model nothing leaves the machine.
    """

    def __init__(
        self,
        weights: Mapping[str, float] | None = None,
        knowledge: Knowledge | None = None,
        model: str | Mapping[str, str] | Council | None = None,
        escalate: Escalate = "uncertain",
        caps: Caps | None = None,
    ) -> None:
        self._weights = dict(WEIGHTS) | dict(weights or {})
        if unknown := set(self._weights) - set(WEIGHTS):
            raise BadSetting(f"unknown agents {sorted(unknown)} in weights; there are {sorted(WEIGHTS)}")
        if any(w < 0 for w in self._weights.values()) or not sum(self._weights.values()):
            raise BadSetting(f"weights must not be negative, and not all zero: {self._weights!r}")
        self._members = [agents.get(name) for name in WEIGHTS]
        self._witnesses: list[Witness] = [*WITNESSES]
        self._calibration = BUILT_IN
        learned = remembered() if knowledge is None else knowledge
        if learned.catalog is not None:
            self._witnesses.append(Testimony(learned.catalog))
            fitted = learned.catalog.calibration
            self._calibration = Calibration(
                fitted["slope"], fitted["offset"], int(fitted["cases"]), "learned"
            )
        if learned.precedents is not None:
            self._witnesses.append(Recollection(learned.precedents))
        self._escalate: Escalate = escalate
        self._council: Council | None = None
        if model and escalate != "never":
            self._council = _council(model, caps, learned)

    def add_witness(self, witness: Witness) -> None:
        """One more who is shown each case and what the tools found in it."""
        self._witnesses.append(witness)

    def classify(self, message: Input) -> SpamResult:
        """The verdict on one message: raw mail as bytes or text, plain text, or a Case."""
        return SpamResult(self.judge(as_case(message)))

    def classify_batch(self, messages: Iterable[Input]) -> Iterator[SpamResult]:
        """The verdicts on many messages, in order; while one waits for a model the next are looked at."""
        jobs = (self.begin(as_case(message)) for message in messages)
        return (SpamResult(verdict) for verdict in in_order(jobs, self.workers, self.stop))

    def judge(self, case: Case, heard: Heard = _nobody) -> Verdict:
        """The whole verdict document on a case. `heard` is told each outcome as it comes, a model's after the first."""
        return self.begin(case, heard)()

    def begin(self, case: Case, heard: Heard = _nobody) -> Callable[[], Verdict]:
        """Hears the offline panel at once; what is returned asks the models, if need be, and gives the verdict."""
        started = time.perf_counter()
        examination = examine(case, tools, self._witnesses)
        outcomes = convene(self._members, examination)
        decision = self._decide(examination, outcomes)
        for outcome in outcomes:
            heard(outcome)
        return lambda: self._finish(case, examination, outcomes, decision, started, heard)

    def _finish(
        self,
        case: Case,
        examination: Examination,
        outcomes: tuple[Outcome, ...],
        decision: Decision,
        started: float,
        heard: Heard,
    ) -> Verdict:
        confidence = self._calibration.confidence(decision.classification, decision.score)
        thought = self._think(case, examination, outcomes, decision, confidence)
        if thought is not None:
            for offline, outcome in zip(outcomes, thought.outcomes, strict=True):
                if outcome is not offline:
                    heard(outcome)
            outcomes, decision = thought.outcomes, thought.decision
            confidence = self._calibration.confidence(decision.classification, decision.score)
        key = key_evidence([o for o in outcomes if isinstance(o, Opinion)], decision)
        reasoning = narrate(outcomes, decision, confidence)
        return Verdict(
            case=case,
            classification=decision.classification,
            score=decision.score,
            confidence=confidence,
            agreement=decision.agreement,
            summary=summarise(decision, key),
            reasoning=f"{thought.story}\n{reasoning}" if thought and thought.story else reasoning,
            outcomes=outcomes,
            contributions=decision.contributions,
            evidence=(*examination.evidence, *(thought.evidence if thought else ())),
            key_evidence=key,
            uncertainty_reason=decision.uncertainty_reason,
            trace=_trace(case, examination, [*trace_lines(outcomes), *(thought.notes if thought else ())]),
            elapsed_ms=(time.perf_counter() - started) * 1000.0,
            exchanges=None if self._council is None else thought.exchanges if thought else (),
            model_notes=thought.notes if thought else (),
        )

    def _decide(self, examination: Examination, outcomes: Sequence[Outcome]) -> Decision:
        broken = [*examination.failures, *(o for o in outcomes if isinstance(o, Failure))]
        opinions = [o for o in outcomes if isinstance(o, Opinion)]
        return decide(opinions, self._weights, [f.agent for f in broken])

    def _think(
        self,
        case: Case,
        examination: Examination,
        outcomes: tuple[Outcome, ...],
        decision: Decision,
        confidence: float,
    ) -> Thought | None:
        """What the models make of it, if there are any and the offline panel leaves it to them."""
        if self._council is None:
            return None
        from malafide.benches.thinking import is_open, think

        if not is_open(self._escalate, decision, confidence):
            return None
        return think(
            self._council,
            case,
            examination.evidence,
            outcomes,
            lambda heard: self._decide(examination, heard),
        )

    def would_ask(self, case: Case) -> tuple[list[Prompt], str]:
        """The first questions that models would be asked about a case, or why there are none; nothing is sent."""
        examination = examine(case, tools, self._witnesses)
        decision = self._decide(examination, convene(self._members, examination))
        confidence = self._calibration.confidence(decision.classification, decision.score)
        if self._council is None:
            return [], "no model is to be asked"
        from malafide.benches.thinking import is_open
        from malafide.consensus.witness import STRONG, orders_to_the_judge

        if not is_open(self._escalate, decision, confidence):
            return [], f"{decision.classification} without a model, and not open enough to ask one"
        order = orders_to_the_judge(examination.evidence)
        if order is not None and order.strength >= STRONG:
            return [], f"it speaks to its judge ({order.kind})"
        view: View = "whole" if order is None else "blind"
        return self._council.first_prompts(case, examination.evidence, view), ""

    def model_of(self, agent: str) -> str:
        """The name of the model that an agent thinks with; empty when it has none."""
        return self._council.model_of(agent) if self._council is not None else ""

    @property
    def workers(self) -> int:
        """How many cases are worth looking at side by side."""
        return self._council.settings.concurrency if self._council is not None else 1

    def stop(self) -> None:
        """Calls off whatever models are being asked."""
        if self._council is not None:
            self._council.stop()

    def close(self) -> None:
        """Ends the connections to models, if any were made."""
        if self._council is not None:
            self._council.close()


def _council(model: str | Mapping[str, str] | Council, caps: Caps | None, learned: Knowledge) -> Council:
    from malafide.panel.council import Council

    if isinstance(model, Council):
        return model
    named = Settings(model=model) if isinstance(model, str) else Settings(agents=dict(model))
    return Council(replace(named, case=caps) if caps else named, learned.catalog)


def as_case(message: Input) -> Case:
    if isinstance(message, Case):
        return message
    return read_text(message) if isinstance(message, str) else read_bytes(message)


def _trace(case: Case, examination: Examination, agent_lines: list[str]) -> tuple[str, ...]:
    return (
        f"case {case.id}: {len(case.parts)} parts, {len(examination.evidence)} pieces of evidence",
        *(f"not read: {limitation}" for limitation in case.limitations),
        *(f"tool {f.agent} failed: {f.reason}" for f in examination.failures),
        *examination.dropped,
        *agent_lines,
    )
