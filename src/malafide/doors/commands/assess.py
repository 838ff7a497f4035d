"""`malafide assess`, `malafide undo` and `malafide trail`: is this document a scam, and what was done about it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from malafide.doors.inputs import PATH
from malafide.doors.model_options import model_options
from malafide.doors.streams import Progress, console, print_json, say
from malafide.errors import BadSetting, InputTooLarge, MalafideError

if TYPE_CHECKING:
    from malafide.actions.action import Action
    from malafide.actions.document import AssessmentResult, DocumentAssessor
    from malafide.assessment import Route, TrailStep
    from malafide.benches.document_minds import DocumentCouncil
    from malafide.intake.documents import Given
    from malafide.settings import Settings

_ROUTES = ("fast_scam", "fast_legitimate", "full_analysis", "deep_analysis")


@click.command()
@click.argument("paths", nargs=-1, type=PATH, metavar="[PATH]...")
@click.option("--text", help="The message itself.")
@click.option(
    "--imap", metavar="USER@HOST", help="Mail on a server; the password is in MALAFIDE_IMAP_PASSWORD."
)
@click.option("--folder", default="INBOX", show_default=True, help="The folder on the server.")
@click.option("--route", type=click.Choice(_ROUTES), help="Force a route.")
@click.option("--rehearse", is_flag=True, help="Show the actions without doing them.")
@click.option("--move", is_flag=True, help="Move scams among the named files to scam/ beside them.")
@click.option("--calls", type=click.IntRange(0, 20), default=4, show_default=True, help="Most tool calls.")
@click.option(
    "--seconds", type=click.FloatRange(0, 3600), default=60.0, show_default=True, help="Most tool time."
)
@model_options
@click.option("--json", "as_json", is_flag=True, help="Print the contract; JSON Lines for several.")
def assess(
    paths: tuple[Path, ...],
    text: str | None,
    imap: str | None,
    folder: str,
    route: str | None,
    rehearse: bool,
    move: bool,
    calls: int,
    seconds: float,
    as_json: bool,
    settings: Settings,
) -> None:
    """Say whether a document or mail is a scam, and act on it.

    Reads PDF, .eml, .msg and text, and folders and Maildirs of them. A report is written and the case is kept for
    review, without a label. Scams in a Maildir or on a server are moved to the folder Scam, or only flagged where no
    precedent supports the answer; a file you name stays where it is unless --move. Nothing is ever deleted, and
    `malafide undo` takes it back.

    \b
    Examples:
      malafide assess invoice.pdf
      malafide assess mail.eml --rehearse --json
      malafide assess ~/Maildir --rehearse
      malafide assess --imap ann@mail.example.com --folder INBOX

    Exit status: 0 when everything was assessed, whatever the answer; 1 when something could not be.
    """
    from malafide.actions.document import Acting, DocumentAssessor
    from malafide.benches.document import Budget, DocumentPanel
    from malafide.record.assessment_log import AssessmentLog
    from malafide.render.visible import one_line

    if not paths and text is None and imap is None:
        raise BadSetting("name a file, a folder, --text or --imap; see malafide assess --help")
    files = list(_files(paths))
    several = len(files) + (text is not None) > 1 or imap is not None or any(p.is_dir() for p in paths)
    progress = Progress()
    budget = Budget(tool_max_calls=calls, tool_time_budget=seconds)
    council = _council(settings)

    def tell(step: TrailStep) -> None:
        progress.show(f"{step.actor}: {one_line(step.says, 70)}")

    panel = DocumentPanel(budget=budget, council=council, tell=tell)
    assessor = DocumentAssessor(panel, Acting(rehearse=rehearse, log=AssessmentLog()))
    tour = _Tour(assessor, cast("Route | None", route), alone=not several)
    failed = 0
    for name, result in chain(tour.files(files, move=move), tour.text(text), tour.server(imap, folder)):
        progress.clear()
        failed += isinstance(result, MalafideError)
        _print(name, result, as_json=as_json, several=several)
    if council is not None:
        council.close()
    if failed:
        raise SystemExit(1)


def _council(settings: Settings) -> DocumentCouncil | None:
    """The models that the settings name; None when there are none to ask."""
    if not settings.thinks:
        return None
    from malafide.benches.document_minds import DocumentCouncil

    return DocumentCouncil(settings)


def _files(paths: tuple[Path, ...]) -> Iterator[Path]:
    for path in paths:
        if not path.is_dir():
            yield path
        elif (path / "cur").is_dir():
            yield from sorted(p for part in ("cur", "new") for p in (path / part).glob("*") if p.is_file())
        else:
            yield from sorted(p for p in path.iterdir() if p.is_file() and not p.name.startswith("."))


Named = tuple[str, "AssessmentResult | MalafideError"]


@dataclass(frozen=True, slots=True)
class _Tour:
    """What is assessed in one run. Alone, a refusal is the caller's; among several it is a row."""

    assessor: DocumentAssessor
    route: Route | None
    alone: bool

    def _one(self, given: Given, name: str, actions: Sequence[Action]) -> Named:
        acting = replace(self.assessor.acting, actions=actions)
        try:
            return name, replace(self.assessor, acting=acting).assess(given, route=self.route, source=name)
        except MalafideError as error:
            if self.alone:
                raise type(error)(f"{name}: {error}") from None
            return name, error

    def files(self, files: list[Path], *, move: bool) -> Iterator[Named]:
        from malafide.actions.document import local_actions

        for path in files:
            yield self._one(path, path.name, local_actions(path, move=move))

    def text(self, text: str | None) -> Iterator[Named]:
        from malafide.actions.document import local_actions
        from malafide.intake import read_text

        if text is not None:
            yield self._one(read_text(text, "(text)"), "(text)", local_actions(None))

    def server(self, where: str | None, folder: str) -> Iterator[Named]:
        if where is None:
            return
        from malafide.actions.document import local_actions
        from malafide.actions.imap import PASSWORD, ImapSorter, Server, connected, messages

        server = Server.parse(where)
        password = os.environ.get(PASSWORD)
        if password is None:
            password = click.prompt(f"Password of {server.user} on {server.host}", hide_input=True, err=True)
        with connected(server, password) as client:
            for uid, data in messages(client, folder):
                name = f"{folder}/{uid}"
                if data is None:
                    yield name, InputTooLarge("The mail is too large to be read.")
                else:
                    yield self._one(
                        data, name, (*local_actions(None), ImapSorter(client, server, folder, uid))
                    )


def _print(name: str, result: AssessmentResult | MalafideError, *, as_json: bool, several: bool) -> None:
    from malafide.render.assessment_terminal import answer_row, assessment_report
    from malafide.render.words import failure_line

    if isinstance(result, MalafideError):
        if as_json:
            print_json({"error": str(result), "malafide": {"file": name}}, pretty=False)
        else:
            print(failure_line(name, str(result)))
    elif as_json:
        print_json(dict(result), pretty=not several)
    elif several:
        print(answer_row(result.assessment, name))
    else:
        assessment_report(result.assessment, name, console())


@click.command()
@click.argument("workflow_id")
def undo(workflow_id: str) -> None:
    """Take back what an assessment did.

    Mail goes back to where it was, reports are removed (unless somebody changed them), the kept case is dropped.

    \b
    Example:
      malafide undo 3f9a0c1d2e4b
    """
    from malafide.actions.executer import undo as take_back
    from malafide.record.assessment_log import AssessmentLog

    log = AssessmentLog()
    undone = take_back(log.receipts(workflow_id))
    if not undone:
        say("nothing to undo: nothing was done, or it was undone already")
        return
    log.note_undone(workflow_id, undone)
    for receipt in undone:
        print(f"{receipt.status}: {receipt.says}  ({receipt.action})")
    if any(receipt.status == "failed" for receipt in undone):
        raise SystemExit(1)


@click.command()
@click.argument("workflow_id")
@click.option("--json", "as_json", is_flag=True, help="Print what was recorded.")
def trail(workflow_id: str, as_json: bool) -> None:
    """Show how an assessment came about, step by step.

    \b
    Example:
      malafide trail 3f9a0c1d2e4b
    """
    from malafide.record.assessment_log import AssessmentLog
    from malafide.render.assessment_terminal import trail_report

    contract = AssessmentLog().read(workflow_id)
    if as_json:
        print_json(contract, pretty=True)
    else:
        trail_report(contract, console())
