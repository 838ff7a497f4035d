"""The front page: a message comes in, and the panel can be watched. And the files that every page needs."""

from __future__ import annotations

import asyncio

from fastapi import Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse
from starlette.datastructures import UploadFile

from malafide.errors import InputTooLarge, UnreadableInput
from malafide.service.page.looks import STATIC, static_file
from malafide.service.page.replies import desk_of, page, page_router, see
from malafide.service.page.visitor import check_word, require, visitor
from malafide.service.page.words import PANEL_WORDS
from malafide.store import CaseFilter

router = page_router()
_LATEST = 6
# Seconds that a form without a script waits for the ruling; then it gets a page that loads itself again.
_WAIT = 10.0


@router.get("/", response_class=HTMLResponse)
async def home(request: Request) -> Response:
    desk = desk_of(request)
    latest = (
        (await desk.ask(desk.store.cases, CaseFilter(most=_LATEST))).items
        if visitor(request).may_read
        else ()
    )
    return await page(
        request,
        "home.html",
        "home",
        latest=latest,
        panels=tuple(PANEL_WORDS.items()),
        most=desk.settings.max_upload,
        refused="",
    )


@router.post("/check")
async def check(request: Request) -> Response:
    """Takes a message in; the script goes on with its id, a plain form with its page."""
    require(request, "submit")
    desk = desk_of(request)
    async with request.form(max_files=1, max_fields=8, max_part_size=desk.settings.max_upload) as form:
        check_word(request, form)
        file, text, panel = form.get("file"), form.get("text"), form.get("panel")
        if isinstance(file, UploadFile) and file.size:
            if file.size > desk.settings.max_upload:
                raise InputTooLarge(
                    f"The file has {file.size:,} bytes; at most {desk.settings.max_upload:,} are read."
                )
            name, content = file.filename or "", await file.read()
        elif isinstance(text, str) and text.strip():
            # A form ends its lines with CR LF; a person pasted them with LF.
            name, content = "", text.replace("\r\n", "\n").encode("utf-8", "replace")
        else:
            raise UnreadableInput("There is nothing to check yet: paste a message or choose a file.")
    case = await desk.accept(
        panel if isinstance(panel, str) else "", name[-200:], content, visitor(request).who
    )
    if "application/json" in request.headers.get("accept", ""):
        return JSONResponse({"id": case}, 201)
    try:
        async with asyncio.timeout(_WAIT):
            async for _ in desk.follow(case):
                continue
    except TimeoutError:
        pass  # the page of a case that waits loads itself again
    return see(f"/cases/{case}")


@router.get("/static/{name}")
async def static(name: str) -> Response:
    if name not in STATIC:
        return PlainTextResponse("There is no such file.", 404)
    headers = {"Cache-Control": "public, max-age=31536000, immutable"}
    return Response(static_file(name), media_type=STATIC[name], headers=headers)
