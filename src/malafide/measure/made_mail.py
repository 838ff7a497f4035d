"""A number in, a made-up mail out, always the same: what `malafide bench` measures on where it is given no mail.

Talk between people, newsletters, receipts, phish and advertising, in shares and lengths like those of a mailbox. Our
own words and reserved names; good for measures of speed, and for none of judgement.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Final, Literal

Kind = Literal["talk", "letter", "receipt", "phish", "advert"]
_SHARES: Final[dict[Kind, int]] = {"talk": 9, "letter": 3, "receipt": 2, "phish": 3, "advert": 3}
_START: Final = datetime(2024, 3, 1, 8, 0, tzinfo=UTC)
_PEOPLE: Final = (
    "Anna Ben Carla Deniz Elif Farid Greta Hugo Ines Jonas Kira Luis Mona Noor Otto Petra".split()
)
_HOUSES: Final = (
    "harbour lantern meadow copper linden orchard quarry willow beacon thistle marble juniper".split()
)
_WHO: Final = (
    "we|they|the office|my brother|the supplier|nobody|the two of us|the committee|our neighbour".split("|")
)
_DOES: Final = (
    "looked at|measured|sent back|forgot about|paid for|asked about|repaired|agreed on|wrote down".split("|")
)
_WHAT: Final = (
    "the second draft|the roof of the shed|the numbers from last week|the small room|a longer cable|the old address|"
    "the list of names|the photographs by the lake|the minutes of the meeting|the invoice for the chairs"
).split("|")
_WHEN: Final = (
    "on Monday|before the storm|after lunch|last year|in the end|twice|without asking|by train".split("|")
)
_NEWS: Final = (
    "a longer evening course begins in autumn|members pay half for the concert|the east wing opens again|"
    "three recipes for a cold kitchen|how the old mill was saved|a walk along the river with the bee keeper"
).split("|")
_DEMANDS: Final = (
    "your account has been limited after unusual activity|confirm your password within 24 hours or lose access|"
    "we could not verify your payment details|click the button below to restore your mailbox|this is the final notice"
).split("|")
_OFFERS: Final = (
    "make $5,000 a week from home|order now and save up to 70 percent|100% free, no obligation|act now, this offer "
    "expires tonight|lowest rates ever, you are already approved|to be removed from our list reply with remove"
).split("|")


def made_mail(number: int, seed: int = 1) -> bytes:
    """One mail of one to twenty kilobytes."""
    chance = random.Random(f"malafide {seed} {number}")
    kind = chance.choices(list(_SHARES), list(_SHARES.values()))[0]
    sender, reader = chance.sample(_PEOPLE, 2)
    host = f"{chance.choice(_HOUSES)}{chance.randrange(90)}.{'test' if kind in ('phish', 'advert') else 'example'}"
    lines = _headers(number, kind, (sender, reader), host, chance)
    return "\n".join([*lines, *_content(kind, (sender, reader), host, chance), ""]).encode()


def made_mails(number: int, seed: int = 1) -> Iterator[bytes]:
    return (made_mail(n, seed) for n in range(number))


def _headers(number: int, kind: Kind, people: tuple[str, str], host: str, chance: random.Random) -> list[str]:
    sender, reader = people
    sent = _START + timedelta(minutes=7 * number)
    hops = [
        f"Received: from relay{n}.{host} (relay{n}.{host} [192.0.2.{chance.randrange(250)}])\n"
        f"\tby mx{n}.example.com (Postfix) with ESMTP id {chance.randrange(16**8):08x}\n"
        f"\tfor <{reader.lower()}@example.com>; {format_datetime(sent + timedelta(seconds=40 - 9 * n))}"
        for n in range(chance.randint(1, 5))
    ]
    headers = [
        f"Return-Path: <{sender.lower()}@{host}>",
        *hops,
        f"From: {sender} {chance.choice(_HOUSES).capitalize()} <{sender.lower()}@{host}>",
        f"To: {reader} <{reader.lower()}@example.com>",
        f"Subject: {_subject(kind, chance)}",
        f"Date: {format_datetime(sent)}",
        f"Message-ID: <{number}.{chance.randrange(10**9)}@{host}>",
        "MIME-Version: 1.0",
    ]
    if kind == "talk":
        headers += [f"In-Reply-To: <{number - 1}.1@example.com>", "User-Agent: Mutt/1.5"]
    elif kind == "letter":
        headers += [f"List-Unsubscribe: <https://{host}/leave>", "Precedence: bulk"]
    return headers


def _subject(kind: Kind, chance: random.Random) -> str:
    if kind == "talk":
        return "Re: " + chance.choice(_WHAT)
    words = {
        "letter": _NEWS,
        "receipt": ["Your order has left our shop"],
        "phish": _DEMANDS,
        "advert": _OFFERS,
    }
    return chance.choice(words[kind]).capitalize()


def _content(kind: Kind, people: tuple[str, str], host: str, chance: random.Random) -> list[str]:
    sender, reader = people
    if kind == "talk":
        quoted = [f"> {line}" for line in _prose(chance, chance.randint(2, 20))]
        own = _prose(chance, chance.randint(2, 30))
        text = [f"Hi {reader},", "", *own, "", f"{reader} wrote:", *quoted, "", "--", sender]
        return ["Content-Type: text/plain; charset=utf-8", "", *text]
    said: dict[Kind, Sequence[str]] = {"letter": _NEWS, "phish": _DEMANDS, "advert": _OFFERS}
    count = chance.randint(12, 60) if kind == "letter" else chance.randint(3, 14)
    body = [f"<p>Dear {reader if kind == 'receipt' else 'customer'},</p>"]
    for n in range(count):
        words = chance.choice(said.get(kind, _WHAT)).capitalize()
        more = " ".join(_prose(chance, 2))
        link = f"<a href='https://{host}/{kind}/{n}?id={chance.randrange(10**6)}'>{words}</a>"
        body.append(f"<tr><td style='padding:8px;color:#333333'>{link}<br>{more}</td></tr>")
    if kind == "receipt":
        body.append(
            f"<p>Order number {chance.randrange(10**8)}, total {chance.randrange(10, 300)}.90 EUR</p>"
        )
    page = f"<html><body bgcolor='#ffffff'><table>{chr(10).join(body)}</table></body></html>"
    return ["Content-Type: text/html; charset=utf-8", "", page]


def _prose(chance: random.Random, sentences: int) -> list[str]:
    return [
        f"{chance.choice(_WHO)} {chance.choice(_DOES)} {chance.choice(_WHAT)} {chance.choice(_WHEN)}.".capitalize()
        for _ in range(sentences)
    ]
