"""What the store keeps, as values: cases on their way to a ruling, what people said of them, and who may ask."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, Literal, TypeVar

from malafide.judging import PanelName
from malafide.record.review import Waiting

State = Literal["waiting", "claimed", "judged", "failed"]
Said = Literal["deceptive", "genuine"]
Scope = Literal["read", "submit", "review", "admin"]
DeliveryState = Literal["waiting", "delivered", "failed"]
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class NewCase:
    """A message as it came in."""

    panel: PanelName
    name: str  # what its sender calls it: a file name, never a path that is opened
    content: bytes
    who: str  # the token or person that submitted it
    batch: str = ""


@dataclass(frozen=True, slots=True)
class Claimed:
    """A case that one worker holds until its lease runs out."""

    id: str
    panel: PanelName
    name: str
    content: bytes
    attempt: int  # 1 for the first


@dataclass(frozen=True, slots=True)
class Label:
    """What a person said a case is."""

    id: int
    case: str  # the id of the stored case
    who: str
    label: Said
    note: str
    at: datetime
    overruled: bool  # the panel had said the opposite, and had not left it open
    undone_at: datetime | None = None
    undone_by: str = ""


@dataclass(frozen=True, slots=True)
class CaseLine:
    """A case as a list shows it. What the ruling says is empty or 0 until there is one."""

    id: str
    case_id: str  # the digest of the content: the same message twice has one case_id and two ids
    batch: str
    panel: PanelName
    name: str
    who: str
    state: State
    submitted_at: datetime
    judged_at: datetime | None
    attempt: int
    error: str
    answer: str
    score: float
    confidence: float
    agreement: float
    is_open: bool
    subject: str
    summary: str
    elapsed_ms: float
    money: float  # US dollars that models cost
    size: int  # bytes of the content
    label: Said | Literal[""]  # what was said last and not taken back


@dataclass(frozen=True, slots=True)
class StoredCase:
    """Everything about one case."""

    line: CaseLine
    content: bytes
    contract: dict[str, Any]  # what the command line prints; empty until judged
    usage: Mapping[str, float]
    waiting: Waiting | None
    labels: tuple[Label, ...]  # oldest first, those taken back among them

    @property
    def id(self) -> str:
        return self.line.id


@dataclass(frozen=True, slots=True)
class CaseFilter:
    """Which cases; what is empty or None does not narrow."""

    text: str = ""  # words, or beginnings of words, of the name, the subject and the summary
    panel: str = ""
    answer: str = ""
    state: State | Literal[""] = ""
    open: bool | None = None
    labelled: bool | None = None
    since: datetime | None = None
    until: datetime | None = None  # not included
    batch: str = ""
    case_id: str = ""
    after: str = ""  # Page.next of the page before
    most: int = 50


@dataclass(frozen=True, slots=True)
class Page(Generic[Item]):
    """Some of a list, newest first."""

    items: tuple[Item, ...]
    next: str  # for `after`; empty at the end


@dataclass(frozen=True, slots=True)
class OpenCase:
    """A case that the panel left open and nobody labelled."""

    line: CaseLine
    waiting: Waiting | None  # of mail: what the order of questions is worked out from

    @property
    def id(self) -> str:
        return self.line.id


@dataclass(frozen=True, slots=True)
class Count:
    """What was judged in one stretch of time."""

    start: datetime
    number: int
    answers: Mapping[str, int]
    agreement: float  # mean
    open_share: float
    p50_ms: float
    p95_ms: float
    money: float
    failed: int
    labelled: int
    overruled: int


@dataclass(frozen=True, slots=True)
class Batch:
    """Cases that were submitted together, and how far they are."""

    id: str
    panel: PanelName
    name: str
    who: str
    total: int  # as announced
    created_at: datetime
    submitted: int
    judged: int
    failed: int
    answers: Mapping[str, int] = field(default_factory=dict)

    @property
    def done(self) -> bool:
        return self.judged + self.failed >= self.total


@dataclass(frozen=True, slots=True)
class BatchRow:
    """One case of a batch, in the order of submission."""

    line: CaseLine
    contract: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Session:
    """A conversation that the decoy leads. `version` grows with each save."""

    id: str
    who: str
    state: dict[str, Any]  # what its owner needs to go on
    turns: int
    over: bool
    created_at: datetime
    updated_at: datetime
    version: int


@dataclass(frozen=True, slots=True)
class Delivery:
    """A result that is to be posted to the operator's callback address."""

    id: int
    session: str
    url: str
    body: dict[str, Any]
    state: DeliveryState
    attempts: int
    due_at: datetime
    error: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Token:
    """Who may ask, and for what. The secret is not kept."""

    id: str
    name: str
    scopes: frozenset[Scope]
    per_minute: int
    created_at: datetime
    revoked_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Audited:
    """Something that somebody did. Holds ids and names, and no text of a message."""

    id: int
    at: datetime
    who: str
    action: str
    subject: str  # what it was done to: the id of a case, a token, a label
    detail: str


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """Which entries; what is empty does not narrow."""

    who: str = ""
    action: str = ""
    subject: str = ""
    since: datetime | None = None
    until: datetime | None = None
    after: str = ""
    most: int = 100


@dataclass(frozen=True, slots=True)
class Purged:
    """How much was removed for its age."""

    cases: int
    sessions: int
    batches: int
