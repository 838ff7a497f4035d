"""Verdicts in, output out: one class per way of printing. Mails come one at a time, judged or failed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from malafide.doors.files import write_atomically
from malafide.doors.inputs import Source
from malafide.doors.streams import console, print_json, say
from malafide.errors import MalafideError
from malafide.render.words import answer_line, failure_line
from malafide.verdict import Classification, Verdict

if TYPE_CHECKING:
    from malafide.knowledge.remembered import Knowledge
    from malafide.render.html import Entry
    from malafide.settings import Settings


class Sink(Protocol):
    def judged(self, source: Source, verdict: Verdict) -> None: ...

    def failed(self, source: Source, error: MalafideError) -> None: ...

    def finish(self) -> None: ...


class JsonSink:
    """The contract: indented for one mail, JSON Lines for several."""

    def __init__(self, *, lines: bool) -> None:
        self._lines = lines

    def judged(self, source: Source, verdict: Verdict) -> None:
        print_json(contract_of(source, verdict), pretty=not self._lines)

    def failed(self, source: Source, error: MalafideError) -> None:
        print_json(failure(source, error), pretty=not self._lines)

    def finish(self) -> None:
        return


def contract_of(source: Source, verdict: Verdict) -> dict[str, Any]:
    """The contract as it is printed."""
    from malafide.contracts.spam import spam_contract

    contract = spam_contract(verdict)
    return {**contract, "malafide": {**source.as_json(), **contract["malafide"]}}


def failure(source: Source, error: MalafideError) -> dict[str, Any]:
    """The row of a mail that could not be judged."""
    return {"error": str(error), "malafide": {**source.as_json(), "case_id": source.case_id}}


class LineSink:
    """One line per mail: coloured and cut to width on a terminal, plain and whole elsewhere."""

    def __init__(self) -> None:
        self._terminal = console() if sys.stdout.isatty() else None

    def judged(self, source: Source, verdict: Verdict) -> None:
        self._print(answer_line(verdict, source.name), verdict.classification)

    def failed(self, source: Source, error: MalafideError) -> None:
        self._print(failure_line(source.name, str(error)), None)

    def _print(self, line: str, classification: Classification | None) -> None:
        if self._terminal is None:
            print(line)
            return
        from malafide.render.terminal import answer_text

        self._terminal.print(answer_text(line, classification), no_wrap=True, overflow="ellipsis")

    def finish(self) -> None:
        return


class ReportSink:
    """The whole report on each mail, for the terminal."""

    def judged(self, source: Source, verdict: Verdict) -> None:
        from malafide.render.terminal import report

        report(verdict, source.name, console())

    def failed(self, source: Source, error: MalafideError) -> None:
        print(failure_line(source.name, str(error)))

    def finish(self) -> None:
        return


class RecordSink:
    """The classification log, and the shelf of what waits for review. Judging goes on where neither can be kept."""

    def __init__(self) -> None:
        from malafide.record.classification_log import ClassificationLog
        from malafide.record.review import ReviewShelf

        self._log = ClassificationLog()
        self._shelf = ReviewShelf()
        self._writable = True

    def judged(self, source: Source, verdict: Verdict) -> None:  # noqa: ARG002
        if not self._writable:
            return
        try:
            self._log.record(verdict)
            self._shelf.keep(verdict)
        except OSError as error:
            self._writable = False
            reason = error.strerror or str(error)
            say(f"malafide: verdicts are not logged, and none is kept for review: {reason}: {error.filename}")

    def failed(self, source: Source, error: MalafideError) -> None:  # noqa: ARG002
        return

    def finish(self) -> None:
        return


class DecisionSink:
    """A record of each decision, from which `malafide replay` comes to it again."""

    def __init__(self, folder: Path, knowledge: Knowledge, settings: Settings) -> None:
        from malafide.knowledge.catalog import dump

        self._folder = folder
        self._catalog = None if knowledge.catalog is None else dump(knowledge.catalog)
        self._settings = settings

    def judged(self, source: Source, verdict: Verdict) -> None:
        from malafide.record.decisions import decision, write_decision

        if isinstance(source.content, MalafideError):
            return
        result = contract_of(source, verdict)
        record = decision(source.content, self._catalog, self._settings, verdict, result)
        write_decision(self._folder, verdict.case.id, record)

    def failed(self, source: Source, error: MalafideError) -> None:  # noqa: ARG002
        return

    def finish(self) -> None:
        return


class HtmlSink:
    """One page on all mails, written when the last is judged."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._entries: list[Entry] = []

    def judged(self, source: Source, verdict: Verdict) -> None:
        from malafide.render.html import entry

        self._entries.append(entry(verdict, source.name, len(self._entries) + 1))

    def failed(self, source: Source, error: MalafideError) -> None:
        from malafide.render.html import failed_entry

        self._entries.append(failed_entry(source.name, str(error)))

    def finish(self) -> None:
        from malafide.render.html import page

        write_atomically(self._path, page(self._entries))
