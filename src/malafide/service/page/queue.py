"""The queue: open cases, the one whose answer would settle most on top, decided with one key each."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final
from urllib.parse import quote

from fastapi import Request, Response
from fastapi.responses import HTMLResponse

from malafide.service.desk import Asked, Desk
from malafide.service.page.asking import Order
from malafide.service.page.cases import Flash, drawn, said_flash
from malafide.service.page.jobs import Held
from malafide.service.page.looks import query
from malafide.service.page.replies import desk_of, page, page_router
from malafide.service.page.visitor import require
from malafide.store import Audited, AuditFilter

router = page_router()
_MOST_SKIPPED: Final = 60  # ids in the address; the first skipped come back after that
_FOLLOWING: Final = 5
_RECENT: Final = 8
_DECISIONS: Final = 1_000  # of a day, for the bar of progress


@router.get("/queue", response_class=HTMLResponse)
async def queue(request: Request, skip: str = "", done: str = "", first: str = "") -> Response:
    require(request, "review")
    desk = desk_of(request)
    skipped = [one for one in skip.split(",") if one.isalnum()][-_MOST_SKIPPED:]
    asked = await _order(request).asked(desk)
    left = [one for one in asked if one.line.id not in skipped]
    # What was just taken back is asked about again at once.
    left.sort(key=lambda one: one.line.id != first)
    decided, recent = await _decided(desk)
    values: dict[str, Any] = {
        "current": None,
        "decided": decided,
        "left": len(asked),
        "skipped": len(asked) - len(left),
        "recent": recent,
        "held": await desk.run(Held()),
        "following": [one.line for one in left[1 : _FOLLOWING + 1]],
    }
    if left:
        values |= await _asking(desk, left[0], skipped)
    values["flash"] = await _done(desk, done, skipped)
    return await page(request, "queue.html", "queue", **values)


def _order(request: Request) -> Order:
    """The order of this service's queue, made when somebody first looks."""
    state = request.app.state
    if not hasattr(state, "page_order"):
        state.page_order = Order()
    order: Order = state.page_order
    return order


async def _asking(desk: Desk, asked: Asked, skipped: list[str]) -> dict[str, object]:
    found = await desk.known(asked.line.id)
    values = await drawn(desk, found)
    back = "/queue" + (f"?skip={','.join(skipped)}" if skipped else "")
    skip = query("/queue", skip=",".join([*skipped, asked.line.id]))
    return {**values, "current": asked, "asking": True, "back": back, "skip": skip}


async def _done(desk: Desk, done: str, skipped: list[str]) -> Flash | None:
    """What was decided a moment ago, by the address that the decision led to."""
    case, _, number = done.partition(".")
    if not case.isalnum() or not number.isdigit() or len(number) > 18:
        return None
    found = await desk.ask(desk.store.case, case)
    back = "/queue" + (f"?skip={quote(','.join(skipped), safe=',')}" if skipped else "")
    return said_flash(found, int(number), back) if found is not None else None


async def _decided(desk: Desk) -> tuple[int, list[Audited]]:
    """How many were decided today and not taken back, and the latest decisions."""
    since = datetime.now(UTC) - timedelta(hours=24)
    said = await desk.ask(desk.store.audit, AuditFilter(action="label", since=since, most=_DECISIONS))
    back = await desk.ask(desk.store.audit, AuditFilter(action="unlabel", since=since, most=_DECISIONS))
    recent = sorted([*said.items[:_RECENT], *back.items[:_RECENT]], key=lambda one: -one.id)[:_RECENT]
    return max(0, len(said.items) - len(back.items)), recent
