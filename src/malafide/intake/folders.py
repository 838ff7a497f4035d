"""A path in, the messages under it out, one at a time; a bad one is a value and the rest goes on."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

from malafide.errors import InputTooLarge, MalafideError, UnreadableInput
from malafide.limits import MAX_INPUT_BYTES

Item = tuple[str, bytes | MalafideError]

# A line of prose may begin with "From " as well: what separates messages has a time in it.
SEPARATOR: Final = re.compile(rb"From \S{1,300}\s.{0,80}\d\d:\d\d")
_MAX_LINE: Final = 1_000_000


def expand(path: Path) -> Iterator[Item]:
    """Every message under `path` with its name: a file, an mbox, a Maildir or a folder of any of them.

    What cannot be read is yielded as the error in place of the bytes.
    """
    if path.is_dir():
        for file in files_in(path):
            yield from _file(file, file.relative_to(path).as_posix())
    else:
        yield from _file(path, path.name)


def files_in(folder: Path) -> Iterator[Path]:
    """Files in a stable order, without hidden ones and without following links to folders."""
    for root, folders, names in os.walk(folder):
        if {"cur", "new"} <= set(folders):
            folders[:] = [
                name for name in folders if name != "tmp"
            ]  # in a Maildir: mail still being delivered
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith("."):
                yield Path(root) / name


def _file(file: Path, name: str) -> Iterator[Item]:
    if not file.is_file():
        yield name, UnreadableInput(f"{name!r} is no file that can be read. Check the path.")
        return
    try:
        with file.open("rb") as stream:
            is_mbox = stream.read(5) == b"From "
            stream.seek(0)
            if is_mbox:
                yield from _mbox(stream, name)
                return
            data = stream.read(MAX_INPUT_BYTES + 1)
    except OSError as error:
        yield name, UnreadableInput(f"{name!r} cannot be read: {error.strerror or error}.")
        return
    yield name, data if len(data) <= MAX_INPUT_BYTES else _too_large(name)


def _mbox(stream: IO[bytes], name: str) -> Iterator[Item]:
    """The messages of an mbox, numbered; the only one keeps the name of the file."""
    messages = _split_mbox(stream, name)
    first = next(messages)
    second = next(messages, None)
    if second is None:
        yield name, first
        return
    yield f"{name}#1", first
    yield f"{name}#2", second
    for number, message in enumerate(messages, 3):
        yield f"{name}#{number}", message


def _split_mbox(stream: IO[bytes], name: str) -> Iterator[bytes | MalafideError]:
    """Split at separator lines after an empty line, holding one message in memory at a time."""
    lines: list[bytes] = []
    size = 0
    after_empty = True
    while line := stream.readline(_MAX_LINE):
        if after_empty and lines and line.startswith(b"From ") and SEPARATOR.match(line):
            yield b"".join(lines) if size <= MAX_INPUT_BYTES else _too_large(name)
            lines, size = [], 0
        size += len(line)
        if size <= MAX_INPUT_BYTES or not lines:
            lines.append(line)
        after_empty = line in (b"\n", b"\r\n")
    yield b"".join(lines) if size <= MAX_INPUT_BYTES else _too_large(name)


def _too_large(name: str) -> InputTooLarge:
    return InputTooLarge(f"{name!r} has more than {MAX_INPUT_BYTES:,} bytes, the most that is read.")
