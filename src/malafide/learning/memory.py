"""The samples learned from so far, kept in the home folder so that learning again adds to what is known.

One JSON object a line, compressed; written whole and atomically. What is kept of a mail is what the learner needs of
it: the opening of its text, its sender's domain, and the kinds of evidence found.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from malafide.errors import BrokenStore
from malafide.evidence import Evidence
from malafide.home import home
from malafide.knowledge.testimony import phrases_of
from malafide.knowledge.wording import MOST_CHARACTERS
from malafide.learning.samples import Sample


def samples_path() -> Path:
    return home() / "samples.jsonl.gz"


def read_samples(path: Path) -> list[Sample]:
    """The samples in a file; none where there is no file."""
    if not path.exists():
        return []
    try:
        with gzip.open(path, "rt", encoding="utf-8") as handle:
            return [_sample(json.loads(line)) for line in handle]
    except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
        raise BrokenStore(f"{path} cannot be read: {error}; `malafide catalog reset` starts afresh") from None


def write_samples(path: Path, samples: Iterable[Sample]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        with gzip.open(beside, "wt", encoding="utf-8", compresslevel=6) as handle:
            for sample in samples:  # in ASCII: mail may hold characters that UTF-8 has no bytes for
                handle.write(json.dumps(_entry(sample)) + "\n")
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def learned_ids(path: Path) -> set[str]:
    """The ids of the mails learned from, without the work of reading them."""
    if not path.exists():
        return set()
    try:
        with gzip.open(path, "rt", encoding="utf-8") as handle:
            return {json.loads(line)["case_id"] for line in handle}
    except (OSError, EOFError, ValueError, KeyError, TypeError):
        return set()


def merged(old: Iterable[Sample], new: Iterable[Sample]) -> list[Sample]:
    """Both, each mail once; where labels differ the newer one counts."""
    by_id = {sample.case_id: sample for sample in (*old, *new)}
    return [by_id[case_id] for case_id in sorted(by_id)]


def _entry(sample: Sample) -> dict[str, Any]:
    return {
        "case_id": sample.case_id,
        "spam": sample.spam,
        "text": sample.text[:MOST_CHARACTERS],
        "sender": sample.sender,
        "evidence": [[e.kind, e.topic, e.direction, e.strength] for e in sample.evidence],
    }


def _sample(entry: dict[str, Any]) -> Sample:
    evidence = tuple(
        Evidence(kind, topic, direction, strength, "", 0, 0, "", "", "")
        for kind, topic, direction, strength in entry["evidence"]
    )
    phrases = phrases_of(entry["text"], (e.kind for e in evidence))
    return Sample(entry["case_id"], entry["spam"], entry["text"], entry["sender"], phrases, evidence)
