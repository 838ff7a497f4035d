"""What malafide knows, to read: the learned catalog, the agents, the tools and the rules with their documentation."""

from __future__ import annotations

from collections import Counter
from functools import cache
from importlib import resources
from typing import Any, Final

from fastapi import Request, Response
from fastapi.responses import HTMLResponse
from starlette.concurrency import run_in_threadpool

from malafide.errors import UnknownName
from malafide.knowledge.catalog import Catalog
from malafide.knowledge.remembered import catalog_path, read_catalog
from malafide.panel.spec import AgentSpec, parse_spec
from malafide.rules.rulebook import Rule, rulebook
from malafide.service.page.replies import page, page_router, see
from malafide.service.page.visitor import require
from malafide.tools import tools

router = page_router()
_TABS: Final = (("catalog", "What was learned"), ("agents", "Agents"), ("tools", "Tools"), ("rules", "Rules"))
_PANELS: Final = (
    ("Mail", "malafide.panel.agents"),
    ("Conversations", "malafide.panel.voters"),
    ("Documents", "malafide.panel.document"),
)
_POSTS: Final = (
    AgentSpec(
        "TextAgent", "Feeling, bait and what fact-checks say of the claim in the words of a post.", (), "", ""
    ),
    AgentSpec("ImageAgent", "Whether the picture of a post was edited or made by a generator.", (), "", ""),
    AgentSpec("SourceAgent", "The account that wrote a post and the place its links lead to.", (), "", ""),
)
_LONGEST: Final = 100


@cache
def agents() -> tuple[tuple[str, tuple[AgentSpec, ...]], ...]:
    """The agents of each panel, from the files that describe them."""
    found = [(title, tuple(_specs(package))) for title, package in _PANELS]
    return (*found, ("Posts", _POSTS))


def _specs(package: str) -> list[AgentSpec]:
    files = [file for file in resources.files(package).iterdir() if file.name.endswith(".md")]
    return [
        parse_spec(file.read_text(encoding="utf-8"), file.name)
        for file in sorted(files, key=lambda f: f.name)
    ]


def _catalog() -> Catalog | None:
    path = catalog_path()
    return read_catalog(path) if path.exists() else None


def fitting(rules: tuple[Rule, ...], words: str, tool: str) -> list[Rule]:
    """The rules of a tool in which all the words stand."""
    wanted = words.lower().split()
    return [
        rule
        for rule in rules
        if (not tool or rule.tool == tool)
        and all(word in f"{rule.id} {rule.says} {rule.topic}".lower() for word in wanted)
    ]


@router.get("/knowledge")
async def start() -> Response:
    return see("/knowledge/catalog")


@router.get("/knowledge/{tab}", response_class=HTMLResponse)
async def knowledge(request: Request, tab: str, q: str = "", tool: str = "") -> Response:
    require(request, "read")
    common: dict[str, Any] = {"tabs": _TABS, "tab": tab}
    if tab == "catalog":
        return await page(
            request, "catalog.html", "knowledge", catalog=await run_in_threadpool(_catalog), **common
        )
    if tab == "agents":
        return await page(request, "agents.html", "knowledge", panels=agents(), **common)
    rules = (await run_in_threadpool(rulebook)).rules
    if tab == "tools":
        counted = Counter(rule.tool for rule in rules)
        listed = [(one, counted[one.name]) for one in await run_in_threadpool(list, tools)]
        return await page(request, "tools.html", "knowledge", tools=listed, **common)
    if tab == "rules":
        return await page(
            request,
            "rules.html",
            "knowledge",
            rules=fitting(rules, q[:_LONGEST], tool),
            all=len(rules),
            names=sorted({rule.tool for rule in rules}),
            q=q[:_LONGEST],
            tool=tool,
            **common,
        )
    raise UnknownName(f"there is no page {tab[:40]!r} of what is known")
