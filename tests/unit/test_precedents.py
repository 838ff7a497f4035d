"""The knowledge base: finds what is like, keeps only what people and data sets say, and forgets exactly."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from malafide.errors import BrokenStore, UnreadableInput
from malafide.intake import read_text
from malafide.knowledge.precedent_recall import recall, summary
from malafide.knowledge.precedent_record import Neighbour, Precedent, Provenance
from malafide.knowledge.precedents import Precedents, default_path

ANA = Provenance("person", "ana", "2026-03-01T10:00:00Z")
SET = Provenance("dataset", "mail.csv", "2026-02-01T00:00:00Z")
OWN = Provenance("verdict", "malafide", "2026-02-01T00:00:00Z")
PRIZE = (
    "Dear {0}, you have been selected as the winner of our yearly draw. To claim the sum of {1} dollars send "
    "your full name and bank details to our claims agent at http://{2}.example/claim before the week ends."
)
LUNCH = "Shall we have lunch with Bram on Thursday? I will book the table by the river if you like."


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Precedents]:
    made = Precedents(tmp_path / "precedents.sqlite")
    yield made
    made.close()


def labelled(case_id: str, label: str, text: str, given_by: Provenance = SET) -> Precedent:
    return Precedent(case_id, label, text, given_by)


def test_a_campaign_is_found_as_near_duplicate_and_vague_likeness_is_low(store: Precedents) -> None:
    store.store(labelled("prize", "spam", PRIZE.format("Omar", "500,000", "abc")))
    store.store(labelled("lunch", "ham", LUNCH))
    first, second = store.search(PRIZE.format("Lucia", "750,000", "xyz"))
    assert (first.case_id, first.label, first.near_duplicate) == ("prize", "spam", True)
    assert first.similarity > 0.85
    assert first.provenance == SET
    assert first.excerpt.startswith("Dear Omar, you have been selected")
    assert second.similarity < 0.2
    assert not second.near_duplicate


def test_the_same_text_has_similarity_one(store: Precedents) -> None:
    store.store(labelled("lunch", "ham", LUNCH))
    assert store.search(LUNCH)[0].similarity == pytest.approx(1.0, abs=0.002)


def test_a_greeting_in_common_is_no_near_duplicate(store: Precedents) -> None:
    store.store(labelled("short", "spam", "Hello my friend"))
    assert not store.search("Hello my friend")[0].near_duplicate


def spelled(number: int) -> str:
    return "".join("abcdefghij"[int(digit)] for digit in f"{number:05}")


def test_found_among_many_by_vector_and_by_words(store: Precedents) -> None:
    store.store_many(
        labelled(f"m{i}", "ham", f"note about {spelled(i * 7)} and {spelled(i * 13)}") for i in range(700)
    )
    store.store(labelled("prize", "spam", PRIZE.format("Omar", "500,000", "abc")))
    assert store.search(PRIZE.format("Eva", "20", "q"))[0].case_id == "prize"
    assert store.search(spelled(4797))[0].case_id == "m369"
    assert len(store.search("note", k=25)) == 25


def test_a_case_can_be_left_out(store: Precedents) -> None:
    store.store_many([labelled("a", "spam", LUNCH), labelled("b", "ham", LUNCH)])
    assert [one.case_id for one in store.search(LUNCH, leave_out="a")] == ["b"]


def test_panels_do_not_see_each_other(store: Precedents) -> None:
    store.store(Precedent("a", "scam", LUNCH, SET, panel="honeypot"))
    assert store.search(LUNCH) == []
    assert [one.label for one in store.search(LUNCH, panel="honeypot")] == ["scam"]


def test_own_verdicts_are_never_found_and_wait_for_a_label(store: Precedents) -> None:
    seen = Precedent("a", None, LUNCH, OWN)
    assert store.store(seen)
    assert not store.store(replace(seen, provenance=replace(OWN, when="2027")))
    assert store.search(LUNCH) == []
    assert store.unlabelled() == [seen]
    store.store(labelled("a", "ham", LUNCH, ANA))
    assert store.unlabelled() == []
    assert [one.label for one in store.search(LUNCH)] == ["ham"]


@pytest.mark.parametrize(("label", "given_by"), [("spam", OWN), (None, ANA), (None, SET), ("", ANA)])
def test_only_people_and_data_sets_label(label: str | None, given_by: Provenance) -> None:
    with pytest.raises(ValueError, match="label"):
        Precedent("a", label, LUNCH, given_by)


def test_the_file_itself_refuses_a_label_from_a_verdict(store: Precedents, tmp_path: Path) -> None:
    store.store(labelled("a", "ham", LUNCH))
    other = sqlite3.connect(tmp_path / "precedents.sqlite")
    with pytest.raises(sqlite3.IntegrityError):
        other.execute("UPDATE precedent SET how='verdict'")
    other.close()


def test_forgetting_restores_exactly_what_was_before(store: Precedents) -> None:
    store.store_many(
        [labelled("a", "spam", LUNCH), Precedent("a", None, LUNCH, OWN), labelled("b", "ham", "b b b")]
    )
    before, found = list(store.export()), store.search(LUNCH)
    assert store.store(labelled("a", "ham", LUNCH, ANA))
    assert store.store(labelled("c", "spam", LUNCH, ANA))
    assert {one.case_id: one.label for one in store.search(LUNCH)} == {"a": "ham", "b": "ham", "c": "spam"}
    assert store.stats().overruled == 1
    assert store.forget("c") == labelled("c", "spam", LUNCH, ANA)
    assert store.forget("a") == labelled("a", "ham", LUNCH, ANA)
    assert list(store.export()) == before
    assert store.search(LUNCH) == found
    assert store.forget("nobody") is None


def test_full_text_forgets_too(store: Precedents, tmp_path: Path) -> None:
    store.store(labelled("a", "spam", "zanzibar cloves"))
    store.forget("a")
    other = sqlite3.connect(tmp_path / "precedents.sqlite")
    assert other.execute("SELECT rowid FROM fulltext WHERE fulltext MATCH 'zanzibar'").fetchall() == []
    other.execute("INSERT INTO fulltext(fulltext) VALUES ('integrity-check')")
    other.close()


def test_the_same_label_again_is_not_new(store: Precedents) -> None:
    assert store.store(labelled("a", "spam", LUNCH))
    assert not store.store(labelled("a", "spam", LUNCH, replace(SET, when="2027-01-01T00:00:00Z")))
    assert store.store(labelled("a", "spam", LUNCH, ANA))


def test_reading_where_nothing_is_makes_nothing(tmp_path: Path) -> None:
    store = Precedents(tmp_path / "none" / "precedents.sqlite")
    assert store.search(LUNCH) == []
    assert list(store.export()) == []
    assert store.unlabelled() == []
    assert store.forget("a") is None
    assert store.stats().labels == {}
    assert not (tmp_path / "none").exists()


def test_default_path_is_in_the_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MALAFIDE_HOME", str(tmp_path))
    assert default_path() == tmp_path / "precedents.sqlite"


def test_a_file_that_is_none_is_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "precedents.sqlite"
    path.write_bytes(b"not a database, but long enough to look at" * 100)
    with pytest.raises(BrokenStore, match=r"precedents\.sqlite.*cannot be used"):
        Precedents(path).search(LUNCH)


def test_vectors_of_another_embedding_are_made_anew(store: Precedents, tmp_path: Path) -> None:
    store.store(labelled("a", "spam", LUNCH))
    other = sqlite3.connect(tmp_path / "precedents.sqlite")
    other.execute("UPDATE meta SET value='older' WHERE key='embedding'")
    other.execute("UPDATE measure SET vector=zeroblob(1024), runs=x''")
    other.execute("UPDATE sketch SET bits=zeroblob(128)")
    other.commit()
    other.close()
    assert Precedents(tmp_path / "precedents.sqlite").search(LUNCH)[0].similarity > 0.99


_names = st.text(min_size=1, max_size=5)
_texts = st.text(max_size=60)
_labelled = st.builds(
    Precedent,
    case_id=_names,
    label=st.sampled_from(["spam", "ham", "other"]),
    text=_texts,
    provenance=st.builds(Provenance, how=st.sampled_from(["dataset", "person"]), source=_names, when=_names),
    panel=st.sampled_from(["spam", "honeypot"]),
)
_seen = st.builds(Precedent, case_id=_names, label=st.none(), text=_texts, provenance=st.just(OWN))


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(_labelled | _seen, max_size=8), _labelled)
def test_export_and_import_round_trip_and_forget(precedents: list[Precedent], last: Precedent) -> None:
    with tempfile.TemporaryDirectory() as folder:
        one, two = Precedents(Path(folder) / "1.sqlite"), Precedents(Path(folder) / "2.sqlite")
        one.store_many(precedents)
        exported = list(one.export())
        assert two.import_(exported) == len(exported)
        assert list(two.export()) == exported
        assert two.import_(exported) == 0
        if two.store(last):
            assert list(two.export()) != exported
            two.forget(last.case_id, last.panel)
        assert list(two.export()) == exported
        one.close()
        two.close()


GOOD = {
    "case_id": "a",
    "label": "spam",
    "text": "t",
    "how": "person",
    "source": "ana",
    "when": "2026",
    "panel": "spam",
}


@pytest.mark.parametrize(
    "line",
    [
        "not json",
        "[]",
        json.dumps({**GOOD, "how": "guess"}),
        json.dumps({**GOOD, "how": "verdict"}),
        json.dumps({**GOOD, "label": 1}),
        json.dumps({**GOOD, "more": 1}),
        json.dumps({**GOOD, "case_id": ""}),
        "[" * 100_000,
    ],
)
def test_a_bad_line_is_refused_by_its_number(store: Precedents, line: str) -> None:
    with pytest.raises(UnreadableInput, match="line 2 is not a precedent"):
        store.import_([json.dumps(GOOD), line])


WRITER = """
import sys
from pathlib import Path
from malafide.knowledge.precedent_record import Precedent, Provenance
from malafide.knowledge.precedents import Precedents
store, name = Precedents(Path(sys.argv[1])), sys.argv[2]
print("ready", flush=True)
for i in range(int(sys.argv[3])):
    text = f"mail {name} {chr(97 + i % 26) * 3}{chr(97 + i // 26) * 4}"
    store.store(Precedent(f"{name}{i}", "spam", text, Provenance("dataset", name, "2026")))
    if i % 5 == 4:
        store.forget(f"{name}{i}")
"""


def writer(path: Path, name: str, rows: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), name, str(rows)], stdout=subprocess.PIPE, text=True
    )


def test_two_processes_write_while_a_third_reads(tmp_path: Path) -> None:
    path = tmp_path / "precedents.sqlite"
    running = [writer(path, "x", 100), writer(path, "y", 100)]
    reader = Precedents(path)
    while any(process.poll() is None for process in running):
        reader.search("mail x dddaaaa")
        time.sleep(0.02)
    assert [process.wait() for process in running] == [0, 0]
    assert reader.stats().labels == {"spam": 160}
    known = {one.case_id for one in reader.search("mail", k=100)} | {
        one.case_id for one in reader.search("y", k=100)
    }
    assert len(known) >= 100
    assert reader.search("mail y uuudddd")[0].case_id == "y98"


@pytest.mark.skipif(os.name == "nt", reason="there is no kill -9")
def test_a_killed_writer_leaves_a_readable_store(tmp_path: Path) -> None:
    path = tmp_path / "precedents.sqlite"
    process = writer(path, "x", 1_000_000)
    assert process.stdout is not None
    process.stdout.readline()
    deadline = time.monotonic() + 20
    store = Precedents(path)
    while store.stats().labels.get("spam", 0) < 20 and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    again = Precedents(path)
    number = again.stats().labels["spam"]
    assert number >= 20
    assert len(list(again.export())) == number
    assert again.store(labelled("after", "ham", LUNCH))
    assert again.search(LUNCH)[0].case_id == "after"
    check = sqlite3.connect(path)
    assert check.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    check.close()


def test_threads_share_one_store(store: Precedents) -> None:
    failures: list[BaseException] = []

    def work(name: str) -> None:
        try:
            for i in range(20):
                store.store(labelled(f"{name}{i}", "spam", f"mail {name} {i}"))
                store.search(f"mail {name} {i}")
        except BrokenStore as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert store.stats().labels == {"spam": 60}


def test_recall_says_what_precedents_say(store: Precedents) -> None:
    store.store_many(
        labelled(f"p{i}", "spam", PRIZE.format(n, "90", n)) for i, n in enumerate(("Eva", "Omar", "Li"))
    )
    store.store(labelled("lunch", "ham", LUNCH))
    found = recall(store, read_text(PRIZE.format("Noor", "75", "w")))
    assert len(found.near_duplicates) == 3
    assert found.spam_share == 1.0
    assert 0.8 < found.average_similarity <= 1.0
    assert found.sentence.startswith("Nearly the same as 3 earlier mails labelled spam, nearest 0.")
    assert "Dear " in found.sentence


def neighbour(label: str, similarity: float) -> Neighbour:
    return Neighbour(f"{label}{similarity}", label, similarity, similarity, similarity, 50, "Once upon", ANA)


@pytest.mark.parametrize(
    ("found", "share", "sentence"),
    [
        ([], 0.0, ""),
        ([neighbour("spam", 0.3)], 0.0, ""),
        ([neighbour("spam", 0.5)], 1.0, 'Like 1 earlier mail labelled spam, nearest 0.50: "Once upon"'),
        (
            [neighbour("ham", 0.9), neighbour("spam", 0.5)],
            0.087,
            "Nearly the same as 1 earlier mail labelled ham (1 labelled otherwise), "
            'nearest 0.90: "Once upon"',
        ),
    ],
)
def test_summary(found: list[Neighbour], share: float, sentence: str) -> None:
    summed = summary(found)
    assert summed.spam_share == pytest.approx(share, abs=0.001)
    assert summed.sentence == sentence


def test_nothing_of_numpy_is_imported_for_the_nouns() -> None:
    code = "import sys, malafide.knowledge.precedent_recall; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
