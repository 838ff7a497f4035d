"""What the page tells about a case: the same as the contract, with every mark where its words stand."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from markupsafe import Markup
from tests.doors.page_messages import ATTACKS, CHAT, NOTE, PHISH, POST

from malafide.errors import BadSetting
from malafide.judging import Ruling, bench
from malafide.service.page import figures
from malafide.service.page.account import ANSWERS, Account
from malafide.service.page.accounts import account_of
from malafide.service.page.asking import Order
from malafide.service.page.dashboard import charts, filled, total_of
from malafide.service.page.history import filter_of
from malafide.service.page.looks import environment, moment, query
from malafide.service.page.marked import shown
from malafide.service.page.reread import reread
from malafide.store import Count

CASES = {"spam": PHISH, "document": PHISH, "conversation": CHAT, "post": POST}


@pytest.fixture(scope="module")
def rulings() -> dict[str, Ruling]:
    return {panel: bench(panel).judge(content, "x") for panel, content in CASES.items()}


@pytest.mark.parametrize("panel", CASES)
def test_the_account_says_what_the_contract_says(panel: str, rulings: dict[str, Ruling]) -> None:
    ruling = rulings[panel]
    account = account_of(panel, json.loads(json.dumps(ruling.contract)))
    assert account.answer == ruling.answer
    assert account.tone == ANSWERS[ruling.answer][0]
    assert account.leaning == ("deceptive" if ruling.score >= 0.5 else "genuine")
    assert account.headline
    assert [entry.number for entry in account.entries] == list(range(1, len(account.entries) + 1))
    assert account.entries
    assert account.cards
    assert account.trail
    assert account.waterfall is not None
    assert account.waterfall.bars


@pytest.mark.parametrize("panel", CASES)
def test_every_mark_stands_on_its_words_and_has_its_entry(panel: str, rulings: dict[str, Ruling]) -> None:
    account = account_of(panel, rulings[panel].contract)
    case = reread(panel, CASES[panel], "x")
    assert case is not None
    drawn = shown(case, account.entries)
    assert drawn.placed == {entry.number for entry in account.entries}
    marked = {
        mark.number: run
        for passage in (*drawn.heads, *drawn.blocks)
        for run in passage.runs
        for mark in run.marks
    }
    assert set(marked) == drawn.placed
    for entry in account.entries:
        assert case.quote(entry.evidence.span) == entry.evidence.quote
        assert entry.uses or panel == "document"


@pytest.mark.parametrize("panel", ["spam", "post"])
def test_the_waterfall_adds_up_to_the_score(panel: str, rulings: dict[str, Ruling]) -> None:
    fall = account_of(panel, rulings[panel].contract).waterfall
    assert fall is not None
    assert sum(bar.end - bar.start for bar in fall.bars) == pytest.approx(fall.total.end, abs=1e-4)
    for before, after in zip(fall.bars, fall.bars[1:], strict=False):
        assert after.start == pytest.approx(before.end)


def test_each_agents_arithmetic_is_whole(rulings: dict[str, Ruling]) -> None:
    account = account_of("spam", rulings["spam"].contract)
    for card, agent in zip(account.cards, rulings["spam"].contract["malafide"]["agents"], strict=True):
        assert [line.amount for line in card.lines] == [step["log_odds"] for step in agent["steps"]]
        linked = {line.entry for line in card.lines if line.entry}
        users = {e.number for e in account.entries if any(use.agent == card.name for use in e.uses)}
        assert linked == users


def test_key_evidence_comes_first(rulings: dict[str, Ruling]) -> None:
    account = account_of("spam", rulings["spam"].contract)
    keys = [entry.key for entry in account.entries]
    assert sum(keys) == len(rulings["spam"].contract["key_evidence"])
    assert keys == sorted(keys, reverse=True)


def test_evidence_that_no_longer_fits_gets_no_mark(rulings: dict[str, Ruling]) -> None:
    account = account_of("spam", rulings["spam"].contract)
    other = reread("spam", NOTE, "x")
    drawn = shown(other, account.entries)
    assert not drawn.placed
    assert set(drawn.labels) == {entry.number for entry in account.entries}
    assert not any(run.marks for passage in (*drawn.heads, *drawn.blocks) for run in passage.runs)


def test_hidden_text_is_shown_as_hidden() -> None:
    drawn = shown(reread("spam", PHISH, "x"), ())
    hidden = [passage for passage in drawn.blocks if passage.role == "hidden"]
    assert "garden club" in hidden[0].runs[0].text
    assert hidden[0].label == "Hidden from the reader: not displayed"


@pytest.mark.parametrize("content", [b"", b"\xff\x00{", b"[" * 100_000, b'{"text": 5}', b"%PDF-1.7 broken"])
@pytest.mark.parametrize("panel", ["spam", "document", "conversation", "post", "credibility"])
def test_what_cannot_be_read_again_is_no_error(panel: str, content: bytes) -> None:
    case = reread(panel, content, "x")
    assert case is None or case.parts is not None


def test_a_message_that_is_one_row_of_links_is_shown_in_no_time() -> None:
    case = reread("spam", b"From: a@example.com\n\n" + b"http://a.b.c.d." * 100_000, "x")
    started = time.process_time()
    shown(case, ())
    assert time.process_time() - started < 5.0  # 0.3 s; with the square of its length 12 s and more


@pytest.mark.parametrize("attack", ATTACKS)
def test_every_expression_of_every_template_is_made_harmless(attack: str) -> None:
    drawn = environment().from_string('<p title="{{ x }}">{{ x }}{{ x|given }}</p>').render(x=attack)
    inside = drawn.removeprefix('<p title="').removesuffix("</p>")
    assert "<" not in inside.replace('">', "", 1)
    assert "\u202e" not in drawn


def test_links_are_defanged_unless_a_person_typed_them() -> None:
    drawn = environment().from_string("{{ x }} {{ x|given }}").render(x="https://bad.example.com/a")
    assert drawn == "hxxps://bad[.]example[.]com/a https://bad.example.com/a"


def test_addresses_are_our_own_and_quoted() -> None:
    assert query("/history", q='"><x>&', after="") == Markup("/history?q=%22%3E%3Cx%3E%26")
    made = environment().from_string('<a href="{{ x|address }}">').render(x='/cases/"><script>')
    assert made == '<a href="/cases/%22%3E%3Cscript%3E">'


def test_a_moment_is_given_in_utc() -> None:
    when = datetime(2026, 3, 2, 10, 0, tzinfo=UTC)
    assert moment(when) == '<time datetime="2026-03-02T10:00:00+00:00">2026-03-02 10:00 UTC</time>'
    assert moment(None) == ""


def test_figures_stay_inside_their_frame() -> None:
    assert 'x="0.00" width="100.00"' in figures.stretch(-3, 7)
    assert figures.columns([], "none") == ""
    assert figures.columns([[("spam", 0.0)]], "none") == ""
    assert figures.columns([[("spam", 1.0)], [("ham", 2.0)]], 'a"b').count("<rect") == 2
    assert 'aria-label="a&#34;b"' in figures.columns([[("spam", 1.0)]], 'a"b')
    assert figures.line([None, None], 1.0, "x") == ""
    assert figures.line([0.5, None, 0.2, 0.9], 1.0, "x").count("<polyline") == 2


def test_the_dashboard_has_every_stretch_and_its_sums() -> None:
    start = datetime(2026, 3, 2, tzinfo=UTC)
    counts = [Count(start, 4, {"SPAM": 1, "HAM": 2, "UNCERTAIN": 1}, 0.9, 0.25, 3.0, 9.0, 0.5, 1, 2, 1)]
    total = total_of(counts)
    assert (total.number, total.failed, total.overruled, total.open) == (4, 1, 1, 0.25)
    whole = filled(counts, start - timedelta(days=2), start + timedelta(hours=1), timedelta(days=1))
    assert [c.number for c in whole] == [0, 0, 4]
    volume = charts(whole, "%Y-%m-%d")[0]
    assert volume.rows == (("2026-03-02", "4", "1", "1", "2", "1"),)
    assert all(len(row) == len(chart.heads) + 1 for chart in charts(whole, "%Y") for row in chart.rows)


def chosen(**values: str) -> dict[str, str]:
    names = ("q", "panel", "answer", "open", "labelled", "state", "since", "until", "case_id", "after")
    return {name: values.get(name, "") for name in names}


def test_the_history_asks_the_store_for_what_was_chosen() -> None:
    asked = filter_of(chosen(q="parcel", panel="spam", open="yes", labelled="no", until="2026-03-02"))
    assert (asked.text, asked.panel, asked.open, asked.labelled) == ("parcel", "spam", True, False)
    assert asked.until == datetime(2026, 3, 3, tzinfo=UTC)


@pytest.mark.parametrize(
    "wrong",
    [{"panel": "x"}, {"open": "maybe"}, {"since": "yesterday"}, {"until": "0001-01-01"}, {"state": "'"}],
)
def test_the_history_refuses_what_is_not_offered(wrong: dict[str, str]) -> None:
    with pytest.raises(BadSetting):
        filter_of(chosen(**wrong))


def test_an_account_knows_every_answer() -> None:
    for answer, (tone, word) in ANSWERS.items():
        account = Account(answer, "x", (), "deceptive")
        assert account.tone == tone
        assert account.badge.endswith(word)


class FakeDesk:
    """Counts how often the order is worked out."""

    def __init__(self, ids: list[str], seconds: float) -> None:
        self.ids, self.seconds, self.worked = ids, seconds, 0
        self.store = SimpleNamespace(open_cases=lambda: [SimpleNamespace(id=one) for one in self.ids])

    async def ask(self, call: Callable[[], object]) -> object:
        return call()

    async def queue(self) -> list[object]:
        self.worked += 1
        await asyncio.sleep(self.seconds)
        return [SimpleNamespace(line=SimpleNamespace(id=one)) for one in sorted(self.ids)]


def test_the_order_of_the_queue_is_kept_while_people_decide() -> None:
    async def look() -> None:
        desk, order = FakeDesk(["c", "a", "b"], 0.05), Order()
        shown = lambda found: [one.line.id for one in found]  # noqa: E731
        assert shown(await order.asked(desk)) == ["a", "b", "c"]  # type: ignore[arg-type]
        desk.ids = ["c", "b"]
        assert shown(await order.asked(desk)) == ["b", "c"]  # type: ignore[arg-type]
        desk.ids = ["c", "b", "0"]
        assert shown(await order.asked(desk)) == ["b", "c"]  # type: ignore[arg-type]
        assert desk.worked == 1
        await asyncio.sleep(1.1)
        assert shown(await order.asked(desk)) == ["0", "b", "c"]  # type: ignore[arg-type]
        assert desk.worked == 2

    asyncio.run(look())


def test_judges_load_nothing_of_the_web() -> None:
    code = "import malafide.service.page.jobs, sys; print(*{'fastapi', 'jinja2', 'starlette'} & set(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert loaded.strip() == ""
