"""The page of a case: the answer and why, live while it is being judged; and what a person says about it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, cast

from fastapi import Request, Response
from fastapi.responses import HTMLResponse, StreamingResponse

from malafide.errors import BadSetting, MalafideError, OutOfOrder
from malafide.render.json_text import json_text
from malafide.service.desk import Desk
from malafide.service.page.account import ANSWERS, Account, badge
from malafide.service.page.accounts import account_of
from malafide.service.page.jobs import Show
from malafide.service.page.marked import Shown, shown
from malafide.service.page.replies import desk_of, page, page_router, see
from malafide.service.page.visitor import posted, require, visitor
from malafide.store import Said, StoredCase

router = page_router()


@dataclass(frozen=True, slots=True)
class Flash:
    """What was just done, said on top of the next page."""

    says: str
    tone: str = ""
    undo: tuple[str, int] | None = None  # the case and the label to take back
    back: str = ""
    changes: tuple[str, ...] = ()


async def drawn(desk: Desk, found: StoredCase) -> dict[str, Any]:
    """What the template of a case needs."""
    values: dict[str, Any] = {
        "line": found.line,
        "labels": found.labels,
        "account": None,
        "flash": None,
        "asking": False,
    }
    if found.line.state == "judged":
        line = found.line
        account: Account = account_of(line.panel, found.contract)
        try:
            text: Shown = await desk.run(Show(line.panel, line.name, found.content, account.entries))
        except MalafideError:  # the answer stands, and is worth more than an error page
            text = shown(None, account.entries)
        values |= {"account": account, "shown": text}
    return values


@router.get("/cases/{case}", response_class=HTMLResponse)
async def case_page(request: Request, case: str, part: str = "", said: int = 0) -> Response:
    require(request, "read")
    desk = desk_of(request)
    found = await desk.known(case)
    values = await drawn(desk, found)
    if said:
        values["flash"] = said_flash(found, said, f"/cases/{case}")
    template = "article.html" if part == "article" and values["account"] else "case.html"
    return await page(request, template, "history", **values)


def said_flash(found: StoredCase, number: int, back: str) -> Flash | None:
    """What became of a label, with the way to take it back while it stands."""
    label = next((one for one in found.labels if one.id == number), None)
    if label is None:
        return None
    name = found.line.subject or found.line.name or "the message"
    if label.undone_at is not None:
        return Flash(f"Taken back: {name} is not called {label.label} any more.")
    tone = "spam" if label.label == "deceptive" else "ham"
    return Flash(f"Noted: {name} is {label.label}.", tone, (found.id, label.id), back)


@router.get("/cases/{case}/contract")
async def contract(request: Request, case: str) -> Response:
    """What the command line prints for it."""
    require(request, "read")
    found = await desk_of(request).known(case)
    return Response(json_text(found.contract), media_type="application/json")


@router.get("/cases/{case}/steps")
async def steps(request: Request, case: str) -> Response:
    """The agents as they finish, then the verdict: server-sent events."""
    require(request, "read")
    desk = desk_of(request)
    await desk.known(case)
    return StreamingResponse(
        _events(desk, case),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def _events(desk: Desk, case: str) -> AsyncIterator[str]:
    number = 0
    async for event in desk.follow(case):
        number += 1
        data = dict(event.data)
        if event.name == "verdict" and data.get("answer") in ANSWERS:
            data["badge"] = badge(data["answer"])
        yield f"id: {number}\nevent: {event.name}\ndata: {json.dumps(data, default=str)}\n\n"


@router.post("/cases/{case}/label")
async def label(request: Request, case: str) -> Response:
    """A person says what a case is."""
    require(request, "review")
    form = await posted(request)
    said = form.get("label")
    if said not in ("deceptive", "genuine"):
        raise BadSetting(f"a case is deceptive or genuine, and not {str(said)[:40]!r}")
    spoken = await desk_of(request).label(case, visitor(request).who, cast(Said, said))
    return see(_back(form.get("back"), case, f"done={case}.{spoken.id}", f"said={spoken.id}"))


@router.post("/cases/{case}/undo")
async def undo(request: Request, case: str) -> Response:
    """Takes back what was said last."""
    require(request, "review")
    form = await posted(request)
    number = str(form.get("said", ""))
    if not (number.isascii() and number.isdigit() and len(number) < 19):
        raise OutOfOrder("there is nothing to take back")
    await desk_of(request).unlabel(case, int(number), visitor(request).who)
    return see(_back(form.get("back"), case, f"first={case}&done={case}.{number}", f"said={number}"))


def _back(given: object, case: str, for_queue: str, for_case: str) -> str:
    """Where the person was: the queue or the case, and nowhere else whatever the form says."""
    where = str(given or "")
    if where == "/queue" or where.startswith("/queue?skip="):
        skipped = where.partition("?skip=")[2]
        kept = ",".join(one for one in skipped.split(",") if one.isalnum())
        return f"/queue?{for_queue}" + (f"&skip={kept}" if kept else "")
    return f"/cases/{case}?{for_case}"


@router.post("/cases/{case}/replay", response_class=HTMLResponse)
async def replay(request: Request, case: str) -> Response:
    """Judges it again with what is known now, and says what differs."""
    require(request, "review")
    await posted(request)
    desk = desk_of(request)
    again = await desk.replay(case)
    found = await desk.known(case)
    values = await drawn(desk, found)
    if again.equal:
        values["flash"] = Flash("Judged again: the answer is the same in every field.", "ham")
    else:
        before = found.line
        told = (
            f"the answer is {again.answer} now and was {before.answer}"
            if again.answer != before.answer
            else f"the answer is {again.answer} as before"
        )
        values["flash"] = Flash(
            f"Judged again with what is known now: {told}; the score is {again.score:.4f} and was {before.score:.4f}. "
            "These fields differ:",
            "uncertain",
            changes=again.differences,
        )
    return await page(request, "case.html", "history", **values)
