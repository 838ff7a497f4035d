"""Judges every file of the data folder and 10,000 made-up byte strings: no crash, no hang, every quote verbatim.

python -m benchmarks.robustness [how many byte strings]
"""

from __future__ import annotations

import sys
import time
from collections import Counter

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from benchmarks.corpora import csv_texts, data_folder
from benchmarks.spam_figures import sound
from malafide import Knowledge, MalafideError, SpamClassifier

SEED_MAIL = (
    b"From: a@example.com\r\nTo: b@example.com\r\nSubject: =?utf-8?b?aGk=?=\r\n"
    b"Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/html\r\n\r\n"
    b"<a href='http://example.test'>www.example.com</a>\r\n--x--\r\n"
)
LONGEST = 5.0  # seconds a made-up input may take

mutated = st.lists(st.tuples(st.integers(0, len(SEED_MAIL) - 1), st.binary(max_size=20)), max_size=12).map(
    lambda edits: _edited(SEED_MAIL, edits)
)


def _edited(mail: bytes, edits: list[tuple[int, bytes]]) -> bytes:
    for at, piece in edits:
        mail = mail[:at] + piece + mail[at + len(piece) // 2 :]
    return mail


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    classifier = SpamClassifier(knowledge=Knowledge())
    told: Counter[str] = Counter()
    evidence = 0

    def judge(message: bytes | str) -> None:
        nonlocal evidence
        try:
            result = classifier.classify(message)
        except MalafideError as refusal:
            told[f"refused: {type(refusal).__name__}"] += 1
            return
        told["judged"] += 1
        evidence += len(result.verdict.evidence)
        told.update(sound(result))

    for path in sorted(p for p in data_folder().rglob("*") if p.is_file()):
        judge(path.read_bytes())
    for name, label, text in (
        ("enron/spam_ham_dataset.csv", "label", "text"),
        ("sms/sms_spam.csv", "class", "message"),
    ):
        for _, message in csv_texts(name, label, text):
            judge(message)
    print(
        f"data folder: {dict(told)}, {evidence} pieces of evidence, all checked at their offsets", flush=True
    )
    told.clear()
    slowest = 0.0

    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    @given(st.one_of(st.binary(max_size=2_000), mutated))
    def hammer(data: bytes) -> None:
        nonlocal slowest
        started = time.process_time()
        judge(data)
        slowest = max(slowest, time.process_time() - started)
        assert slowest < LONGEST

    hammer()
    print(f"byte strings: {dict(told)}, slowest {slowest * 1e3:.0f} ms")


if __name__ == "__main__":
    main()
