"""Rows in, a file out that can be gone on with: what is written is known by its length, and nothing is written twice.

Beside the output stand `OUTPUT.part` (the rows so far) and `OUTPUT.journal` (what run this is, then one line per
checkpoint). After any end, the part is cut to the last checkpoint and goes on from there. When all is done the
part takes the place of the output, whole.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from malafide.errors import Busy, CannotResume, MalafideError, UnwritableOutput
from malafide.volume.pieces import Mark
from malafide.volume.rows import Tally

_BETWEEN: Final = 1.0  # seconds between checkpoints: at most so much work is done again after a kill
_TOLD: Final = {
    "input": "its input changed",
    "knowledge": "what malafide has learned changed",
    "settings": "the model settings are others",
    "version": "malafide itself is another version",
}


@dataclass(slots=True)
class Progress:
    """How far a run has come."""

    mark: Mark = field(default_factory=Mark)
    size: int = 0  # bytes of the part
    tally: Tally = field(default_factory=Tally)
    seconds: float = 0.0  # worked so far, all attempts together
    done: bool = False


class Journal:
    """One run's rows and how far they go. Held by one process at a time."""

    def __init__(self, output: Path) -> None:
        self.output = output
        self.part = output.with_name(f"{output.name}.part")
        self.path = output.with_name(f"{output.name}.journal")
        self.progress = Progress()
        self._rows = self._lines = -1
        self._noted = 0.0

    def open(self, run: Mapping[str, Any], *, restart: bool) -> None:
        """Makes ready to go on, or to begin. Refuses what another run left, and a run under way."""
        try:
            self._open(run, restart=restart)
        except OSError as error:
            self.close()
            raise UnwritableOutput(f"cannot write {str(self.output)!r}: {error.strerror or error}") from None
        except MalafideError:
            self.close()
            raise
        self._noted = time.monotonic()

    def _open(self, run: Mapping[str, Any], *, restart: bool) -> None:
        self._lines = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        _hold(self._lines, self.output)
        before = None if restart else self._read(run)
        if before is None and self.output.exists() and not restart:
            self.path.unlink(missing_ok=True)
            raise UnwritableOutput(f"{str(self.output)!r} is there already; name another, or use --restart")
        self.progress = before or Progress()
        if self.progress.done:
            return
        self._rows = os.open(self.part, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
        if before is None:
            os.ftruncate(self._lines, 0)
            self._write(json.dumps({"run": run}))
        os.ftruncate(self._rows, self.progress.size)

    @property
    def handles(self) -> tuple[int, ...]:
        """What is open, for processes that must not keep it so."""
        return tuple(handle for handle in (self._rows, self._lines) if handle >= 0)

    def add(self, rows: bytes, mark: Mark, tally: Tally) -> None:
        """The rows of the next chunk."""
        with self._writing():
            left = memoryview(rows)
            while left:
                left = left[os.write(self._rows, left) :]
        self.progress.mark = mark
        self.progress.size += len(rows)
        self.progress.tally.add(tally)
        if time.monotonic() - self._noted >= _BETWEEN:
            self.checkpoint()

    def checkpoint(self) -> None:
        """From here on, a kill loses nothing that came before. The rows reach the disk before the line does."""
        now = time.monotonic()
        self.progress.seconds += now - self._noted
        self._noted = now
        with self._writing():
            os.fsync(self._rows)
            self._write(json.dumps(self._line()))

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise UnwritableOutput(
                f"cannot write {str(self.part)!r}: {error.strerror}; make room, and the same command goes on"
            ) from None

    def finish(self) -> None:
        """All rows are there."""
        self.checkpoint()
        self.progress.done = True
        with self._writing():
            self._write(json.dumps(self._line()))
            os.fsync(self._lines)

    def drop(self) -> None:
        """The output has its place; the journal is no longer needed."""
        self.close()
        self.path.unlink(missing_ok=True)

    def close(self) -> None:
        for handle in self.handles:
            os.close(handle)
        self._rows = self._lines = -1

    def _line(self) -> dict[str, Any]:
        p = self.progress
        return {
            "mark": p.mark.as_json(),
            "size": p.size,
            "tally": p.tally.as_json(),
            "seconds": round(p.seconds, 3),
            "done": p.done,
        }

    def _write(self, line: str) -> None:
        os.lseek(self._lines, 0, os.SEEK_END)
        os.write(self._lines, f"{line}\n".encode())

    def _read(self, run: Mapping[str, Any]) -> Progress | None:
        """The last checkpoint whose rows are all there; None where nothing was begun. A torn line counts as none."""
        lines = [parsed for line in _lines(self._lines) if (parsed := _parsed(line)) is not None]
        if not lines or "run" not in lines[0]:
            return None
        _compare(lines[0]["run"], json.loads(json.dumps(run)), self.output)
        there = self.part.stat().st_size if self.part.exists() else 0
        for line in reversed(lines[1:]):
            if line["size"] <= there or line["done"]:
                return Progress(
                    Mark(**line["mark"]), line["size"], Tally.of(line["tally"]), line["seconds"], line["done"]
                )
        return Progress()


def _compare(before: Mapping[str, Any], now: Mapping[str, Any], output: Path) -> None:
    for key in now:
        if before.get(key) != now[key]:
            said = _TOLD.get(key, f"its {key} was {before.get(key)!r} and is {now[key]!r} now")
            raise CannotResume(
                f"{str(output)!r} was begun by another run: {said}; use --restart to begin anew, or name "
                "another output"
            )


def _lines(handle: int) -> list[bytes]:
    os.lseek(handle, 0, os.SEEK_SET)
    parts = []
    while part := os.read(handle, 1_000_000):
        parts.append(part)
    whole, newline, _ = b"".join(parts).rpartition(b"\n")
    return (whole + newline).splitlines()


def _parsed(line: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _hold(handle: int, output: Path) -> None:
    """One process at a time; the system lets go of it when that ends, however it ends."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(handle, 1 << 30, os.SEEK_SET)  # a place that nobody reads
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise Busy(f"another malafide is writing {str(output)!r}; wait for it, or name another") from None
