"""The spam panel, whole: a mail goes in, three agents weigh what the tools found, a verdict comes out."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from malafide.case import Case
from malafide.consensus.calibration import BUILT_IN, Calibration
from malafide.consensus.narrative import key_evidence, narrate, summarise, trace_lines
from malafide.consensus.weighted import WEIGHTS, decide
from malafide.contracts.spam import SpamContract, spam_contract
from malafide.errors import BadSetting
from malafide.intake import read_bytes, read_text
from malafide.knowledge.recollection import Recollection
from malafide.knowledge.remembered import Knowledge, remembered
from malafide.knowledge.testimony import Testimony
from malafide.opinion import Failure, Opinion
from malafide.panel.absence import NothingWrong
from malafide.panel.agent import agents
from malafide.panel.hearing import Examination, Witness, convene, examine
from malafide.tools import tools
from malafide.verdict import Verdict

Input = str | bytes | Case
WITNESSES: Final[tuple[Witness, ...]] = (NothingWrong(),)


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
    learned: by default what the home folder remembers, and `Knowledge()` for built-in knowledge only.
    """

    def __init__(
        self, weights: Mapping[str, float] | None = None, knowledge: Knowledge | None = None
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

    def classify(self, message: Input) -> SpamResult:
        """The verdict on one message: raw mail as bytes or text, plain text, or a Case."""
        return SpamResult(self.judge(as_case(message)))

    def classify_batch(self, messages: Iterable[Input]) -> Iterator[SpamResult]:
        """The verdicts on many messages, in order, one at a time."""
        return (self.classify(message) for message in messages)

    def judge(self, case: Case) -> Verdict:
        """The whole verdict document on a case."""
        started = time.perf_counter()
        examination = examine(case, tools, self._witnesses)
        outcomes = convene(self._members, examination)
        opinions = [o for o in outcomes if isinstance(o, Opinion)]
        broken = [*examination.failures, *(o for o in outcomes if isinstance(o, Failure))]
        decision = decide(opinions, self._weights, [f.agent for f in broken])
        confidence = self._calibration.confidence(decision.classification, decision.score)
        key = key_evidence(opinions, decision)
        return Verdict(
            case=case,
            classification=decision.classification,
            score=decision.score,
            confidence=confidence,
            agreement=decision.agreement,
            summary=summarise(decision, key),
            reasoning=narrate(outcomes, decision, confidence),
            outcomes=outcomes,
            contributions=decision.contributions,
            evidence=examination.evidence,
            key_evidence=key,
            uncertainty_reason=decision.uncertainty_reason,
            trace=_trace(case, examination, trace_lines(outcomes)),
            elapsed_ms=(time.perf_counter() - started) * 1000.0,
        )


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
