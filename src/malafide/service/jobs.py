"""What judge processes are asked to do: a job in, its result out. The web loop itself never reads a message."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from malafide.errors import BadCatalog, UnknownName
from malafide.judging import PanelName, Ruling, Tell
from malafide.knowledge.precedent_record import TaughtPanel
from malafide.render.json_text import json_bytes

if TYPE_CHECKING:
    from malafide.record.review import Waiting
    from malafide.service.chambers import Chambers


class Job(Protocol):
    """Something a judge process does. Goes there pickled, and its result comes back so."""

    def do(self, chambers: Chambers, tell: Tell | None) -> Any: ...


@dataclass(frozen=True, slots=True)
class Answer:
    """A ruling, and the very bytes that the command line prints for it."""

    ruling: Ruling
    body: bytes


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges an input and keeps the logs that the command line keeps."""

    panel: PanelName
    name: str
    content: bytes
    details: bool = True  # of posts: signals and scores beside the contract's fields

    def do(self, chambers: Chambers, tell: Tell | None) -> Answer:
        ruling = chambers.bench(self.panel).judge(self.content, self.name, tell)
        chambers.keep(ruling)
        return Answer(ruling, json_bytes(ruling.contract if self.details else without_details(ruling)))


def without_details(ruling: Ruling) -> Mapping[str, Any]:
    """The contract of posts with its three fields alone, as the command line prints it unless asked for more."""
    if ruling.panel not in ("post", "credibility"):
        return ruling.contract
    return {
        post: {field: value for field, value in row.items() if field != "malafide"}
        for post, row in ruling.contract.items()
    }


@dataclass(frozen=True, slots=True)
class Again:
    """Judges an input once more and keeps nothing."""

    panel: PanelName
    name: str
    content: bytes

    def do(self, chambers: Chambers, tell: Tell | None) -> Ruling:
        return chambers.bench(self.panel).judge(self.content, self.name, tell)


@dataclass(frozen=True, slots=True)
class Recognise:
    """Which panel an input is for."""

    name: str
    content: bytes

    def do(self, chambers: Chambers, tell: Tell | None) -> PanelName:  # noqa: ARG002
        from malafide.judging import panel_of

        return panel_of(self.content, self.name)


@dataclass(frozen=True, slots=True)
class Taught:
    """What became of a label in what malafide remembers."""

    case_id: str
    held: int  # labels of the same person that wait for a confirmation, this one among them


@dataclass(frozen=True, slots=True)
class Teach:
    """A person says what a case is: it becomes a precedent of its panel, and the catalog counts mail."""

    panel: TaughtPanel
    name: str
    content: bytes
    spam: bool
    source: str

    def do(self, chambers: Chambers, tell: Tell | None) -> Taught:  # noqa: ARG002
        from malafide.judging import case_of
        from malafide.learning.feedback import give
        from malafide.learning.samples import precedent_sample

        case = case_of(self.panel, self.content, self.name)
        receipt = give(precedent_sample(case, self.panel, spam=self.spam), self.source)
        return Taught(receipt.label.case_id, receipt.held if receipt.label.state == "held" else 0)


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Takes the last label of a case back, exactly."""

    panel: TaughtPanel
    case_id: str

    def do(self, chambers: Chambers, tell: Tell | None) -> bool:  # noqa: ARG002
        from malafide.learning.feedback import take_back

        return take_back(self.case_id, self.panel) is not None


@dataclass(frozen=True, slots=True)
class Rank:
    """The order in which to ask about cases that wait: for each its place in the list, its doubt and its likes."""

    waiting: tuple[Waiting, ...]

    def do(self, chambers: Chambers, tell: Tell | None) -> list[tuple[int, float, int]]:  # noqa: ARG002
        from malafide.learning.inquiry import most_informative_first

        place = {id(one): number for number, one in enumerate(self.waiting)}
        return [(place[id(q.case)], q.doubt, q.likes) for q in most_informative_first(self.waiting)]


@dataclass(frozen=True, slots=True)
class Heard:
    """The decoy's reply, and the assessment of all that was said so far."""

    reply: str
    over: bool
    held_back: tuple[str, ...]
    contract: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Hear:
    """One more message of a stranger in an engagement, whose earlier exchanges are given."""

    session: str
    exchanges: tuple[tuple[str, str], ...]
    message: str
    turns: int

    def do(self, chambers: Chambers, tell: Tell | None) -> Heard:  # noqa: ARG002
        from malafide.decoy.session import Engagement

        engagement = Engagement(self.session, turns=self.turns, propose_reply=chambers.proposer())
        engagement.resume(self.exchanges)
        turn = engagement.hear(self.message)
        held = tuple(violation.danger for violation in turn.held_back)
        return Heard(turn.reply, turn.over, held, dict(turn.result))


@dataclass(frozen=True, slots=True)
class Describe:
    """What malafide knows and is made of, in JSON."""

    what: Literal["catalog", "agents", "tools", "rules", "schema"]
    name: str = ""

    def do(self, chambers: Chambers, tell: Tell | None) -> Any:  # noqa: ARG002
        if self.what == "schema":
            return _schema(self.name)
        describe: Callable[[], Any] = {
            "catalog": _catalog,
            "agents": _agents,
            "tools": _tools,
            "rules": _rules,
        }[self.what]
        return describe()


def _catalog() -> Any:
    import json

    from malafide.knowledge.remembered import catalog_path

    try:
        return json.loads(catalog_path().read_bytes())
    except FileNotFoundError:
        raise UnknownName("nothing was learned yet: `malafide learn` makes a catalog") from None
    except (OSError, ValueError) as error:
        raise BadCatalog(f"the catalog cannot be read: {error}") from None


def _agents() -> list[dict[str, str]]:
    from malafide.panel.agent import agents, voters
    from malafide.panel.spec import agent_spec

    return [{"name": one.name, "description": agent_spec(one.name).description} for one in (*agents, *voters)]


def _tools() -> list[dict[str, str]]:
    from malafide.tools import tools

    return [{"name": tool.name, "description": tool.sentence} for tool in tools]


def _rules() -> list[dict[str, Any]]:
    from malafide.rules.chat import chat_rulebook
    from malafide.rules.rulebook import rulebook

    return [
        {
            "id": rule.id,
            "tool": rule.tool,
            "direction": rule.direction,
            "strength": rule.strength,
            "languages": list(rule.phrases),
            "says": rule.says,
        }
        for rule in (*rulebook().rules, *chat_rulebook().rules)
    ]


def _schema(name: str) -> dict[str, Any]:
    from malafide.contracts import schema

    return schema(name)
