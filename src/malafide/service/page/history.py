"""The history: every case, searched and filtered, a page at a time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from fastapi import Request, Response
from fastapi.responses import HTMLResponse

from malafide.errors import BadSetting
from malafide.service.page.looks import query
from malafide.service.page.replies import desk_of, page, page_router
from malafide.service.page.visitor import require
from malafide.service.page.words import CHOICES
from malafide.store import CaseFilter

router = page_router()
_MOST: Final = 40
_FIELDS: Final = ("q", "panel", "answer", "open", "labelled", "state", "since", "until", "case_id", "after")
_LONGEST: Final = 200


def filter_of(chosen: dict[str, str]) -> CaseFilter:
    """What the address asks for. A value that is none of the offered is refused."""
    for name, _, options in CHOICES:
        if chosen[name] and chosen[name] not in {value for value, _ in options}:
            raise BadSetting(
                f"{name} is {chosen[name]!r}; expected {', '.join(value for value, _ in options)}"
            )
    until = _day(chosen["until"], "to")
    return CaseFilter(
        text=chosen["q"],
        panel=chosen["panel"],
        answer=chosen["answer"],
        state=chosen["state"],  # type: ignore[arg-type]
        open=_flag(chosen["open"]),
        labelled=_flag(chosen["labelled"]),
        since=_day(chosen["since"], "from"),
        until=until + timedelta(days=1) if until else None,
        case_id=chosen["case_id"],
        after=chosen["after"],
        most=_MOST,
    )


def _flag(value: str) -> bool | None:
    return value == "yes" if value else None


def _day(value: str, what: str) -> datetime | None:
    if not value:
        return None
    try:
        day = datetime.strptime(value, "%Y-%m-%d").replace(tzinfo=UTC)
        if not 1971 <= day.year <= 9000:
            raise ValueError(value)
        return day
    except ValueError:
        raise BadSetting(f"{what}: {value!r} is no day; write it as 2026-01-31") from None


@router.get("/history", response_class=HTMLResponse)
async def history(request: Request) -> Response:
    require(request, "read")
    desk = desk_of(request)
    chosen = {name: request.query_params.get(name, "")[:_LONGEST] for name in _FIELDS}
    refused = ""
    try:
        found = await desk.ask(desk.store.cases, filter_of(chosen))
        lines, after = found.items, found.next
    except BadSetting as error:
        refused, lines, after = str(error), (), ""
    same = {name: value for name, value in chosen.items() if name != "after"}
    return await page(
        request,
        "history.html",
        "history",
        status=400 if refused else 200,
        chosen=chosen,
        choices=CHOICES,
        lines=lines,
        refused=refused,
        narrowed=any(chosen.values()),
        first=query("/history", **same),
        next=query("/history", **same, after=after) if after else "",
    )
