"""Parts in, one file out that proves itself; and the file in, its parts out once every one of them is proved."""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from malafide.errors import UnreadableInput, UnwritableOutput

_FORMAT: Final = 1
_MANIFEST: Final = "manifest.json"
_CHUNK: Final = 1 << 20
_LEVEL: Final = 1  # most of it was compressed before


class ArchiveWriter:
    """Takes parts one after another; the manifest with their digests comes last."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._parts: dict[str, dict[str, Any]] = {}

    def add(self, name: str, chunks: Iterable[bytes]) -> None:
        digest, size = hashlib.sha256(), 0
        with self._archive.open(name, "w", force_zip64=True) as part:
            for chunk in chunks:
                part.write(chunk)
                digest.update(chunk)
                size += len(chunk)
        self._parts[name] = {"sha256": digest.hexdigest(), "bytes": size}

    def finish(self, about: Mapping[str, Any]) -> None:
        document = {"format": _FORMAT, **about, "parts": self._parts}
        self._archive.writestr(_MANIFEST, json.dumps(document, indent=1))


@contextmanager
def writing(path: Path) -> Iterator[ArchiveWriter]:
    """A new archive, readable by its owner alone; it takes its place when it is whole."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        handle = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w+b") as file:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL) as archive:
                yield ArchiveWriter(archive)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        raise UnwritableOutput(
            f"cannot write {str(path)!r}: {error.strerror or error}; choose another file"
        ) from None
    finally:
        beside.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class Archive:
    """An archive whose parts are all as they were written."""

    about: Mapping[str, Any]
    _archive: zipfile.ZipFile

    def names(self, folder: str) -> list[str]:
        """The parts in a folder, without it."""
        return sorted(n.removeprefix(f"{folder}/") for n in self.about["parts"] if n.startswith(f"{folder}/"))

    def lines(self, name: str) -> Iterator[bytes]:
        with self._archive.open(name) as part:
            yield from part

    def copy(self, name: str, target: IO[bytes]) -> None:
        with self._archive.open(name) as part:
            for chunk in chunks_of(part):
                target.write(chunk)


@contextmanager
def reading(path: Path) -> Iterator[Archive]:
    """The archive, after every part was read and compared with its digest."""
    try:
        with zipfile.ZipFile(path) as archive:
            about = json.loads(archive.read(_MANIFEST))
            if about["format"] != _FORMAT:
                raise UnreadableInput(f"{str(path)!r} was written by a later malafide, and cannot be read")
            for name, told in about["parts"].items():
                _compare(path, archive, name, told)
            yield Archive(about, archive)
    except OSError as error:
        raise UnreadableInput(f"cannot read {str(path)!r}: {error.strerror or error}") from None
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
    ) as error:
        raise UnreadableInput(f"{str(path)!r} is no whole backup of malafide ({error})") from None


def _compare(path: Path, archive: zipfile.ZipFile, name: str, told: Mapping[str, Any]) -> None:
    if archive.getinfo(name).file_size != told["bytes"]:
        raise UnreadableInput(f"{str(path)!r} is damaged: {name!r} has another size than when it was written")
    digest = hashlib.sha256()
    with archive.open(name) as part:
        for chunk in chunks_of(part):
            digest.update(chunk)
    if digest.hexdigest() != told["sha256"]:
        raise UnreadableInput(f"{str(path)!r} is damaged: {name!r} is not what was written")


def chunks_of(file: IO[bytes]) -> Iterator[bytes]:
    while chunk := file.read(_CHUNK):
        yield chunk
