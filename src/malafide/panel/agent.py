"""What an agent is, and the registry that finds them.

An agent is one Python file in `panel/agents` with its Markdown spec beside it; nothing else lists it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from malafide.evidence import Evidence
from malafide.opinion import Abstention, Opinion, Vote
from malafide.registry import Registry

Think = Callable[[Sequence[Evidence]], Opinion | Abstention]


@dataclass(frozen=True, slots=True)
class Agent:
    """A member of the panel. `think` is its offline reasoning over the evidence; it never sees another's answer."""

    name: str
    think: Think


agents: Registry[Agent] = Registry("malafide.panel.agents", "agent")


def agent(name: str) -> Callable[[Think], Think]:
    """Registers the function as the offline reasoning of the agent of that name."""

    def register(function: Think) -> Think:
        agents.add(name, Agent(name, function))
        return function

    return register


Cast = Callable[[Sequence[Evidence]], Vote | Abstention]


@dataclass(frozen=True, slots=True)
class Voter:
    """A member of a panel that counts votes: the same as an agent, but its answer is a vote."""

    name: str
    think: Cast


voters: Registry[Voter] = Registry("malafide.panel.voters", "voter")


def voter(name: str) -> Callable[[Cast], Cast]:
    """Registers the function as the offline reasoning of the voter of that name."""

    def register(function: Cast) -> Cast:
        voters.add(name, Voter(name, function))
        return function

    return register
