"""Conversations in, rulings of the honeypot panel out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from malafide.benches.honeypot import HoneypotJudge, honeypot_contract
from malafide.intake.conversation import read_conversation
from malafide.judging.content import as_bytes, bounded, one_line
from malafide.judging.ruling import Ruling, Step, Tell
from malafide.knowledge.recollection import Recollection

if TYPE_CHECKING:
    from malafide.knowledge.remembered import Knowledge


class ConversationBench:
    """Conversations, in every form that intake reads."""

    def __init__(self, knowledge: Knowledge) -> None:
        witnesses = (
            [] if knowledge.precedents is None else [Recollection(knowledge.precedents, "conversation")]
        )
        self._judge = HoneypotJudge(witnesses=witnesses)

    def judge(self, content: bytes | str, name: str = "", tell: Tell | None = None) -> Ruling:
        case, session = read_conversation(bounded(as_bytes(content)), name)
        found = self._judge.judge(case, session.votes or None)
        votes = found.votes
        if tell is not None:
            for vote in votes:
                tell(Step(vote.agent, "done", vote.analysis, vote.score))
        scores = [vote.score for vote in votes]
        return Ruling(
            case_id=found.case.id,
            panel="conversation",
            answer=found.decision.answer,
            score=sum(scores) / len(scores) if scores else 0.5,
            confidence=found.decision.confidence,
            agreement=1.0 - (max(scores) - min(scores)) if scores else 0.0,
            is_open=found.decision.answer == "suspicious",
            summary=one_line(found.notes),
            contract=honeypot_contract(found),
            elapsed_ms=found.elapsed_ms,
        )

    def close(self) -> None:
        return
