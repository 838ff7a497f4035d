"""`malafide feedback`, `review` and `forget`: what people say about mail, and taking it back."""

from __future__ import annotations

import getpass
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from malafide.doors.inputs import gather, only
from malafide.doors.streams import print_json, say
from malafide.errors import BadSetting, UnknownName

if TYPE_CHECKING:
    from malafide.knowledge.precedent_record import TaughtPanel
    from malafide.learning.feedback import Receipt
    from malafide.learning.inquiry import Question
    from malafide.learning.samples import Sample

_SOURCE = click.option("--source", metavar="NAME", help="Who says so; your user name otherwise.")


@click.command()
@click.argument("case", required=False)
@click.argument("label", required=False, type=click.Choice(["spam", "ham", "scam", "not_scam"]))
@_SOURCE
@click.option("--confirm", metavar="SOURCE", help="Let the held labels of a source count.")
@click.option("--discard", metavar="SOURCE", help="Drop the held labels of a source.")
def feedback(
    case: str | None, label: str | None, source: str | None, confirm: str | None, discard: str | None
) -> None:
    """Say what a mail, document or conversation is.

    CASE is a mail, or the id of one that waits for review, and the label spam or ham: the mail becomes a precedent
    and the catalog counts it. With scam or not_scam it is a document or a conversation, and becomes a precedent of
    that panel. `malafide forget` takes it back. More than 20 labels of one source within 10 minutes are held until
    somebody confirms them.

    \b
    Examples:
      malafide feedback mail.eml spam
      malafide feedback 3f2a9c0d11e4b857 ham --source ana
      malafide feedback invoice.pdf scam
      malafide feedback --confirm ana
    """
    from malafide.learning import feedback as feedbacks

    if confirm is not None or discard is not None:
        if case is not None or (confirm is not None and discard is not None):
            raise BadSetting(
                "--confirm and --discard stand alone: name the source, and neither mail nor label"
            )
        if confirm is not None:
            say(f"{feedbacks.confirm(confirm)} labels of {confirm} count now")
        else:
            say(f"{feedbacks.discard(discard or '')} labels of {discard} were dropped")
        return
    if case is None or label is None:
        raise BadSetting(
            "name the mail and what it is: malafide feedback CASE spam, or malafide feedback CASE ham"
        )
    sample = (
        _read(Path(case), scam=label == "scam") if "scam" in label else _sample(case, spam=label == "spam")
    )
    say(_told(feedbacks.give(sample, source or _user())))


def _read(path: Path, *, scam: bool) -> Sample:
    """A document or conversation, whichever the file holds; a mail is a document here."""
    from malafide.intake.reading import read_file
    from malafide.judging import case_of, panel_of
    from malafide.learning.samples import precedent_sample

    content = read_file(path)
    panel: TaughtPanel = "conversation" if panel_of(content, path.name) == "conversation" else "document"
    return precedent_sample(case_of(panel, content, path.name), panel, spam=scam)


def _sample(case: str, *, spam: bool) -> Sample:
    from malafide.learning.feedback import known_sample
    from malafide.learning.samples import sample_of

    known = known_sample(case, spam=spam)
    if known is not None:
        return known
    if case != "-" and not Path(case).exists():
        raise UnknownName(
            f"{case!r} is neither a file nor the id of a mail that waits for review; `malafide review` lists those"
        )
    return sample_of(only(gather([Path(case)], None)).load_alone(), spam=spam)


def _told(receipt: Receipt) -> str:
    label = receipt.label
    told = f"{label.case_id}: {label.word}, says {label.source}"
    if label.state == "held":
        return (
            f"{told}. HELD: {receipt.held} labels of {label.source} came in a burst and have no effect until "
            f"`malafide feedback --confirm {label.source}` (or --discard)"
        )
    if receipt.overruled is not None and receipt.overruled.side != label.side:
        told += f" (before: {receipt.overruled.word}, said {receipt.overruled.source})"
    return told + (
        ""
        if receipt.catalog or label.panel != "spam"
        else "; a precedent now, and counted once there is a catalog"
    )


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # no such user, or a system without users
        return "somebody"


@click.command()
@click.argument("case")
def forget(case: str) -> None:
    """Take back the last label of a mail.

    CASE is the mail or its id. Catalog and precedents are then as they were before that label. A mail that no
    person labelled but a data set holds is taken out of what was learned; that learns again without it.

    \b
    Examples:
      malafide forget 3f2a9c0d11e4b857
      malafide forget mail.eml
    """
    from malafide.learning.feedback import take_back
    from malafide.learning.session import unlearn, withdraw

    path = Path(case)
    case_id = _id_of(path) if path.exists() else case
    gone = take_back(case_id)
    if gone is not None:
        say(f"{case_id}: {gone.source} no longer says {gone.word}")
    elif unlearn(case_id):
        say(f"{case_id}: no longer among the mails learned from; the catalog was learned again without it")
    elif told := withdraw(case_id):
        say(f"{case_id}: {told}")
    else:
        raise UnknownName(
            f"nobody labelled {case!r}, and no data set did; `malafide precedents search` finds ids"
        )


def _id_of(path: Path) -> str:
    """The id of the case in a file, whichever panel it is for."""
    from malafide.intake.reading import read_file
    from malafide.judging import case_of, panel_of

    content = read_file(path)
    panel = panel_of(content, path.name)
    if panel in ("document", "conversation"):
        return case_of(panel, content, path.name).id
    return only(gather([path], None)).load_alone().id


@click.command()
@_SOURCE
@click.option("--held", "only_held", is_flag=True, help="List labels that wait for a confirmation instead.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def review(source: str | None, only_held: bool, as_json: bool) -> None:
    """Go through the mails that were left UNCERTAIN.

    The most informative come first: the most doubtful, and those that many others are like. On a terminal each
    is asked about; elsewhere they are listed (columns: case id, spam score, agreement, how many others are like
    it, subject, how it goes on).

    \b
    Examples:
      malafide review
      malafide review --json > waiting.json
      malafide review --held
    """
    from malafide.learning.feedback import held, open_cases
    from malafide.learning.inquiry import most_informative_first
    from malafide.render.review import held_entry, held_line, question_entry, question_line

    if only_held:
        labels = held()
        if as_json:
            print_json([held_entry(label) for label in labels], pretty=True)
        else:
            print("\n".join(map(held_line, labels)) if labels else "no labels are held")
        return
    questions = most_informative_first(open_cases())
    if as_json:
        print_json([question_entry(one) for one in questions], pretty=True)
    elif not questions:
        say("no mail waits for review: `malafide classify` keeps those it leaves UNCERTAIN")
    elif _someone_there():
        _ask(questions, source or _user())
    else:
        for one in questions:
            print(question_line(one))


def _someone_there() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _ask(questions: list[Question], source: str) -> None:
    from malafide.learning.feedback import confirm, give, waiting_sample
    from malafide.render.review import question_lines

    held = 0
    for number, one in enumerate(questions, 1):
        print("\n".join(("", f"{number} of {len(questions)}", *question_lines(one))))
        answer = click.prompt(
            "[s]pam, [h]am, s[k]ip or [q]uit", type=click.Choice(list("shkq")), show_choices=False
        )
        if answer == "q":
            break
        if answer in "sh":
            receipt = give(waiting_sample(one.case, spam=answer == "s"), source)
            held = receipt.held
            say(_told(receipt))
    if held and click.confirm(f"{held} labels of {source} are held. Did you give them yourself, one by one?"):
        say(f"{confirm(source)} labels of {source} count now")
