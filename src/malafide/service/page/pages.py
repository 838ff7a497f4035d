"""The pages of the service, all behind one router."""

from __future__ import annotations

from fastapi import APIRouter

from malafide.service.page import about, cases, dashboard, front, held, history, knowledge, login, queue

router = APIRouter(include_in_schema=False)
for part in (front, login, cases, queue, held, history, dashboard, knowledge, about):
    router.include_router(part.router)
