"""Whether the service lives, is ready, and how it goes."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse
from pydantic import BaseModel

from malafide.service import examples
from malafide.service.api.cases import TheDesk
from malafide.service.security import READ
from malafide.version import VERSION

router = APIRouter(tags=["operation"])


class Health(BaseModel):
    """That it lives."""

    status: Literal["ok"] = "ok"
    version: str = VERSION


class Readiness(BaseModel):
    """Whether cases can be judged and kept."""

    ready: bool
    judges: int


@router.get("/healthz", response_model=Health)
async def healthz() -> Response:
    """Answers while the process lives."""
    return JSONResponse(Health().model_dump())


@router.get("/readyz", response_model=Readiness, responses={503: {"model": Readiness}})
async def readyz(request: Request, desk: TheDesk) -> Response:
    """200 once a judge is ready and the store answers, 503 before."""
    await desk.ask(desk.store.tokens)
    ready = desk.judges.ready.is_set() and not request.app.state.working.done()
    state = Readiness(ready=ready, judges=len(desk.judges.pids))
    return JSONResponse(state.model_dump(), 200 if ready else 503)


@router.get("/metrics", dependencies=[READ], response_class=PlainTextResponse, responses=examples.refusals())
async def metrics(desk: TheDesk) -> Response:
    """Counters in the text format of Prometheus."""
    text = desk.metrics.text(desk.judges)
    return PlainTextResponse(text, media_type="text/plain; version=0.0.4; charset=utf-8")
