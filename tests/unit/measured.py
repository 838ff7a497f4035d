"""Rows and classifiers made up for the tests of the measures."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

from malafide.case import Case
from malafide.errors import UnreadableInput
from malafide.evidence import Evidence
from malafide.measure.rows import Label, Row, Seen, Vote
from malafide.opinion import Abstention, Opinion, Recommendation
from malafide.verdict import Classification, Verdict

AGENTS = ("content-analyzer", "pattern-recognizer", "intent-analyzer")


def row(
    label: Label,
    classification: Classification,
    score: float,
    confidence: float = 0.9,
    agreement: float = 1.0,
    seen: tuple[Seen, ...] = (),
) -> Row:
    """A row on which all three agents hold the final score."""
    votes = tuple(Vote(agent, score, 0.5, classification) for agent in AGENTS)
    return Row(
        f"{label} {score}", label, classification, score, confidence, agreement, votes, frozenset(seen), 2.0
    )


def rows(**counts: int) -> list[Row]:
    """Rows by name: spam_as_ham=3 is three spam called HAM, with scores that fit the answer."""
    made = []
    scores = {"spam": 0.9, "ham": 0.1, "uncertain": 0.5}
    for name, count in counts.items():
        label, _, answer = name.partition("_as_")
        classification: Classification = (
            "SPAM" if answer == "spam" else "HAM" if answer == "ham" else "UNCERTAIN"
        )
        made += [
            row("spam" if label == "spam" else "ham", classification, scores[answer]) for _ in range(count)
        ]
    return made


# 10 spam (6 caught, 3 open, 1 called HAM), 20 ham (15 right, 3 open, 2 false alarms).
MIXED = rows(
    spam_as_spam=6, spam_as_uncertain=3, spam_as_ham=1, ham_as_ham=15, ham_as_uncertain=3, ham_as_spam=2
)

ANY_ROWS = st.lists(
    st.builds(
        row,
        st.sampled_from(["spam", "ham"]),
        st.sampled_from(["SPAM", "HAM", "UNCERTAIN"]),
        st.floats(0, 1),
        st.floats(0, 1),
        st.floats(0, 1),
        st.just((Seen("a.b", "deceptive"),)),
    ),
    max_size=30,
)


class Parrot:
    """Calls SPAM what says "prize", HAM what says "lunch", leaves the rest open, and refuses "poison"."""

    def __init__(self, learned: int = 0) -> None:
        self.learned = learned

    workers = 1

    def stop(self) -> None:
        return

    def begin(self, case: Case) -> Callable[[], Verdict]:
        verdict = self.judge(case)
        return lambda: verdict

    def judge(self, case: Case) -> Verdict:
        text = case.reading
        if "poison" in text:
            raise UnreadableInput("this cannot be read <b>at all</b>")
        answer: Recommendation = "SPAM" if "prize" in text else "HAM" if "lunch" in text else "UNCERTAIN"
        score = {"SPAM": 0.95, "HAM": 0.05, "UNCERTAIN": 0.5}[answer]
        part = next(p for p in case.parts if p.text)
        evidence = Evidence(
            "parrot.word", "offer", "deceptive", 0.7, part.name, 0, 4, part.text[:4], "parrot",
            "It leads to http://bad.example/x <script>alert(1)</script>.",
        )  # fmt: skip
        opinions = [Opinion(agent, score, 0.8, answer, "said so", (), {}) for agent in AGENTS[:2]]
        return Verdict(
            case=case, classification=answer, score=score, confidence=0.95 if answer != "UNCERTAIN" else 0.5,
            agreement=1.0, summary=f"Says {answer}.", reasoning="Because http://bad.example/x & <i>so</i>.",
            outcomes=(*opinions, Abstention(AGENTS[2], "nothing")), contributions=(), evidence=(evidence,),
            key_evidence=(evidence,), uncertainty_reason=None if answer != "UNCERTAIN" else "open", trace=(),
            elapsed_ms=1.5,
        )  # fmt: skip
