"""`malafide engage`: an invented person answers a scammer on the terminal; the assessment comes at the end."""

from __future__ import annotations

import sys

import click

from malafide.doors.streams import console, print_json, say


@click.command()
@click.option("--session", default="", help="A name for the session; the same name gives the same replies.")
@click.option("--turns", default=40, show_default=True, help="Stop after so many messages of the stranger.")
@click.option("--json", "as_json", is_flag=True, help="Print the final assessment as JSON.")
def engage(session: str, turns: int, as_json: bool) -> None:
    """Keep a scammer talking, harmlessly.

    Type or pipe what the stranger writes, one message per line; the reply follows. malafide never gives data, money or
    links, and asks for the account, page or number that matters. It ends with the input or at the limit of turns, and
    prints the final assessment.

    \b
    Examples:
      malafide engage
      malafide engage --turns 10 --json < scammer_lines.txt
    """
    from malafide.decoy.session import Engagement
    from malafide.render.words import harmless

    engagement = Engagement(session, turns=turns)
    if sys.stdin.isatty():
        say("Type what the stranger writes, one message per line; end with Ctrl-D.")
    for line in sys.stdin:
        if not line.strip():
            continue
        turn = engagement.hear(line.strip())
        (say if as_json else print)(f"> {harmless(turn.reply)}")
        sys.stdout.flush()
        if turn.over:
            break
    if engagement.result is None:
        say("Nothing was said.")
        return
    if as_json:
        print_json(engagement.result, pretty=True)
        return
    from malafide.render.terminal_chat import chat_report

    chat_report(engagement.result.assessment, session or "engagement", console())
