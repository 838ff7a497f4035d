"""`malafide engage`: an invented person answers a scammer on the terminal; the assessment comes at the end."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from malafide.doors.streams import console, print_json, say

if TYPE_CHECKING:
    from malafide.decoy.persona import Persona


@click.command()
@click.option("--session", default="", help="A name for the session; the same name gives the same replies.")
@click.option("--turns", default=40, show_default=True, help="Stop after so many messages of the stranger.")
@click.option(
    "--model", metavar="NAME", help="Let a language model propose the replies; the same check guards them."
)
@click.option(
    "--cap", multiple=True, metavar="CAP=N", help="A hard cap on the model: run.calls=40, run.money=1..."
)
@click.option("--json", "as_json", is_flag=True, help="Print the final assessment as JSON.")
def engage(session: str, turns: int, model: str | None, cap: tuple[str, ...], as_json: bool) -> None:
    """Keep a scammer talking, harmlessly.

    Type or pipe what the stranger writes, one message per line; the reply follows. malafide never gives data, money or
    links, and asks for the account, page or number that matters. It ends with the input or at the limit of turns, and
    prints the final assessment.

    \b
    Examples:
      malafide engage
      malafide engage --turns 10 --json < scammer_lines.txt
      malafide engage --model http://localhost:11434/v1#llama3.2
    """
    from malafide.decoy.offline import propose
    from malafide.decoy.session import Engagement
    from malafide.render.words import harmless

    persona = _persona(model, cap) if model else None
    engagement = Engagement(session, turns=turns, propose_reply=persona or propose)
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
    if persona is not None:
        persona.close()
        if persona.faults:
            say(
                f"The model failed {len(persona.faults)} times, last: {persona.faults[-1]}; own lines were used."
            )
    if engagement.result is None:
        say("Nothing was said.")
        return
    if as_json:
        print_json(engagement.result, pretty=True)
        return
    from malafide.render.terminal_chat import chat_report

    chat_report(engagement.result.assessment, session or "engagement", console())


def _persona(model: str, cap: tuple[str, ...]) -> Persona:
    from malafide.decoy.persona import Persona
    from malafide.settings import load, with_caps, with_value

    return Persona(with_caps(with_value(load(), "model", model, "--model"), cap))
