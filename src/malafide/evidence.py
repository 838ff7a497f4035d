"""Evidence: one observed fact about a case, with the words that show it and where they stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from malafide.case import Case, Span

Direction = Literal["deceptive", "genuine"]

# What a piece of evidence is about. Agents weigh by topic, and evidence of one topic is capped together.
Topic = Literal[
    "pressure",  # urgency, threats, scarcity, secrecy
    "offer",  # too good, prizes, cures, easy money
    "request",  # what the reader is asked for: credentials, codes, money, documents, another channel
    "family",  # a known scam or bulk-mail script
    "impersonation",  # claims to be someone it is not
    "link",  # where links lead and how they are dressed
    "sender",  # addresses and how they fit together
    "authentication",  # SPF, DKIM, DMARC as the receiver recorded them
    "route",  # how the mail was made and travelled: Received, Message-ID, Date, mailer
    "structure",  # HTML, hidden text, encodings, layout tricks
    "attachment",
    "language",  # quality and consistency of the language
    "number",  # phones, accounts, wallets, amounts
    "judge",  # text that addresses whoever decides about the message
    "marketing",  # unsolicited selling and its habits
    "conversation",  # signs of people who know each other or a thread that goes on
    "transaction",  # signs of a real, specific business between sender and reader
    "subscription",  # signs of a list or newsletter that can be left
    "learned-content",  # words that labelled mail of one class has and the other has not
    "learned-intent",  # the same for words in a row: what is done with whom
    "learned-structure",  # the same for what the tools observe
    "precedent",  # labelled earlier cases that are like this one
    "testimony",  # words a language model pointed at
    "tone",  # posts: the feeling and the bait in the words
    "claim",  # posts: what is claimed, and what fact-checks say about it
    "account",  # posts: who wrote it
    "source",  # posts: where its links lead
]

# The five strengths a rule may have, as a fraction of near-proof. In log-odds an evidence of strength s is
# worth 4*s at full weight: "slight" barely moves a score, two "strong" ones of different topics decide it.
STRENGTHS: Final[dict[str, float]] = {
    "slight": 0.1,
    "weak": 0.2,
    "moderate": 0.4,
    "strong": 0.7,
    "decisive": 1.0,
}
Strength = Literal["slight", "weak", "moderate", "strong", "decisive"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """One observed fact. `case.part(e.part).text[e.start:e.end] == e.quote`, always."""

    kind: str  # dotted name of what was seen, e.g. "link.ip-host" or "pressure.account-closure"
    topic: Topic
    direction: Direction
    strength: float
    part: str
    start: int
    end: int
    quote: str
    found_by: str  # the tool
    sentence: str  # one plain sentence for a person

    def holds_in(self, case: Case) -> bool:
        """Whether the quoted words really stand where the evidence says."""
        return (
            bool(self.quote)
            and 0 <= self.start < self.end
            and case.has(self.part)
            and case.part(self.part).text[self.start : self.end] == self.quote
        )

    @property
    def span(self) -> Span:
        return Span(self.part, self.start, self.end)


def observe(
    case: Case,
    span: Span,
    kind: str,
    topic: Topic,
    strength: Strength,
    sentence: str,
    *,
    direction: Direction = "deceptive",
    tool: str,
) -> Evidence:
    """Evidence for the words at `span`. The only way tools make evidence, so a quote cannot be mistyped."""
    return Evidence(
        kind=kind,
        topic=topic,
        direction=direction,
        strength=STRENGTHS[strength],
        part=span.part,
        start=span.start,
        end=span.end,
        quote=case.quote(span),
        found_by=tool,
        sentence=sentence,
    )
