"""Prints the figures of the honeypot panel: extraction, accuracy, how early, how quick, and how safe the decoy is.

python -m benchmarks.conversations [--every N]    N: only each Nth dialogue of scam_dialogue (default 1, all)
"""

from __future__ import annotations

import csv
import itertools
import json
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator

from tests.golden.golden_chats import golden_chats, hostile_turns

from benchmarks.corpora import data_folder
from malafide import Conversation, HoneypotJudge, HoneypotResult
from malafide.case import Case
from malafide.decoy.safety import unsafe
from malafide.decoy.session import Engagement
from malafide.intake.conversation import read_conversation

LISTS = ("bankAccounts", "upiIds", "phishingLinks", "phoneNumbers")
MORE = (
    "emailAddresses",
    "handles",
    "ifscCodes",
    "ibans",
    "cards",
    "wallets",
    "otherPhones",
    "identityNumbers",
)
SCENARIO = {
    "bankAccount": "bankAccounts", "upiId": "upiIds", "phoneNumber": "phoneNumbers", "phishingLink": "phishingLinks",
    "emailAddress": "emailAddresses",
}  # fmt: skip


def listed(result: HoneypotResult) -> dict[str, list[str]]:
    """Everything a result lists, by the name of the list; empty lists left out."""
    lists = {name: result["extractedIntelligence"][name] for name in LISTS}
    lists |= {name: result["malafide"][name] for name in MORE}
    return {name: values for name, values in lists.items() if values}


def extraction() -> None:
    judge = HoneypotJudge()
    planted = found = invented = wrong = 0
    for name, want, result in itertools.chain(_golden(judge), _scenarios(judge)):
        got = listed(result)
        wanted = {(kind, value) for kind, values in want.items() for value in values}
        given = {(kind, value) for kind, values in got.items() for value in values}
        planted += len(wanted)
        found += len(wanted & given)
        elsewhere = {value for _, value in wanted}
        wrong += sum(value in elsewhere for _, value in given - wanted)
        invented += sum(value not in elsewhere for _, value in given - wanted)
        if wanted != given:
            print(f"  {name}: wanted {sorted(wanted - given)}, got besides {sorted(given - wanted)}")
    print(
        f"planted identifiers: {planted}, found {found / planted:.1%}, invented {invented}, in a wrong list {wrong}"
    )


def _golden(judge: HoneypotJudge) -> Iterator[tuple[str, dict[str, list[str]], HoneypotResult]]:
    for chat in golden_chats("scam"):
        case, _ = read_conversation(chat.written().encode())
        yield chat.name, chat.planted, HoneypotResult(judge.judge(case))


def _scenarios(judge: HoneypotJudge) -> Iterator[tuple[str, dict[str, list[str]], HoneypotResult]]:
    scenarios = json.loads(
        (data_folder() / "conversations/honeypot_scenarios.json").read_text(encoding="utf-8")
    )
    for scenario in scenarios:
        texts = [scenario["initialMessage"], *scenario["scammerFollowUps"]]
        messages = [
            {"sender": who, "text": text}
            for one in texts
            for who, text in (("scammer", one), ("user", "Okay."))
        ]
        planted = {
            SCENARIO[key]: [value.replace("+91-", "+91")] for key, value in scenario["fakeData"].items()
        }
        yield scenario["scenarioId"], planted, judge.assess(messages, session=scenario["scenarioId"])


def golden_verdicts() -> None:
    judge = HoneypotJudge()
    for group in ("scam", "legitimate", "short_scam", "short_legitimate"):
        chats = golden_chats(group)
        called = sum(judge.judge(read_conversation(c.written().encode())[0]).decision.scam for c in chats)
        print(f"{group.replace('_', ' ')} chats of our own: {len(chats)}, called scam {called}")


def dialogues(every: int) -> None:
    path = data_folder() / "conversations/scam_dialogue.csv"
    with path.open(encoding="utf-8-sig", newline="") as handle:
        rows = list(csv.DictReader(handle))[::every]
    judge = HoneypotJudge()
    answers: Counter[tuple[str, bool]] = Counter()
    shares: list[float] = []
    for row in rows:
        case, _ = read_conversation(row["dialogue"])
        scam = judge.judge(case).decision.scam
        answers[row["label"], scam] += 1
        if row["label"] == "1":
            shares.append(_recognised(judge, case))
    right = answers["1", True] + answers["0", False]
    legitimate = answers["0", True] + answers["0", False]
    print(
        f"scam_dialogue: {len(rows)}, accuracy {right / len(rows):.4f}, "
        f"legitimate called scam {answers['0', True] / legitimate:.2%}, missed {answers['1', False]}"
    )
    print(f"recognised after a median share of {statistics.median(shares):.0%} of the turns")


def _recognised(judge: HoneypotJudge, case: Case) -> float:
    """After which share of its messages a conversation is called a scam for the first time; 1 if never."""
    assert case.chat is not None
    conversation = Conversation(judge)
    for message in case.chat.messages:
        if conversation.append(message.sender, case.part(message.part).text)["scamDetected"]:
            return message.number / len(case.chat.messages)
    return 1.0


def speed() -> None:
    lines = [line for chat in golden_chats("scam") + golden_chats("legitimate") for line in chat.lines]
    # Each text once: what is remembered from an earlier message must not help.
    texts = [
        (side, f"{words} ({i})")
        for i, (side, words) in zip(range(1_000), itertools.cycle(lines), strict=False)
    ]
    messages = [{"sender": "scammer" if side == "S" else "user", "text": words} for side, words in texts]
    HoneypotJudge().assess(messages[:50])
    started = time.process_time()
    HoneypotJudge().assess(messages)
    whole = time.process_time() - started
    conversation = Conversation()
    for message in messages[:950]:
        conversation.add(message["sender"], message["text"])
    each = []
    for i, message in enumerate(messages[950:]):
        started = time.process_time()
        conversation.append(message["sender"], f"{message['text']} new {i}")
        each.append(time.process_time() - started)
    print(
        f"1,000 messages: {whole:.2f} s of CPU; appending one more: {statistics.median(each) * 1000:.1f} ms (median), "
        f"{max(each) * 1000:.1f} ms (most)"
    )


def safety(turns: int = 500) -> None:
    """So many turns of a stranger, ordinary and hostile, against the decoy."""
    broken = held = 0
    slowest = 0.0
    replies: Counter[str] = Counter()
    engagement = Engagement("0", turns=500)
    for number, line in enumerate(hostile_turns(turns)):
        if number % 25 == 0:
            engagement = Engagement(str(number), turns=500)
        started = time.process_time()
        turn = engagement.hear(line)
        slowest = max(slowest, time.process_time() - started)
        held += bool(turn.held_back)
        broken += bool(unsafe(turn.reply, line))
        replies[turn.reply] += 1
    print(
        f"decoy: {turns} turns, unsafe replies {broken}, proposals held back {held}, "
        f"{len(replies)} different replies, slowest {slowest * 1000:.0f} ms"
    )


def main() -> None:
    every = int(sys.argv[sys.argv.index("--every") + 1]) if "--every" in sys.argv else 1
    extraction()
    golden_verdicts()
    dialogues(every)
    speed()
    safety()


if __name__ == "__main__":
    main()
