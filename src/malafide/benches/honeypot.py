"""The honeypot panel, whole: a conversation in, five voters on what the tools found, an assessment out."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from malafide.benches.intelligence import Item, gather, of_kind, phishing_links, phones
from malafide.benches.votes import read_votes
from malafide.case import Case
from malafide.consensus.dossier import Turn, keywords, notes, timeline
from malafide.consensus.majority import Majority, count, safe_origin
from malafide.contracts.honeypot import ExtractedIntelligence, HoneypotContract
from malafide.errors import UnreadableInput
from malafide.evidence import Evidence
from malafide.intake.conversation import append, conversation_case, from_messages
from malafide.opinion import Ballot, Failure, Vote
from malafide.panel.agent import voters
from malafide.panel.hearing import Examination, Witness, convene, examine
from malafide.tools import tools
from malafide.tools._chat import settle_sides
from malafide.version import VERSION

TOOLS = ("asks", "claims", "everyday", "origin", "push", "scripts")
Messages = Iterable[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Assessment:
    """The finished document on a conversation, complete. Renderers choose how much of it to show."""

    case: Case
    decision: Majority
    ballots: tuple[Ballot, ...]
    evidence: tuple[Evidence, ...]
    stages: tuple[Turn, ...]
    items: tuple[Item, ...]
    intelligence: ExtractedIntelligence
    notes: str
    trace: tuple[str, ...]
    elapsed_ms: float

    @property
    def votes(self) -> list[Vote]:
        return [ballot for ballot in self.ballots if isinstance(ballot, Vote)]


class HoneypotResult(dict[str, Any]):
    """The contract's fields by key and by attribute; `assessment` is the whole document behind them."""

    assessment: Assessment

    def __init__(self, assessment: Assessment) -> None:
        super().__init__(honeypot_contract(assessment))
        self.__dict__["assessment"] = assessment

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(
                f"a honeypot result has no field {name!r}; it has {', '.join(self)}"
            ) from None


class HoneypotJudge:
    """Judges conversations.

    `abroad` also lists phone numbers of other regions than India. `witnesses` know more than the conversation, such as
    precedents; what they say is evidence like any other.
    """

    def __init__(self, *, abroad: bool = False, witnesses: Sequence[Witness] = ()) -> None:
        self._abroad = abroad
        self._witnesses = tuple(witnesses)
        self._tools = [tools.get(name) for name in TOOLS]
        self._voters = list(voters)

    def assess(
        self,
        messages: Messages | Case,
        votes: Iterable[Mapping[str, Any] | Vote] | None = None,
        session: str = "",
    ) -> HoneypotResult:
        """The final assessment. With votes made elsewhere those are counted; without, the panel votes itself."""
        case = messages if isinstance(messages, Case) else conversation_case(from_messages(messages, session))
        return HoneypotResult(self.judge(case, votes))

    def judge(self, case: Case, votes: Iterable[Mapping[str, Any] | Vote] | None = None) -> Assessment:
        """The whole document on a conversation."""
        started = time.perf_counter()
        case = settle_sides(case)
        examination = examine(case, self._tools, self._witnesses)
        ballots: tuple[Ballot, ...]
        ballots = convene(self._voters, examination) if votes is None else tuple(read_votes(votes))
        cast = [ballot for ballot in ballots if isinstance(ballot, Vote)]
        broken = [*examination.failures, *(b for b in ballots if isinstance(b, Failure))]
        decision = count(
            cast,
            safe_by_origin=None if broken else safe_origin(examination.evidence),
            failed=[f.agent for f in broken],
        )
        items = gather(case)
        stages = timeline(case, examination.evidence)
        return Assessment(
            case=case,
            decision=decision,
            ballots=ballots,
            evidence=examination.evidence,
            stages=stages if decision.answer != "not_scam" else stages[:1],
            items=items,
            intelligence=self._intelligence(case, decision, examination, items),
            notes=notes(decision.scam, decision.scam_type, examination.evidence, stages),
            trace=_trace(case, examination, ballots),
            elapsed_ms=(time.perf_counter() - started) * 1000.0,
        )

    def _intelligence(
        self, case: Case, decision: Majority, examination: Examination, items: Sequence[Item]
    ) -> ExtractedIntelligence:
        return ExtractedIntelligence(
            bankAccounts=[item.value for item in of_kind(items, "bank_account")],
            upiIds=[item.value for item in of_kind(items, "upi")],
            phishingLinks=phishing_links(items, scam=decision.scam),
            phoneNumbers=phones(items, abroad=self._abroad),
            suspiciousKeywords=keywords(case, examination.evidence) if decision.scam else [],
        )


class Conversation:
    """A conversation that goes on: messages are appended one by one, and it can be assessed after each.

    What a message says is read once; assessing again costs little more than reading the newest.
    """

    def __init__(self, judge: HoneypotJudge | None = None, session: str = "") -> None:
        self._judge = judge or HoneypotJudge()
        self._session = session
        self._case: Case | None = None

    def add(self, sender: str, text: str, **more: Any) -> None:
        """One more message. `more` may hold timestamp and verified."""
        message = {"sender": sender, "text": text, **more}
        if self._case is None:
            self._case = conversation_case(from_messages([message], self._session))
        else:
            self._case = append(self._case, from_messages([message]).said[0])

    def assess(self) -> HoneypotResult:
        """The assessment of all that was said so far."""
        if self._case is None:
            raise UnreadableInput("The conversation has no messages yet.")
        return HoneypotResult(self._judge.judge(self._case))

    def append(self, sender: str, text: str, **more: Any) -> HoneypotResult:
        """The assessment with one more message."""
        self.add(sender, text, **more)
        return self.assess()


def assess_conversation(
    messages: Messages | Case, votes: Iterable[Mapping[str, Any] | Vote] | None = None, session: str = ""
) -> HoneypotResult:
    """Whether a conversation is a scam, of which type, and what it reveals."""
    return HoneypotJudge().assess(messages, votes, session)


def honeypot_contract(assessment: Assessment) -> HoneypotContract:
    """The assessment as the contract's fields."""
    chat = assessment.case.chat
    return HoneypotContract(
        sessionId=chat.session if chat else assessment.case.id,
        scamDetected=assessment.decision.scam,
        confidence=assessment.decision.confidence,
        scamType=assessment.decision.scam_type,
        totalMessagesExchanged=len(chat.messages) if chat else 0,
        extractedIntelligence=assessment.intelligence,
        agentNotes=assessment.notes,
        malafide=_details(assessment),
    )


def _details(assessment: Assessment) -> dict[str, Any]:
    chat = assessment.case.chat
    items = assessment.items
    return {
        "version": VERSION,
        "case_id": assessment.case.id,
        "answer": assessment.decision.answer,
        "reason": assessment.decision.reason,
        "overruled": assessment.decision.overruled,
        "votes": [_ballot(ballot, assessment.evidence) for ballot in assessment.ballots],
        "timeline": [_fields(turn) for turn in assessment.stages],
        "intelligence": [_fields(item) for item in items],
        "emailAddresses": [item.value for item in of_kind(items, "email")],
        "handles": [item.value for item in of_kind(items, "telegram", "whatsapp", "handle")],
        "ifscCodes": [item.value for item in of_kind(items, "ifsc")],
        "ibans": [item.value for item in of_kind(items, "iban")],
        "cards": [item.value for item in of_kind(items, "card")],
        "wallets": [item.value for item in of_kind(items, "wallet")],
        "otherPhones": [item.value for item in of_kind(items, "foreign_phone")],
        "identityNumbers": [item.value for item in of_kind(items, "aadhaar")],
        "roles": {m.sender: m.side for m in chat.messages} if chat else {},
        "roles_told_by": chat.told_by if chat else "",
        "evidence": [_fields(e) for e in assessment.evidence],
        "limitations": list(assessment.case.limitations),
        "trace": list(assessment.trace),
    }


def _fields(flat: Any) -> dict[str, Any]:
    """A dataclass of plain values as a mapping. `asdict` copies deeply: half the time of an appended message."""
    return {field.name: getattr(flat, field.name) for field in fields(flat)}


def _ballot(ballot: Ballot, evidence: Sequence[Evidence]) -> dict[str, Any]:
    if not isinstance(ballot, Vote):
        return {"agent": ballot.agent, "status": type(ballot).__name__.lower(), "reason": ballot.reason}
    numbers = {e: i for i, e in enumerate(evidence)}
    return {
        "agent": ballot.agent,
        "status": "vote",
        "vote": "scam" if ballot.scam else "not_scam",
        "confidence": ballot.confidence,
        "scamType": ballot.scam_type,
        "score": ballot.score,
        "analysis": ballot.analysis,
        "steps": [
            {
                "label": s.label,
                "log_odds": s.amount,
                "evidence": numbers.get(s.evidence) if s.evidence else None,
            }
            for s in ballot.steps
        ],
    }


def _trace(case: Case, examination: Examination, ballots: Sequence[Ballot]) -> tuple[str, ...]:
    lines = [f"case {case.id}: {len(case.parts)} messages, {len(examination.evidence)} pieces of evidence"]
    if case.chat is not None and case.chat.told_by:
        lines.append(f"who is who was told by {case.chat.told_by}")
    lines.extend(f"not read: {limitation}" for limitation in case.limitations)
    lines.extend(f"{f.agent} failed: {f.reason}" for f in examination.failures)
    lines.extend(examination.dropped)
    for ballot in ballots:
        said = (
            f"{'scam' if ballot.scam else 'not scam'}, {ballot.confidence:.2f}"
            if isinstance(ballot, Vote)
            else ballot.reason
        )
        lines.append(f"{ballot.agent}: {said}")
    return tuple(lines)


def with_sides(case: Case, sides: Mapping[str, str]) -> Case:
    """The conversation with sides by name, where a person knows better who is who."""
    if case.chat is None:
        return case
    messages = tuple(
        replace(m, side="user" if sides.get(m.sender) == "user" else "stranger") for m in case.chat.messages
    )
    return replace(case, chat=replace(case.chat, messages=messages, told_by="the one who asks"))
