"""Engagements: a stranger's message in, a harmless reply out; at the end the assessment, posted to a named callback."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Path, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from malafide.errors import BadSetting, OutOfOrder, UnknownName, UnreadableInput
from malafide.service import examples
from malafide.service.api.cases import TheDesk
from malafide.service.desk import Desk
from malafide.service.jobs import Hear, Heard
from malafide.service.security import READ, SUBMIT, Caller
from malafide.store import Delivery, Session

router = APIRouter(tags=["engage"])
SessionId = Annotated[str, Path(pattern="^s[0-9a-f]{20}$", description="The id of a session.")]
_MOST_TEXT: Final = 10_000  # characters of one message


class NewEngagement(BaseModel):
    """How the engagement goes."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"turns": 20}]})

    callback: str = Field(
        default="",
        max_length=100,
        description="The name of a callback in the settings, to which the final assessment is posted.",
    )
    turns: int = Field(
        default=40, ge=1, le=200, description="Messages of the stranger until it ends by itself."
    )


class StrangerMessage(BaseModel):
    """What the stranger wrote."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"text": "Your account is blocked, send the OTP"}]}
    )

    text: str = Field(min_length=1, max_length=_MOST_TEXT)


class Turn(BaseModel):
    """The reply to send. `over`: it was the last."""

    reply: str
    over: bool
    turns: int
    held_back: list[str]


class DeliveryState(BaseModel):
    """How far the final assessment is on its way."""

    id: int
    callback: str
    state: Literal["waiting", "claimed", "delivered", "failed"]
    attempts: int
    error: str
    due_at: datetime


class Engagement(BaseModel):
    """An engagement; `assessment` is there once it is over."""

    id: str
    who: str
    over: bool
    turns: int
    callback: str
    exchanges: list[tuple[str, str]]
    case: str
    assessment: dict[str, Any] | None
    deliveries: list[DeliveryState]
    created_at: datetime
    updated_at: datetime


class EngagementLine(BaseModel):
    id: str
    who: str
    over: bool
    turns: int
    updated_at: datetime


class EngagementList(BaseModel):
    items: list[EngagementLine]


@router.post("/v1/engage", status_code=201, response_model=Engagement, responses=examples.refusals(404))
async def open_session(wanted: NewEngagement, desk: TheDesk, caller: Caller = SUBMIT) -> Response:
    """Opens an engagement: an invented person answers, who gives no data, money or links."""
    if wanted.callback and wanted.callback not in desk.settings.callbacks:
        known = ", ".join(sorted(desk.settings.callbacks)) or "none"
        raise BadSetting(f"no callback is named {wanted.callback[:40]!r}; the settings have: {known}")
    state = {
        "callback": wanted.callback,
        "most": wanted.turns,
        "exchanges": [],
        "case": "",
        "assessment": None,
    }
    session = await desk.ask(desk.store.new_session, caller.name, state)
    await desk.ask(desk.store.note, caller.name, "engagement opened", session.id)
    return JSONResponse(_document(session, []), 201, {"Location": f"/v1/engage/{session.id}"})


@router.get("/v1/engage", dependencies=[READ], response_model=EngagementList, responses=examples.refusals())
async def sessions(desk: TheDesk) -> Response:
    """The hundred engagements that were active last."""
    found = await desk.ask(desk.store.sessions)
    items = [
        {"id": s.id, "who": s.who, "over": s.over, "turns": len(s.state["exchanges"]),
         "updated_at": s.updated_at.isoformat()}
        for s in found
    ]  # fmt: skip
    return JSONResponse({"items": items})


@router.get(
    "/v1/engage/{id}", dependencies=[READ], response_model=Engagement, responses=examples.refusals(404)
)
async def session(id: SessionId, desk: TheDesk) -> Response:
    """An engagement with all that was said, and how far its result is on its way."""
    found = await _known(desk, id)
    return JSONResponse(_document(found, await desk.ask(desk.store.deliveries, id)))


@router.post("/v1/engage/{id}/messages", response_model=Turn, responses=examples.refusals(404, 409, 503))
async def message(id: SessionId, said: StrangerMessage, desk: TheDesk, caller: Caller = SUBMIT) -> Response:
    """One message of the stranger; the reply is safe to send."""
    session = await _known(desk, id)
    if session.over:
        raise OutOfOrder(f"engagement {id} is over")
    state = session.state
    before = tuple((message, reply) for message, reply in state["exchanges"])
    heard: Heard = await desk.run(Hear(id, before, said.text, state["most"]))
    state = {**state, "exchanges": [*state["exchanges"], [said.text, heard.reply]]}
    if heard.over:
        state = await _assessed(desk, session, state, caller.name)
    await _saved(desk, session, state, over=heard.over)
    turn = {"reply": heard.reply, "over": heard.over, "turns": len(state["exchanges"])}
    return JSONResponse({**turn, "held_back": list(heard.held_back)})


@router.post("/v1/engage/{id}/end", response_model=Engagement, responses=examples.refusals(404, 409, 503))
async def end(id: SessionId, desk: TheDesk, caller: Caller = SUBMIT) -> Response:
    """Ends an engagement: its assessment is kept as a case and posted to its callback. Ending it again is harmless."""
    session = await _known(desk, id)
    if not session.over:
        if not session.state["exchanges"]:
            raise UnreadableInput("nothing was said yet")
        state = await _assessed(desk, session, session.state, caller.name)
        session = await _saved(desk, session, state, over=True)
        await desk.ask(desk.store.note, caller.name, "engagement ended", id)
    else:
        await _posted(desk, session)
    return JSONResponse(_document(session, await desk.ask(desk.store.deliveries, id)))


async def _assessed(desk: Desk, session: Session, state: dict[str, Any], who: str) -> dict[str, Any]:
    """The state with the assessment of all that was said, which is a case like any other."""
    messages = [
        {"sender": sender, "text": text or " "}
        for exchange in state["exchanges"]
        for sender, text in zip(("stranger", "user"), exchange, strict=True)
    ]
    content = json.dumps({"sessionId": session.id, "messages": messages}).encode()
    case, answer = await desk.judge_now("conversation", f"engagement {session.id}", content, who)
    return {**state, "case": case, "assessment": dict(answer.ruling.contract)}


async def _saved(desk: Desk, session: Session, state: dict[str, Any], *, over: bool) -> Session:
    later = await desk.ask(desk.store.save_session, session, state, over=over)
    if later is None:
        raise OutOfOrder("another message came at the same time; ask for the engagement and go on from there")
    if over:
        await _posted(desk, later)
    return later


async def _posted(desk: Desk, session: Session) -> None:
    """Sees to it that the assessment is on its way, once."""
    callback = session.state["callback"]
    if callback and not await desk.ask(desk.store.deliveries, session.id):
        await desk.ask(desk.store.new_delivery, session.id, callback, session.state["assessment"])
        desk.due.set()


async def _known(desk: Desk, id: str) -> Session:
    found = await desk.ask(desk.store.session, id)
    if found is None:
        raise UnknownName(f"there is no engagement {id!r}")
    return found


def _document(session: Session, deliveries: list[Delivery]) -> dict[str, Any]:
    state = session.state
    return {
        "id": session.id,
        "who": session.who,
        "over": session.over,
        "turns": len(state["exchanges"]),
        "callback": state["callback"],
        "exchanges": state["exchanges"],
        "case": state["case"],
        "assessment": state["assessment"],
        "deliveries": [
            {
                "id": one.id,
                "callback": one.url,
                "state": one.state,
                "attempts": one.attempts,
                "error": one.error,
                "due_at": one.due_at.isoformat(),
            }
            for one in deliveries
        ],
        "created_at": session.created_at.isoformat(),
        "updated_at": session.updated_at.isoformat(),
    }
