"""`malafide assess`, `malafide undo` and `malafide trail`: is this document a scam, and what was done about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from malafide.doors.inputs import PATH
from malafide.doors.model_options import model_options
from malafide.doors.streams import Progress, console, print_json, say
from malafide.errors import BadSetting, MalafideError

if TYPE_CHECKING:
    from malafide.actions.document import AssessmentResult, DocumentAssessor
    from malafide.assessment import Route, TrailStep
    from malafide.benches.document import DocumentPanel
    from malafide.benches.document_minds import DocumentCouncil
    from malafide.doors.documents import Item, Wanted
    from malafide.settings import Settings

_ROUTES = ("fast_scam", "fast_legitimate", "full_analysis", "deep_analysis")


@click.command()
@click.argument("paths", nargs=-1, type=PATH, metavar="[PATH]...")
@click.option("--text", help="The message itself.")
@click.option(
    "--imap", metavar="USER@HOST", help="Mail on a server; the password is in MALAFIDE_IMAP_PASSWORD."
)
@click.option("--folder", default="INBOX", show_default=True, help="The folder on the server.")
@click.option("--gmail", is_flag=True, help="Mail in the Gmail account that `malafide google` connected.")
@click.option("--query", metavar="SEARCH", help="Which mail of --gmail; by default 'is:unread in:inbox'.")
@click.option("--route", type=click.Choice(_ROUTES), help="Force a route.")
@click.option("--rehearse", is_flag=True, help="Show the actions without doing them.")
@click.option(
    "--move",
    is_flag=True,
    help="Move scams among named files to scam/ beside them, and out of the Gmail inbox.",
)
@click.option("--drive", is_flag=True, help="Put the reports on Google Drive too.")
@click.option("--calls", type=click.IntRange(0, 20), default=4, show_default=True, help="Most tool calls.")
@click.option(
    "--seconds", type=click.FloatRange(0, 3600), default=60.0, show_default=True, help="Most tool time."
)
@click.option("--show-prompt", is_flag=True, help="Print what the model would be asked; send and do nothing.")
@model_options
@click.option("--json", "as_json", is_flag=True, help="Print the contract; JSON Lines for several.")
def assess(
    paths: tuple[Path, ...],
    text: str | None,
    imap: str | None,
    folder: str,
    gmail: bool,
    query: str | None,
    route: str | None,
    rehearse: bool,
    move: bool,
    drive: bool,
    calls: int,
    seconds: float,
    show_prompt: bool,
    as_json: bool,
    settings: Settings,
) -> None:
    """Say whether a document or mail is a scam, and act on it.

    Reads PDF, .eml, .msg and text, and folders and Maildirs of them. A report is written and the case is kept for
    review, without a label. Scams in a Maildir or on a server are moved to the folder Scam, or only flagged where no
    precedent supports the answer; in Gmail they are labelled malafide/scam; a file you name stays where it is unless
    --move. Nothing is ever deleted, and `malafide undo` takes it back.

    \b
    Examples:
      malafide assess invoice.pdf
      malafide assess mail.eml --rehearse --json
      malafide assess ~/Maildir --rehearse
      malafide assess --imap ann@mail.example.com --folder INBOX
      malafide assess --gmail --query 'newer_than:2d in:inbox' --move

    Exit status: 0 when everything was assessed, whatever the answer; 1 when something could not be.
    """
    from malafide.actions.document import Acting, DocumentAssessor
    from malafide.actions.gmail import QUERY
    from malafide.benches.document import Budget, DocumentPanel
    from malafide.doors.documents import Wanted
    from malafide.record.assessment_log import AssessmentLog
    from malafide.render.visible import one_line

    if query is not None and not gmail:
        raise BadSetting("--query searches --gmail; give both")
    wanted = Wanted(paths, text, imap, folder, (query or QUERY) if gmail else None, move, drive)
    if not wanted.anything:
        raise BadSetting("name a file, a folder, --text, --imap or --gmail; see malafide assess --help")
    chosen = cast("Route | None", route)
    panel = DocumentPanel(budget=Budget(tool_max_calls=calls, tool_time_budget=seconds))
    if show_prompt:
        _show_prompts(wanted, panel, chosen, settings)
        return
    progress = Progress()

    def tell(step: TrailStep) -> None:
        progress.show(f"{step.actor}: {one_line(step.says, 70)}")

    council = _council(settings)
    panel = replace(panel, council=council, tell=tell)
    assessor = DocumentAssessor(panel, Acting(rehearse=rehearse, log=AssessmentLog()))
    failed = 0
    for name, result in _assessed(wanted, assessor, chosen):
        progress.clear()
        failed += isinstance(result, MalafideError)
        _print(name, result, as_json=as_json, several=wanted.several)
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


def _assessed(
    wanted: Wanted, assessor: DocumentAssessor, route: Route | None
) -> Iterator[tuple[str, AssessmentResult | MalafideError]]:
    """Alone, a refusal is the caller's; among several it is a row."""

    def one(item: Item) -> AssessmentResult | MalafideError:
        if isinstance(item.given, MalafideError):
            return item.given
        acting = replace(assessor.acting, actions=item.actions)
        try:
            return replace(assessor, acting=acting).assess(item.given, route=route, source=item.name)
        except MalafideError as error:
            if not wanted.several:
                raise type(error)(f"{item.name}: {error}") from None
            return error

    for item in wanted.items():
        yield item.name, one(item)


def _show_prompts(wanted: Wanted, panel: DocumentPanel, route: Route | None, settings: Settings) -> None:
    """Prints word for word what the models would be asked. Nothing is sent, done or recorded."""
    from malafide.benches.document_minds import models_of, would_ask
    from malafide.doors.preview import whole
    from malafide.intake.documents import read_document
    from malafide.render.visible import one_line
    from malafide.render.words import failure_line

    models = models_of(settings)
    for item in wanted.items():
        try:
            if isinstance(item.given, MalafideError):
                raise item.given
            prompts = would_ask(panel, read_document(item.given, item.name), route, settings)
        except MalafideError as error:
            print(failure_line(item.name, str(error)))
            continue
        for prompt in prompts:
            print(whole(prompt, models[prompt.agent]))
        asked = f"{len(prompts)} first questions" if prompts else "nothing"
        print(f"{one_line(item.name, 70)}: {asked} would be sent; nothing was.")


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

    Mail goes back to where it was, with the flags or labels it had; reports are removed (unless somebody changed
    them); the kept case is dropped.

    \b
    Example:
      malafide undo 3f9a0c1d2e4b
    """
    from malafide.actions.executer import undo as take_back
    from malafide.record.assessment_log import AssessmentLog

    log = AssessmentLog()
    receipts = log.receipts(workflow_id)
    undone = take_back(receipts)
    if not undone:
        before = any(receipt.status == "undone" for receipt in receipts)
        say(f"nothing to undo: {'it was undone already' if before else 'nothing was done'}")
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
