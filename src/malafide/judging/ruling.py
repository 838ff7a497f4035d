"""What a panel's bench gives to doors: steps while it judges, then a ruling. Light: nothing here loads a panel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, get_args

if TYPE_CHECKING:
    from malafide.record.review import Waiting

PanelName = Literal["spam", "document", "conversation", "post", "credibility"]
PANELS: Final[tuple[PanelName, ...]] = get_args(PanelName)


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
