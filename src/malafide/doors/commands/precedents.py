"""`malafide precedents`: what labelled earlier mail is remembered, and which of it is like a mail."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from malafide.doors.files import write_atomically
from malafide.doors.inputs import PATH, gather, only
from malafide.doors.streams import print_json, say
from malafide.errors import UnreadableInput


@click.group()
def precedents() -> None:
    """Look into the labelled earlier mails that new mail is compared with.

    They stand in MALAFIDE_HOME. Only data sets and people label; verdicts of malafide's own never count.

    \b
    Example:
      malafide precedents stats
    """


@precedents.command()
@click.argument("path", required=False, type=PATH)
@click.option("--text", help="The message itself, or some words.")
@click.option(
    "-k", "number", default=10, show_default=True, type=click.IntRange(1, 100), help="How many at most."
)
@click.option(
    "--panel",
    type=click.Choice(["spam", "fact", "post"]),
    default="spam",
    show_default=True,
    help="Which: mail, fact-checks, or labelled posts.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def search(path: Path | None, text: str | None, number: int, panel: str, as_json: bool) -> None:
    """Find the precedents most like a mail.

    Columns: similarity (1 is the same text), label, case id, where the label comes from, how the mail begins.

    \b
    Examples:
      malafide precedents search mail.eml
      malafide precedents search --text "your parcel is waiting for a small fee"
    """
    from malafide.knowledge.precedents import Precedents
    from malafide.render.words import harmless

    case = only(gather([path] if path else [], text)).load_alone()
    found = Precedents().search(case.reading, number, panel=panel)
    if as_json:
        print_json([{**asdict(one), "near_duplicate": one.near_duplicate} for one in found], pretty=True)
        return
    if not found:
        say("no precedents yet: malafide learn and malafide feedback bring them")
    for one in found:
        given = f"{one.provenance.how} {one.provenance.source}"
        columns = (f"{one.similarity:.2f}", one.label, one.case_id, given, one.excerpt)
        click.echo("  ".join(harmless(column) for column in columns))


@precedents.command()
@click.option(
    "--panel",
    type=click.Choice(["spam", "fact", "post"]),
    default="spam",
    show_default=True,
    help="Which: mail, fact-checks, or labelled posts.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def stats(panel: str, as_json: bool) -> None:
    """Count the precedents by label and by where the labels come from.

    \b
    Example:
      malafide precedents stats
    """
    from malafide.knowledge.precedents import Precedents
    from malafide.render.words import harmless

    counted = Precedents().stats(panel)
    if as_json:
        print_json(asdict(counted), pretty=True)
        return
    for name, number in (*counted.labels.items(), *counted.sources.items()):
        click.echo(f"{number:>8}  {harmless(name)}")
    click.echo(f"{counted.overruled:>8}  labels overruled by a later one")
    click.echo(f"{counted.unlabelled:>8}  waiting for a label")
    click.echo(f"{counted.megabytes:>8.1f}  MB")


@precedents.command()
@click.option("--out", type=PATH, metavar="FILE", help="Write here instead of standard output.")
def export(out: Path | None) -> None:
    """Write all precedents as JSON lines; the same knowledge gives the same bytes.

    \b
    Example:
      malafide precedents export --out precedents.jsonl
    """
    from malafide.knowledge.precedents import Precedents

    lines = Precedents().export()
    if out is not None:
        write_atomically(out, "".join(f"{line}\n" for line in lines))
        return
    for line in lines:
        click.echo(line)


@precedents.command("import")
@click.argument("path", type=PATH)
def import_(path: Path) -> None:
    """Add precedents that were exported elsewhere, or fact-checks; those already here are left as they are.

    A fact-check is a line such as {"claim": "...", "rating": "false", "source": "...", "url": "...", "date":
    "..."}; posts with the same claim then cite it.

    \b
    Examples:
      malafide precedents import precedents.jsonl
      malafide precedents import facts.jsonl
    """
    from malafide.knowledge.precedents import Precedents

    try:
        with path.open(encoding="utf-8") as lines:
            new = Precedents().import_(lines)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise UnreadableInput(f"cannot read {str(path)!r}: {reason}; name an exported file") from None
    say(f"{new} new precedents")
