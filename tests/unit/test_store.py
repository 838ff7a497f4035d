"""The store keeps what it accepted, hands each case to one worker, and tells it again: the same on both databases."""

from __future__ import annotations

import os
import sys
import threading
import warnings
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kept import HAM, NOTE, OPEN, WAITING
from tests.doubles.postgres import Server

from malafide.errors import BadSetting, BrokenStore, MissingExtra, UnknownName
from malafide.store import AuditFilter, CaseFilter, NewCase, Store, open_store
from malafide.store.queue import MOST_ATTEMPTS

DAY = timedelta(days=1)


class TestCases:
    def test_a_submitted_case_comes_back_whole(self, store: Store) -> None:
        id = store.submit(NOTE)
        found = store.case(id)
        assert found is not None
        assert (found.content, found.contract, found.waiting, found.labels) == (NOTE.content, {}, None, ())
        assert (found.line.state, found.line.name, found.line.who, found.line.size) == (
            "waiting", "note.eml", "ann", len(NOTE.content),
        )  # fmt: skip
        assert abs(found.line.submitted_at - datetime.now(UTC)) < timedelta(minutes=1)

    def test_a_judged_case_comes_back_with_its_ruling(self, store: Store) -> None:
        id = store.submit_judged(NOTE, OPEN)
        found = store.case(id)
        assert found is not None
        assert (found.contract, found.usage, found.waiting) == (OPEN.contract, OPEN.usage, WAITING)
        assert list(found.contract) == ["b", "a"]  # in the order the command line prints
        line = found.line
        assert (line.state, line.answer, line.score, line.is_open, line.money) == (
            "judged",
            "UNCERTAIN",
            0.5,
            True,
            0.25,
        )
        assert (line.case_id, line.subject, line.summary, line.attempt) == ("00aa", "Parcel", "Not sure.", 1)

    def test_the_same_message_twice_is_two_cases(self, store: Store) -> None:
        one, two = store.submit_many([NOTE, NOTE])
        assert one != two
        found = store.cases(CaseFilter(case_id=store.case(one).line.case_id))  # type: ignore[union-attr]
        assert {line.id for line in found.items} == {one, two}

    def test_an_unknown_id_is_none(self, store: Store) -> None:
        for id in ("", "c" + "0" * 20, "'; DROP TABLE cases; --", "a\x00b", "x" * 10_000, "\ud800"):
            assert store.case(id) is None

    def test_no_panel_of_that_name(self, store: Store) -> None:
        with pytest.raises(BadSetting, match="no panel 'mail'"):
            store.submit(replace(NOTE, panel="mail"))  # type: ignore[arg-type]

    @settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(
        st.binary(max_size=500), st.text(st.characters(), max_size=400), st.text(st.characters(), max_size=50)
    )
    def test_any_bytes_and_any_names_are_kept(
        self, store: Store, content: bytes, name: str, who: str
    ) -> None:
        id = store.submit_judged(NewCase("post", name, content, who), replace(HAM, summary=name, subject=who))
        found = store.case(id)
        assert found is not None
        assert found.content == content
        assert len(found.line.name) <= 300
        assert "\x00" not in found.line.name

    def test_a_large_body_is_kept_small_if_that_pays(self, store: Store) -> None:
        for body in (b"a" * 3_000_000, os.urandom(100_000), b""):
            found = store.case(store.submit(replace(NOTE, content=body)))
            assert found is not None
            assert found.content == body


class TestLists:
    def test_pages_go_from_new_to_old_and_miss_nothing(self, store: Store) -> None:
        ids = [store.submit_judged(NOTE, HAM) for _ in range(7)]
        seen, after = [], ""
        while True:
            page = store.cases(CaseFilter(most=3, after=after))
            seen += [line.id for line in page.items]
            after = page.next
            if not after:
                break
            store.submit(NOTE)  # what comes meanwhile moves no page
        assert seen == ids[::-1]

    def test_each_filter_narrows(self, store: Store) -> None:
        ham = store.submit_judged(NOTE, HAM)
        unsure = store.submit_judged(replace(NOTE, name="Rechnung_März.eml", batch="b1"), OPEN)
        waiting = store.submit(replace(NOTE, panel="document", name="paper.pdf"))
        store.label(ham, "ann", "genuine")
        now = datetime.now(UTC)
        table: list[tuple[dict[str, Any], set[str]]] = [
            ({}, {ham, unsure, waiting}),
            ({"panel": "spam"}, {ham, unsure}),
            ({"answer": "HAM"}, {ham}),
            ({"state": "waiting"}, {waiting}),
            ({"state": "failed"}, set()),
            ({"open": True}, {unsure}),
            ({"open": False, "state": "judged"}, {ham}),
            ({"labelled": True}, {ham}),
            ({"labelled": False}, {unsure, waiting}),
            ({"batch": "b1"}, {unsure}),
            ({"since": now - DAY}, {ham, unsure, waiting}),
            ({"since": now + DAY}, set()),
            ({"until": now - DAY}, set()),
            ({"text": "lunch"}, {ham}),
            ({"text": "LUN tomo"}, {ham}),
            ({"text": "rechnung"}, {unsure}),
            ({"text": "märz.eml"}, {unsure}),
            ({"text": "eml"}, {ham, unsure}),
            ({"text": "sure"}, {unsure}),
            ({"text": "unch"}, set()),
            ({"text": "'\"*:()&|!-^ NEAR lunch"}, set()),
            ({"text": "'\"*:()&|!-^ lunch"}, {ham}),
            ({"text": "'*"}, set()),
            ({"text": "   "}, {ham, unsure, waiting}),
            ({"text": "lunch", "panel": "document"}, set()),
        ]
        for chosen, expected in table:
            assert {line.id for line in store.cases(CaseFilter(**chosen)).items} == expected, chosen

    @settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(st.text(st.characters(), max_size=60))
    def test_no_search_breaks(self, store: Store, typed: str) -> None:
        store.cases(CaseFilter(text=typed, panel=typed, answer=typed, batch=typed, case_id=typed))

    def test_no_place_in_a_list(self, store: Store) -> None:
        for after in ("x", "-", "1", "f" * 60 + "-1", "f" * 16 + "-1", "1-zz", "-1-1"):
            with pytest.raises(BadSetting, match="no place in a list"):
                store.cases(CaseFilter(after=after))

    def test_open_cases_are_those_nobody_answered(self, store: Store) -> None:
        store.submit_judged(NOTE, HAM)
        store.submit_judged(NOTE, OPEN)
        newest = store.submit_judged(NOTE, OPEN)  # the same message once more is one question
        assert [(one.id, one.waiting) for one in store.open_cases()] == [(newest, WAITING)]
        given_label = store.label(newest, "ann", "deceptive")
        assert store.open_cases() == []
        store.unlabel(given_label, "ann")
        assert [one.id for one in store.open_cases()] == [newest]


class TestQueue:
    def test_claimed_judged_and_told(self, store: Store) -> None:
        first, second = store.submit_many([NOTE, replace(NOTE, name="two.eml")])
        claimed = store.claim("w1", 60, most=5)
        assert [(c.id, c.name, c.content, c.attempt) for c in claimed] == [
            (first, "note.eml", NOTE.content, 1), (second, "two.eml", NOTE.content, 1),
        ]  # fmt: skip
        assert store.claim("w2", 60) == []
        assert store.settle(first, "w1", HAM)
        assert not store.settle(first, "w1", HAM)
        assert store.fail(second, "w1", "cannot be read", final=True)
        found = [store.case(id) for id in (first, second)]
        assert [(f.line.state, f.line.error, f.contract) for f in found if f] == [
            ("judged", "", HAM.contract), ("failed", "cannot be read", {}),
        ]  # fmt: skip
        assert [line.id for line in store.cases(CaseFilter(text="lunch")).items] == [first]

    def test_what_a_dead_worker_held_goes_to_another_and_is_judged_once(self, store: Store) -> None:
        id = store.submit(NOTE)
        assert store.claim("dead", -1)
        (again,) = store.claim("alive", 60)
        assert (again.id, again.attempt) == (id, 2)
        assert not store.settle(id, "dead", OPEN)
        assert not store.fail(id, "dead", "late", final=True)
        assert store.settle(id, "alive", HAM)
        assert store.case(id).line.answer == "HAM"  # type: ignore[union-attr]

    def test_a_message_that_ends_every_worker_is_given_up(self, store: Store) -> None:
        id = store.submit(NOTE)
        for attempt in range(1, MOST_ATTEMPTS + 1):
            assert [c.attempt for c in store.claim(f"w{attempt}", -1)] == [attempt]
        assert store.claim("w", 60) == []
        found = store.case(id)
        assert found is not None
        assert found.line.state == "failed"
        assert "given up" in found.line.error

    def test_a_failure_that_may_pass_is_tried_again_so_often(self, store: Store) -> None:
        id = store.submit(NOTE)
        for attempt in range(1, MOST_ATTEMPTS + 1):
            assert [c.attempt for c in store.claim("w", 60)] == [attempt]
            assert store.fail(id, "w", "no answer", final=False)
        assert store.claim("w", 60) == []
        assert store.case(id).line.state == "failed"  # type: ignore[union-attr]

    def test_renewed_is_kept_and_released_is_as_before(self, store: Store) -> None:
        id = store.submit(NOTE)
        store.claim("w", -1)
        assert store.renew("w", 60) == 1
        assert store.claim("other", 60) == []
        assert store.release("w") == 1
        assert [(c.id, c.attempt) for c in store.claim("other", 60)] == [(id, 1)]

    def test_many_workers_get_each_case_once(self, database_url: str, store: Store) -> None:
        ids = store.submit_many([NOTE] * 60)
        got: list[str] = []

        def work(name: str) -> None:
            with open_store(database_url) as own:
                while claimed := own.claim(name, 60, most=3):
                    got.extend(c.id for c in claimed if own.settle(c.id, name, HAM))

        threads = [threading.Thread(target=work, args=(f"w{n}",)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert Counter(got) == Counter(ids)

    def test_threads_that_write_together_each_get_their_own(self, store: Store) -> None:
        made: dict[int, str] = {}
        refused: list[int] = []

        def work(n: int) -> None:
            if n % 5 == 0:
                try:
                    store.label("cnone", "ann", "genuine")
                except UnknownName:
                    refused.append(n)
                with pytest.raises(BrokenStore):  # no number: the database refuses it, and nobody else's
                    store.submit_judged(NOTE, replace(HAM, score=None))  # type: ignore[arg-type]
            made[n] = store.submit_judged(replace(NOTE, name=f"n{n}"), HAM)

        threads = [threading.Thread(target=work, args=(n,)) for n in range(40)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert sorted(refused) == list(range(0, 40, 5))
        assert {n: store.case(id).line.name for n, id in made.items()} == {n: f"n{n}" for n in range(40)}  # type: ignore[union-attr]


class TestLabels:
    def test_said_overruled_and_taken_back(self, store: Store) -> None:
        id = store.submit_judged(NOTE, HAM)
        first = store.label(id, "ann", "genuine")
        second = store.label(id, "bob", "deceptive", "it asked for a card")
        assert [(one.id, one.who, one.label, one.overruled) for one in store.labels(id)] == [
            (first, "ann", "genuine", False), (second, "bob", "deceptive", True),
        ]  # fmt: skip
        assert store.case(id).line.label == "deceptive"  # type: ignore[union-attr]
        gone = store.unlabel(second, "cy")
        assert (gone.case, gone.note, gone.undone_by) == (id, "it asked for a card", "cy")
        assert store.case(id).line.label == "genuine"  # type: ignore[union-attr]
        for no_label in (second, 0, -1, 10**30):
            with pytest.raises(UnknownName, match="taken back already"):
                store.unlabel(no_label, "cy")
        assert [(a.who, a.action, a.subject) for a in store.audit().items] == [
            ("cy", "unlabel", id), ("bob", "label", id), ("ann", "label", id),
        ]  # fmt: skip

    def test_an_open_answer_is_not_overruled(self, store: Store) -> None:
        id = store.submit_judged(NOTE, OPEN)
        store.label(id, "ann", "genuine")
        assert not store.labels(id)[0].overruled

    def test_refused(self, store: Store) -> None:
        with pytest.raises(UnknownName, match="no case 'c0'"):
            store.label("c0", "ann", "genuine")
        with pytest.raises(BadSetting, match="'spam' is no label"):
            store.label(store.submit(NOTE), "ann", "spam")  # type: ignore[arg-type]
        assert store.audit().items == ()


class TestBatches:
    def test_progress_and_rows_in_order(self, store: Store) -> None:
        id = store.new_batch("spam", "mails.mbox", "ann", 450)
        store.submit_many([replace(NOTE, batch=id, name=f"{n}.eml") for n in range(450)])
        for c in store.claim("w", 60, most=3):
            store.settle(c.id, "w", HAM)
        store.fail(store.claim("w", 60)[0].id, "w", "broken", final=True)
        found = store.batch(id)
        assert found is not None
        assert (found.submitted, found.judged, found.failed, found.done) == (450, 3, 1, False)
        assert found.answers == {"HAM": 3}
        rows = list(store.batch_rows(id))
        assert [row.line.name for row in rows] == [f"{n}.eml" for n in range(450)]
        assert [bool(row.contract) for row in rows[:5]] == [True, True, True, False, False]
        assert store.batches() == [found]
        assert store.batch("b0") is None


class TestSessions:
    def test_a_turn_is_saved_once(self, store: Store) -> None:
        begun = store.new_session("ann", {"messages": []})
        assert store.session(begun.id) == begun
        later = store.save_session(begun, {"messages": ["hello"]}, over=True)
        assert later is not None
        assert (later.turns, later.over, later.state) == (1, True, {"messages": ["hello"]})
        assert store.save_session(begun, {"messages": ["lost"]}, over=False) is None
        assert store.sessions() == [later]
        assert store.session("s0") is None

    def test_a_result_is_delivered_though_it_failed_first(self, store: Store) -> None:
        id = store.new_delivery("s1", "https://operator.example/hook", {"score": 1})
        (first,) = store.claim_deliveries(60)
        assert (first.id, first.body, first.attempts) == (id, {"score": 1}, 1)
        assert store.claim_deliveries(60) == []
        store.not_delivered(id, "refused", datetime.now(UTC) - DAY)
        (second,) = store.claim_deliveries(-1)
        assert (second.attempts, second.error) == (2, "refused")
        (third,) = store.claim_deliveries(60)  # whoever had it did not come back
        assert third.attempts == 3
        store.delivered(id)
        assert [(d.state, d.error) for d in store.deliveries("s1")] == [("delivered", "")]
        with pytest.raises(UnknownName):
            store.not_delivered(id, "again", None)


class TestTokens:
    def test_a_secret_opens_until_it_is_revoked(self, store: Store, database_url: str) -> None:
        token, secret = store.new_token("mail gateway", ("submit", "read"), 600, "ann")
        assert store.token_of(secret) == token
        assert (token.scopes, token.per_minute) == ({"submit", "read"}, 600)
        for wrong in (
            "",
            "mf_",
            secret[:-1],
            secret + "x",
            secret.upper(),
            "mf_" + "x" * 10_000,
            "mf_\ud800",
        ):
            assert store.token_of(wrong) is None
        revoked = store.revoke(token.id, "ann")
        assert revoked.revoked_at is not None
        assert store.token_of(secret) is None
        assert store.tokens() == [revoked]
        with pytest.raises(UnknownName):
            store.revoke(token.id, "ann")
        assert [a.action for a in store.audit().items] == ["token revoked", "token made"]
        if database_url.startswith("sqlite"):
            kept = b"".join(
                p.read_bytes() for p in Path(database_url.removeprefix("sqlite:///")).parent.iterdir()
            )
            assert secret.encode() not in kept

    def test_refused(self, store: Store) -> None:
        for name, scopes, per_minute in (
            ("a", (), 1),
            ("a", ("root",), 1),
            ("a", ("read",), 0),
            (" ", ("read",), 1),
        ):
            with pytest.raises(BadSetting):
                store.new_token(name, scopes, per_minute, "ann")  # type: ignore[arg-type]


class TestFigures:
    def test_counts_per_stretch(self, store: Store) -> None:
        pairs = [(NOTE, replace(HAM, elapsed_ms=float(n))) for n in range(1, 101)]
        ids = store.submit_many_judged([*pairs, (NOTE, replace(OPEN, elapsed_ms=1000.0))])
        store.label(ids[0], "ann", "deceptive")
        now = datetime.now(UTC)
        (count,) = store.counts(now - DAY, now + DAY, timedelta(days=3650))
        assert (count.number, count.answers) == (101, {"HAM": 100, "UNCERTAIN": 1})
        assert (count.p50_ms, count.p95_ms) == (51.0, 96.0)
        assert (round(count.agreement, 6), round(count.money, 6)) == (0.8, 25.25)
        assert (count.labelled, count.overruled, count.failed) == (1, 1, 0)
        assert store.counts(now - DAY, now + DAY, DAY, panel="post") == []
        with pytest.raises(BadSetting, match="too short"):
            store.counts(now - DAY, now, timedelta(seconds=1))

    def test_what_was_done_is_told_by_page(self, store: Store) -> None:
        for n in range(5):
            store.note("ann", "action", f"c{n}", "moved")
        store.note("bob", "action", "c1")
        page = store.audit(AuditFilter(who="ann", most=2))
        assert [a.subject for a in page.items] == ["c4", "c3"]
        assert [a.subject for a in store.audit(AuditFilter(who="ann", after=page.next)).items] == [
            "c2",
            "c1",
            "c0",
        ]
        assert [a.who for a in store.audit(AuditFilter(subject="c1")).items] == ["bob", "ann"]
        with pytest.raises(BadSetting):
            store.audit(AuditFilter(after="x"))


def test_no_address_of_a_database() -> None:
    for address in ("mysql://x:secret@host/y", "sqlite://", "sqlite:///", "store.sqlite"):
        with pytest.raises(BadSetting, match="no address of a database") as refused:
            open_store(address)
        assert "secret" not in str(refused.value)


def test_a_server_that_is_not_there_is_named_without_its_password() -> None:
    with pytest.raises(BrokenStore) as refused:
        open_store("postgresql://ann:secret@127.0.0.1:1/cases")
    assert "secret" not in str(refused.value)
    assert "127.0.0.1:1/cases" in str(refused.value)


def test_a_server_that_was_started_anew_is_found_again(postgres: Server) -> None:
    address = postgres.new_database()
    with open_store(address) as opened, open_store(postgres.url()) as other:
        id = opened.submit(NOTE)
        other._database.read(
            lambda c: c.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ?",
                (address.rpartition("/")[2].partition("?")[0],),
            ).fetchall()
        )
        assert opened.case(id) is not None
        assert opened.submit(NOTE)


def test_a_child_of_a_process_opens_its_own(store: Store) -> None:
    id = store.submit(NOTE)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python warns of threads, of which there are none that matter here
        child = os.fork()
    if child == 0:
        failed = 1
        try:
            failed = 0 if store.case(id) is not None and store.submit(NOTE) else 1
        finally:
            os._exit(failed)
    assert os.waitpid(child, 0)[1] == 0
    assert len(store.cases().items) == 2


def test_without_the_extra_one_line_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtra, match=r"pip install 'malafide\[postgres\]'"):
        open_store("postgresql://ann@127.0.0.1:1/cases")
