"""What one judge process holds: the panels, each made when first needed, and again when what was learned changed."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast

from malafide.home import home
from malafide.judging import Bench, PanelName, Ruling, bench
from malafide.record.classification_log import ClassificationLog, Logged
from malafide.record.review import ReviewShelf
from malafide.settings import Settings
from malafide.verdict import Classification

if TYPE_CHECKING:
    from malafide.decoy.session import Propose

# Precedents notice by themselves what was stored; whether there are any is looked at here.
_LEARNED = ("pattern_catalog.json", "post_catalog.json", "headline_catalog.json")
_PRECEDENTS = "precedents.sqlite"


class Chambers:
    """The benches of one process."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._benches: dict[PanelName, Bench] = {}
        self._seen = _signature()
        self._log, self._shelf = ClassificationLog(), ReviewShelf()
        self._writable = True
        self._proposer: Propose | None = None

    def bench(self, panel: PanelName) -> Bench:
        """The panel, with what is known now."""
        now = _signature()
        if now != self._seen:
            self.close()
            self._seen = now
        if panel not in self._benches:
            self._benches[panel] = bench(panel, self._settings)
        return self._benches[panel]

    def proposer(self) -> Propose:
        """Who proposes the decoy's replies: a model where one is named, the lines that ship otherwise."""
        if self._proposer is None:
            from malafide.decoy.offline import propose

            self._proposer = propose
            if self._settings.thinks:
                from malafide.decoy.persona import Persona

                self._proposer = Persona(self._settings)
        return self._proposer

    def keep(self, ruling: Ruling) -> None:
        """The classification log and the review shelf, as the command line keeps them; mail alone has them."""
        if ruling.panel != "spam" or not self._writable:
            return
        try:
            self._log.append(_logged(ruling))
            if ruling.waiting is not None:
                self._shelf.put(ruling.waiting)
        except OSError as error:
            self._writable = False
            print(f"malafide: verdicts are not logged: {error.strerror}", file=sys.stderr, flush=True)

    def close(self) -> None:
        for one in self._benches.values():
            one.close()
        self._benches.clear()


def _logged(ruling: Ruling) -> Logged:
    return Logged(
        timestamp=datetime.now(UTC),
        email_id=ruling.case_id,
        classification=cast(Classification, ruling.answer),
        confidence=ruling.confidence,
        agent_scores=dict(ruling.contract["agent_scores"]),
        processing_time_ms=ruling.elapsed_ms,
        score=ruling.score,
        agreement=ruling.agreement,
    )


def _signature() -> tuple[object, ...]:
    """Changes when a catalog does, and when precedents come to be; four looks at the disk, 8 us."""
    folder = str(home())
    seen: list[object] = []
    for name in (*_LEARNED, _PRECEDENTS):
        try:
            found = os.stat(f"{folder}/{name}")  # noqa: PTH116 - on the way of every mail
        except OSError:
            seen.append(None)
        else:
            seen.append(
                found.st_ino if name == _PRECEDENTS else (found.st_mtime_ns, found.st_size, found.st_ino)
            )
    return tuple(seen)
