"""Agent specs: front matter that is exact, or an error."""

from __future__ import annotations

import pytest

from malafide.errors import BadSetting
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
