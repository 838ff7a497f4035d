"""Bytes in, a ruling out: every panel behind one face, for the doors that serve them all (batch, service, worker).

A bench is made once and judges many; it keeps what it loaded. The contract of a ruling is what the command line prints.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, get_args

from malafide.case import Case, case_id
from malafide.errors import InputTooLarge, UnknownName, UnreadableInput
from malafide.limits import MAX_INPUT_BYTES
from malafide.settings import Settings

if TYPE_CHECKING:
    from malafide.knowledge.remembered import Knowledge
    from malafide.record.review import Waiting

PanelName = Literal["spam", "document", "conversation", "post", "credibility"]
PANELS: Final[tuple[PanelName, ...]] = get_args(PanelName)
_SUMMARY: Final = 300


@dataclass(frozen=True, slots=True)
class Step:
    """Something that just happened on the way to an answer, for whoever watches."""

    actor: str  # an agent, a tool, "intake"
    status: Literal["done", "failed", "abstained"]
    says: str
    score: float | None = None  # how deceptive it finds the message, where it says so


Tell = Callable[[Step], None]


@dataclass(frozen=True, slots=True)
class Ruling:
    """An answer as doors keep and list it; `contract` is all of it."""

    case_id: str
    panel: PanelName
    answer: str  # in the words of the panel's contract
    score: float  # 0 genuine, 1 deceptive
    confidence: float
    agreement: float
    is_open: bool  # left to a person
    summary: str  # one line
    contract: Mapping[str, Any]
    elapsed_ms: float
    usage: Mapping[str, float] = field(default_factory=dict)  # calls, tokens and money of models
    waiting: Waiting | None = None  # what reviewing needs, of an open spam case
    subject: str = ""  # of mail and documents that have one


class Bench(Protocol):
    """One panel, made ready. May be used from several threads."""

    def judge(self, content: bytes | str, name: str = "", tell: Tell | None = None) -> Ruling:
        """The ruling on one input, as bytes or as text of a table; refuses what it cannot read with a MalafideError."""
        ...

    def close(self) -> None: ...


def bench(panel: str, settings: Settings | None = None, knowledge: Knowledge | None = None) -> Bench:
    """The panel of that name. With no settings no model is asked, with no knowledge the home folder's is used."""
    from malafide.knowledge.remembered import remembered

    chosen, learned = settings or Settings(), knowledge if knowledge is not None else remembered()
    if panel == "spam":
        return SpamBench(chosen, learned)
    if panel == "document":
        return DocumentBench(chosen, learned)
    if panel == "conversation":
        return ConversationBench(learned)
    if panel == "post":
        return PostBench()
    if panel == "credibility":
        return CredibilityBench()
    raise UnknownName(f"there is no panel {panel!r}; there are: {', '.join(PANELS)}")


class SpamBench:
    """Mail."""

    def __init__(self, settings: Settings, knowledge: Knowledge) -> None:
        from malafide.benches.spam import SpamClassifier

        council = None
        if settings.thinks:
            from malafide.panel.council import Council

            council = Council(settings, knowledge.catalog)
        self._classifier = SpamClassifier(knowledge=knowledge, model=council, escalate=settings.escalate)

    def judge(self, content: bytes | str, name: str = "", tell: Tell | None = None) -> Ruling:
        from datetime import UTC, datetime

        from malafide.contracts.spam import spam_contract
        from malafide.intake import read_bytes, read_text
        from malafide.opinion import Opinion, Outcome
        from malafide.record.review import waiting

        def heard(outcome: Outcome) -> None:
            if tell is None:
                return
            if isinstance(outcome, Opinion):
                tell(Step(outcome.agent, "done", outcome.analysis, outcome.score))
            else:
                broke = type(outcome).__name__ == "Failure"
                tell(Step(outcome.agent, "failed" if broke else "abstained", outcome.reason))

        case = read_text(content, name) if isinstance(content, str) else read_bytes(content, name)
        if tell is not None:
            tell(Step("intake", "done", f"{len(case.parts)} parts were read"))
        verdict = self._classifier.judge(case, heard)
        contract = spam_contract(verdict)
        is_open = verdict.classification == "UNCERTAIN"
        return Ruling(
            case_id=case.id,
            panel="spam",
            answer=verdict.classification,
            score=verdict.score,
            confidence=verdict.confidence,
            agreement=verdict.agreement,
            is_open=is_open,
            summary=verdict.summary,
            contract=contract,
            elapsed_ms=verdict.elapsed_ms,
            usage=contract["malafide"].get("usage", {}),
            waiting=waiting(verdict, datetime.now(UTC)) if is_open else None,
            subject=_subject(case),
        )

    def close(self) -> None:
        self._classifier.close()


class DocumentBench:
    """Documents and mails, with the document panel. Nothing is moved, written or stored."""

    def __init__(self, settings: Settings, knowledge: Knowledge) -> None:
        from malafide.benches.document_minds import DocumentCouncil

        self._knowledge = knowledge
        self._council = DocumentCouncil(settings) if settings.thinks else None

    def judge(self, content: bytes | str, name: str = "", tell: Tell | None = None) -> Ruling:
        from malafide.assessment import TrailStep
        from malafide.benches.document import DocumentPanel
        from malafide.contracts.document import document_contract
        from malafide.intake import read_text
        from malafide.intake.documents import from_bytes

        def step(one: TrailStep) -> None:
            if tell is not None:
                tell(Step(one.actor, "failed" if one.status == "failed" else "done", one.says))

        case = read_text(content, name) if isinstance(content, str) else from_bytes(content, name)
        found = DocumentPanel(knowledge=self._knowledge, council=self._council, tell=step).assess(case)
        contract = document_contract(found)
        return Ruling(
            case_id=case.id,
            panel="document",
            answer=found.answer,
            score=found.probability / 100.0,
            confidence=found.confidence,
            agreement=1.0,
            is_open=found.answer == "suspicious",
            summary=_line(found.reason),
            contract=contract,
            elapsed_ms=found.total_time * 1000.0,
            usage=contract["malafide"].get("usage") or {},
            subject=_subject(case),
        )

    def close(self) -> None:
        if self._council is not None:
            self._council.close()


class ConversationBench:
    """Conversations, in every form that intake reads."""

    def __init__(self, knowledge: Knowledge) -> None:
        from malafide.benches.honeypot import HoneypotJudge
        from malafide.knowledge.recollection import Recollection

        witnesses = (
            [] if knowledge.precedents is None else [Recollection(knowledge.precedents, "conversation")]
        )
        self._judge = HoneypotJudge(witnesses=witnesses)

    def judge(self, content: bytes | str, name: str = "", tell: Tell | None = None) -> Ruling:
        from malafide.benches.honeypot import honeypot_contract
        from malafide.intake.conversation import read_conversation

        case, session = read_conversation(_bounded(_bytes(content)), name)
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
            summary=_line(found.notes),
            contract=honeypot_contract(found),
            elapsed_ms=found.elapsed_ms,
        )

    def close(self) -> None:
        return


class PostBench:
    """Raw posts as JSON objects. A picture that a post names is not opened: a path in a message is not the reader's."""

    def __init__(self) -> None:
        from malafide.benches.post import PostExaminer, remembered_posts

        self._examiner = PostExaminer(knowledge=remembered_posts())

    def judge(self, content: bytes | str, name: str = "", tell: Tell | None = None) -> Ruling:
        from dataclasses import replace

        from malafide.benches.post import as_contract
        from malafide.intake.posts import read_post

        post = replace(read_post(_object(_bytes(content)), name), image=None)
        verdict = self._examiner.judge(post)
        if tell is not None:
            for signal in verdict.signals:
                tell(Step(signal.name, "done" if signal.value is not None else "abstained", signal.because))
        return _credibility(
            "post",
            verdict.post.case.id,
            as_contract(verdict, details=True),
            verdict.post.post_id,
            verdict.elapsed_ms,
        )

    def close(self) -> None:
        return


class CredibilityBench:
    """Posts with their signals given."""

    def __init__(self) -> None:
        from malafide.benches.credibility import MultiAgentReasoningSystem

        self._panel = MultiAgentReasoningSystem()

    def judge(self, content: bytes | str, name: str = "", tell: Tell | None = None) -> Ruling:  # noqa: ARG002
        from malafide.benches.credibility import as_fields
        from malafide.signals.given import given

        started, content = time.perf_counter(), _bytes(content)
        post = _object(content)
        signals = given(
            post.get("nlp_signals") or {},
            post.get("source_signals") or {},
            post.get("image_signals"),
            post.get("misinformation_assessment"),
        )
        fields = as_fields(self._panel.judge(signals), details=True)
        post_id = str(post.get("post_id") or name or case_id(content))
        elapsed = (time.perf_counter() - started) * 1000.0
        return _credibility("credibility", case_id(content), fields, post_id, elapsed)

    def close(self) -> None:
        return


def _credibility(
    panel: PanelName, case: str, fields: Mapping[str, Any], post_id: str, elapsed: float
) -> Ruling:
    score, agreement = float(fields["final_credibility_score"]), float(fields["agent_agreement_level"])
    answer = "credible" if score >= 0.6 else "not_credible" if score <= 0.4 else "unclear"
    return Ruling(
        case_id=case,
        panel=panel,
        answer=answer,
        score=1.0 - score,
        confidence=abs(2.0 * score - 1.0),
        agreement=agreement,
        is_open=answer == "unclear",
        summary=f"credibility {score:.2f}, agreement {agreement:.2f}",
        contract={post_id: fields},
        elapsed_ms=elapsed,
    )


def case_of(panel: PanelName, content: bytes, name: str = "") -> Case:
    """The case as a panel reads it, without judging it."""
    if panel == "conversation":
        from malafide.intake.conversation import read_conversation

        return read_conversation(_bounded(content), name)[0]
    if panel == "document":
        from malafide.intake.documents import from_bytes

        return from_bytes(content, name)
    from malafide.intake import read_bytes

    return read_bytes(content, name)


def panel_of(content: bytes, name: str = "") -> PanelName:
    """Which panel a dropped file is for, by what it holds; mail where nothing else fits."""
    from malafide.errors import MalafideError
    from malafide.intake.attachments import examine
    from malafide.intake.conversation import read_conversation
    from malafide.intake.reading import looks_like_mail

    found = examine(content).real_type
    if found not in ("", "ole", "msg", "html"):
        return "document"
    start = content[:20_000].decode("utf-8", "replace")
    if found in ("ole", "msg") or looks_like_mail(start) or not content.strip():
        return "spam"
    if start.lstrip().startswith("{"):
        try:
            keys = set(_object(content))
        except (UnreadableInput, InputTooLarge):
            keys = set()
        if "messages" not in keys and keys & {"account", "post_id", "nlp_signals"}:
            return "post" if keys & {"text", "account"} else "credibility"
    try:
        case, _ = read_conversation(_bounded(content), name)
    except MalafideError:
        return "spam"
    return "conversation" if case.chat is not None and len(case.chat.messages) > 1 else "spam"


def _object(content: bytes) -> Mapping[str, Any]:
    try:
        document = json.loads(_bounded(content))
    except (ValueError, RecursionError) as error:
        raise UnreadableInput(f"this is no JSON object of a post: {str(error)[:120]}") from None
    if not isinstance(document, dict):
        raise UnreadableInput(f"a post is a JSON object, and this is {type(document).__name__}")
    return document


def _bytes(content: bytes | str) -> bytes:
    return content if isinstance(content, bytes) else content.encode("utf-8", "replace")


def _bounded(content: bytes) -> bytes:
    if len(content) > MAX_INPUT_BYTES:
        raise InputTooLarge(f"The input has {len(content):,} bytes; at most {MAX_INPUT_BYTES:,} are read.")
    return content


def _subject(case: Case) -> str:
    return _line(case.part("subject").text) if case.has("subject") else ""


def _line(words: str) -> str:
    flat = " ".join(words.split())
    return flat if len(flat) <= _SUMMARY else flat[: _SUMMARY - 1] + "…"
