"""Getting in with a token, where one is needed: it is kept in a cookie that no script can read."""

from __future__ import annotations

from fastapi import Request, Response
from fastapi.responses import HTMLResponse

from malafide.service.page.replies import desk_of, page, page_router, see
from malafide.service.page.visitor import posted, visitor
from malafide.service.security import SESSION_COOKIE

router = page_router()
_LONGEST = 200


@router.get("/login", response_class=HTMLResponse)
async def login(request: Request) -> Response:
    if visitor(request).may_read:
        return see("/")
    return await page(request, "login.html", refused="")


@router.post("/login", response_class=HTMLResponse)
async def enter(request: Request) -> Response:
    form = await posted(request)
    secret = str(form.get("token", "")).strip()[:_LONGEST]
    desk = desk_of(request)
    if await desk.ask(desk.store.token_of, secret) is None:
        return await page(
            request,
            "login.html",
            status=401,
            refused="This is no token that counts. It begins with mf_ and may have been revoked.",
        )
    answer = see("/")
    secure = request.url.scheme == "https"
    answer.set_cookie(SESSION_COOKIE, secret, httponly=True, samesite="strict", secure=secure, path="/")
    return answer


@router.post("/logout")
async def leave(request: Request) -> Response:
    await posted(request)
    answer = see("/login")
    answer.delete_cookie(SESSION_COOKIE, path="/", httponly=True, samesite="strict")
    return answer
