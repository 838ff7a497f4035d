"""Judged cases in, figures per stretch of time out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from malafide.errors import BadSetting
from malafide.store import packing
from malafide.store.database import Database
from malafide.store.dialect import Connection
from malafide.store.nouns import Count

_MOST_STRETCHES: Final = 2_000
_MICROSECOND: Final = timedelta(microseconds=1)
_SUMS: Final = (
    "SELECT submitted_at / ? AS stretch, state, answer, COUNT(*), SUM(agreement), SUM(is_open), SUM(money),"
    " SUM(CASE WHEN label <> '' THEN 1 ELSE 0 END), SUM(overruled) FROM cases"
    " WHERE submitted_at >= ? AND submitted_at < ? AND state IN ('judged', 'failed')"
)
_TIMES: Final = (
    "WITH ranked AS (SELECT submitted_at / ? AS stretch, elapsed_ms,"
    " ROW_NUMBER() OVER (PARTITION BY submitted_at / ? ORDER BY elapsed_ms) AS place,"
    " COUNT(*) OVER (PARTITION BY submitted_at / ?) AS number FROM cases"
    " WHERE submitted_at >= ? AND submitted_at < ? AND state = 'judged'"
)


class Dashboard:
    """The part of the store that counts."""

    _database: Database

    def counts(self, since: datetime, until: datetime, bucket: timedelta, panel: str = "") -> list[Count]:
        """One for each stretch in which something was judged, oldest first. Stretches begin at whole multiples."""
        width, first, last = bucket // _MICROSECOND, packing.micros(since), packing.micros(until)
        if width <= 0 or (last - first) / width > _MOST_STRETCHES:
            raise BadSetting(
                f"a stretch of {bucket} is too short; expected at most {_MOST_STRETCHES:,} of them"
            )
        more, given = (" AND panel = ?", [packing.text(panel, packing.WHO)]) if panel else ("", [])

        def work(connection: Connection) -> list[Count]:
            sums = connection.execute(
                f"{_SUMS}{more} GROUP BY stretch, state, answer", (width, first, last, *given)
            ).fetchall()
            times = connection.execute(
                f"{_TIMES}{more}) SELECT stretch, MIN(CASE WHEN place >= 0.5 * number THEN elapsed_ms END),"
                " MIN(CASE WHEN place >= 0.95 * number THEN elapsed_ms END) FROM ranked GROUP BY stretch",
                (width, width, width, first, last, *given),
            ).fetchall()
            return _counts(sums, {row[0]: (row[1], row[2]) for row in times}, width)

        return self._database.read(work)


def _counts(sums: Sequence[Any], times: dict[int, tuple[float, float]], width: int) -> list[Count]:
    parts: dict[int, list[Any]] = defaultdict(list)
    for row in sums:
        parts[row[0]].append(row[1:])
    return [_count(packing.moment(at * width), parts[at], times.get(at, (0.0, 0.0))) for at in sorted(parts)]


def _count(start: datetime, rows: list[Any], times: tuple[float, float]) -> Count:
    judged = [row for row in rows if row[0] == "judged"]
    number = sum(row[2] for row in judged)
    return Count(
        start=start,
        number=number,
        answers=dict(sorted((row[1], row[2]) for row in judged)),
        agreement=sum(row[3] for row in judged) / max(1, number),
        open_share=sum(row[4] for row in judged) / max(1, number),
        p50_ms=times[0],
        p95_ms=times[1],
        money=sum(row[5] for row in judged),
        failed=sum(row[2] for row in rows if row[0] == "failed"),
        labelled=sum(row[6] for row in rows),
        overruled=sum(row[7] for row in rows),
    )
