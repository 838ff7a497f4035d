"""What people say of cases, and taking it back; the cases to ask about next; what was done by whom."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from malafide.service import examples
from malafide.service.api.cases import CaseId, CaseLine, TheDesk
from malafide.service.desk import line_document
from malafide.service.security import ADMIN, READ, REVIEW, Caller
from malafide.store import AuditFilter

router = APIRouter(tags=["feedback"])


class Feedback(BaseModel):
    """A person says what a case is."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"case": "c0123456789abcdef0123", "label": "genuine", "note": "our own newsletter"}]
        },
    )

    case: str = Field(pattern="^c[0-9a-f]{20}$")
    label: Literal["deceptive", "genuine"]
    note: str = Field(default="", max_length=2_000)


class Said(BaseModel):
    """What became of it. `held` labels of one person came in a burst and wait for `malafide feedback --confirm`."""

    id: int
    case: str
    label: Literal["deceptive", "genuine"]
    learned: bool
    held: int


class Undone(BaseModel):
    """A label that no longer stands."""

    id: int
    case: str
    label: Literal["deceptive", "genuine"]
    learned: bool


class Question(BaseModel):
    """A case to ask about: how open it is, and how many other open cases are like it."""

    case: CaseLine
    doubt: float
    likes: int


class QuestionList(BaseModel):
    """Open cases, the most informative first."""

    items: list[Question]


class AuditEntry(BaseModel):
    """Something that somebody did."""

    id: int
    at: datetime
    who: str
    action: str
    subject: str
    detail: str


class AuditPage(BaseModel):
    """What was done, newest first."""

    items: list[AuditEntry]
    next: str


@router.post("/v1/feedback", status_code=201, response_model=Said, responses=examples.refusals(404, 409, 503))
async def feedback(said: Feedback, desk: TheDesk, caller: Caller = REVIEW) -> Response:
    """Says what a case is. Mail, documents and conversations are learned from at once; it can be taken back exactly."""
    spoken = await desk.label(said.case, caller.name, said.label, said.note)
    answer: dict[str, Any] = {"id": spoken.id, "case": said.case, "label": said.label}
    where = f"/v1/feedback/{said.case}/{spoken.id}"
    return JSONResponse({**answer, "learned": spoken.learned, "held": spoken.held}, 201, {"Location": where})


@router.delete(
    "/v1/feedback/{case}/{label}", response_model=Undone, responses=examples.refusals(404, 409, 503)
)
async def undo(
    desk: TheDesk,
    case: CaseId,
    label: Annotated[int, Path(ge=1, le=2**62, description="The id of the label.")],
    caller: Caller = REVIEW,
) -> Response:
    """Takes back what was said last of a case; everything learned from it is then as before."""
    gone = await desk.unlabel(case, label, caller.name)
    said = gone.label.label if gone.label else ""
    return JSONResponse({"id": label, "case": case, "label": said, "learned": gone.learned})


@router.get("/v1/queue", dependencies=[READ], response_model=QuestionList, responses=examples.refusals(503))
async def queue(desk: TheDesk, most: Annotated[int, Query(ge=1, le=500)] = 50) -> Response:
    """The cases that were left open and that nobody labelled: first those whose label would settle most."""
    asked = (await desk.queue())[:most]
    items = [{"case": line_document(one.line), "doubt": one.doubt, "likes": one.likes} for one in asked]
    return JSONResponse({"items": items})


@router.get("/v1/audit", dependencies=[ADMIN], response_model=AuditPage, responses=examples.refusals())
async def audit(
    desk: TheDesk,
    subject: Annotated[str, Query(max_length=100)] = "",
    after: Annotated[str, Query(max_length=20)] = "",
    most: Annotated[int, Query(ge=1, le=500)] = 100,
) -> Response:
    """What was done, by whom and when: labels, tokens, messages fetched, sessions, purges."""
    page = await desk.ask(desk.store.audit, AuditFilter(subject=subject, after=after, most=most))
    items = [{**asdict(entry), "at": entry.at.isoformat()} for entry in page.items]
    return JSONResponse({"items": items, "next": page.next})
