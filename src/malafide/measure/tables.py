"""Rows in, the tables of a validation out: what other thresholds would do, how agents and patterns fared."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from malafide.consensus.weighted import AGREEMENT_FROM, HAM_UP_TO, SPAM_FROM
from malafide.evidence import Direction
from malafide.measure.metrics import Rate, Rates, auc, confusion, rates
from malafide.measure.rows import Row
from malafide.verdict import Classification

# What a user would try: from "decide nearly everything" to "only the plainest".
_SPAM_FROM: Final = (0.5, 0.55, 0.6, 0.65, SPAM_FROM, 0.75, 0.8, 0.85, 0.9, 0.95)


@dataclass(frozen=True, slots=True)
class Threshold:
    """What would happen with SPAM from this score and HAM up to its counterpart."""

    spam_from: float
    ham_up_to: float
    rates: Rates
    in_use: bool


def thresholds(rows: Sequence[Row]) -> list[Threshold]:
    """Looser to stricter. The rule of agreement, and what bars an answer, stay as they are."""
    found = []
    for spam_from in _SPAM_FROM:
        ham_up_to = round(1.0 - spam_from, 2)
        again = [replace(row, classification=_again(row, spam_from, ham_up_to)) for row in rows]
        found.append(Threshold(spam_from, ham_up_to, rates(confusion(again)), spam_from == SPAM_FROM))
    return found


def _again(row: Row, spam_from: float, ham_up_to: float) -> Classification:
    if row.opinions < 2 or row.agreement < AGREEMENT_FROM:
        return "UNCERTAIN"
    if row.score >= spam_from:
        return "SPAM"
    # A low score that was left open was barred, by a tool that failed: no threshold lifts that.
    barred = row.classification == "UNCERTAIN" and row.score <= HAM_UP_TO
    return "HAM" if row.score <= ham_up_to and not barred else "UNCERTAIN"


@dataclass(frozen=True, slots=True)
class AgentRecord:
    """How one agent did by itself."""

    agent: str
    answered: Rate  # cases in which it had an opinion
    accuracy: Rate  # its recommendation was the label; UNCERTAIN and silence are wrong
    accuracy_decided: Rate  # of its recommendations that were not UNCERTAIN
    auc: float | None  # of its score, where it gave one
    confidence: float | None  # mean
    with_verdict: Rate  # its recommendation was the panel's answer


def agent_records(rows: Sequence[Row]) -> list[AgentRecord]:
    names = list(dict.fromkeys(vote.agent for row in rows for vote in row.votes))
    return [_agent_record(name, rows) for name in names]


def _agent_record(name: str, rows: Sequence[Row]) -> AgentRecord:
    votes = [(vote, row) for row in rows for vote in row.votes if vote.agent == name]
    spoke = [(vote, row) for vote, row in votes if vote.score is not None]
    right = sum(vote.recommendation == row.label.upper() for vote, row in votes)
    decided = sum(vote.recommendation != "UNCERTAIN" for vote, _ in votes)
    sure = [vote.confidence for vote, _ in spoke if vote.confidence is not None]
    return AgentRecord(
        agent=name,
        answered=Rate(len(spoke), len(votes)),
        accuracy=Rate(right, len(votes)),
        accuracy_decided=Rate(right, decided),
        auc=auc([(vote.score, row.is_spam) for vote, row in spoke if vote.score is not None]),
        confidence=math.fsum(sure) / len(sure) if sure else None,
        with_verdict=Rate(sum(vote.recommendation == row.classification for vote, row in votes), len(votes)),
    )


@dataclass(frozen=True, slots=True)
class PatternRecord:
    """How often one kind of evidence was found in each class, and what that says."""

    kind: str
    direction: Direction
    spam: Rate  # of spam, that has it
    ham: Rate  # of ham, that has it
    lift: float | None  # how much more common spam is where it is found than overall; 1 says nothing
    log_odds: float  # its weight for spam in this data, with half a case added to each count

    @property
    def against(self) -> bool:
        """Whether it spoke for the wrong side in this data, beyond what chance would do."""
        wrong = -self.log_odds if self.direction == "deceptive" else self.log_odds
        return wrong > 0.5 and self.spam.hits + self.ham.hits >= 5


def pattern_records(rows: Sequence[Row]) -> list[PatternRecord]:
    """Most telling first, for either class."""
    spam_total = sum(row.is_spam for row in rows)
    ham_total = len(rows) - spam_total
    spam_hits = Counter(seen for row in rows if row.is_spam for seen in row.seen)
    ham_hits = Counter(seen for row in rows if not row.is_spam for seen in row.seen)
    records = []
    for seen in spam_hits.keys() | ham_hits.keys():
        s, h = spam_hits[seen], ham_hits[seen]
        base = spam_total / len(rows)
        records.append(
            PatternRecord(
                kind=seen.kind,
                direction=seen.direction,
                spam=Rate(s, spam_total),
                ham=Rate(h, ham_total),
                lift=(s / (s + h)) / base if base else None,
                log_odds=_logit(s, spam_total) - _logit(h, ham_total),
            )
        )
    records.sort(key=lambda r: (-_telling(r), r.kind, r.direction))
    return records


def _logit(hits: int, of: int) -> float:
    return math.log((hits + 0.5) / (of - hits + 0.5))


def _telling(record: PatternRecord) -> float:
    """Weight times how often it is found: a rare proof and a common hint both tell a lot."""
    return abs(record.log_odds) * math.sqrt(record.spam.hits + record.ham.hits)
