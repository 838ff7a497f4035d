"""The application: settings in, everything that answers requests out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from malafide.errors import MalafideError
from malafide.service.api import batches, cases, engage, feedback, health, judging, knowledge, session
from malafide.service.backlog import Backlog
from malafide.service.callbacks import Postman
from malafide.service.choices import ServiceSettings, shared
from malafide.service.desk import Desk
from malafide.service.guard import Guard
from malafide.service.judges import Judges
from malafide.service.tracing import telemetry
from malafide.store import open_store
from malafide.version import VERSION

_ROUTERS: Final = tuple(
    module.router for module in (judging, cases, feedback, engage, batches, knowledge, session, health)
)
_PAGES: Final = "malafide.service.page.pages"


def make_app(settings: ServiceSettings) -> FastAPI:
    """The application. Its store is opened, and its judges started, when it starts."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        store = open_store(settings.database)
        number = settings.judge_processes
        judges = Judges(shared(settings.models, number), number, settings.case_seconds)
        desk = app.state.desk = Desk(store, judges, settings)
        backlog = app.state.backlog = Backlog(desk)
        working = app.state.working = asyncio.create_task(backlog.run())
        posting = asyncio.create_task(Postman(desk).run())
        try:
            yield
        finally:
            backlog.stop()
            posting.cancel()
            await asyncio.wait([working], timeout=settings.stop_seconds)
            working.cancel()
            await asyncio.to_thread(desk.close)

    app = FastAPI(
        title="malafide",
        version=VERSION,
        description="Tells whether a message deceives, and shows why.",
        lifespan=lifespan,
        docs_url=None,  # those pages load scripts from elsewhere
        redoc_url=None,
        telemetry=telemetry(),
    )
    for router in _ROUTERS:
        app.include_router(router)
    if find_spec(_PAGES) is not None:
        pages = import_module(_PAGES)
        app.include_router(pages.router, include_in_schema=False)
        if hasattr(pages, "mount"):
            pages.mount(app)
    app.add_middleware(Guard)
    app.openapi = partial(_openapi, app, app.openapi)  # type: ignore[method-assign]
    app.add_exception_handler(MalafideError, _refuse)
    app.add_exception_handler(500, _broken)
    app.add_exception_handler(RequestValidationError, _misread)
    app.add_exception_handler(HTTPException, _absent)
    return app


def _openapi(app: FastAPI, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The document, with how one shows a token."""
    if app.openapi_schema is None:
        document = make()
        document["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        document["security"] = [{"token": []}, {}]  # on loopback, while no token exists, none is needed
    return app.openapi_schema or document


async def _refuse(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, MalafideError)
    request.app.state.desk.metrics.refused(type(error).__name__)
    return _refusal(error.http_status, str(error))


async def _broken(request: Request, error: Exception) -> JSONResponse:  # noqa: ARG001
    """What nobody thought of; the log has it, and the answer nothing of it."""
    return _refusal(500, "something went wrong here; the service's log says what")


async def _misread(request: Request, error: Exception) -> JSONResponse:  # noqa: ARG001
    """Names the field and what is wrong with it; what was given stays out of the answer."""
    assert isinstance(error, RequestValidationError)
    words = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()[:5]]
    return _refusal(422, "; ".join(words))


async def _absent(request: Request, error: Exception) -> JSONResponse:  # noqa: ARG001
    assert isinstance(error, HTTPException)
    answer = _refusal(error.status_code, str(error.detail))
    answer.headers.update(error.headers or {})
    return answer


def _refusal(status: int, words: str) -> JSONResponse:
    document: dict[str, Any] = {"error": words, "case_id": None}
    return JSONResponse(document, status)
