"""`malafide bench`: the same mails each time, every stage timed, runs that can be kept and compared."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from malafide.doors.cli import app
from malafide.errors import BadSetting, UnreadableInput
from malafide.intake import read_bytes
from malafide.measure.bench_words import bench_lines
from malafide.measure.flame import flame
from malafide.measure.made_mail import made_mail, made_mails
from malafide.measure.stages import GROUPS, Bench, from_json, measure
from malafide.tools import tools

RUN = Bench(
    version="1.0", input="abc", mails=10, size=2_000, rate=400.0, p50=2.0, p95=5.0, p99=9.0, memory=120.0,
    yardstick=0.1,
    stages={"intake": 500.0, "rules": 400.0, "tools/links": 300.0, "tools/bait": 100.0, "witnesses/absence": 5.0,
            "panel/content-analyzer": 50.0, "consensus": 20.0, "render": 25.0},
)  # fmt: skip


def test_made_mails_are_the_same_each_time_and_of_many_kinds() -> None:
    assert list(made_mails(30)) == list(made_mails(30))
    assert made_mail(3) != made_mail(3, seed=2)
    cases = [read_bytes(data) for data in made_mails(30)]
    assert all(case.mail is not None and case.mail.sender is not None for case in cases)
    assert any(case.mail and case.mail.html for case in cases)
    assert any(case.mail and not case.mail.html for case in cases)
    assert not any(case.limitations for case in cases)


def test_every_stage_is_timed() -> None:
    seen = measure(list(made_mails(5)))
    assert seen.mails == 5
    assert seen.rate > 0
    assert 0 < seen.p50 <= seen.p95 <= seen.p99
    assert {f"tools/{name}" for name in tools.names()} <= set(seen.stages)
    assert {stage.partition("/")[0] for stage in seen.stages} == set(GROUPS)
    assert sum(map(seen.group, GROUPS)) == pytest.approx(sum(seen.stages.values()))
    assert from_json(json.loads(json.dumps(seen.as_json()))) == seen


def test_what_cannot_be_read_is_not_counted() -> None:
    assert measure([made_mail(1), b"\x89PNG\r\n\x1a\n" + b"\0" * 50]).mails == 1
    with pytest.raises(UnreadableInput, match="none of the mails"):
        measure([b"  "])


def test_changes_are_told_in_units_of_the_yardstick() -> None:
    twice_as_slow_a_machine = dataclasses.replace(
        RUN, rate=200.0, yardstick=0.2, stages={name: 2 * us for name, us in RUN.stages.items()} | {"rules": 400.0}
    )  # fmt: skip
    lines = bench_lines(twice_as_slow_a_machine, RUN)
    changes = {line.split()[0]: line.split()[-1] for line in lines if line.endswith("%")}
    assert changes["intake"] == "+0%"
    assert changes["rules"] == "-50%"
    assert "at the same speed of the machine +0%" in lines[3]
    added = dataclasses.replace(RUN, stages=RUN.stages | {"tools/fresh": 1.0})
    assert next(line for line in bench_lines(added, RUN) if "fresh" in line).endswith("new")
    assert bench_lines(RUN)[0] == "10 mails of 2,000 bytes on average, one core: 400 a second"


def test_runs_on_other_mails_are_not_compared() -> None:
    with pytest.raises(BadSetting, match="other mails"):
        bench_lines(RUN, dataclasses.replace(RUN, input="xyz"))


@pytest.mark.parametrize("kept", [[], {}, {"version": "1"}, RUN.as_json() | {"stages": {"a": "b"}}])
def test_a_file_that_is_no_run_is_refused(kept: object) -> None:
    with pytest.raises(UnreadableInput, match="no run of"):
        from_json(kept)


def test_the_picture_shows_every_group_and_runs_nothing() -> None:
    picture = flame(dataclasses.replace(RUN, version="<1>"))
    tree = ElementTree.fromstring(picture)
    shown = [element.text or "" for element in tree.iter("{http://www.w3.org/2000/svg}title")]
    assert any(text.startswith("links, 300 us (21.4%)") for text in shown)
    assert any(text.startswith("rules, 400 us") for text in shown)
    assert "script" not in picture
    assert "href" not in picture
    widths = [float(bar.get("width", "0")) for bar in tree.iter("{http://www.w3.org/2000/svg}rect")]
    assert max(widths) <= 1200


def test_the_command_measures_keeps_compares_and_draws(tmp_path: Path) -> None:
    kept, drawn = tmp_path / "run.json", tmp_path / "run.svg"
    first = CliRunner().invoke(app, ["bench", "--mails", "3", "--save", str(kept), "--picture", str(drawn)])
    assert first.exit_code == 0, first.output
    assert "3 mails of" in first.output
    assert ElementTree.fromstring(drawn.read_text(encoding="utf-8")).tag.endswith("svg")
    again = CliRunner().invoke(app, ["bench", "--mails", "3", "--against", str(kept)])
    assert "against version" in again.output
    folder = tmp_path / "mails"
    folder.mkdir()
    for n in range(2):
        (folder / f"{n}.eml").write_bytes(made_mail(n))
    own = CliRunner().invoke(app, ["bench", str(folder), "--json"])
    assert json.loads(own.stdout)["mails"] == 2
    other = CliRunner().invoke(app, ["bench", str(folder), "--against", str(kept)])
    assert isinstance(other.exception, BadSetting)
    missing = CliRunner().invoke(app, ["bench", "--against", str(tmp_path / "none.json")])
    assert isinstance(missing.exception, UnreadableInput)
