"""The pattern-learner words what statistics found, and can add nothing to it."""

from __future__ import annotations

import asyncio
import json

from malafide.exchange import Reply
from malafide.knowledge.catalog import Catalog, Counts, Familiar, Known, Pattern, Scale
from malafide.learning.describing import describe
from malafide.minds.mind import Prompt


def pattern(name: str, *phrases: str) -> Pattern:
    counts = {p: Known(Counts(9, 1), 1.5) for p in phrases}
    return Pattern(
        f"spam-{name}", "content", "spam", f"Words: {name}.", ("an example",), counts, Counts(9, 1)
    )


CATALOG = Catalog(
    cases=Counts(10, 10),
    sources=("made up",),
    patterns=(
        pattern("pills", "pills", "remedy", "overnight"),
        pattern("casino", "casino", "chips", "bonus"),
        pattern("watch", "watch", "replica", "gold"),
        pattern("loan", "loan", "rates", "approved"),
        pattern("other-content", "various", "things"),
    ),
    bias=0.0,
    unit=1.0,
    scale=Scale(turn=0.0, gain=1.0, shift=0.0),
    familiar=Familiar(0.1, 0.5, 1.0),
    calibration={"slope": 1.0, "offset": 0.0, "cases": 20.0},
)


class Learner:
    name = "learner"

    def __init__(self, *answers: object) -> None:
        self.answers = list(answers)
        self.asked: list[Prompt] = []

    async def ask(self, prompt: Prompt, seconds: float) -> Reply:
        await asyncio.sleep(0)
        self.asked.append(prompt)
        answer = self.answers.pop(0)
        return Reply(self.name, answer if isinstance(answer, str) else json.dumps(answer))

    async def close(self) -> None:
        return


def said(number: int, name: str, *phrases: str, description: str = "It sells.") -> dict[str, object]:
    return {"number": number, "name": name, "description": description, "phrases": list(phrases)}


def test_good_names_are_taken_and_nothing_else_changes() -> None:
    answer = {
        "patterns": [
            said(0, "online-pharmacy", "pills", "remedy"),
            said(1, "gambling-lure", "roulette", "poker"),  # phrases it made up
            said(2, "Fake Watches!", "watch", "replica"),  # no name
            said(3, "online-pharmacy", "loan", "rates"),  # a name that is taken
            said(17, "invented-pattern", "a", "b"),
        ]
    }
    described = describe(CATALOG, Learner(answer))
    names = [p.pattern_type for p in described.catalog.patterns]
    assert names == ["spam-online-pharmacy", "spam-casino", "spam-watch", "spam-loan", "spam-other-content"]
    assert described.catalog.patterns[0].description == "It sells."
    assert described.named == 1 and len(described.notes) == 4
    for before, after in zip(CATALOG.patterns, described.catalog.patterns, strict=True):
        assert (before.phrases, before.support, before.weight) == (after.phrases, after.support, after.weight)


def test_an_answer_that_is_no_list_is_asked_for_again_and_then_left() -> None:
    learner = Learner("Sure, here you go!", {"patterns": 3})
    described = describe(CATALOG, learner)
    assert described.catalog == CATALOG and described.named == 0
    assert len(learner.asked) == 2 and "could not be used" in learner.asked[1].user
    assert "no report" in described.notes[0]


def test_phrases_and_examples_stand_in_the_user_turn_only() -> None:
    learner = Learner({"patterns": []})
    describe(CATALOG, learner)
    assert "casino" in learner.asked[0].user and "casino" not in learner.asked[0].system
    assert "various" not in learner.asked[0].user, "the rest is no pattern to name"
