"""Case in, evidence out. One function is one tool; a file here that uses `@tool` is found by itself.

@tool("links")
def links(case: Case) -> list[Evidence]:
    \"\"\"Where the links lead, and how they are dressed.\"\"\"
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from malafide.case import Case
from malafide.evidence import Evidence
from malafide.registry import Registry

ToolFunction = Callable[[Case], list[Evidence]]


@dataclass(frozen=True, slots=True)
class Tool:
    """A named way to look at a case. The sentence is the first line of the function's docstring."""

    name: str
    sentence: str
    run: ToolFunction


tools: Registry[Tool] = Registry("malafide.tools", "tool")


def tool(name: str) -> Callable[[ToolFunction], ToolFunction]:
    """Registers the function as the evidence tool of that name."""

    def register(function: ToolFunction) -> ToolFunction:
        sentence = (function.__doc__ or "").strip().splitlines()[0]
        tools.add(name, Tool(name, sentence, function))
        return function

    return register
