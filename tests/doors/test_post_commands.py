"""`malafide post`, `credibility` and `learn --kind post` as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from selectolax.lexbor import LexborHTMLParser

from malafide.doors.cli import app

SIGNALS = {
    "post_id": "a",
    "nlp_signals": {"sentiment": "POSITIVE", "emotion": "joy", "clickbait": False},
    "source_signals": {
        "account_trust_score": 0.8,
        "source_reliability_score": 0.7,
        "behavioral_risk_flag": False,
    },
}
RAW = {
    "post_id": "raw <b>",
    "text": "You won't believe it: <script>alert(1)</script> \x1b[31m http://bbc-news.example/x",
}


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MALAFIDE_HOME", str(tmp_path / "home"))


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(a) for a in arguments])


def write(path: Path, document: object) -> Path:
    path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "document",
    [
        [SIGNALS],
        SIGNALS,
        {"a": {k: v for k, v in SIGNALS.items() if k != "post_id"}},
        f"{json.dumps(SIGNALS)}\n\n{{}}\n",
    ],
)
def test_all_forms_of_input_give_the_contract(tmp_path: Path, document: object) -> None:
    out = tmp_path / "agent_outputs.json"
    run("credibility", write(tmp_path / "posts.json", document), out)
    row = json.loads(out.read_text())["a"]
    assert list(row) == ["final_credibility_score", "agent_agreement_level", "reasoning_trace"]
    assert row["final_credibility_score"] == 0.635  # 0.35 x 0.6 + 0.25 x 0.5 + 0.4 x 0.75


def test_a_bad_post_is_a_row_and_the_rest_goes_on(tmp_path: Path) -> None:
    path = write(
        tmp_path / "posts.jsonl", f'{json.dumps(SIGNALS)}\nnot json\n{{"post_id": "c", "nlp_signals": 3}}\n'
    )
    result = run("credibility", path, "--details")
    rows = json.loads(result.stdout)
    assert result.exit_code == 1
    assert ["error" in row for row in rows.values()] == [False, True, True]
    assert rows["a"]["malafide"]["agent_weights"]["TextAgent"] == 0.35


def test_weights_and_rules_come_as_json_or_a_file(tmp_path: Path) -> None:
    path = write(tmp_path / "posts.json", SIGNALS)
    weights = write(tmp_path / "weights.json", {"TextAgent": 1, "ImageAgent": 0, "SourceAgent": 0})
    result = run("credibility", path, "--weights", weights, "--rules", '{"sentiment_positive": 0.3}')
    assert json.loads(result.stdout)["a"]["final_credibility_score"] == 0.7
    assert run("credibility", path, "--rules", "{").exception is not None


def test_a_raw_post_is_reported_safely(tmp_path: Path) -> None:
    path = write(tmp_path / "post.json", RAW)
    page = tmp_path / "report.html"
    result = run("post", path)
    assert result.exit_code == 0
    assert "\x1b[31m" not in result.stdout and "bbc-news[.]example" in result.stdout
    for part in (
        "The signals, and where they came from",
        "How the score is made",
        "What could not be judged",
    ):
        assert part in result.stdout
    assert run("post", path, "--html", page).exit_code == 0
    tree = LexborHTMLParser(page.read_text(encoding="utf-8"))
    assert not tree.css("script") and not tree.css("b b")
    assert tree.css(".mark.deceptive")


def test_text_json_and_failures(tmp_path: Path) -> None:
    row = next(
        iter(json.loads(run("post", "--text", "The bridge was closed in 2019.", "--json").stdout).values())
    )
    assert set(row) == {"final_credibility_score", "agent_agreement_level", "reasoning_trace"}
    path = write(tmp_path / "posts.jsonl", f'{json.dumps(RAW)}\n{{"post_id": "empty"}}\n')
    result = run("post", path, "--json", "--details")
    assert result.exit_code == 1
    rows = json.loads(result.stdout)
    assert "error" in rows["posts.jsonl:2"]
    assert {s["origin"] for s in rows["raw <b>"]["malafide"]["signals"]} == {"measured", "unknown"}
    assert run("post").exception is not None


def test_a_given_signal_that_is_wrong_is_a_row_and_the_rest_goes_on(tmp_path: Path) -> None:
    wrong = {"post_id": "w", "text": "Two trams.", "source_signals": {"account_trust_score": 7}}
    group = {"post_id": "g", "text": "Two trams.", "nlp_signals": 3}
    path = write(tmp_path / "posts.json", [RAW, wrong, group])
    result = run("post", path, "--json")
    rows = json.loads(result.stdout)
    assert result.exit_code == 1
    assert "account_trust_score is 7" in rows["w"]["error"]
    assert "nlp_signals is int" in rows["posts.json:3"]["error"]
    assert "final_credibility_score" in rows["raw <b>"]


def test_a_campaign_in_a_folder_is_seen(tmp_path: Path) -> None:
    for i in range(3):
        text = "The harbour bridge will be sold to a circus next week, says the mayor"
        write(
            tmp_path / f"{i}.json", {"post_id": str(i), "text": text, "account": {"screen_name": f"user{i}"}}
        )
    rows = json.loads(run("post", tmp_path, "--json").stdout)
    assert all(
        any("3 accounts of this batch" in line for line in row["reasoning_trace"]) for row in rows.values()
    )


def test_a_picture_that_cannot_be_read_is_said_and_unknown(tmp_path: Path) -> None:
    path = write(tmp_path / "post.json", {"text": "A photo of the bridge.", "image": "missing.jpg"})
    result = run("post", path, "--json", "--details")
    row = next(iter(json.loads(result.stdout).values()))
    assert any("missing.jpg" in line for line in row["malafide"]["limitations"])
    assert any("tampering unknown" in line for line in row["reasoning_trace"])


def test_learning_and_facts_from_the_command_line(tmp_path: Path) -> None:
    rows = "".join(
        f"elites hide miracle root {i},fake\nministry weekly figures update {i},real\n" for i in range(30)
    )
    table = write(tmp_path / "posts.csv", f"text,label\n{rows}")
    learned = run("learn", "--dataset", table, "--kind", "post")
    assert learned.exit_code == 0, learned.output
    assert "30 fake and 30 real posts" in learned.stdout
    told = run("post", "--text", "elites hide the miracle root of northbridge", "--json").stdout
    assert "learned words" in told or "labelled posts" in told
    entry = {"claim": "Hot lemon water cures the river fever", "rating": "false", "source": "Example Checks"}
    assert run("precedents", "import", write(tmp_path / "facts.jsonl", entry)).exit_code == 0
    told = run("post", "--text", "Hot lemon water cures the river fever.").stdout
    assert "contradicted" in told and "Example Checks" in told
