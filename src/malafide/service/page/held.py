"""Labels that came in a burst and teach nothing yet: an administrator lets them count, or drops them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastapi import Request, Response

from malafide.errors import BadSetting
from malafide.judging import Tell
from malafide.service.page.replies import desk_of, page_router, see
from malafide.service.page.visitor import posted, require, visitor

if TYPE_CHECKING:
    from malafide.service.chambers import Chambers

router = page_router()


@dataclass(frozen=True, slots=True)
class Held:
    """A job for the judges: whose labels are held, and how many."""

    def do(self, chambers: Chambers, tell: Tell | None) -> list[tuple[str, int]]:  # noqa: ARG002
        from malafide.learning.feedback import held

        return sorted(Counter(label.source for label in held()).items())


@dataclass(frozen=True, slots=True)
class Settle:
    """A job for the judges: lets the held labels of somebody count, or drops them; how many."""

    source: str
    count: bool

    def do(self, chambers: Chambers, tell: Tell | None) -> int:  # noqa: ARG002
        from malafide.learning.feedback import confirm, discard

        return (confirm if self.count else discard)(self.source)


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
