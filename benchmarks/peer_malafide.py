"""malafide's side of the race, run by `benchmarks.peers` in a process of its own: mails in, answers and costs out."""

from __future__ import annotations

import json
import re
import sys
import time
from pathlib import Path

from benchmarks.learning import taught
from malafide import Knowledge, MalafideError, SpamClassifier
from malafide.intake.datasets import Labelled, text_digest
from malafide.learning.samples import gather


def main() -> None:
    folder = Path(sys.argv[1])
    items = [
        Labelled(path.name, data := path.read_bytes(), label, "race", None, text_digest(data))
        for label in ("spam", "ham")
        if (folder / label).is_dir()
        for path in sorted((folder / label).iterdir())
    ]
    knowledge = taught(gather(items), folder) if items else Knowledge()
    del items
    classifier = SpamClassifier(knowledge=knowledge)
    mails = sorted((folder / "test").iterdir())
    for path in mails[:20]:
        _answer(classifier, path)
    started = time.process_time()
    answers = [_answer(classifier, path) for path in mails]
    seconds = time.process_time() - started
    held = re.search(r"^Pss:\s+(\d+)", Path("/proc/self/smaps_rollup").read_text(), re.MULTILINE)
    megabytes = int(held[1]) / 1024 if held else 0.0
    print(json.dumps({"answers": answers, "seconds": seconds, "megabytes": megabytes}))


def _answer(classifier: SpamClassifier, path: Path) -> str:
    try:
        result = classifier.classify(path.read_bytes())
    except MalafideError:
        return "UNCERTAIN"
    json.dumps(result)
    return str(result["final_classification"])


if __name__ == "__main__":
    main()
