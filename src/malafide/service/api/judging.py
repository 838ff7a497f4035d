"""A message in, the answer that the command line prints out, byte for byte; kept before it is answered."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse

from malafide.case import case_id
from malafide.contracts.credibility import CredibilityContract
from malafide.contracts.document import DocumentContract
from malafide.contracts.honeypot import HoneypotContract
from malafide.contracts.spam import SpamContract
from malafide.errors import MalafideError
from malafide.judging import PanelName
from malafide.service import examples
from malafide.service.desk import Desk
from malafide.service.reading import Message, read_message
from malafide.service.security import SUBMIT, Caller

router = APIRouter(tags=["judging"])
Name = Annotated[str, Query(max_length=200, description="What to call the message, such as its file's name.")]
Details = Annotated[bool, Query(description="Add signals and the agents' scores under `malafide`.")]
CASE_HEADER: Final = "X-Malafide-Case"


@router.post("/v1/classify", response_model=SpamContract, **examples.judging("spam"))
async def classify(request: Request, name: Name = "", caller: Caller = SUBMIT) -> Response:
    """Whether a mail is SPAM, HAM or UNCERTAIN, and why; as `malafide classify --json`."""
    return await _answer(request, "spam", name, caller)


@router.post("/v1/assess", response_model=DocumentContract, **examples.judging("document"))
async def assess(request: Request, name: Name = "", caller: Caller = SUBMIT) -> Response:
    """Whether a document or mail is a scam, and why; as `malafide assess --json`. Nothing is moved or reported."""
    return await _answer(request, "document", name, caller)


@router.post("/v1/conversation", response_model=HoneypotContract, **examples.judging("conversation"))
async def conversation(request: Request, name: Name = "", caller: Caller = SUBMIT) -> Response:
    """Whether a conversation is a scam, and what it reveals; as `malafide conversation --json`."""
    return await _answer(request, "conversation", name, caller)


@router.post("/v1/post", response_model=CredibilityContract, **examples.judging("post"))
async def post(
    request: Request,
    name: Name = "",
    details: Details = False,
    caller: Caller = SUBMIT,
) -> Response:
    """How credible a raw post is, keyed by its id; as `malafide post --json`. A picture it names is not opened."""
    return await _answer(request, "post", name, caller, details)


@router.post("/v1/credibility", response_model=CredibilityContract, **examples.judging("credibility"))
async def credibility(
    request: Request,
    name: Name = "",
    details: Details = False,
    caller: Caller = SUBMIT,
) -> Response:
    """How credible a post is by signals that are given, keyed by its id; as `malafide credibility`."""
    return await _answer(request, "credibility", name, caller, details)


async def _answer(
    request: Request, panel: PanelName, name: str, caller: Caller, details: bool = True
) -> Response:
    desk: Desk = request.app.state.desk
    message = await read_message(request, desk.settings.max_upload, panel, name)
    try:
        case, answer = await desk.judge_now(panel, message.name, message.content, caller.name, details)
    except MalafideError as refusal:
        return refused(desk, refusal, message)
    headers = {CASE_HEADER: case, "Location": f"/v1/cases/{case}"}
    return Response(answer.body, media_type="application/json", headers=headers)


def refused(desk: Desk, refusal: MalafideError, message: Message) -> JSONResponse:
    """A refusal that is about a message names it by its id."""
    desk.metrics.refused(type(refusal).__name__)
    document: dict[str, Any] = {"error": str(refusal), "case_id": case_id(message.content)}
    return JSONResponse(document, refusal.http_status)
