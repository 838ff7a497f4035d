"""What a user names, in; mails to judge, out: paths, mailboxes, folders, text and standard input."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from malafide.case import case_id
from malafide.doors.streams import say
from malafide.errors import MalafideError, UnreadableInput
from malafide.limits import MAX_INPUT_BYTES

if TYPE_CHECKING:
    from malafide.case import Case

PATH = click.Path(path_type=Path)  # missing files are refused by intake, in its words
CATALOG = click.option(
    "--catalog", type=PATH, metavar="FILE", help="Use this catalog instead of what was learned."
)
_STANDARD_INPUT = Path("-")


@dataclass(frozen=True, slots=True)
class Source:
    """One mail to judge: its content, or why there is none."""

    name: str  # for people
    content: bytes | str | MalafideError
    file: str | None = None  # where it came from a file

    def load(self) -> Case:
        from malafide.intake import read_bytes, read_text

        if isinstance(self.content, MalafideError):
            raise self.content
        if isinstance(self.content, str):
            return read_text(self.content, self.name)
        return read_bytes(self.content, self.name)

    def load_alone(self) -> Case:
        """The same, where it is all that was asked for: a refusal then says what it is about."""
        try:
            return self.load()
        except MalafideError as error:
            if self.case_id is None:
                raise  # it names the path already
            raise type(error)(f"{self.name}: {error} (case {self.case_id})") from None

    @property
    def case_id(self) -> str | None:
        """The id its case would have, for those that never become one."""
        if isinstance(self.content, MalafideError):
            return None
        content = self.content
        return case_id(content if isinstance(content, bytes) else content.encode("utf-8", "replace"))

    def as_json(self) -> dict[str, str]:
        return {"file": self.file} if self.file is not None else {}


def gather(named: Sequence[Path], text: str | None) -> Iterator[Source]:
    """The mails of everything that was named, in that order; standard input when nothing was. Never empty."""
    if text is not None:
        yield Source("(text)", text)
    elif not named:
        named = [_STANDARD_INPUT]
    for path in named:
        if path == _STANDARD_INPUT:
            yield from _standard_input()
        else:
            yield from _path(path, alone=len(named) == 1)


def only(sources: Iterator[Source]) -> Source:
    """The one mail there is."""
    source = next(sources)
    if next(sources, None) is not None:
        raise UnreadableInput(f"{source.name} is the first of several mails; name one")
    return source


def _path(path: Path, *, alone: bool) -> Iterator[Source]:
    """The mails under a path. Alone, they go by their short names; among others, by their paths."""
    from malafide.intake import expand

    folder = path if path.is_dir() else path.parent
    empty = True
    for short, content in expand(path):
        empty = False
        name = short if alone else str(folder / short)
        yield Source(name, content, name)
    if empty:
        yield Source(str(path), UnreadableInput(f"there is no mail in {str(path)!r}"), str(path))


def _standard_input() -> Iterator[Source]:
    if sys.stdin.isatty():
        say("Reading a mail from standard input; end it with Ctrl-D.")
    data = sys.stdin.buffer.read(MAX_INPUT_BYTES + 1)
    if not data.startswith(b"From "):
        yield Source("(standard input)", data)
        return
    # A mailbox, or one mail of one: only files are taken apart into their mails.
    with tempfile.TemporaryDirectory() as folder:
        mailbox = Path(folder) / "mailbox"
        with mailbox.open("wb") as spool:
            spool.write(data)
            while data := sys.stdin.buffer.read(1_000_000):
                spool.write(data)
        for source in _path(mailbox, alone=True):
            yield Source(f"(standard input){source.name.removeprefix('mailbox')}", source.content)
