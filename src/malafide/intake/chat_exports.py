"""The text WhatsApp exports in, messages out: dated lines with a name, and lines that go on."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

import re2

from malafide.intake.conversation import MAX_MESSAGES, Said

# "[12/03/24, 9:15:02 PM] Name: words", "12/03/2024, 21:15 - Name: words", with narrow blanks before AM and PM.
_LINE: Final = re2.compile(
    r"^[\x{200e}\x{200f}]?\[?(\d{1,4}[/.\-]\d{1,2}[/.\-]\d{1,4}),?[ \x{202f}\x{00a0}]"
    r"(\d{1,2}[:.]\d{2}(?:[:.]\d{2})?)[ \x{202f}\x{00a0}]?([AaPp]\.?[Mm]\.?)?\]?(?: -)?[ \x{00a0}](.*)$"
)
_NOTICES: Final = ("end-to-end encrypted", "<media omitted>", "image omitted", "video omitted", "audio omitted",
                   "sticker omitted", "this message was deleted", "missed voice call")  # fmt: skip


def whatsapp(text: str) -> list[Said]:
    """The messages of an export, or nothing when the text is none."""
    lines = text.split("\n")
    if not any(_LINE.match(line) for line in lines[:20]):
        return []
    found: list[Said] = []
    for line in lines:
        match = _LINE.match(line)
        if match is None:
            if found and line.strip():
                last = found[-1]
                found[-1] = Said(last.sender, f"{last.text}\n{line}", last.time)
            continue
        name, colon, words = match.group(4).partition(": ")
        words = words.lstrip("\u200e")
        if not colon or any(notice in words.lower() for notice in _NOTICES):
            continue  # "Anna joined", or a picture
        if len(found) >= MAX_MESSAGES:
            break
        found.append(Said(name.strip("\u200e\u202a\u202c ~"), words, _time(*match.group(1, 2, 3))))
    return found


def _time(day: str, clock: str, half: str | None) -> datetime | None:
    """The time of a line. Whether day or month comes first is not told; where both can be, the day does."""
    numbers = [int(piece) for piece in day.replace(".", "/").replace("-", "/").split("/")]
    hours = [int(piece) for piece in clock.replace(".", ":").split(":")]
    if numbers[0] > 31:
        year, month, date = numbers
    else:
        date, month, year = numbers
        if month > 12:
            date, month = month, date
    if half:
        hours[0] = hours[0] % 12 + (12 if half.lower().startswith("p") else 0)
    try:
        day_start = datetime(year + 2000 if year < 100 else year, month, date, tzinfo=UTC)
        return day_start.replace(hour=hours[0], minute=hours[1])
    except ValueError:
        return None
