"""Learning, reviewing, correcting and forgetting as a user does it at the command line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from made_up import data_set, mail, write_csv
from malafide.doors.cli import app
from malafide.doors.commands import feedback as commands
from malafide.errors import BadSetting, UnknownName, UnreadableInput
from malafide.home import home
from malafide.knowledge.remembered import catalog_path

# Says nothing that any rule or any mail below knows, so nobody can tell what it is.
OPEN = """Subject: brolm vantik

Trundo melik vastor opren quandil, zerim poltha grevin usk lomar. Fentil drovak ysmer culdo brin tavok.
"""


def run(*arguments: str | Path, stdin: str = "") -> Result:
    return CliRunner().invoke(app, [str(a) for a in arguments], input=stdin, catch_exceptions=True)


def ok(*arguments: str | Path, stdin: str = "") -> Result:
    ran = run(*arguments, stdin=stdin)
    assert ran.exit_code == 0, (ran.output, ran.exception)
    return ran


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_csv(tmp_path / "mail.csv", data_set(30))


@pytest.fixture
def learned(data: Path) -> Path:
    ok("learn", "--dataset", data)
    return data


@pytest.fixture
def open_mail(tmp_path: Path) -> Path:
    path = tmp_path / "open.eml"
    path.write_text(OPEN, encoding="utf-8")
    return path


def score(path: Path) -> float:
    return float(json.loads(ok("classify", path, "--json").stdout)["final_score"])


def memory() -> tuple[bytes, str]:
    return catalog_path().read_bytes(), ok("precedents", "export").stdout


def test_learning_tells_what_it_learned(data: Path) -> None:
    ran = ok("learn", "--dataset", data)
    assert "Learned from 60 mails in " in ran.stdout
    assert "rests on 30 spam and 30 ham mails" in ran.stdout
    assert "calibrated on 60 held-out mails" in ran.stdout
    for title in ("Words of spam", "Words in a row of spam", "Words of wanted mail"):
        assert title in ran.stdout
    assert str(catalog_path()) in ran.stderr
    document = json.loads(catalog_path().read_text(encoding="utf-8"))
    assert {"spam_patterns", "ham_patterns", "few_shot_examples"} <= document.keys()
    assert json.loads(ok("precedents", "stats", "--json").stdout)["sources"] == {"dataset: mail.csv": 60}


def test_learning_from_folders_and_from_a_sample(tmp_path: Path) -> None:
    for label, spam in (("junk", True), ("good", False)):
        (tmp_path / label).mkdir()
        for n in range(20):
            (tmp_path / label / f"{n}.eml").write_bytes(mail(n, spam=spam))
    ran = ok("learn", "--spam", tmp_path / "junk", "--ham", tmp_path / "good", "--samples", 12, "--seed", 3)
    assert "rests on 6 spam and 6 ham mails" in ran.stdout
    again = ok("learn", "--spam", tmp_path / "junk", "--ham", tmp_path / "good")
    assert "Learned from 40 mails" in again.stdout
    assert "(12 of them known before)" in again.stdout
    assert json.loads(ok("precedents", "stats", "--json").stdout)["sources"] == {
        "dataset: good": 20,
        "dataset: junk": 20,
    }


def test_what_was_learned_shows_in_every_explanation(learned: Path, tmp_path: Path) -> None:
    (tmp_path / "new.eml").write_bytes(mail(900, spam=True))
    page = tmp_path / "report.html"
    told = ok("classify", tmp_path / "new.eml").stdout
    page_of = ok("classify", tmp_path / "new.eml", "--html", page)
    contract = json.loads(ok("classify", tmp_path / "new.eml", "--json").stdout)
    assert "SPAM" in page_of.stdout
    kinds = {e["kind"] for e in contract["malafide"]["evidence"]}
    assert "catalog.content-spam" in kinds
    assert kinds & {"precedents.same-spam", "precedents.like-spam"}
    flat = " ".join(told.split())
    for text in (flat, page.read_text(encoding="utf-8"), contract["detailed_reasoning"]):
        assert "learned phrases lean to spam" in text
        assert "pattern spam-" in text
        assert "earlier mails labelled spam" in text
    assert "(invisible characters)" not in told


def test_a_single_agent_knows_what_the_panel_knows(learned: Path, tmp_path: Path) -> None:
    (tmp_path / "new.eml").write_bytes(mail(900, spam=True))
    whole = json.loads(ok("classify", tmp_path / "new.eml", "--json").stdout)
    alone = json.loads(ok("agent", "content-analyzer", tmp_path / "new.eml", "--json").stdout)
    assert alone["spam_score"] == whole["agent_scores"]["content_analyzer"]


def test_the_catalog_is_shown_compared_exported_and_reset(learned: Path, tmp_path: Path) -> None:
    shown = ok("catalog", "show").stdout
    assert "Learned from 30 spam and 30 ham mails: mail.csv." in shown
    name = next(word for word in shown.split() if word.startswith("spam-")).rstrip(":")
    one = ok("catalog", "show", "--pattern", name).stdout
    assert one.startswith(name) and "Held in " in one and "Examples" in one
    kept = tmp_path / "kept.json"
    ok("catalog", "export", kept)
    assert kept.read_bytes() == catalog_path().read_bytes()
    assert ok("catalog", "diff", kept).stdout == ""
    document = json.loads(kept.read_text(encoding="utf-8"))
    document["spam_patterns"]["content_patterns"][0]["weight"] = 0
    kept.write_text(json.dumps(document), encoding="utf-8")
    differs = run("catalog", "diff", kept)
    assert differs.exit_code == 1
    assert differs.stdout == f"~ {name}: weight 1 here, 0 there\n"
    assert run("catalog", "reset", stdin="n\n").exit_code == 1
    assert catalog_path().exists()
    done = ok("catalog", "reset", "--yes")
    assert not catalog_path().exists()
    subprocess.run(done.stderr.partition("To undo: ")[2], shell=True, check=True)  # noqa: S602 - as it was told
    assert ok("catalog", "show").stdout == shown


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["catalog", "show"], "nothing was learned yet"),
        (["learn"], "there is no labelled mail"),
        (["learn", "--dataset", "none.csv"], "there is no 'none.csv'"),
        (["classify", "--text", "hello", "--catalog", "none.json"], "cannot read the catalog"),
    ],
)
def test_what_is_missing_is_named(arguments: list[str], error: str) -> None:
    ran = run(*arguments)
    assert isinstance(ran.exception, UnreadableInput)
    assert error in str(ran.exception)


def test_another_catalog_can_be_used(learned: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    document = json.loads(catalog_path().read_text(encoding="utf-8"))
    for group in (*document["spam_patterns"].values(), *document["ham_patterns"].values()):
        for pattern in group:
            pattern["weight"] = 0
    other.write_text(json.dumps(document), encoding="utf-8")
    (tmp_path / "new.eml").write_bytes(mail(900, spam=True))
    for command in (["classify"], ["agent", "content-analyzer"]):
        with_it = json.loads(ok(*command, tmp_path / "new.eml", "--json", "--catalog", other).stdout)
        without = json.loads(ok(*command, tmp_path / "new.eml", "--json").stdout)
        assert not any(e["found_by"] == "catalog" for e in with_it["malafide"]["evidence"])
        assert any(e["found_by"] == "catalog" for e in without["malafide"]["evidence"])


def test_an_open_case_is_reviewed_labelled_and_forgotten(learned: Path, open_mail: Path) -> None:
    before = memory()
    assert ok("classify", open_mail, "-q").stdout.startswith("▲ UNCERTAIN")
    assert memory() == before  # what malafide concluded teaches it nothing
    (row,) = json.loads(ok("review", "--json").stdout)
    case_id = row["case_id"]
    listed = ok("review").stdout
    assert listed.startswith(case_id) and "brolm vantik" in listed
    assert "ham, says ana" in ok("feedback", case_id, "ham", "--source", "ana").stderr
    assert "no mail waits" in ok("review").stderr
    told_ham = score(open_mail)
    assert "(before: ham, said ana)" in ok("feedback", open_mail, "spam", "--source", "bo").stderr
    assert told_ham < row["score"] < score(open_mail)
    assert "bo no longer says spam" in ok("forget", case_id).stderr
    assert "ana no longer says ham" in ok("forget", open_mail).stderr
    assert memory() == before
    assert json.loads(ok("review", "--json").stdout)[0]["case_id"] == case_id


def test_a_mail_of_the_data_set_can_be_forgotten(learned: Path, tmp_path: Path) -> None:
    line = json.loads(ok("precedents", "export").stdout.splitlines()[0])
    assert "learned again without it" in ok("forget", line["case_id"]).stderr
    assert line["case_id"] not in ok("precedents", "export").stdout
    assert (
        "29 spam and 30 ham" in ok("catalog", "show").stdout
        or "30 spam and 29 ham" in ok("catalog", "show").stdout
    )


def test_a_burst_is_held_listed_and_confirmed(tmp_path: Path) -> None:
    for n in range(21):
        (tmp_path / f"{n}.eml").write_bytes(mail(n, spam=True))
        last = ok("feedback", tmp_path / f"{n}.eml", "spam", "--source", "bot")
    assert "HELD: 21 labels of bot" in last.stderr
    assert ok("precedents", "export").stdout == ""
    assert len(ok("review", "--held").stdout.splitlines()) == 21
    assert len(json.loads(ok("review", "--held", "--json").stdout)) == 21
    assert "21 labels of bot count now" in ok("feedback", "--confirm", "bot").stderr
    assert len(ok("precedents", "export").stdout.splitlines()) == 21
    assert ok("review", "--held").stdout == "no labels are held\n"
    assert isinstance(run("feedback", "--discard", "bot").exception, UnknownName)


def test_a_person_at_the_terminal_is_asked(
    learned: Path, open_mail: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ok("classify", open_mail, "-q")
    ok("classify", "--text", OPEN.replace("tavok", "tavik"), "-q")
    monkeypatch.setattr(commands, "_someone_there", lambda: True)
    asked = ok("review", "--source", "ana", stdin="k\nx\ns\n")
    assert "1 of 2" in asked.stdout and "2 of 2" in asked.stdout
    assert "1 other waiting mail is like it" in asked.stdout
    assert asked.stderr.count("spam, says ana") == 1
    assert "1 of 1" in ok("review", stdin="q\n").stdout
    assert json.loads(ok("precedents", "stats", "--json").stdout)["sources"]["person: ana"] == 1


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        (["feedback"], BadSetting),
        (["feedback", "x"], BadSetting),
        (["feedback", "x", "ham", "--confirm", "y"], BadSetting),
        (["feedback", "nowhere.eml", "ham"], UnknownName),
        (["forget", "nowhere.eml"], UnknownName),
        (["feedback", "--confirm", "nobody"], UnknownName),
        (["catalog", "show", "--pattern", "x"], UnreadableInput),
    ],
)
def test_refusals(arguments: list[str], kind: type[Exception]) -> None:
    assert isinstance(run(*arguments).exception, kind)


def test_own_verdicts_are_no_data_set(learned: Path, tmp_path: Path) -> None:
    before = memory()
    for n in range(6):
        (tmp_path / f"s{n}.eml").write_bytes(mail(900 + n, spam=True))
        (tmp_path / f"h{n}.eml").write_bytes(mail(900 + n, spam=False))
    verdicts = tmp_path / "verdicts.jsonl"
    verdicts.write_text(
        ok("classify", *sorted(tmp_path.glob("?[0-9].eml")), "--json").stdout, encoding="utf-8"
    )
    ok("validate", "--dataset", learned, "--out", tmp_path / "out")
    for file in (verdicts, tmp_path / "out" / "classifications.jsonl"):
        ran = run("learn", "--dataset", file)
        assert "verdicts of malafide's own" in str(ran.exception), file
    named = run(
        "learn", "--dataset", verdicts, "--label-column", "final_classification", "--text-column", "summary"
    )
    assert "verdicts of malafide's own" in str(named.exception)
    assert memory() == before


def test_classifying_goes_on_where_nothing_can_be_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("MALAFIDE_HOME", str(tmp_path / "file" / "home"))
    for n in range(3):
        (tmp_path / f"{n}.eml").write_bytes(mail(n, spam=True))
    ran = ok("classify", *sorted(tmp_path.glob("*.eml")), "-q")
    assert len(ran.stdout.splitlines()) == 3
    assert ran.stderr.count("verdicts are not logged") == 1


def test_classifying_is_logged_and_the_python_api_writes_nothing(open_mail: Path) -> None:
    from malafide import SpamClassifier

    SpamClassifier().classify(OPEN)
    assert not home().exists()
    ok("classify", open_mail, "-q")
    assert (
        json.loads((home() / "logs" / "classifications.jsonl").read_text())["classification"] == "UNCERTAIN"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_an_interrupted_lesson_leaves_the_old_catalog(learned: Path, tmp_path: Path) -> None:
    before = memory()
    more = write_csv(tmp_path / "more.csv", data_set(400, first=100))
    command = [sys.executable, "-m", "malafide", "learn", "--dataset", str(more)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as learner:
        while not (home() / "learning.lock").read_text().endswith(f"{learner.pid})\n"):
            time.sleep(0.02)
        os.kill(learner.pid, signal.SIGINT)
        assert learner.wait(60) != 0
    assert memory() == before


@pytest.mark.parametrize("how", [["--split", "0.3"], ["--time-ordered"]])
def test_validation_learns_apart_from_what_is_known(how: list[str], data: Path, tmp_path: Path) -> None:
    ran = ok("validate", "--dataset", data, "--out", tmp_path / "out", "--json", *how)
    figures = json.loads(ran.stdout)
    assert figures["cases"] == (18 if how[0] == "--split" else 48)
    rows = [
        json.loads(line) for line in (tmp_path / "out" / "classifications.jsonl").read_text().splitlines()
    ]
    seen = {kind for row in rows for kind in row["malafide"]["patterns"]}
    assert {"catalog.content-spam", "catalog.content-ham"} <= seen
    assert any(kind.startswith("precedents.") for kind in seen)
    assert figures["accuracy"] > 0.9
    assert not home().exists()


def test_validation_uses_what_is_known_and_says_when_that_flatters(learned: Path, tmp_path: Path) -> None:
    fresh = write_csv(tmp_path / "fresh.csv", data_set(10, first=200))
    ran = ok("validate", "--dataset", fresh, "--out", tmp_path / "out", "--json")
    assert "learned from before" not in ran.stderr
    rows = (tmp_path / "out" / "classifications.jsonl").read_text()
    assert "catalog.content-spam" in rows
    same = ok("validate", "--dataset", learned, "--out", tmp_path / "out", "--json")
    assert "60 of these mails were learned from before, and flatter the figures." in same.stderr
    other = run("validate", "--dataset", learned, "--catalog", catalog_path(), "--split", "0.3")
    assert isinstance(other.exception, BadSetting)
