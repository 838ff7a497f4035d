"""Cases: accepted to be judged soon, listed, looked at, watched while they are judged, judged again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import JSONResponse
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel

from malafide.errors import MalafideError
from malafide.judging import PanelName
from malafide.service import examples
from malafide.service.api.judging import CASE_HEADER, refused
from malafide.service.desk import Desk, line_document
from malafide.service.reading import read_message
from malafide.service.security import READ, REVIEW, SUBMIT, Caller
from malafide.store import CaseFilter, Label, StoredCase

router = APIRouter(tags=["cases"])
CaseId = Annotated[str, Path(pattern="^c[0-9a-f]{20}$", description="The id of a case.")]


class Accepted(BaseModel):
    """A case that is kept and is judged soon."""

    id: str
    state: Literal["waiting"] = "waiting"
    events: str


class CaseLine(BaseModel):
    """A case as a list shows it."""

    id: str
    case_id: str
    batch: str
    panel: str
    name: str
    who: str
    state: Literal["waiting", "claimed", "judged", "failed"]
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
    money: float
    size: int
    label: Literal["", "deceptive", "genuine"]


class SaidOfCase(BaseModel):
    """What a person said a case is."""

    id: int
    who: str
    label: Literal["deceptive", "genuine"]
    note: str
    at: datetime
    overruled: bool
    undone_at: datetime | None
    undone_by: str


class Case(CaseLine):
    """Everything about one case but its content."""

    contract: dict[str, Any]
    usage: dict[str, float]
    labels: list[SaidOfCase]


class CasePage(BaseModel):
    """Some of the cases, newest first; `next` is the `after` of the next page, and empty at the end."""

    items: list[CaseLine]
    next: str


class ReplayedCase(BaseModel):
    """A case judged again with what is known now; times and drawn numbers are not compared."""

    equal: bool
    differences: list[str]
    answer: str
    score: float


class Filter(BaseModel):
    """Which cases."""

    q: Annotated[str, Query(max_length=200)] = ""
    panel: Literal["", "spam", "document", "conversation", "post", "credibility"] = ""
    answer: Annotated[str, Query(max_length=40)] = ""
    state: Literal["", "waiting", "claimed", "judged", "failed"] = ""
    open: bool | None = None
    labelled: bool | None = None
    since: datetime | None = None
    until: datetime | None = None
    batch: Annotated[str, Query(max_length=40)] = ""
    case_id: Annotated[str, Query(max_length=64)] = ""
    after: Annotated[str, Query(max_length=100)] = ""
    most: Annotated[int, Query(ge=1, le=500)] = 50

    def chosen(self) -> CaseFilter:
        fields = self.model_dump()
        fields["text"] = fields.pop("q")
        for moment in ("since", "until"):
            if fields[moment] is not None and fields[moment].tzinfo is None:
                fields[moment] = fields[moment].replace(tzinfo=UTC)
        return CaseFilter(**fields)


async def desk_of(request: Request) -> Desk:
    desk: Desk = request.app.state.desk
    return desk


TheDesk = Annotated[Desk, Depends(desk_of)]


@router.post(
    "/v1/cases",
    status_code=202,
    response_model=Accepted,
    responses=examples.refusals(404, 413, 503),
    openapi_extra={"requestBody": examples.body("spam")},
)
async def submit(
    request: Request,
    desk: TheDesk,
    panel: Annotated[PanelName | Literal[""], Query(description="Empty: told from the message.")] = "",
    name: Annotated[str, Query(max_length=200)] = "",
    caller: Caller = SUBMIT,
) -> Response:
    """Keeps a message and judges it soon; watch it at its `events`."""
    message = await read_message(request, desk.settings.max_upload, panel, name)
    try:
        case = await desk.accept(panel, message.name, message.content, caller.name)
    except MalafideError as refusal:
        return refused(desk, refusal, message)
    where = f"/v1/cases/{case}"
    accepted = Accepted(id=case, events=f"{where}/events")
    return JSONResponse(accepted.model_dump(), 202, {"Location": where, CASE_HEADER: case})


@router.get("/v1/cases", dependencies=[READ], response_model=CasePage, responses=examples.refusals())
async def cases(desk: TheDesk, chosen: Annotated[Filter, Query()]) -> Response:
    """Cases, newest first. `q` finds words of names, subjects and summaries."""
    page = await desk.ask(desk.store.cases, chosen.chosen())
    return JSONResponse({"items": [line_document(line) for line in page.items], "next": page.next})


@router.get("/v1/cases/{id}", dependencies=[READ], response_model=Case, responses=examples.refusals(404))
async def case(id: CaseId, desk: TheDesk) -> Response:
    """One case with its answer and what people said of it."""
    return JSONResponse(case_document(await desk.known(id)))


@router.get(
    "/v1/cases/{id}/content",
    response_class=Response,
    responses={
        **examples.refusals(404),
        200: {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}},
    },
)
async def content(id: CaseId, desk: TheDesk, caller: Caller = REVIEW) -> Response:
    """The message itself, to be kept and not shown. Who fetched it is noted."""
    found = await desk.known(id)
    await desk.ask(desk.store.note, caller.name, "content fetched", id)
    headers = {
        "Content-Disposition": f'attachment; filename="{id}.bin"',
        "Content-Security-Policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
    }
    return Response(found.content, media_type="application/octet-stream", headers=headers)


async def _exists(id: CaseId, desk: TheDesk) -> str:
    """Refuses an unknown case before an answer has begun."""
    return id if desk.events.knows(id) else (await desk.known(id)).id


@router.get(
    "/v1/cases/{id}/events",
    dependencies=[READ],
    response_class=EventSourceResponse,
    responses=examples.refusals(404),
)
async def events(case: Annotated[str, Depends(_exists)], desk: TheDesk) -> AsyncIterator[ServerSentEvent]:
    """What happens to a case as it happens, after what happened already: `step`s, then `verdict` or `failed`."""
    number = 0
    async for event in desk.follow(case):
        number += 1
        yield ServerSentEvent(event=event.name, data=dict(event.data), id=str(number))


@router.post("/v1/cases/{id}/replay", response_model=ReplayedCase, responses=examples.refusals(404, 409, 503))
async def replay(id: CaseId, desk: TheDesk, caller: Caller = REVIEW) -> Response:
    """Judges a case again and says whether the answer is the same; keeps nothing but that it was done."""
    again = await desk.replay(id)
    await desk.ask(desk.store.note, caller.name, "replayed", id, "same" if again.equal else "differs")
    return JSONResponse(asdict(again))


def case_document(found: StoredCase) -> dict[str, Any]:
    """A case in JSON."""
    return {
        **line_document(found.line),
        "contract": found.contract,
        "usage": dict(found.usage),
        "labels": [label_document(label) for label in found.labels],
    }


def label_document(label: Label) -> dict[str, Any]:
    fields = asdict(label)
    del fields["case"]
    fields["at"] = label.at.isoformat()
    fields["undone_at"] = label.undone_at.isoformat() if label.undone_at else None
    return fields
