"""A request in, who asks and what they may do out: the face of the service's security that pages need."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from fastapi import Request
from starlette.datastructures import FormData

from malafide.errors import NotAllowed, NotKnown
from malafide.service.security import SESSION_COOKIE, Caller
from malafide.store import Scope


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who looks at a page."""

    who: str
    may_read: bool
    may_submit: bool
    may_review: bool
    may_admin: bool
    by_cookie: bool  # logged in on this page, and can log out
    csrf: str


def visitor(request: Request) -> Visitor:
    caller: Caller | None = request.state.caller
    if caller is None:
        return Visitor("", False, False, False, False, False, request.state.csrf)
    return Visitor(
        caller.name,
        caller.may("read"),
        caller.may("submit"),
        caller.may("review"),
        caller.may("admin"),
        bool(caller.token) and SESSION_COOKIE in request.cookies,
        request.state.csrf,
    )


def require(request: Request, scope: Scope) -> None:
    """Refuses whoever may not do this."""
    caller: Caller | None = request.state.caller
    if caller is None:
        raise NotKnown("log in first")
    if not caller.may(scope):
        raise NotAllowed(f"this needs a token with the scope {scope!r}, and {caller.name}'s has it not")


async def posted(request: Request) -> FormData:
    """The form of a page of ours. One that another site makes a browser send does not know the word in the cookie."""
    form = await request.form(max_files=1, max_fields=8)
    check_word(request, form)
    return form


def check_word(request: Request, form: FormData) -> None:
    given = form.get("csrf")
    if not isinstance(given, str) or not secrets.compare_digest(given.encode(), request.state.csrf.encode()):
        raise NotAllowed("this form was not made for you, or is too old: load the page again and repeat it")
