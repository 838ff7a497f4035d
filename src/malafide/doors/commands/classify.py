"""`malafide classify`: is this mail deceptive, and why."""

from __future__ import annotations

from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from malafide.doors.inputs import CATALOG, PATH, gather
from malafide.doors.streams import say
from malafide.errors import UnreadableInput

if TYPE_CHECKING:
    from malafide.doors.sinks import Sink

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
@click.option("-q", "--quiet", is_flag=True, help="One line per mail.")
def classify(
    paths: tuple[Path, ...],
    input_: Path | None,
    text: str | None,
    batch: Path | None,
    as_json: bool,
    html: Path | None,
    catalog: Path | None,
    quiet: bool,
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

    Exit status: 0 when every mail was judged, whatever the answer; 1 when one of several could not be; for a
    single mail 2 when it cannot be read and 3 when it is too large.
    """
    from malafide.benches.spam import SpamClassifier
    from malafide.doors.run import judge_all, judge_one
    from malafide.doors.sinks import HtmlSink, JsonSink, LineSink, RecordSink, ReportSink
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
    classifier = SpamClassifier(knowledge=remembered(catalog))
    if not several:
        judge_one(first[0], classifier, sinks)
        return
    tally = judge_all(chain(first, found), classifier, sinks)
    say(tally.line())
    if tally.failed:
        raise SystemExit(1)
