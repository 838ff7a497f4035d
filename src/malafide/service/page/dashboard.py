"""The dashboard: what was judged over time, as tiles, drawings and tables that say the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, cast

from fastapi import Request, Response
from fastapi.responses import HTMLResponse
from markupsafe import Markup

from malafide.measure.drift import Finding, compare, findings
from malafide.record.classification_log import Logged
from malafide.service.desk import Desk
from malafide.service.page import figures
from malafide.service.page.account import ANSWERS, Tone
from malafide.service.page.replies import desk_of, page, page_router
from malafide.service.page.visitor import require
from malafide.store import CaseFilter, CaseLine, Count
from malafide.verdict import Classification

router = page_router()
_SPANS: Final = ((1, "a day", timedelta(hours=1)), (7, "a week", timedelta(hours=6)),
                 (30, "a month", timedelta(days=1)), (365, "a year", timedelta(days=7)))  # fmt: skip
_DRIFT_OVER: Final = 600  # verdicts about mail, the newest
_LISTED: Final = 200


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing and its table."""

    title: str
    drawing: Markup
    most: str  # what the top of the drawing stands for
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    key: tuple[tuple[str, str], ...] = ()
    none: str = "there is nothing of this."


@dataclass(frozen=True, slots=True)
class Total:
    """All stretches together."""

    number: int
    open: float
    agreement: float
    money: float
    labelled: int
    overruled: int
    failed: int
    slowest: float


def total_of(counts: Sequence[Count]) -> Total:
    number = sum(c.number for c in counts)
    share = 1 / max(1, number)
    return Total(
        number,
        sum(c.open_share * c.number for c in counts) * share,
        sum(c.agreement * c.number for c in counts) * share,
        sum(c.money for c in counts),
        sum(c.labelled for c in counts),
        sum(c.overruled for c in counts),
        sum(c.failed for c in counts),
        max((c.p95_ms for c in counts), default=0.0),
    )


def filled(counts: Sequence[Count], since: datetime, until: datetime, bucket: timedelta) -> list[Count]:
    """One count for every stretch, those in which nothing was judged among them."""
    known = {int(c.start.timestamp() // bucket.total_seconds()): c for c in counts}
    first, last = (int(when.timestamp() // bucket.total_seconds()) for when in (since, until))
    return [
        known.get(at) or _nothing(datetime.fromtimestamp(at * bucket.total_seconds(), UTC))
        for at in range(first, last + 1)
    ]


def _nothing(start: datetime) -> Count:
    return Count(start, 0, {}, 0.0, 0.0, 0.0, 0.0, 0.0, 0, 0, 0)


def _by_tone(count: Count, tone: Tone) -> int:
    return sum(n for answer, n in count.answers.items() if ANSWERS.get(answer, ("uncertain",))[0] == tone)


def charts(counts: Sequence[Count], when: str) -> list[Chart]:
    """The drawings of the dashboard."""
    judged = [c for c in counts if c.number or c.failed]
    days = [c.start.strftime(when) for c in judged]

    def rows(*cells: Callable[[Count], str]) -> tuple[tuple[str, ...], ...]:
        return tuple((day, *(cell(c) for cell in cells)) for day, c in zip(days, judged, strict=True))

    busiest = max((c.number for c in counts), default=0)
    slowest = max((c.p95_ms for c in counts), default=0.0)
    dearest = max((c.money for c in counts), default=0.0)
    tones: tuple[Tone, ...] = ("spam", "uncertain", "ham")
    words = ("deceptive", "left open", "genuine")
    return [
        Chart(
            "Volume and mix",
            figures.columns(
                [[(tone, _by_tone(c, tone)) for tone in tones] for c in counts], "Cases judged, by answer"
            ),
            f"{busiest:,} cases",
            ("cases", *words, "failed"),
            rows(
                lambda c: str(c.number),
                *(cast(Callable[[Count], str], lambda c, t=tone: str(_by_tone(c, t))) for tone in tones),
                lambda c: str(c.failed),
            ),
            tuple(zip(tones, words, strict=True)),
        ),
        Chart(
            "Agreement of the agents",
            figures.line([c.agreement if c.number else None for c in counts], 1.0, "Mean agreement"),
            "1",
            ("agreement",),
            rows(lambda c: f"{c.agreement:.3f}" if c.number else "–"),
        ),
        Chart(
            "Left to a person",
            figures.line(
                [c.open_share if c.number else None for c in counts], 1.0, "Share left open", "uncertain"
            ),
            "100 %",
            ("left open", "labelled", "overruled"),
            rows(lambda c: f"{c.open_share:.1%}", lambda c: str(c.labelled), lambda c: str(c.overruled)),
        ),
        Chart(
            "Time of a case",
            figures.line(
                [c.p95_ms if c.number else None for c in counts],
                slowest,
                "Time that 95 of 100 cases stay under",
            )
            if slowest
            else Markup(""),
            f"{slowest:,.0f} ms",
            ("half within", "95 of 100 within"),
            rows(lambda c: f"{c.p50_ms:.1f} ms", lambda c: f"{c.p95_ms:.1f} ms"),
        ),
        Chart(
            "What models cost",
            figures.columns([[("edge", c.money)] for c in counts], "US dollars for models"),
            f"${dearest:.4f}",
            ("US dollars",),
            rows(lambda c: f"{c.money:.4f}"),
            none="no model was paid.",
        ),
    ]


async def _drift(desk: Desk) -> list[Finding]:
    """Whether the latest mail looks different from the mail before."""
    lines: list[CaseLine] = []
    after = ""
    while len(lines) < _DRIFT_OVER:
        found = await desk.ask(
            desk.store.cases, CaseFilter(panel="spam", state="judged", after=after, most=_LISTED)
        )
        lines += found.items
        after = found.next
        if not after:
            break
    logged = [
        Logged(
            timestamp=line.submitted_at,
            email_id=line.case_id,
            classification=cast(Classification, line.answer),
            confidence=line.confidence,
            agent_scores={},
            processing_time_ms=line.elapsed_ms,
            score=line.score,
            agreement=line.agreement,
        )
        for line in reversed(lines)
    ]
    return findings(compare(logged))


@router.get("/dashboard", response_class=HTMLResponse)
async def dashboard(request: Request, days: int = 7) -> Response:
    require(request, "read")
    desk = desk_of(request)
    span = next((one for one in _SPANS if one[0] == days), _SPANS[1])
    until = datetime.now(UTC)
    since = until - timedelta(days=span[0])
    counts = await desk.ask(desk.store.counts, since, until, span[2])
    total = total_of(counts)
    whole = filled(counts, since, until, span[2])
    when = "%Y-%m-%d %H:%M" if span[0] < 30 else "%Y-%m-%d"
    return await page(
        request,
        "dashboard.html",
        "dashboard",
        spans=tuple((number, words) for number, words, _ in _SPANS),
        days=span[0],
        span_words=f"The last {span[1].removeprefix('a ')}, in UTC.",
        total=total,
        tiles=_tiles(total),
        charts=charts(whole, when) if total.number else [],
        drift=await _drift(desk) if total.number else [],
        first_day=whole[0].start.strftime(when),
        last_day=whole[-1].start.strftime(when),
    )


def _tiles(total: Total) -> tuple[tuple[str, str, str], ...]:
    right = 1 - total.overruled / total.labelled if total.labelled else None
    return (
        ("Cases", f"{total.number:,}", f"{total.failed:,} could not be judged" if total.failed else ""),
        ("Left to a person", f"{total.open:.1%}", ""),
        ("Agreement", f"{total.agreement:.2f}", "of the agents, on average"),
        (
            "Labelled",
            f"{total.labelled:,}",
            f"{right:.0%} not overruled" if right is not None else "by people",
        ),
        ("Slowest 5 %", f"{total.slowest:,.0f} ms", "or more, at worst"),
        ("Models", f"${total.money:,.2f}", ""),
    )
