"""The README does not lie: its commands run, and what it shows is what they print."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    words = shlex.split(command)
    assert words[0] == "malafide"
    report = [str(folder / w) if w.endswith(".html") else w for w in words[1:]]
    surroundings = os.environ | {
        "COLUMNS": "100",
        "MALAFIDE_HOME": str(folder / "home"),
        "PYTHONIOENCODING": "utf-8",
    }
    return subprocess.run(
        [sys.executable, "-m", "malafide", *report],
        cwd=ROOT, env=surroundings, capture_output=True, encoding="utf-8", timeout=120, check=False,
    )  # fmt: skip


COMMANDS = [line for block in blocks("sh") for line in block.splitlines() if line.startswith("malafide ")]


def test_there_are_commands_to_try() -> None:
    assert len(COMMANDS) >= 8


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_works(command: str, tmp_path: Path) -> None:
    done = run(command, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() or any(tmp_path.iterdir())


def test_the_transcript_is_what_is_printed(tmp_path: Path) -> None:
    for block in blocks("console"):
        command, _, shown = block.partition("\n")
        printed = run(command.removeprefix("$ "), tmp_path).stdout
        assert [line.rstrip() for line in printed.strip("\n").splitlines()] == shown.strip("\n").splitlines()


def test_every_link_leads_somewhere() -> None:
    targets = re.findall(r"\]\(([^)#]+)\)", README)
    assert targets and all((ROOT / target).exists() for target in targets), targets


def test_the_python_example_runs() -> None:
    (code,) = blocks("python")
    seen: dict[str, object] = {}
    exec(code.replace('open("', f'open("{ROOT}/'), seen)  # noqa: S102
    assert seen["result"]["final_classification"] == "SPAM"  # type: ignore[index]
