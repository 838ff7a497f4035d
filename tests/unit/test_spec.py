"""Agent specs: front matter that is exact, or an error."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import malafide.panel.agents
from malafide.errors import BadSetting
from malafide.learning.describing import LEARNER
from malafide.minds.reports import FORMS
from malafide.panel.council import CONSENSUS
from malafide.panel.spec import parse_spec

GOOD = "---\nname: x\ndescription: d\ntools: a, b\nmodel: inherit\n---\n\nLook closely.\n"


def test_a_spec_is_read() -> None:
    spec = parse_spec(GOOD, "x.md")
    assert (spec.name, spec.tools, spec.model, spec.prompt) == ("x", ("a", "b"), "inherit", "Look closely.")


@pytest.mark.parametrize(
    "text",
    [
        GOOD.replace("tools:", "tool:"),
        GOOD.replace("model: inherit\n", ""),
        GOOD.replace("name: x", "name: x\ncolour: red"),
        GOOD.replace("---\n\nLook", "\nLook"),
        GOOD.replace("Look closely.", ""),
        "no front matter",
    ],
)
def test_a_misspelt_spec_is_refused(text: str) -> None:
    with pytest.raises(BadSetting, match=r"x\.md"):
        parse_spec(text, "x.md")


@pytest.mark.parametrize(
    "file", sorted(Path(malafide.panel.agents.__path__[0]).glob("*.md")), ids=lambda f: f.stem
)
def test_every_spec_that_ships_is_one_for_claude_code_too(file: Path) -> None:
    spec = parse_spec(file.read_text(encoding="utf-8"), file.name)
    assert spec.name == file.stem.replace("_", "-") and re.fullmatch(r"[a-z]+(-[a-z]+)*", spec.name)
    assert spec.description and spec.model == "inherit"


def test_a_model_can_be_named_for_every_agent_of_the_spam_panel() -> None:
    assert {*FORMS, CONSENSUS, LEARNER} == {
        "content-analyzer", "pattern-recognizer", "intent-analyzer", "consensus-agent", "pattern-learner",
    }  # fmt: skip
