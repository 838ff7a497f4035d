"""What every page needs: the desk of the request, the page drawn for its visitor, refusals as pages."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse
from fastapi.routing import APIRoute
from starlette.concurrency import run_in_threadpool

from malafide.errors import MalafideError
from malafide.service.desk import Desk
from malafide.service.page.looks import draw
from malafide.service.page.visitor import visitor
from malafide.service.page.words import MESSAGE_WORDS, PANEL_WORDS
from malafide.version import VERSION

_TITLES = {404: "There is no such thing", 409: "That cannot be done now", 413: "That is too large"}


def desk_of(request: Request) -> Desk:
    desk: Desk = request.app.state.desk
    return desk


async def page(
    request: Request, template: str, here: str = "", status: int = 200, **values: Any
) -> HTMLResponse:
    """A page for the one who asks. Drawing is done in a thread: a long message takes a while."""
    text = await run_in_threadpool(
        draw,
        template,
        here=here,
        session=visitor(request),
        version=VERSION,
        panel_words=PANEL_WORDS,
        message_words=MESSAGE_WORDS,
        **values,
    )
    return HTMLResponse(text, status)


def see(path: str) -> RedirectResponse:
    """To another page of ours, after something was done."""
    return RedirectResponse(path, 303)


class PageRoute(APIRoute):
    """A route whose refusals are pages, or JSON for the page's own script."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handled(request: Request) -> Response:
            try:
                return await handle(request)
            except MalafideError as error:
                if "application/json" in request.headers.get("accept", ""):
                    return JSONResponse({"error": str(error)}, error.http_status)
                title = _TITLES.get(error.http_status, "That did not work")
                return await page(
                    request, "trouble.html", status=error.http_status, title=title, why=str(error)
                )

        return handled


def page_router() -> APIRouter:
    return APIRouter(route_class=PageRoute)
