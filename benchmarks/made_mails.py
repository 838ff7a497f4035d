"""Mails made on the fly by a seeded hand, in our own words: for measures of volume, never of judgement."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

_PEOPLE = "Anna Ben Carla Deniz Elif Farid Greta Hugo Ines Jonas Kira Luis Mona Noor Otto Petra".split()
_FIRMS = "Harbour Bakery|Nordwind Travel|Blue Lamp Books|Copper Tools|Linden Clinic|Orchard Bank|Quick Parcel".split(
    "|"
)
_TALK = (
    "the minutes of the meeting are below and I marked the two points that are still open",
    "could you look at the second draft before Friday, mostly at the part about the roof",
    "the train was late again so I would rather come on Thursday morning",
    "we measured the flow twice and the second reading agrees with what the maker says",
    "please book the small room for nine people and ask for the long cable",
    "my sister sends her regards and asks whether the garden survived the storm",
    "the invoice for the chairs went to the old address and will be sent once more",
    "I changed the order of the chapters and would like to know if it reads better",
    "the test on the lower floor passed and the report follows next week",
    "thank you for the photographs, the one by the lake is on our wall now",
)
_OFFERS = (
    "you have been chosen to receive a reward that is set aside in your name",
    "your account will be closed within 24 hours unless you confirm your password",
    "earn three thousand a week from your sofa, no experience is needed",
    "a parcel is held at the depot and a small fee of 1.99 must be paid at once",
    "the lowest rates of the year, approved in minutes, nobody is turned away",
    "I am the lawyer of a late client and need a partner to move a large sum in confidence",
    "doctors are astonished by this simple trick, order before midnight",
    "send the codes of two gift cards and I will pay you back tomorrow",
)
_NEWS = (
    "new this month: a longer evening course, two walks by the river and a talk about bees",
    "your order has left our shop and should arrive on Tuesday, the number is in your account",
    "the library closes an hour earlier during the repairs in the east wing",
    "members pay half for the concert on the twelfth if they book before Sunday",
)
_START = datetime(2024, 3, 1, 8, 0, tzinfo=UTC)
_SEPARATOR = "From sender@mail.example Fri Mar  1 08:00:00 2024\n"


def made_mail(number: int, seed: int = 1) -> bytes:
    """One mail of one to eight kilobytes; the same number and seed always give the same."""
    chance = random.Random(f"{seed} {number}")
    kind = chance.choices(("talk", "news", "offer"), (5, 2, 3))[0]
    pool = {"talk": _TALK, "news": _NEWS + _TALK[:3], "offer": _OFFERS}[kind]
    said = [chance.choice(pool) for _ in range(chance.randint(4, 22))]
    person, firm = chance.choice(_PEOPLE), chance.choice(_FIRMS)
    host = f"{firm.split()[0].lower()}{chance.randrange(90)}.{'test' if kind == 'offer' else 'example'}"
    when = format_datetime(_START + timedelta(minutes=number))
    lines = [
        f"Received: from {host} ([192.0.2.{chance.randrange(255)}]) by mx.example.com; {when}",
        f"From: {person} <{person.lower()}@{host}>",
        f"To: {chance.choice(_PEOPLE).lower()}@example.com",
        f"Subject: {said[0][:60].capitalize()}",
        f"Date: {when}",
        f"Message-ID: <{seed}.{number}@{host}>",
        "MIME-Version: 1.0",
    ]
    paragraphs = [f"{sentence.capitalize()}. {_number(chance)}" for sentence in said]
    return "\n".join([*lines, *_body(kind, paragraphs, host, person, chance)]).encode()


def _number(chance: random.Random) -> str:
    return f"Reference {chance.randrange(10**6)}." if chance.random() < 0.3 else ""


def _body(kind: str, paragraphs: list[str], host: str, person: str, chance: random.Random) -> list[str]:
    if kind == "talk" or chance.random() < 0.3:
        return [
            "Content-Type: text/plain; charset=utf-8",
            "",
            f"Hello {person},",
            "",
            *paragraphs,
            "",
            "Regards",
            "",
        ]
    address = f"http://{host}/{chance.randrange(10**5)}"
    html = [f"<p style='margin:8px'>{one}</p>" for one in paragraphs]
    foot = f"<p><a href='{address}'>{'Confirm now' if kind == 'offer' else 'Read on'}</a></p>"
    return ["Content-Type: text/html; charset=utf-8", "", "<html><body>", *html, foot, "</body></html>", ""]


def write_mailbox(path: Path, number: int, seed: int = 1) -> Path:
    """An mbox of so many."""
    with path.open("wb") as box:
        for mail in made_mails(number, seed):
            box.write(_SEPARATOR.encode() + mail + b"\n")
    return path


def made_mails(number: int, seed: int = 1) -> Iterator[bytes]:
    return (made_mail(n, seed) for n in range(number))
