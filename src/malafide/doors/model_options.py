"""The options about language models, the same for every command that may ask one; and the settings they come to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from malafide.errors import BadSetting

if TYPE_CHECKING:
    from malafide.knowledge.remembered import Knowledge
    from malafide.minds.budget import Budget
    from malafide.panel.council import Council
    from malafide.settings import Settings

_OPTIONS = (
    click.option(
        "--model", metavar="NAME", help="Think with a language model, as in anthropic:claude-sonnet-5-5."
    ),
    click.option(
        "--agent-model", multiple=True, metavar="AGENT=NAME", help="A model of its own for one agent."
    ),
    click.option(
        "--escalate",
        type=click.Choice(["never", "uncertain", "always"]),
        help="Which mail the model is asked about; by default what is uncertain without it.",
    ),
    click.option(
        "--share",
        type=click.Choice(["full", "redacted", "headers-and-links"]),
        help="How much of a mail the model is shown; by default all of it.",
    ),
    click.option(
        "--cap",
        multiple=True,
        metavar="CAP=N",
        help="A hard cap: case.calls=3, run.money=2.50, run.seconds=600...",
    ),
)


def model_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options; the command is given `settings`, made from them, the environment and the settings file."""

    @wraps(command)
    def with_settings(**given: Any) -> None:
        chosen = {name: given.pop(name) for name in ("model", "agent_model", "escalate", "share", "cap")}
        command(**given, settings=_settings(**chosen))

    wrapped: Callable[..., None] = with_settings
    for option in reversed(_OPTIONS):
        wrapped = option(wrapped)
    return wrapped


def _settings(
    model: str | None,
    agent_model: tuple[str, ...],
    escalate: str | None,
    share: str | None,
    cap: tuple[str, ...],
) -> Settings:
    from malafide.settings import load, with_caps, with_value

    settings = load()
    for key, value in (("model", model), ("escalate", escalate), ("share", share)):
        if value is not None:
            settings = with_value(settings, key, value, f"--{key}")
    for named in agent_model:
        agent, equals, name = named.partition("=")
        if not equals or not name:
            raise BadSetting(f"--agent-model {named!r}: write it like intent-analyzer={'NAME'}")
        settings = replace(settings, agents={**settings.agents, agent: name})
    return with_caps(settings, cap)


def council_of(settings: Settings, knowledge: Knowledge, run: Budget | None = None) -> Council | None:
    """The models that the settings name, made ready; None when there are none to ask. `run` is of a run under way."""
    if not settings.thinks:
        return None
    from malafide.panel.council import Council

    return Council(settings, knowledge.catalog, run=run)
