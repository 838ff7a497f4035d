"""Made-up labelled mail: sentences put together by a seeded hand, with patterns planted where a test wants them."""

from __future__ import annotations

import csv
import random
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

from malafide.intake.datasets import Labelled, text_digest

_SPAM = (
    """
    genuine herbal remedy shipped overnight|lowest mortgage rates approved instantly|replica watches half price today
    earn cash from home weekly|casino bonus chips waiting|miracle diet pills melt pounds
    investment doubles within days guaranteed|cheap software licences download now
""".strip()
    .replace("\n", "|")
    .split("|")
)
_HAM = (
    """
    the minutes of tuesday are attached|could you review my draft before friday|lunch at the usual place tomorrow
    the build broke after your last change|notes from the budget meeting below|my flight lands around seven
    please book the small conference room|grandmother sends her love from the coast
""".strip()
    .replace("\n", "|")
    .split("|")
)
_FILL = "and so with from this that then there where when which about after before over under".split()
_START = datetime(2024, 1, 1, 9, 0, tzinfo=UTC)


def mail(number: int, *, spam: bool, planted: str = "", sender: str = "") -> bytes:
    """One mail; the same number always gives the same."""
    chance = random.Random(f"{number} {spam}")
    said = [s.strip() for s in chance.sample(_SPAM if spam else _HAM, 3)]
    words = [" ".join([*chance.sample(_FILL, 3), one, *chance.sample(_FILL, 2)]) for one in said]
    domain = sender or f"{'shop' if spam else 'office'}{number % 40}.example"
    when = format_datetime(_START + timedelta(hours=number))
    head = f"From: Writer <writer{number}@{domain}>\r\nTo: you@example.com\r\nSubject: {said[0]}\r\nDate: {when}\r\n"
    return f"{head}Message-ID: <{number}@{domain}>\r\n\r\n{'. '.join(words)}. {planted}\r\n".encode()


def labelled(number: int, *, spam: bool, planted: str = "", sender: str = "") -> Labelled:
    message = mail(number, spam=spam, planted=planted, sender=sender)
    when = _START + timedelta(hours=number)
    return Labelled(
        f"{number}", message, "spam" if spam else "ham", "made-up.csv", when, text_digest(message)
    )


def data_set(each: int, first: int = 0) -> list[Labelled]:
    """So many mails of each class, in turns."""
    return [labelled(n, spam=spam) for n in range(first, first + each) for spam in (True, False)]


def write_csv(path: Path, items: list[Labelled]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["text", "label"])
        for item in items:
            assert isinstance(item.message, bytes)
            writer.writerow([item.message.decode(), item.label])
    return path
