"""Labels that came in a burst and teach nothing yet: an administrator lets them count, or drops them."""

from __future__ import annotations

from fastapi import Request, Response

from malafide.errors import BadSetting
from malafide.service.page.jobs import Settle
from malafide.service.page.replies import desk_of, page_router, see
from malafide.service.page.visitor import posted, require, visitor

router = page_router()


@router.post("/held")
async def settle(request: Request) -> Response:
    require(request, "admin")
    form = await posted(request)
    source, what = str(form.get("source", "")), form.get("what")
    if what not in ("count", "drop"):
        raise BadSetting(f"held labels count or are dropped, and not {str(what)[:40]!r}")
    desk = desk_of(request)
    number = await desk.run(Settle(source, what == "count"))
    done = "held labels let count" if what == "count" else "held labels dropped"
    await desk.ask(desk.store.note, visitor(request).who, done, source, f"{number} labels")
    return see("/queue")
