"""Prints the figures of the credibility panel: its arithmetic, its speed, and its signals on public data.

python -m benchmarks.credibility [arithmetic|speed|clickbait|covid|liar|raw|picture]...
"""

from __future__ import annotations

import csv
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from benchmarks.corpora import data_folder
from malafide import MultiAgentReasoningSystem
from malafide.benches.post import PostExaminer, PostKnowledge
from malafide.case import Case, Part, case_id
from malafide.intake.labelled_posts import LabelledPost
from malafide.intake.posts import read_post
from malafide.knowledge.post_catalog import PostCatalog
from malafide.learning.posts import gather_posts, learn_posts
from malafide.measure.metrics import auc
from malafide.signals.bait import clickbait

Labelled = list[tuple[str, bool]]  # text, and whether it is of the class to be warned of


def random_post(chance: random.Random, number: int) -> dict[str, Any]:
    post: dict[str, Any] = {
        "post_id": f"p{number}",
        "nlp_signals": {
            "sentiment": chance.choice(["POSITIVE", "NEGATIVE", "NEUTRAL", "MIXED"]),
            "emotion": chance.choice("anger fear disgust joy surprise sadness neutral boredom".split()),
            "clickbait": chance.random() < 0.5,
        },
        "source_signals": {
            "account_trust_score": chance.random(),
            "source_reliability_score": round(chance.random(), 2),
            "behavioral_risk_flag": chance.random() < 0.5,
        },
    }
    if chance.random() < 0.7:
        probability = chance.choice([0.2, 0.4, 0.7, chance.random()])
        post["image_signals"] = {
            "image_tampered": chance.random() < 0.5,
            "ai_generated_probability": probability,
            "ocr_text": "",
        }
    if chance.random() < 0.8:
        post["misinformation_assessment"] = {"content_credibility_score": chance.random()}
    return post


def by_hand(post: dict[str, Any]) -> tuple[float, float]:
    """The same arithmetic again, written from the specification and sharing no code with the panel."""
    nlp, source, image = post["nlp_signals"], post["source_signals"], post.get("image_signals")
    text = 0.5 + {"POSITIVE": 0.1, "NEGATIVE": -0.1}.get(nlp["sentiment"], 0)
    text += -0.2 if nlp["clickbait"] else 0.05
    text += {"anger": -0.15, "fear": -0.15, "disgust": -0.15, "joy": 0.05, "surprise": 0.05}.get(
        nlp["emotion"], 0
    )
    text = (text + post.get("misinformation_assessment", {}).get("content_credibility_score", 0.5)) / 2
    seen = 0.5
    if image:
        seen += -0.3 if image["image_tampered"] else 0.1
        ai = image["ai_generated_probability"]
        seen += -0.25 if ai > 0.7 else -0.1 if ai > 0.4 else 0.05 if ai < 0.2 else 0
    origin = (
        0.5 + (source["account_trust_score"] - 0.5) * 0.4 + (source["source_reliability_score"] - 0.5) * 0.4
    )
    origin += -0.2 if source["behavioral_risk_flag"] else 0.05
    scores = [max(0.0, min(1.0, score)) for score in (text, seen, origin)]
    final = scores[0] * 0.35 + scores[1] * 0.25 + scores[2] * 0.40
    return round(final, 4), round(max(0.0, 1 - statistics.pstdev(scores) / 0.5), 4)


def arithmetic() -> None:
    chance = random.Random(7)
    posts = [random_post(chance, number) for number in range(10_000)]
    results: Any = MultiAgentReasoningSystem().process_batch(posts)
    wrong = 0
    for post in posts:
        row = results[post["post_id"]]
        wrong += (row["final_credibility_score"], row["agent_agreement_level"]) != by_hand(post)
    print(f"aggregation against an independent calculation: {len(posts):,} posts, {wrong} differ in 4 places")


def speed() -> None:
    chance = random.Random(8)
    posts = [random_post(chance, number) for number in range(100_000)]
    started = time.process_time()
    MultiAgentReasoningSystem().process_batch(posts)
    rate = len(posts) / (time.process_time() - started)
    print(
        f"given signals, traces included: {rate:,.0f} posts per second of one core, batch of {len(posts):,}"
    )


def headlines() -> Labelled:
    folder = data_folder() / "credibility"
    found: Labelled = []
    for name, bait in (("clickbait_data.txt", True), ("non_clickbait_data.txt", False)):
        lines = (folder / name).read_text(encoding="utf-8").splitlines()
        found += [(line.strip(), bait) for line in lines if line.strip()]
    random.Random(1).shuffle(found)
    return found


def f1(pairs: Sequence[tuple[bool, bool]]) -> str:
    """Of (said, true) pairs: F1, precision and recall."""
    right = sum(said and true for said, true in pairs)
    said, true = sum(s for s, _ in pairs), sum(t for _, t in pairs)
    return f"F1 {2 * right / (said + true):.3f} (precision {right / said:.3f}, recall {right / true:.3f})"


def learned(items: Labelled, source: str) -> PostCatalog:
    return PostCatalog(
        learn_posts(
            gather_posts(
                LabelledPost(case_id(t.encode("utf-8", "replace")), t, bad, source) for t, bad in items
            ),
            [source],
        )
    )


def bait() -> None:
    items = headlines()
    half = len(items) // 2
    said = [(clickbait(text_case(text)).value is True, true) for text, true in items]
    print(f"clickbait, nothing learned, {len(items):,} headlines: {f1(said)}")
    catalog = learned(items[:half], "headlines")
    told = [(catalog.speak(Part("body", "body", text)), true) for text, true in items[half:]]
    print(f"clickbait, learned on half: {f1([(t is not None and t.odds > 0, true) for t, true in told])}")


def text_case(text: str) -> Case:
    return Case("0" * 16, "post", (Part("body", "body", text),))


def rows(name: str, text: str, label: str, bad: str) -> Labelled:
    with (data_folder() / "credibility" / name).open(newline="", encoding="utf-8") as handle:
        return [(row[text], row[label] == bad) for row in csv.DictReader(handle)]


def error_of(pairs: Sequence[tuple[float, bool]]) -> float:
    """ECE over ten bins of the confidence in the side that was taken."""
    bins: dict[int, list[tuple[float, bool]]] = {}
    for probability, true in pairs:
        sure = max(probability, 1 - probability)
        bins.setdefault(min(9, int(sure * 10)), []).append((sure, (probability > 0.5) == true))
    return sum(
        abs(sum(c for c, _ in b) / len(b) - sum(r for _, r in b) / len(b)) * len(b) for b in bins.values()
    ) / len(pairs)


def covid() -> None:
    items = list(dict.fromkeys(rows("Constraint_Train.csv", "tweet", "label", "fake")))
    random.Random(1).shuffle(items)
    half = len(items) // 2
    examiner = PostExaminer(knowledge=PostKnowledge(posts=learned(items[:half], "Constraint_Train.csv")))
    for name, tested in (
        ("other half", items[half:]),
        ("Constraint_Val.csv", rows("Constraint_Val.csv", "tweet", "label", "fake")),
    ):
        pairs = []
        unknown = 0
        for text, fake in tested:
            value = examiner.judge(read_post({"text": text})).group("misinformation_assessment")[
                "content_credibility_score"
            ]
            unknown += value is None
            pairs.append((1 - value if value is not None else 0.5, fake))
        right = sum((p > 0.5) == fake for p, fake in pairs) / len(pairs)
        print(
            f"COVID posts, learned on half, {name}: {len(pairs):,} posts, accuracy {right:.3f}, "
            f"ECE {error_of(pairs):.3f}, AUC {auc(pairs):.3f}, unknown {unknown}"
        )


Statement = tuple[str, bool, str, dict[str, float]]


def statements(name: str) -> Iterator[Statement]:
    """Statement, whether it is false-ish, its speaker, and the speaker's record as the data gives it."""
    with (data_folder() / "credibility" / name).open(newline="", encoding="utf-8") as handle:
        for row in csv.reader(handle, delimiter="\t", quoting=csv.QUOTE_NONE):
            counts = [
                float(cell or 0) for cell in row[8:13]
            ]  # barely true, false, half true, mostly true, pants on fire
            record = {"true": counts[2] + counts[3], "false": counts[0] + counts[1] + counts[4]}
            yield row[2], row[1] in ("false", "barely-true", "pants-fire"), row[4], record


def without_itself(bad: bool, record: dict[str, float]) -> dict[str, float]:
    """The record without the statement itself, which the data counts in."""
    key = "false" if bad else "true"
    return {**record, key: max(0.0, record[key] - 1)}


def liar() -> None:
    earlier = list(statements("liar_train.tsv"))
    records: dict[str, dict[str, float]] = {}
    for _, bad, speaker, _ in earlier:
        records.setdefault(speaker, {"true": 0.0, "false": 0.0})["false" if bad else "true"] += 1
    examiner = PostExaminer(
        knowledge=PostKnowledge(posts=learned([(text, bad) for text, bad, _, _ in earlier], "liar_train.tsv"))
    )
    ways: dict[str, Callable[[Statement], dict[str, float] | None]] = {
        "text alone": lambda _: None,
        "text and record as given (it counts the statement itself)": lambda s: s[3],
        "text and record without the statement itself": lambda s: without_itself(s[1], s[3]),
        "text and record counted from liar_train": lambda s: records.get(s[2]),
    }
    for name, way in ways.items():
        pairs = []
        for statement in statements("liar_valid.tsv"):
            told = way(statement)
            post = {"text": statement[0], **({"account": {"fact_checks": told}} if told else {})}
            pairs.append((1 - examiner.judge(read_post(post)).decision.score, statement[1]))
        print(
            f"LIAR valid, {name}: {len(pairs):,} statements, AUC of the final score {auc(pairs):.3f} (chance 0.500)"
        )


def raw() -> None:
    texts = [text for text, _ in rows("Constraint_Val.csv", "tweet", "label", "fake")][:500]
    account = {"account_age_days": 400, "followers_count": 120, "following_count": 300, "statuses_count": 900}
    half = rows("Constraint_Train.csv", "tweet", "label", "fake")[:2_000]
    for name, knowledge in (
        ("built-in knowledge", PostKnowledge()),
        ("with a learned catalog", PostKnowledge(posts=learned(half, "half"))),
    ):
        examiner = PostExaminer(knowledge=knowledge)
        examiner.judge(read_post({"text": texts[0], "account": account}))
        times = []
        for text in texts[1:]:
            started = time.process_time()
            examiner.judge(read_post({"text": text, "account": account}))
            times.append((time.process_time() - started) * 1000)
        times.sort()
        middle, slow = times[len(times) // 2], times[int(len(times) * 0.99)]
        print(f"raw text post, all signals, {name}: median {middle:.2f} ms, p99 {slow:.2f} ms CPU")


def pictured() -> None:
    """One post with a picture of one megapixel and some writing in it, everything read."""
    import io
    import tempfile
    from pathlib import Path

    import numpy as np
    from PIL import Image, ImageDraw

    from malafide.imaging.examine import examine_image

    scene = np.linspace(30, 220, 1200)[None, :, None] + np.random.default_rng(1).normal(0, 6, (850, 1200, 3))
    picture = Image.fromarray(np.clip(scene, 0, 255).astype(np.uint8))
    for line in range(6):
        ImageDraw.Draw(picture).text(
            (80, 100 + 90 * line), f"Line {line}: the tram is closed", fill="black", font_size=40
        )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "photo.jpg"
        kept = io.BytesIO()
        picture.save(kept, "JPEG", quality=88)
        path.write_bytes(kept.getvalue())
        examiner = PostExaminer(look=examine_image)
        post = read_post({"text": "The tram is closed on 3 May.", "image": str(path)})
        examiner.judge(post)
        times = []
        for _ in range(3):
            started = time.perf_counter()
            verdict = examiner.judge(post)
            times.append(time.perf_counter() - started)
        count = len(str(verdict.group("image_signals")["ocr_text"] or "").split())
        print(
            f"post with a 1 MP picture, {count} words read in it: {min(times):.2f} s, best of 3, after a first"
        )


PARTS = {
    "arithmetic": arithmetic,
    "speed": speed,
    "clickbait": bait,
    "covid": covid,
    "liar": liar,
    "raw": raw,
    "picture": pictured,
}


def main() -> None:
    for name in sys.argv[1:] or PARTS:
        PARTS[name]()


if __name__ == "__main__":
    main()
