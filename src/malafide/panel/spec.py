"""Reads an agent's spec: one Markdown file with YAML front matter, in the layout of `.claude/agents/`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

import yaml

from malafide.errors import BadSetting, UnknownName

_FIELDS: Final = {"name", "description", "tools", "model"}


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """What the Markdown file says: front matter and the prompt."""

    name: str
    description: str
    tools: tuple[str, ...]
    model: str
    prompt: str


def parse_spec(text: str, where: str) -> AgentSpec:
    """A spec from the text of its file. A misspelt or missing field is an error, not a default."""
    opening, _, rest = text.partition("---\n")
    front, closing, prompt = rest.partition("\n---\n")
    if opening.strip() or not closing:
        raise BadSetting(f"{where}: an agent spec starts with front matter between two lines of '---'")
    fields = yaml.safe_load(front)
    if not isinstance(fields, dict) or set(fields) != _FIELDS:
        raise BadSetting(
            f"{where}: front matter has {sorted(fields or ())}, expected exactly {sorted(_FIELDS)}"
        )
    if not prompt.strip():
        raise BadSetting(f"{where}: the prompt is empty")
    tools = tuple(t.strip() for t in str(fields["tools"]).split(",") if t.strip())
    return AgentSpec(
        str(fields["name"]), str(fields["description"]), tools, str(fields["model"]), prompt.strip()
    )


@cache
def agent_spec(name: str) -> AgentSpec:
    """The spec of a built-in agent or voter."""
    for package in ("malafide.panel.agents", "malafide.panel.voters", "malafide.panel.document"):
        file = resources.files(package) / f"{name.replace('-', '_')}.md"
        if file.is_file():
            return parse_spec(file.read_text(encoding="utf-8"), file.name)
    raise UnknownName(f"there is no agent spec {name!r}")
