"""A message and two rulings, as a store keeps them."""

from __future__ import annotations

from dataclasses import replace

from malafide.evidence import Evidence
from malafide.judging import Ruling
from malafide.record.review import Waiting
from malafide.store import NewCase

NOTE = NewCase("spam", "note.eml", b"Subject: Lunch\n\nAt twelve?\n" * 20, "ann")
HAM = Ruling(
    case_id="00ff", panel="spam", answer="HAM", score=0.1, confidence=0.9, agreement=0.8, is_open=False,
    summary="It reads like people who write to each other.", contract={"b": [1, 0.1], "a": "é\x00😀"},
    elapsed_ms=2.5, usage={"calls": 2, "money": 0.25}, subject="Lunch tomorrow",
)  # fmt: skip
EVIDENCE = Evidence("links.shown", "links", "deceptive", "strong", "", 0, 0, "", "", "")
WAITING = Waiting(
    "00aa", "text\x00 here", "Parcel", "sender.example", 0.5, 0.1, 0.4, "Not sure.", "2026-01-01T00:00:00+00:00",
    (EVIDENCE,),
)  # fmt: skip
OPEN = replace(
    HAM,
    case_id="00aa",
    answer="UNCERTAIN",
    score=0.5,
    is_open=True,
    summary="Not sure.",
    waiting=WAITING,
    subject="Parcel",
)
