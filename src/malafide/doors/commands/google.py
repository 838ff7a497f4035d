"""`malafide google`: connects the Google account that `assess --gmail` and `--drive` use."""

from __future__ import annotations

from pathlib import Path

import click

from malafide.doors.inputs import PATH
from malafide.doors.streams import say


@click.command()
@click.argument("client", type=PATH, metavar="CLIENT.json")
def google(client: Path) -> None:
    """Connect a Google account, with your consent in the browser.

    CLIENT.json is an OAuth client of the kind "desktop app" from Google's console. Two rights are asked for: to read
    and label mail (gmail.modify), and to handle files that malafide itself made on the Drive (drive.file). The consent
    is kept in google_token.json in MALAFIDE_HOME; delete that file to disconnect.

    \b
    Example:
      malafide google client_secret.json
    """
    from malafide.actions.google_account import account, connect

    path = connect(client)
    say(f"connected {account().address}; the consent is in {path}")
