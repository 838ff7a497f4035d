"""What runs here, who may ask and what was done."""

from __future__ import annotations

import platform

from fastapi import Request, Response
from fastapi.responses import HTMLResponse

from malafide.home import home
from malafide.knowledge.remembered import catalog_path
from malafide.service.page.replies import desk_of, page, page_router
from malafide.service.page.visitor import require, visitor
from malafide.store import AuditFilter
from malafide.version import VERSION

router = page_router()
_LATELY = 30


@router.get("/about", response_class=HTMLResponse)
async def about(request: Request) -> Response:
    require(request, "read")
    desk, who = desk_of(request), visitor(request)
    settings = desk.settings
    models = settings.models
    facts = [
        ("malafide", VERSION),
        ("Python", platform.python_version()),
        ("Store", desk.store.address if who.may_admin else desk.store.address.partition(":")[0]),
        (
            "Judges",
            f"{desk.judges.processes}, of which {desk.judges.busy} at work; {desk.judges.waiting} jobs wait",
        ),
        ("Models", "asked, " + models.escalate if models.thinks else "none: the panel thinks offline"),
        (
            "Learned",
            "a catalog of this machine" if catalog_path().exists() else "the built-in knowledge alone",
        ),
        ("Largest input", f"{settings.max_upload:,} bytes"),
    ]
    if who.may_admin:
        facts.append(("Home folder", str(home())))
    return await page(
        request,
        "about.html",
        "about",
        facts=facts,
        loopback=settings.on_loopback,
        tokens=await desk.ask(desk.store.tokens) if who.may_admin else None,
        audit=(await desk.ask(desk.store.audit, AuditFilter(most=_LATELY))).items if who.may_review else (),
    )
