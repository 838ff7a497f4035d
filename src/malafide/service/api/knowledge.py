"""What malafide knows and is made of: catalog, agents, tools, rules, the schemas of its answers."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from malafide.service import examples
from malafide.service.api.cases import TheDesk
from malafide.service.jobs import Describe
from malafide.service.security import READ

router = APIRouter(tags=["knowledge"])


class Described(BaseModel):
    """Something with a name, and what it is."""

    name: str
    description: str


class DescribedList(BaseModel):
    items: list[Described]


class Rule(BaseModel):
    """A rule: what a hit says, and how much it weighs."""

    id: str
    tool: str
    direction: str
    strength: str
    languages: list[str]
    says: str


class RuleList(BaseModel):
    items: list[Rule]


@router.get("/v1/catalog", dependencies=[READ], responses=examples.refusals(404, 503))
async def catalog(desk: TheDesk) -> dict[str, Any]:
    """The catalog of what was learned, as the file holds it; 404 while nothing was."""
    found: dict[str, Any] = await desk.run(Describe("catalog"))
    return found


@router.get("/v1/agents", dependencies=[READ], response_model=DescribedList, responses=examples.refusals(503))
async def agents(desk: TheDesk) -> Response:
    """The agents and voters of the panels."""
    return JSONResponse({"items": await desk.run(Describe("agents"))})


@router.get("/v1/tools", dependencies=[READ], response_model=DescribedList, responses=examples.refusals(503))
async def tools(desk: TheDesk) -> Response:
    """The evidence tools."""
    return JSONResponse({"items": await desk.run(Describe("tools"))})


@router.get("/v1/rules", dependencies=[READ], response_model=RuleList, responses=examples.refusals(503))
async def rules(desk: TheDesk) -> Response:
    """The rules."""
    return JSONResponse({"items": await desk.run(Describe("rules"))})


@router.get("/v1/schema/{name}", dependencies=[READ], responses=examples.refusals(404, 503))
async def schema(
    desk: TheDesk, name: Annotated[str, Path(max_length=40, examples=["spam"])]
) -> dict[str, Any]:
    """The JSON Schema of a panel's answer."""
    found: dict[str, Any] = await desk.run(Describe("schema", name))
    return found
