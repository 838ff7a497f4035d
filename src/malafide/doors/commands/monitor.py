"""`malafide monitor`: how it goes over time, from the classification log."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

import click

from malafide.doors.files import write_atomically
from malafide.doors.inputs import PATH
from malafide.doors.streams import print_json, say
from malafide.errors import UnreadableInput


@click.command()
@click.option(
    "--days", type=click.FloatRange(0.01, 3650), default=30.0, show_default="30", help="How far to look back."
)
@click.option("--html", type=PATH, metavar="FILE", help="Write a page with pictures.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def monitor(days: float, html: Path | None, as_json: bool) -> None:
    """Show agreement, open answers, class mix, drift and timing over time.

    Reads the log of what was classified; no label is known there, so it shows change and not mistakes.

    \b
    Examples:
      malafide monitor
      malafide monitor --days 7 --html monitor.html
    """
    from malafide.measure.monitor import recent, watch
    from malafide.measure.monitor_page import monitor_page
    from malafide.measure.words import watch_lines
    from malafide.record.classification_log import ClassificationLog

    log = ClassificationLog()
    seen = watch(recent(log, days, datetime.now(UTC)))
    if seen is None:
        raise UnreadableInput(
            f"nothing was logged in the last {days:g} days at {str(log.path)!r}; classify some mail first, "
            "or look further back with --days"
        )
    if html is not None:
        write_atomically(html, monitor_page(seen))
    if as_json:
        print_json(seen.as_json(), pretty=True)
    else:
        print("\n".join(watch_lines(seen, plain=not _draws_blocks())))
    if html is not None:
        say(f"Wrote {html}.")


def _draws_blocks() -> bool:
    try:
        "▁█±".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
