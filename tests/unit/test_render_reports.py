"""The reports: complete, adding up, and deaf to whatever the message tries."""

from __future__ import annotations

import io
from functools import cache

import pytest
from rich.console import Console
from selectolax.lexbor import LexborHTMLParser

from malafide.case import Address, Case, Mail, Part, Span
from malafide.evidence import Direction, Evidence, Strength, observe
from malafide.opinion import Abstention, Failure, Opinion, Outcome, Recommendation, Step
from malafide.render import html
from malafide.render.terminal import report
from malafide.render.view import PLACES, Depth, main_point, number_evidence, passages, shares
from malafide.render.words import answer_line
from malafide.verdict import Classification, Contribution, Verdict

FROM = '"Support [bold]Desk[/bold] <img src=x>" <help@examp1e.test>'
SUBJECT = "Verify\x1b]0;owned\x07 your account"
BODY = (
    "Dear customer,\x1b[2J your account will be closed unless you confirm your password today.\n\n\n\n\n"
    "<script>alert(1)</script><svg/onload=alert(2)> https://examp1e.test/login?\"'><b>\n"
    + "Nothing of note is said here. " * 60
    + "\nYour order 4711 of 3 March. The \u202eend\u200b\u200b\u200b."
)
LINKS = "javascript:alert(1)\nhttps://examp1e.test/login"
HIDDEN = "</div><style>*{display:none}</style> words for filters"


@cache
def case() -> Case:
    parts = (
        Part("subject", "subject", SUBJECT),
        Part("body", "body", BODY),
        Part("hidden", "hidden", HIDDEN),
        Part("links", "links", LINKS),
        Part("header/from", "header", FROM),
        Part("header/received", "header", "not shown, for nothing was found there"),
    )
    sender = Address("Support Desk", "help@examp1e.test", Span("header/from", 0, len(FROM)))
    limits = ("A file <script>x</script> was not read.",)
    return Case("0123456789abcdef", "email", parts, Mail(sender=sender), limits, "mail.eml")


def seen(part: str, words: str, strength: Strength, direction: Direction = "deceptive") -> Evidence:
    start = case().part(part).text.index(words)
    sentence = f"Seen in {part}: <b onclick='x'> \x1b[31m http://examp1e.test"
    span = Span(part, start, start + len(words))
    return observe(
        case(), span, f"made.{strength}", "request", strength, sentence, direction=direction, tool="made"
    )


@cache
def evidence() -> tuple[Evidence, ...]:
    return (
        seen("body", "confirm your password", "decisive"),
        seen("body", "closed unless you confirm", "strong"),
        seen("links", "examp1e.test", "moderate"),
        seen("header/from", "help@examp1e.test", "moderate"),
        seen("hidden", "<style>", "weak"),
        seen("body", "order 4711", "weak", "genuine"),
        seen("body", "\u200b\u200b\u200b", "slight"),
    )


def opinion(agent: str, score: float, confidence: float, recommendation: Recommendation) -> Opinion:
    steps = tuple(
        Step(e.kind, 4 * e.strength * (1 if e.direction == "deceptive" else -1), e) for e in evidence()
    )
    return Opinion(agent, score, confidence, recommendation, "Analysis <script>.\x1b[0m", steps, {})


def verdict(classification: Classification = "SPAM", *, heard: bool = True) -> Verdict:
    opinions = [
        opinion("content-analyzer", 0.97, 0.913, "SPAM"),
        opinion("pattern-recognizer", 0.943, 0.88, "SPAM"),
        opinion("intent-analyzer", 0.55, 0.4137, "UNCERTAIN"),
    ]
    outcomes: tuple[Outcome, ...] = tuple(opinions)
    if not heard:
        opinions = []
        outcomes = (
            Abstention("content-analyzer", "nothing"),
            Failure("intent-analyzer", "ValueError: <b>[red]"),
        )
    weights = (0.3, 0.35, 0.35)
    total = sum(w * o.confidence for w, o in zip(weights, opinions, strict=False))
    contributions = tuple(
        Contribution(o.agent, w, o.confidence, o.score, w * o.confidence * o.score / total)
        for w, o in zip(weights, opinions, strict=False)
    )
    return Verdict(
        case=case(),
        classification=classification,
        score=sum(c.amount for c in contributions) if contributions else 0.5,
        confidence=0.97,
        agreement=0.58,
        summary="It asks for a password on https://examp1e.test/<script>.",
        reasoning="Because.\n<script>alert(3)</script>",
        outcomes=outcomes,
        contributions=contributions,
        evidence=evidence() if heard else (),
        key_evidence=evidence()[:4] if heard else (),
        uncertainty_reason="The agents disagree." if classification == "UNCERTAIN" else None,
        trace=("a line <img src=x onerror=alert(4)>",),
        elapsed_ms=1.0,
    )


def in_terminal(shown: Verdict, width: int = 100) -> str:
    file = io.StringIO()
    report(shown, "mail\x1b[31m.eml", Console(file=file, width=width, highlight=False, markup=False))
    return file.getvalue()


@pytest.mark.parametrize("width", [40, 80, 100, 200])
def test_no_control_character_reaches_the_terminal(width: int) -> None:
    text = in_terminal(verdict(), width)
    assert not {c for c in text if c != "\n" and not c.isprintable()}
    assert all(len(line) <= width for line in text.splitlines())


def test_the_terminal_report_is_whole() -> None:
    text = in_terminal(verdict())
    for words in (
        "✖ SPAM", "It asks for a password", "content-analyzer", "▲ UNCERTAIN", "A file <script>",
        "‹confirm›✖2 your password›✖1", "‹order 4711›✔6", "(invisible characters)", "Hidden from the reader",
        "hxxps://‹examp1e[.]test›✖3/login", "Key evidence", "Also noticed", "characters…]",
        "0.30 × 0.91 × 0.97", "[bold]Desk[/bold]",
    ):  # fmt: skip
        assert words in text, words
    assert "not shown" not in text
    assert "http" not in text


def test_who_abstains_or_fails_is_named() -> None:
    text = in_terminal(verdict("UNCERTAIN", heard=False))
    for words in ("abstained", "failed", "ValueError: <b>[red]", "The agents disagree.", "no agent gave"):
        assert words in text, words


def test_the_printed_sum_adds_up() -> None:
    shown = verdict()
    amounts = [part.amount for part in shares(shown)]
    assert round(sum(amounts), PLACES) == round(shown.score, PLACES)
    assert all(abs(a - c.amount) <= 10**-PLACES for a, c in zip(amounts, shown.contributions, strict=True))


def test_evidence_is_numbered_with_the_key_first() -> None:
    numbered = number_evidence(verdict(), most=6)
    assert [n.number for n in numbered] == [1, 2, 3, 4, 5, 6]
    assert [n.key for n in numbered] == [True] * 4 + [False] * 2


def test_the_head_of_a_mail_comes_first() -> None:
    shown = passages(case(), number_evidence(verdict(), 20), Depth(50, 50, 20))
    assert [p.label for p in shown] == ["From", "Subject", "Message", "Hidden from the reader", "Links"]


def test_the_main_point_goes_the_way_of_the_score() -> None:
    assert main_point(opinion("a", 0.9, 0.9, "SPAM")) == evidence()[0].sentence
    assert main_point(opinion("a", 0.1, 0.9, "HAM")) == evidence()[5].sentence
    assert main_point(Opinion("a", 0.5, 0.1, "UNCERTAIN", "Nothing.\nMore.", (), {})) == "Nothing."


def test_the_answer_fits_on_a_line() -> None:
    line = answer_line(verdict(), "a\nb.eml")
    assert line.startswith("✖ SPAM       0.87   97 %  a b.eml  ")
    assert line.isprintable()


@cache
def page() -> str:
    entries = [
        html.entry(verdict(), 'one"><script>.eml', 1),
        html.failed_entry("two.eml", "empty <b>"),
        html.entry(verdict("UNCERTAIN", heard=False), "three.eml", 3),
    ]
    return html.page(entries)


def test_the_page_runs_and_fetches_nothing() -> None:
    tree = LexborHTMLParser(page())
    for forbidden in (
        "script",
        "img",
        "iframe",
        "object",
        "embed",
        "form",
        "link",
        "base",
        "b[onclick]",
        "input",
    ):
        assert tree.css(forbidden) == [], forbidden
    assert len(tree.css("style")) == 1
    for node in tree.css("*"):
        for name, value in node.attributes.items():
            assert not name.startswith("on"), (node.tag, name)
            assert name not in ("style", "src", "srcset", "action", "xlink:href"), (node.tag, name)
            assert name != "href" or (value or "").startswith("#"), value
    policy = tree.css_first("meta[http-equiv]").attributes["content"] or ""
    assert policy.startswith("default-src 'none'; style-src 'sha256-")


def test_no_link_of_the_message_works_in_the_page() -> None:
    text = LexborHTMLParser(page()).body
    assert text is not None
    assert "http://" not in text.text()
    assert "https://" not in text.text()
    assert "hxxps://" in text.text()


def test_every_anchor_of_the_page_leads_somewhere() -> None:
    tree = LexborHTMLParser(page())
    ids = [node.attributes["id"] for node in tree.css("[id]")]
    assert len(ids) == len(set(ids))
    targets = {(node.attributes["href"] or "")[1:] for node in tree.css("a[href]")}
    assert targets <= set(ids)
    assert {f"m1-e{n}" for n in range(1, 8)} <= targets


def test_the_page_begins_with_an_index_of_several_mails() -> None:
    tree = LexborHTMLParser(page())
    rows = [row.text(separator=" ") for row in tree.css(".index tbody tr")]
    assert [row.split()[1] for row in rows] == ["SPAM", "ERROR", "UNCERTAIN"]
    assert LexborHTMLParser(html.page([html.entry(verdict(), "x", 1)])).css(".index") == []


def test_marks_are_told_by_shape_and_number() -> None:
    tree = LexborHTMLParser(page())
    tags = [node.text() for node in tree.css(".paper a.tag")]
    assert {"✖1", "✖2", "✖3", "✖4", "✖5", "✔6", "✖7"} == set(tags)
    marked = [node.text() for node in tree.css(".paper a.mark.genuine")]
    assert marked == ["order 4711"]
