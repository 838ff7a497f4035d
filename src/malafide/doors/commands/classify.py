"""`malafide classify`: is this mail deceptive, and why."""

from __future__ import annotations

from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from malafide.doors.inputs import gather
from malafide.doors.streams import say
from malafide.errors import UnreadableInput

if TYPE_CHECKING:
    from malafide.doors.sinks import Sink

# Up to so many mails each get a whole report; more are lines, as in a mailbox.
_REPORTS = 3

HELP = """Say whether mail deceives, and show why.

Reads .eml, .msg, mbox, Maildir and plain text; the kind is recognised. With no input named (or with -) the
mail comes on standard input. One mail gets a whole report, more than three a line each.

\b
Examples:
  malafide classify mail.eml
  malafide classify --text "Your parcel is held, pay 1.99 at http://example.com/pay"
  malafide classify --batch reported/ --json > verdicts.jsonl
  malafide classify inbox.mbox --html report.html

\b
Exit status: 0 when every mail was judged, whatever the answer; 1 when some mail of several could not be;
for a single mail 2 when it cannot be read and 3 when it is too large.
"""


def classify(
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Mails, mailboxes or folders.", metavar="[PATH]...")
    ] = None,
    input: Annotated[
        Path | None, typer.Option("--input", help="A mail, mailbox or folder.", metavar="FILE")
    ] = None,
    text: Annotated[str | None, typer.Option("--text", help="The message itself.")] = None,
    batch: Annotated[
        Path | None, typer.Option("--batch", help="Every mail in a folder.", metavar="FOLDER")
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print the contract; JSON Lines for several mails.")
    ] = False,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write a report to open in a browser.", metavar="FILE")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="One line per mail.")] = False,
) -> None:
    from malafide.doors.run import judge_all, judge_one
    from malafide.doors.sinks import HtmlSink, JsonSink, LineSink, ReportSink

    if batch is not None and not batch.is_dir():
        raise UnreadableInput(f"--batch takes a folder, and {str(batch)!r} is none")
    named = [*(paths or []), *([input] if input else []), *([batch] if batch else [])]
    found = gather(named, text)
    first = list(islice(found, _REPORTS + 1))
    several = batch is not None or len(first) > 1
    sinks: list[Sink] = []
    if json:
        sinks.append(JsonSink(lines=several))
    elif quiet or html or batch is not None or len(first) > _REPORTS:
        sinks.append(LineSink())
    else:
        sinks.append(ReportSink())
    if html:
        sinks.append(HtmlSink(html))
    if not several:
        judge_one(first[0], sinks)
        return
    tally = judge_all(chain(first, found), sinks)
    say(tally.line())
    if tally.failed:
        raise typer.Exit(1)
