"""`malafide classify`: is this mail deceptive, and why."""

from __future__ import annotations

from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from malafide.doors.inputs import CATALOG, PATH, gather
from malafide.doors.model_options import council_of, model_options
from malafide.doors.streams import say
from malafide.errors import UnreadableInput

if TYPE_CHECKING:
    from malafide.doors.sinks import Sink
    from malafide.settings import Settings

# Up to so many mails each get a whole report; more are lines, as in a mailbox.
_REPORTS = 3


@click.command()
@click.argument("paths", nargs=-1, type=PATH, metavar="[PATH]...")
@click.option("--input", "input_", type=PATH, metavar="FILE", help="A mail, mailbox or folder.")
@click.option("--text", help="The message itself.")
@click.option("--batch", type=PATH, metavar="FOLDER", help="Every mail in a folder.")
@click.option("--json", "as_json", is_flag=True, help="Print the contract; JSON Lines for several mails.")
@click.option("--html", type=PATH, metavar="FILE", help="Write a report to open in a browser.")
@CATALOG
@model_options
@click.option("--show-prompt", is_flag=True, help="Print what the model would be asked, and send nothing.")
@click.option("--dry-run", is_flag=True, help="Say how much the model would be asked, and send nothing.")
@click.option("--record", type=PATH, metavar="DIR", help="Keep each decision, for `malafide replay`.")
@click.option("-q", "--quiet", is_flag=True, help="One line per mail.")
def classify(
    paths: tuple[Path, ...],
    input_: Path | None,
    text: str | None,
    batch: Path | None,
    as_json: bool,
    html: Path | None,
    catalog: Path | None,
    show_prompt: bool,
    dry_run: bool,
    record: Path | None,
    quiet: bool,
    settings: Settings,
) -> None:
    """Say whether mail deceives, and show why.

    Reads .eml, .msg, mbox, Maildir and plain text; the kind is recognised. With no input named (or with -)
    the mail comes on standard input. One mail gets a whole report, more than three a line each. Answers are
    logged in MALAFIDE_HOME, and mail left UNCERTAIN is kept there for `malafide review`.

    \b
    Examples:
      malafide classify mail.eml
      malafide classify --text "Your parcel is held, pay at http://example.com/pay"
      malafide classify --batch reported/ --json > verdicts.jsonl
      malafide classify inbox.mbox --html report.html
      malafide classify mail.eml --model anthropic:claude-sonnet-5-5 --show-prompt

    Exit status: 0 when every mail was judged, whatever the answer; 1 when one of several could not be; for a
    single mail 2 when it cannot be read and 3 when it is too large.
    """
    from malafide.benches.spam import SpamClassifier
    from malafide.doors.run import judge_all, judge_one
    from malafide.doors.sinks import DecisionSink, HtmlSink, JsonSink, LineSink, RecordSink, ReportSink
    from malafide.knowledge.remembered import remembered

    if batch is not None and not batch.is_dir():
        raise UnreadableInput(f"--batch takes a folder, and {str(batch)!r} is none")
    named = [*paths, *([input_] if input_ else []), *([batch] if batch else [])]
    found = gather(named, text)
    first = list(islice(found, _REPORTS + 1))
    several = batch is not None or len(first) > 1
    sinks: list[Sink] = []
    if as_json:
        sinks.append(JsonSink(lines=several))
    elif quiet or html or batch is not None or len(first) > _REPORTS:
        sinks.append(LineSink())
    else:
        sinks.append(ReportSink())
    if html:
        sinks.append(HtmlSink(html))
    sinks.append(RecordSink())
    knowledge = remembered(catalog)
    if record is not None:
        sinks.append(DecisionSink(record, knowledge, settings))
    classifier = SpamClassifier(
        knowledge=knowledge, model=council_of(settings, knowledge), escalate=settings.escalate
    )
    if show_prompt or dry_run:
        from malafide.doors.preview import preview

        preview(chain(first, found), classifier, words=show_prompt)
        return
    if not several:
        judge_one(first[0], classifier, sinks)
        return
    tally = judge_all(chain(first, found), classifier, sinks)
    say(tally.line())
    for line in tally.stand_ins():
        say(line)
    if tally.failed:
        raise SystemExit(1)
