"""What a user names, in; documents to assess with what may be done about each, out: files, text, mail on servers."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from malafide.errors import InputTooLarge, MalafideError

if TYPE_CHECKING:
    from malafide.actions.action import Action
    from malafide.actions.google_account import Account
    from malafide.intake.documents import Given


@dataclass(frozen=True, slots=True)
class Item:
    """One document, or why there is none."""

    name: str
    given: Given | MalafideError
    actions: Sequence[Action] = ()


@dataclass(frozen=True, slots=True)
class Wanted:
    """Where documents come from, and whether scams among them are moved."""

    paths: tuple[Path, ...] = ()
    text: str | None = None
    imap: str | None = None
    folder: str = "INBOX"
    gmail: str | None = None  # a search
    move: bool = False
    drive: bool = False  # whether reports go to Google Drive too

    @property
    def anything(self) -> bool:
        return bool(self.paths) or any(one is not None for one in (self.text, self.imap, self.gmail))

    @property
    def several(self) -> bool:
        """Whether there may be more than one."""
        named = len(self.paths) + (self.text is not None)
        return named > 1 or any(p.is_dir() for p in self.paths) or bool(self.imap or self.gmail)

    def items(self) -> Iterator[Item]:
        """All of them, one after the other; servers are asked as they are come to."""
        account: Account | None = None
        reports: tuple[Action, ...] = ()
        if self.gmail is not None or self.drive:
            from malafide.actions.google_account import account as connected

            account = connected()
        if account is not None and self.drive:
            from malafide.actions.drive import DriveReport

            reports = (DriveReport(account),)
        for item in self._all(account):
            yield Item(item.name, item.given, (*item.actions, *reports))

    def _all(self, account: Account | None) -> Iterator[Item]:
        from malafide.actions.document import local_actions

        for path in _files(self.paths):
            yield Item(path.name, path, local_actions(path, move=self.move))
        if self.text is not None:
            from malafide.intake import read_text

            yield Item("(text)", read_text(self.text, "(text)"), local_actions(None))
        if self.imap is not None:
            yield from _on_server(self.imap, self.folder)
        if self.gmail is not None and account is not None:
            yield from _in_gmail(account, self.gmail, self.move)


def _files(paths: tuple[Path, ...]) -> Iterator[Path]:
    for path in paths:
        if not path.is_dir():
            yield path
        elif (path / "cur").is_dir():
            yield from sorted(p for part in ("cur", "new") for p in (path / part).glob("*") if p.is_file())
        else:
            yield from sorted(p for p in path.iterdir() if p.is_file() and not p.name.startswith("."))


def _on_server(where: str, folder: str) -> Iterator[Item]:
    from malafide.actions.document import local_actions
    from malafide.actions.imap import PASSWORD, ImapSorter, Server, connected, messages

    server = Server.parse(where)
    password = os.environ.get(PASSWORD)
    if password is None:
        password = click.prompt(f"Password of {server.user} on {server.host}", hide_input=True, err=True)
    with connected(server, password) as client:
        for uid, data in messages(client, folder):
            name = f"{folder}/{uid}"
            if data is None:
                yield Item(name, InputTooLarge("The mail is too large to be read."))
            else:
                yield Item(name, data, (*local_actions(None), ImapSorter(client, server, folder, uid)))


def _in_gmail(account: Account, query: str, move: bool) -> Iterator[Item]:
    from malafide.actions.document import local_actions
    from malafide.actions.gmail import GmailSorter, messages

    for one, data in messages(account, query):
        yield Item(f"gmail/{one}", data, (*local_actions(None), GmailSorter(account, one, move=move)))
