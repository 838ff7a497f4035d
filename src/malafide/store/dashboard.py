"""Judged cases in, figures per stretch of time out."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from malafide.errors import BadSetting
from malafide.store import packing
from malafide.store.database import Database
from malafide.store.nouns import Count

_MOST_STRETCHES: Final = 2_000
_MICROSECOND: Final = timedelta(microseconds=1)
# Times in steps of at most 6 %, so that a database can count equal ones instead of ranking every single one.
_TOOK: Final = (
    "CASE WHEN elapsed_ms < 16 THEN ROUND(elapsed_ms * 8) / 8 WHEN elapsed_ms < 128 THEN ROUND(elapsed_ms)"
    " WHEN elapsed_ms < 1024 THEN ROUND(elapsed_ms / 8) * 8 WHEN elapsed_ms < 8192 THEN ROUND(elapsed_ms / 64) * 64"
    " ELSE ROUND(elapsed_ms / 512) * 512 END"
)
_SUMS: Final = (
    f"SELECT submitted_at / ? AS stretch, state, answer, {_TOOK} AS took, COUNT(*), SUM(agreement), SUM(is_open),"
    " SUM(money), SUM(CASE WHEN label <> '' THEN 1 ELSE 0 END), SUM(overruled) FROM cases"
    " WHERE submitted_at >= ? AND submitted_at < ? AND state IN ('judged', 'failed')"
)


class _Part(NamedTuple):
    """Cases of one stretch that ended alike and took the same time."""

    stretch: int
    state: str
    answer: str
    took: float
    number: int
    agreement: float
    is_open: int
    money: float
    labelled: int
    overruled: int


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

        sql, values = f"{_SUMS}{more} GROUP BY stretch, state, answer, took", (width, first, last, *given)
        rows = self._database.read(lambda connection: connection.execute(sql, values).fetchall())
        parts: dict[int, list[_Part]] = defaultdict(list)
        for row in rows:
            parts[row[0]].append(_Part(*row))
        return [_count(packing.moment(at * width), parts[at]) for at in sorted(parts)]


def _count(start: datetime, parts: list[_Part]) -> Count:
    judged = [part for part in parts if part.state == "judged"]
    number = sum(part.number for part in judged)
    answers: Counter[str] = Counter()
    for part in judged:
        answers[part.answer] += part.number
    return Count(
        start=start,
        number=number,
        answers=dict(sorted(answers.items())),
        agreement=sum(part.agreement for part in judged) / max(1, number),
        open_share=sum(part.is_open for part in judged) / max(1, number),
        p50_ms=_reached(judged, 0.5 * number),
        p95_ms=_reached(judged, 0.95 * number),
        money=sum(part.money for part in judged),
        failed=sum(part.number for part in parts if part.state == "failed"),
        labelled=sum(part.labelled for part in parts),
        overruled=sum(part.overruled for part in parts),
    )


def _reached(parts: list[_Part], number: float) -> float:
    """The time within which so many were done."""
    done = 0
    for part in sorted(parts, key=lambda part: part.took):
        done += part.number
        if done >= number:
            return part.took
    return 0.0
