"""Reads the labelled mail that the other benchmarks measure on, from the folder in MALAFIDE_DATA."""

from __future__ import annotations

import csv
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

csv.field_size_limit(10**9)


def data_folder() -> Path:
    """The data folder, or an exit with a plain sentence when it is not there."""
    folder = Path(os.environ.get("MALAFIDE_DATA", "../shared/data"))
    if not folder.is_dir():
        sys.exit(f"no data at {str(folder)!r}: set MALAFIDE_DATA to a folder with the development data")
    return folder


def raw_mails(name: str) -> Iterator[tuple[str, bytes]]:
    """The mails of a folder such as "spamassassin/ham" or "phishing_pot", in the order of their names."""
    for path in sorted((data_folder() / name).rglob("*")):
        if path.is_file():
            yield path.name, path.read_bytes()


def transactional_mails() -> Iterator[tuple[str, str]]:
    """Modern transactional mails given as `SUBJECT: ..|EMAIL_FROM: ..|CONTENT: ..`, made into mail text."""
    lines = (data_folder() / "injection/bipia_email_train.jsonl").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        context = json.loads(line)["context"]
        fields, found, content = context.partition("CONTENT:")
        if not found:
            yield f"transactional-{number}", context
            continue
        headers = ""
        for field in fields.split("|"):
            key, _, value = field.partition(":")
            name = {"SUBJECT": "Subject", "EMAIL_FROM": "From", "RECEIVED DATE": "Date"}.get(key.strip())
            if name:
                headers += f"{name}: {value.strip()}\n"
        yield f"transactional-{number}", f"{headers}\n{content.strip()}"


def csv_texts(name: str, label: str, text: str) -> Iterator[tuple[str, str]]:
    """(label, text) of the rows of a CSV file."""
    with (data_folder() / name).open(newline="", encoding="utf-8", errors="replace") as handle:
        for row in csv.DictReader(handle):
            yield row[label].strip().lower(), row[text]


MAIL_SETS = ("spamassassin/ham", "spamassassin/hard_ham", "spamassassin/spam", "phishing_pot")


def mail_set(name: str) -> Iterator[tuple[str, bytes | str]]:
    """One named set of the figures: raw mails, or the transactional ones."""
    if name == "transactional":
        yield from transactional_mails()
    else:
        yield from raw_mails(name)
