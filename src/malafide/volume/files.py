"""A folder, Maildir, mailbox or single file in, the places of its messages out; who judges them reads them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final

from malafide.errors import CannotResume, UnreadableInput
from malafide.intake.datasets import label_of_folder
from malafide.intake.folders import SEPARATOR, files_in
from malafide.volume.pieces import Chunk, Form, Label, Mark, Piece, chunked

_BLOCK: Final = 4_000_000
_LONGEST_SEPARATOR: Final = 500
_MAILBOX: Final = b"From "

Placed = tuple[Piece, Mark]


class Files:
    """Every file under a path, in a stable order. A mailbox among them is parted into its mails."""

    def __init__(self, root: Path, form: Form, limit: int | None = None, *, labelled: bool = False) -> None:
        self.root, self.form, self._limit, self._labelled = root, form, limit, labelled
        self._whole = root.stat().st_size if root.is_file() else 0
        self._files = 0  # under a folder, counted when somebody asks

    def state(self) -> dict[str, Any]:
        return file_state(self.root) if self.root.is_file() else {"path": str(self.root.resolve())}

    def share(self, mark: Mark) -> float:
        if self.root.is_file():
            return 1.0 if mark.files else mark.offset / self._whole if self._whole else 1.0
        self._files = self._files or sum(1 for _ in files_in(self.root)) or 1
        return min(1.0, mark.files / self._files)

    def chunks(self, after: Mark) -> Iterator[Chunk]:
        return chunked(self._placed(after), after, self._limit)

    def _placed(self, after: Mark) -> Iterator[Placed]:
        files = files_in(self.root) if self.root.is_dir() else iter([self.root])
        seen = ""
        for number, file in enumerate(files):
            name = file.relative_to(self.root).as_posix() if file != self.root else file.name
            seen = _chained(seen, name, file)
            if number + 1 == after.files + (after.offset > 0) and seen != after.seen:
                raise CannotResume("files that were judged already changed, or others came between them")
            if number < after.files:
                continue
            here = after if number == after.files else Mark()
            yield from self._file(file, name, Mark(0, number, here.offset, here.number, seen))

    def _file(self, file: Path, name: str, mark: Mark) -> Iterator[Placed]:
        done = Mark(files=mark.files + 1, seen=mark.seen)
        label = self._label(name)
        if not file.is_file():
            yield Piece(name, label=label, trouble=f"{name!r} is no file that can be read."), done
            return
        try:
            with file.open("rb") as stream:
                if self.form.panel in ("spam", "document") and stream.read(len(_MAILBOX)) == _MAILBOX:
                    yield from _mailbox(stream, Piece(name, str(file), label=label), mark)
                    return
        except OSError as error:
            yield (
                Piece(name, label=label, trouble=f"{name!r} cannot be read: {error.strerror or error}."),
                done,
            )
            return
        yield Piece(name, str(file), label=label), done

    def _label(self, name: str) -> Label | None:
        if not self._labelled:
            return None
        folders = name.split("/")[:-1]
        return next((label for folder in folders if (label := label_of_folder(folder))), None)


def file_state(path: Path) -> dict[str, Any]:
    """What tells whether a file is the same: where it is, how large, how old and how it begins."""
    try:
        with path.open("rb") as stream:
            head = hashlib.blake2b(stream.read(65_536), digest_size=12).hexdigest()
            stat = os.fstat(stream.fileno())
    except OSError as error:
        raise UnreadableInput(f"cannot read {str(path)!r}: {error.strerror or error}") from None
    return {"path": str(path.resolve()), "size": stat.st_size, "time": stat.st_mtime_ns, "head": head}


def _chained(seen: str, name: str, file: Path) -> str:
    try:
        stat = file.stat()
        told = f"{stat.st_size} {stat.st_mtime_ns}"
    except OSError:
        told = "gone"
    return hashlib.blake2b(f"{seen} {name} {told}".encode("utf-8", "replace"), digest_size=12).hexdigest()


def _mailbox(stream: IO[bytes], whole: Piece, mark: Mark) -> Iterator[Placed]:
    """The mails of a mailbox, numbered; the only one keeps the name of the file."""
    size = os.fstat(stream.fileno()).st_size
    done = Mark(files=mark.files + 1, seen=mark.seen)
    start, number = mark.offset, mark.number
    for end in _separators(stream, start):
        number += 1
        yield (
            whole._replace(name=f"{whole.name}#{number}", start=start, end=end),
            Mark(files=mark.files, offset=end, number=number, seen=mark.seen),
        )
        start = end
    name = f"{whole.name}#{number + 1}" if number else whole.name
    yield whole._replace(name=name, start=start, end=size), done


def _separators(stream: IO[bytes], start: int) -> Iterator[int]:
    """Where a mail ends and another begins: as in `intake.folders`, found in blocks rather than line by line."""
    stream.seek(start)
    held, base, more = b"", start, True
    looked = 1  # the line at the start is the separator of the first mail itself
    while more:
        block = stream.read(_BLOCK)
        more = bool(block)
        held += block
        upto = max(len(held) - (_LONGEST_SEPARATOR if more else 0), looked)  # later ones may be cut off
        while (at := held.find(b"\nFrom ", looked, upto + 5)) >= 0:
            looked = at + 1
            if held[at - 1 : at] == b"\n" or held[max(at - 2, 0) : at] == b"\n\r":
                line, newline, _ = held[looked : looked + _LONGEST_SEPARATOR].partition(b"\n")
                if SEPARATOR.match(line + newline):
                    yield base + looked
        gone = max(upto - 2, 0)  # an empty line before a separator is two bytes at most
        held, base, looked = held[gone:], base + gone, upto - gone
