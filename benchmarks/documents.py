"""Prints the figures of the document panel: answers on made-up PDFs and office files, time, routes, faults, undo.

python -m benchmarks.documents
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from benchmarks import faults
from benchmarks.made_documents import ORDINARY, ordinary, scams
from benchmarks.made_office import office_ordinary, office_scams
from benchmarks.pdf_writer import pdf
from malafide.benches.document import DocumentPanel
from malafide.intake.documents import read_document
from malafide.knowledge.document_precedents import labelled
from malafide.knowledge.precedents import Precedents
from malafide.knowledge.remembered import Knowledge
from malafide.panel.document.toolbox import first_look

MAIL = (
    b"From: Wells Fargo <help@wellsfargo-alerts.test>\r\nTo: ann@example.com\r\nSubject: Account suspended\r\n"
    b"Date: Mon, 2 Mar 2026 10:00:00 +0000\r\nContent-Type: text/html\r\n\r\n"
    + b"<p>Dear customer, your account has been suspended. Verify your password within 24 hours.</p>" * 20
    + b"<a href='http://wellsfargo.verify-login.test/x'>www.wellsfargo.com</a>"
)


def answers(panel: DocumentPanel, documents: Iterable[tuple[str, bytes]], wrong: str) -> Counter[str]:
    count: Counter[str] = Counter()
    for name, data in documents:
        assessment = panel.assess(read_document(data))
        count[assessment.answer] += 1
        if assessment.answer == wrong:
            print(f"  wrong: {name} is called {wrong}")
    return count


def milliseconds(run: Callable[[], object], times: int = 15) -> tuple[float, float]:
    """Median and largest CPU time, warm."""
    run()
    taken = []
    for _ in range(times):
        started = time.process_time()
        run()
        taken.append((time.process_time() - started) * 1000)
    return statistics.median(taken), max(taken)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["MALAFIDE_HOME"] = folder
        panel = DocumentPanel(knowledge=Knowledge())
        print(f"{'documents':14}{'count':>7}{'scam':>7}{'suspicious':>12}{'not_scam':>10}")
        for name, documents, wrong in (
            ("scams", scams(), "not_scam"), ("ordinary", ordinary(), "scam"),
            ("office scams", office_scams(), "not_scam"), ("office, plain", office_ordinary(), "scam"),
        ):  # fmt: skip
            count = answers(panel, documents, wrong)
            print(
                f"{name:14}{count.total():>7}{count['scam']:>7}{count['suspicious']:>12}{count['not_scam']:>10}"
            )
        five = pdf("\n---\n".join([ORDINARY["paper"].replace("---", "")] * 5))
        known = read_document(pdf(ORDINARY["minutes"]))
        store = Precedents(Path(folder) / "p.sqlite")
        for number in range(500):
            case = known if number < 3 else read_document(pdf(f"Note {number} about topic {number % 37}"))
            label = labelled(case, "not_scam", "bench", "2026-01-01")
            store.store(type(label)(f"{number:016x}", label.label, label.text, label.provenance, label.panel))
        remembering = DocumentPanel(knowledge=Knowledge(precedents=store))
        fast = remembering.assess(known)
        print(f"\n{'CPU time, warm':38}{'median':>10}{'largest':>10}")
        for name, run in (
            ("5-page text PDF, with reading it", lambda: panel.assess(read_document(five))),
            ("mail of 2 kB, with reading it", lambda: panel.assess(read_document(MAIL))),
            (f"{fast.route} among 500 precedents", lambda: remembering.assess(known)),
        ):
            median, largest = milliseconds(run)
            print(f"{name:38}{median:>7.1f} ms{largest:>7.1f} ms")
    broken()
    print(
        "Routes at every boundary: tests/unit/test_routing.py; undo byte for byte: tests/doors/test_assess.py,"
    )
    print("test_imap.py and test_google.py")


def broken() -> None:
    """Every tool, agent and action failing, hanging, answering rubbish or nonsense, alone and in pairs."""
    looks = first_look()
    trials = faults.attempts(faults.combinations(looks), looks)
    wrong = [trial for trial in trials if trial.wrong]
    for trial in wrong[:5]:
        print(f"  wrong: {trial.faults}: {', '.join(trial.wrong)}")
    print(
        f"\n{len(faults.places(looks))} places, {len(trials):,} combinations of one or two faults in four manners"
    )
    print(
        f"answers in form, in time, every fault named and counted, none called safe: {len(trials) - len(wrong):,}"
    )


if __name__ == "__main__":
    main()
