"""A path in, the messages under it out, one at a time; a bad one is a value and the rest goes on."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from malafide.errors import InputTooLarge, MalafideError, UnreadableInput
from malafide.limits import MAX_INPUT_BYTES

Item = tuple[str, bytes | MalafideError]


def expand(path: Path) -> Iterator[Item]:
    """Every message under `path` with its name: a file, an mbox, a Maildir or a folder of any of them.

    What cannot be read is yielded as the error in place of the bytes.
    """
    if path.is_dir():
        for file in _files(path):
            yield from _file(file, file.relative_to(path).as_posix())
    elif path.exists():
        yield from _file(path, path.name)
    else:
        yield path.name, UnreadableInput(f"There is no file or folder {str(path)!r}.")


def _files(folder: Path) -> Iterator[Path]:
    """Files in a stable order, without hidden ones and without following links to folders."""
    for root, folders, names in os.walk(folder):
        if {"cur", "new"} <= set(folders):
            folders[:] = [name for name in folders if name != "tmp"]  # a Maildir: mail still being delivered
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith("."):
                yield Path(root) / name


def _file(file: Path, name: str) -> Iterator[Item]:
    try:
        with file.open("rb") as stream:
            if not file.is_file():
                raise UnreadableInput(f"{name!r} is no regular file.")
            start = stream.read(5)
            stream.seek(0)
            if start == b"From ":
                yield from _mbox(stream, name)
                return
            data = stream.read(MAX_INPUT_BYTES + 1)
    except OSError as error:
        yield name, UnreadableInput(f"{name!r} cannot be read: {error.strerror or error}.")
        return
    yield name, _too_large(name) if len(data) > MAX_INPUT_BYTES else data


def _mbox(stream: IO[bytes], name: str) -> Iterator[Item]:
    """The messages of an mbox, without holding more than one of them in memory."""
    number = 0
    for message in _split_mbox(stream):
        number += 1
        yield f"{name}#{number}", _too_large(name) if message is None else message


def _split_mbox(stream: IO[bytes]) -> Iterator[bytes | None]:
    """Split at "From " lines after an empty line; None for a message over the limit."""
    lines: list[bytes] = []
    size = 0
    after_empty = True
    while line := stream.readline(1_000_000):
        if after_empty and line.startswith(b"From ") and lines:
            yield b"".join(lines) if size <= MAX_INPUT_BYTES else None
            lines, size = [], 0
        size += len(line)
        if size <= MAX_INPUT_BYTES or not lines:
            lines.append(line)
        after_empty = line in (b"\n", b"\r\n")
    if lines:
        yield b"".join(lines) if size <= MAX_INPUT_BYTES else None


def _too_large(name: str) -> InputTooLarge:
    return InputTooLarge(f"{name!r} has more than {MAX_INPUT_BYTES} bytes; at most that many are read.")
