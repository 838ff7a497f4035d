"""Makes 200 pictures per seed, half of them forged, and prints how well tampering is told, and how long it takes.

python -m benchmarks.images [--seeds 101 102] [--pictures 200] [--folder PHOTOGRAPHS]

Thresholds were chosen on seeds 1 and 2; other seeds are new to them. With --folder the pictures of a folder
that nobody has touched are judged as well.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from pathlib import Path

import numpy as np

from benchmarks.forgeries import Sample, forged, untouched
from benchmarks.scenes import document, encoded, photo
from malafide import MalafideError
from malafide.imaging import ocr
from malafide.imaging.decode import decode
from malafide.imaging.examine import examine_image
from malafide.imaging.tampering import Judgement, judge


def auc(bad: list[float], good: list[float]) -> float:
    """How often a forged picture scores above an untouched one, ties counting half."""
    high, low = np.array(bad)[:, None], np.array(good)[None, :]
    return float((high > low).mean() + 0.5 * (high == low).mean())


def samples(seed: int, count: int) -> list[Sample]:
    makers = (untouched, forged)
    return [makers[number % 2](np.random.default_rng([seed, number])) for number in range(count)]


def score(judgement: Judgement) -> float:
    """A picture that cannot be judged ranks with those in which nothing was found."""
    return judgement.score or 0.0


def report(name: str, pictures: list[Sample]) -> None:
    started = time.process_time()
    judged = [(sample, judge(decode(sample.data))) for sample in pictures]
    spent = (time.process_time() - started) / len(judged)
    bad = [score(j) for s, j in judged if s.forged]
    good = [score(j) for s, j in judged if not s.forged]
    alarms = sum(bool(j.tampered) for s, j in judged if not s.forged)
    found = sum(bool(j.tampered) for s, j in judged if s.forged)
    unknown = sum(j.tampered is None for _, j in judged)
    print(
        f"{name}: AUC {auc(bad, good):.3f}, false alarms {alarms} of {len(good)}, found {found} of {len(bad)}, "
        f"not judged {unknown}, {spent:.2f} s CPU per picture"
    )
    groups: dict[str, list[bool]] = defaultdict(list)
    for sample, judgement in judged:
        groups[sample.label].append(bool(judgement.tampered))
    for label, alarmed in sorted(groups.items()):
        print(f"    {label:45} {sum(alarmed):3} of {len(alarmed):3} called tampered")
    for trace in ("double-compression", "block-grid", "copy-move", "noise", "error-level"):
        scores = [next((t.score for t in j.traces if t.name == trace), 0.0) for _, j in judged]
        alone = auc(
            [v for v, (s, _) in zip(scores, judged, strict=True) if s.forged],
            [v for v, (s, _) in zip(scores, judged, strict=True) if not s.forged],
        )
        print(f"    trace {trace:20} alone: AUC {alone:.3f}")


def folder(path: Path) -> None:
    """False alarms on pictures that are known to be untouched."""
    alarmed, judged = [], 0
    for file in sorted(path.iterdir()):
        try:
            result = judge(decode(file.read_bytes()))
        except MalafideError:
            continue
        judged += 1
        if result.tampered:
            alarmed.append(f"{file.name} ({result.traces[0].name})")
    print(f"{path}: {len(alarmed)} of {judged} called tampered: {', '.join(alarmed)}")


def timing() -> None:
    """All signals of one picture of a million pixels."""
    rng = np.random.default_rng(5)
    for name, pixels in (("photo", photo(rng, 1000, 1000)), ("page", document(rng, 1000, 1000))):
        data = encoded(pixels, "JPEG", 85)
        examine_image(data)
        wall, cpu = time.perf_counter(), time.process_time()
        signals = examine_image(data)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        print(
            f"1 MP {name} with OCR ({len(signals.ocr_lines)} lines): {wall:.2f} s, {cpu:.2f} s CPU"
            + ("" if ocr.available() else " (extra 'ocr' not installed: no text read)")
        )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, nargs="*", default=[101, 102])
    parser.add_argument("--pictures", type=int, default=200)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    for seed in options.seeds:
        report(f"seed {seed}", samples(seed, options.pictures))
    if options.folder:
        folder(options.folder)
    timing()


if __name__ == "__main__":
    main()
