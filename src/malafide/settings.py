"""What the user chose, from the settings file, then the environment, then flags: each overrules the one before.

The file is `settings.toml` in the home folder; the variables begin with MALAFIDE_. docs/models.md lists them all.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final, Literal, get_args

from malafide.errors import BadSetting
from malafide.home import home

# The current Claude Sonnet. Its predecessor claude-sonnet-4-5 ends on 2026-11-30.
DEFAULT_MODEL: Final = "anthropic:claude-sonnet-5-5"
FILE_NAME: Final = "settings.toml"
SERVICE_SECTION: Final = "service"

Escalate = Literal["never", "uncertain", "always"]
Share = Literal["full", "redacted", "headers-and-links"]


@dataclass(frozen=True, slots=True)
class Caps:
    """Hard upper bounds; None is no bound."""

    calls: float | None = None
    tokens: float | None = None  # input and output together
    money: float | None = None  # US dollars
    seconds: float | None = None


# Three agents and the consensus are four calls; each of the agents may need a second attempt.
PER_CASE: Final = Caps(calls=7, tokens=100_000, seconds=90)


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens."""

    input: float
    output: float
    cached: float | None = None  # input read from the provider's cache; None: as other input


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything a user may choose about models. No model named: nothing is ever sent."""

    model: str = ""
    agents: Mapping[str, str] = field(default_factory=dict)  # a model of its own for an agent
    escalate: Escalate = "uncertain"
    share: Share = "full"
    case: Caps = PER_CASE
    run: Caps = Caps()
    prices: Mapping[str, Price] = field(default_factory=dict)  # for models whose price is not known here
    concurrency: int = 4  # calls at the same time
    per_minute: int = 0  # calls a minute; 0 is no limit
    cache: bool = True  # keep answers, to not ask the same twice

    @property
    def thinks(self) -> bool:
        """Whether any agent is to think with a model."""
        return self.escalate != "never" and bool(self.model or self.agents)


_CAPS: Final = tuple(f.name for f in fields(Caps))
_CHOICES: Final = {"escalate": get_args(Escalate), "share": get_args(Share)}


def load(environ: Mapping[str, str] = os.environ, file: Path | None = None) -> Settings:
    """The settings of the file and the environment."""
    path = file or home() / FILE_NAME
    settings = Settings()
    if path.is_file():
        settings = _from_file(path)
    for name, value in sorted(environ.items()):
        key = name.removeprefix("MALAFIDE_").lower()
        if name.startswith("MALAFIDE_") and key in _VARIABLES and value:
            settings = with_value(
                settings, key.replace("_", ".", 1) if key in _CAP_KEYS else key, value, name
            )
    return settings


def _from_file(path: Path) -> Settings:
    settings = Settings()
    for key, value in read_document(path).items():
        where = f"{path.name}: {key}"
        if key in ("case", "run") and isinstance(value, dict):
            for cap, bound in value.items():
                settings = with_value(settings, f"{key}.{cap}", bound, f"{where}.{cap}")
        elif key == "agents" and isinstance(value, dict):
            settings = replace(settings, agents={str(k): str(v) for k, v in value.items()})
        elif key == "prices" and isinstance(value, dict):
            settings = replace(settings, prices={k: _price(v, f"{where}.{k}") for k, v in value.items()})
        elif key in _VARIABLES and key not in _CAP_KEYS:
            settings = with_value(settings, key, value, where)
        elif key == SERVICE_SECTION:
            continue  # read by the service
        else:
            known = sorted({f.name for f in fields(Settings)})
            raise BadSetting(f"{where}: there is no such setting; there are {', '.join(known)}")
    return settings


def read_document(path: Path) -> dict[str, Any]:
    """The settings file as it is written."""
    import tomllib

    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadSetting(f"cannot read the settings in {str(path)!r}: {error}") from None


def _price(value: Any, where: str) -> Price:
    try:
        return Price(**{k: _number(v, f"{where}.{k}") for k, v in dict(value).items()})
    except (TypeError, ValueError):
        raise BadSetting(
            f"{where}: a price has input and output, may have cached, and is {value!r}"
        ) from None


def with_value(settings: Settings, key: str, value: Any, where: str) -> Settings:
    """The settings with one value changed; `case.calls` and the like name a cap. `where` is for the refusal."""
    scope, dot, cap = key.partition(".")
    if dot:
        if scope not in ("case", "run") or cap not in _CAPS:
            known = ", ".join(f"{s}.{c}" for s in ("case", "run") for c in _CAPS)
            raise BadSetting(f"{where}: there is no cap {key!r}; there are {known}")
        caps: Caps = replace(getattr(settings, scope), **{cap: _number(value, where)})
        return replace(settings, case=caps) if scope == "case" else replace(settings, run=caps)
    if key in _CHOICES and value not in _CHOICES[key]:
        raise BadSetting(f"{where}: {value!r} is not one of {', '.join(_CHOICES[key])}")
    if key == "cache":
        value = _flag(value, where)
    elif key in ("concurrency", "per_minute"):
        value = int(_number(value, where))
        if key == "concurrency" and value < 1:
            raise BadSetting(f"{where}: at least one call must be possible at a time, not {value}")
    changed: dict[str, Any] = {key: str(value) if key == "model" else value}
    return replace(settings, **changed)


def with_caps(settings: Settings, caps: Iterable[str]) -> Settings:
    """With caps as written on the command line: `case.calls=3`, `run.money=2.50`."""
    for cap in caps:
        key, equals, value = cap.partition("=")
        if not equals or "." not in key:
            raise BadSetting(f"--cap {cap!r}: write it like case.calls=3 or run.money=2.50")
        settings = with_value(settings, key.strip(), value.strip(), f"--cap {cap}")
    return settings


def _number(value: Any, where: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = -1.0
    if isinstance(value, bool) or not 0.0 <= number <= sys.float_info.max:
        raise BadSetting(f"{where}: {value!r} is not a number of zero or more")
    return number


def _flag(value: Any, where: str) -> bool:
    known = {True: True, False: False, "true": True, "1": True, "false": False, "0": False}
    if value not in known:
        raise BadSetting(f"{where}: {value!r} is neither true nor false")
    return known[value]


_CAP_KEYS: Final = frozenset(f"{scope}_{cap}" for scope in ("case", "run") for cap in _CAPS)
_VARIABLES: Final = (
    frozenset(("model", "escalate", "share", "concurrency", "per_minute", "cache")) | _CAP_KEYS
)
