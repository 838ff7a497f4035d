"""Files of posts in, one mapping per post out: JSON, JSON Lines, a folder of them. A bad entry is an error, no end."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from malafide.errors import InputTooLarge, MalafideError, UnreadableInput

# A hundred thousand posts with their signals are about 60 MB.
MAX_FILE_BYTES: Final = 500_000_000
_GROUPS: Final = frozenset(
    {"nlp_signals", "source_signals", "image_signals", "misinformation_assessment", "text", "account"}
)

Entry = tuple[str, Mapping[str, Any] | MalafideError]


def read_posts(path: Path) -> Iterator[Entry]:
    """(name, post) of every post under a path; the name says where it stood, for people."""
    if path.is_dir():
        files = sorted(p for p in path.iterdir() if p.suffix.lower() in (".json", ".jsonl", ".ndjson"))
        if not files:
            raise UnreadableInput(f"there is no .json or .jsonl file in {str(path)!r}")
        for file in files:
            try:
                yield from _file(file)
            except MalafideError as error:
                yield file.name, error
    else:
        yield from _file(path)


def _file(path: Path) -> Iterator[Entry]:
    text = _text(path)
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        if "\n" in text.strip() and text.lstrip().startswith("{"):
            yield from _lines(path.name, text)
            return
        raise UnreadableInput(
            f"{str(path)!r} is not JSON: {error}; give posts as JSON or JSON Lines"
        ) from None
    yield from posts_in(document, path.name)


def posts_in(document: Any, name: str) -> Iterator[Entry]:
    """A list of posts, one post, or an object of posts by their ids."""
    if isinstance(document, list):
        for number, entry in enumerate(document, 1):
            yield _entry(f"{name}:{number}", entry)
    elif isinstance(document, dict) and ("post_id" in document or not _GROUPS.isdisjoint(document)):
        yield _entry(name, document)
    elif isinstance(document, dict):
        for key, entry in document.items():
            yield _entry(str(key), {"post_id": key, **entry} if isinstance(entry, dict) else entry)
    else:
        raise UnreadableInput(
            f"{name!r} holds {type(document).__name__}; it must hold a post or a list of posts"
        )


def _lines(name: str, text: str) -> Iterator[Entry]:
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            yield _entry(f"{name}:{number}", json.loads(line))
        except (ValueError, RecursionError) as error:
            yield f"{name}:{number}", UnreadableInput(f"line {number} is not JSON: {error}")


def _entry(name: str, entry: Any) -> Entry:
    if isinstance(entry, dict):
        return name, entry
    return name, UnreadableInput(f"the post is of type {type(entry).__name__}; it must be an object")


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise InputTooLarge(f"{str(path)!r} is larger than {MAX_FILE_BYTES:,} bytes; split it")
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UnreadableInput(f"cannot read {str(path)!r}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise UnreadableInput(f"cannot read {str(path)!r}: it is not UTF-8 text") from None
