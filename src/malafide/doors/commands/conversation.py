"""`malafide conversation`: is this chat a scam, how did it develop, and what does it reveal."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from malafide.doors.files import write_atomically
from malafide.doors.inputs import PATH
from malafide.doors.streams import console, print_json, say
from malafide.errors import BadSetting, UnreadableInput
from malafide.limits import MAX_INPUT_BYTES

if TYPE_CHECKING:
    from malafide.panel.hearing import Witness
    from malafide.render.intelligence import Format


@click.command()
@click.argument("path", required=False, type=PATH)
@click.option("--text", help="The conversation itself, as lines of 'Name: words'.")
@click.option("--votes", "votes_path", type=PATH, metavar="FILE", help="Count the votes in this JSON file.")
@click.option("--user", "user_name", metavar="NAME", help="Who of the speakers is the user.")
@click.option("--json", "as_json", is_flag=True, help="Print the contract.")
@click.option("--html", type=PATH, metavar="FILE", help="Write a report to open in a browser.")
@click.option(
    "--export",
    "form",
    type=click.Choice(["json", "csv", "text", "stix"]),
    help="Print only what was revealed, in this form.",
)
@click.option("--abroad", is_flag=True, help="List phone numbers of all regions, not of India alone.")
def conversation(
    path: Path | None,
    text: str | None,
    votes_path: Path | None,
    user_name: str | None,
    as_json: bool,
    html: Path | None,
    form: Format | None,
    abroad: bool,
) -> None:
    """Say whether a conversation is a scam, and show how it developed and what it reveals.

    Reads JSON with messages of sender and text, lines of 'Name: words', WhatsApp and Telegram exports and threads of
    mails; the form is recognised. With no input named the conversation comes on standard input.

    \b
    Examples:
      malafide conversation chat.json
      malafide conversation export.txt --user Anna
      malafide conversation chat.json --votes votes.json --json
      malafide conversation chat.json --export stix > intelligence.json
    """
    from malafide.benches.honeypot import HoneypotJudge, HoneypotResult, with_sides
    from malafide.intake.conversation import read_conversation

    name, data = _input(path, text)
    case, session = read_conversation(data, name)
    if user_name is not None:
        case = with_sides(case, _only_user(case.chat.messages if case.chat else (), user_name))
    votes = _votes(votes_path) if votes_path else (session.votes or None)
    assessment = HoneypotJudge(abroad=abroad, witnesses=_witnesses()).judge(case, votes)
    if html:
        from malafide.render.html_chat import chat_page

        write_atomically(html, chat_page(assessment, name))
    if form:
        from malafide.render.intelligence import export

        sys.stdout.write(export(assessment, form))
    elif as_json:
        print_json(HoneypotResult(assessment), pretty=True)
    elif html:
        from malafide.render.terminal_chat import chat_line

        print(chat_line(assessment, name))
    else:
        from malafide.render.terminal_chat import chat_report

        chat_report(assessment, name, console())


def _input(path: Path | None, text: str | None) -> tuple[str, bytes]:
    if text is not None:
        return "(text)", text.encode("utf-8", "replace")
    if path is None or str(path) == "-":
        if sys.stdin.isatty():
            say("Reading a conversation from standard input; end it with Ctrl-D.")
        return "(standard input)", sys.stdin.buffer.read(MAX_INPUT_BYTES + 1)
    from malafide.intake.reading import read_file

    return path.name, read_file(path)


def _witnesses() -> list[Witness]:
    """The labelled conversations that are remembered, if any are."""
    from malafide.home import home

    if not (home() / "precedents.sqlite").exists():
        return []
    from malafide.knowledge.precedents import Precedents
    from malafide.knowledge.recollection import Recollection

    return [Recollection(Precedents(), "conversation")]


def _only_user(messages: Any, name: str) -> dict[str, str]:
    senders = {message.sender for message in messages}
    if name not in senders:
        raise BadSetting(f"no speaker is called {name!r}; there are: {', '.join(sorted(senders))}")
    return {sender: "user" if sender == name else "stranger" for sender in senders}


def _votes(path: Path) -> list[dict[str, Any]]:
    try:
        loaded = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UnreadableInput(f"{str(path)!r} cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise BadSetting(f"{str(path)!r} is no JSON: {str(error)[:120]}") from None
    if isinstance(loaded, dict):
        loaded = loaded.get("votes")
    if not isinstance(loaded, list):
        raise BadSetting(f"{str(path)!r} holds no list of votes")
    return loaded
