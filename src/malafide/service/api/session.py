"""Getting in with a browser: a token in, a cookie out that no script can read."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from malafide.errors import NotKnown
from malafide.service import examples
from malafide.service.api.cases import TheDesk
from malafide.service.security import SESSION_COOKIE

router = APIRouter(tags=["session"])
_HOURS = 12


class Login(BaseModel):
    """A token."""

    model_config = ConfigDict(extra="forbid")

    token: str = Field(min_length=1, max_length=200, examples=["mf_..."])


@router.post("/v1/session", status_code=204, response_class=Response, responses=examples.refusals())
async def login(given: Login, request: Request, desk: TheDesk) -> Response:
    """Sets the cookie by which a browser is known."""
    token = await desk.ask(desk.store.token_of, given.token)
    if token is None:
        raise NotKnown("no such token counts here")
    await desk.ask(desk.store.note, token.name, "logged in", token.id)
    answer = Response(status_code=204)
    answer.set_cookie(
        SESSION_COOKIE,
        given.token,
        max_age=_HOURS * 3600,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return answer


@router.delete("/v1/session", status_code=204, response_class=Response)
async def logout() -> Response:
    """Takes the cookie back."""
    answer = Response(status_code=204)
    answer.delete_cookie(SESSION_COOKIE, httponly=True, samesite="strict")
    return answer
