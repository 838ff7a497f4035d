"""What the operator chose about the service: the section [service] of the settings file, the environment, flags.

Variables begin with MALAFIDE_SERVICE_; docs/service.md lists every setting.
"""

from __future__ import annotations

import ipaddress
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from malafide.errors import BadSetting
from malafide.home import home
from malafide.limits import MAX_INPUT_BYTES
from malafide.settings import FILE_NAME, SERVICE_SECTION, Caps, Settings, load, read_document

_PREFIX: Final = "MALAFIDE_SERVICE_"
_SECRET: Final = 16  # characters that a secret has at least


@dataclass(frozen=True, slots=True)
class Callback:
    """Where the final assessment of an engagement is posted. Only the operator names addresses."""

    url: str
    secret: str = ""  # signs what is posted; not shown anywhere

    def __repr__(self) -> str:
        return f"Callback({self.url!r})"


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """How the service runs."""

    host: str = "127.0.0.1"
    port: int = 8300
    database: str = ""  # empty: SQLite in the home folder
    judges: int = 0  # judge processes; 0: one for each core
    hosts: tuple[str, ...] = ()  # further names it is reached by, as behind a proxy
    proxies: tuple[str, ...] = ()  # addresses whose X-Forwarded headers are believed
    max_upload: int = MAX_INPUT_BYTES  # bytes of one input
    max_batch: int = 500_000_000  # bytes of one batch
    per_minute: int = 6_000  # requests of a token that names no number of its own
    case_seconds: float = 120.0  # that a judge may take for one case
    stop_seconds: int = 30  # that running requests are given at the end
    callbacks: Mapping[str, Callback] = field(default_factory=dict)
    models: Settings = field(default_factory=Settings)

    @property
    def on_loopback(self) -> bool:
        """Whether only this machine can ask."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def judge_processes(self) -> int:
        return self.judges or _cores()


def _cores() -> int:
    """The cores this process may use, which can be fewer than there are."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def shared(models: Settings, processes: int) -> Settings:
    """What each of several processes may spend on models, so that together they keep to what one may."""
    run = {f.name: getattr(models.run, f.name) for f in fields(Caps)}
    split = {
        name: bound if bound is None or name == "seconds" else bound / processes
        for name, bound in run.items()
    }
    return replace(
        models,
        run=Caps(**split),
        per_minute=max(1, models.per_minute // processes) if models.per_minute else 0,
        concurrency=max(1, models.concurrency // processes),
    )


_NUMBERS: Final[dict[str, tuple[type, float, float]]] = {
    "port": (int, 0, 65_535),
    "judges": (int, 0, 256),
    "max_upload": (int, 1, MAX_INPUT_BYTES),
    "max_batch": (int, 1, 10_000_000_000),
    "per_minute": (int, 1, 1_000_000),
    "case_seconds": (float, 1, 3_600),
    "stop_seconds": (int, 1, 3_600),
}
_LISTS: Final = ("hosts", "proxies")


def load_service(
    flags: Mapping[str, Any] | None = None,
    environ: Mapping[str, str] = os.environ,
    file: Path | None = None,
) -> ServiceSettings:
    """The settings of the file, then the environment, then `flags`: each overrules the one before."""
    path = file or home() / FILE_NAME
    settings = ServiceSettings(models=load(environ, path))
    section = read_document(path).get(SERVICE_SECTION, {}) if path.is_file() else {}
    if not isinstance(section, dict):
        raise BadSetting(f"{path.name}: {SERVICE_SECTION} is a section, and is {section!r}")
    for key, value in section.items():
        where = f"{path.name}: {SERVICE_SECTION}.{key}"
        if key == "callbacks":
            settings = replace(settings, callbacks=_callbacks(value, where, environ))
        else:
            settings = with_value(settings, key, value, where)
    for name, value in sorted(environ.items()):
        if name.startswith(_PREFIX) and value:
            settings = with_value(settings, name.removeprefix(_PREFIX).lower(), value, name)
    for key, value in (flags or {}).items():
        if value is not None:
            settings = with_value(settings, key, value, f"--{key}")
    return settings


def with_value(settings: ServiceSettings, key: str, value: Any, where: str) -> ServiceSettings:
    """The settings with one value changed; `where` is for the refusal."""
    changed: dict[str, Any] = {}
    if key in _NUMBERS:
        kind, least, most = _NUMBERS[key]
        try:
            number = kind(value)
        except (TypeError, ValueError, OverflowError):
            number = least - 1
        if isinstance(value, bool) or not least <= number <= most:
            raise BadSetting(f"{where}: {value!r} is not a number from {least:,} to {most:,}")
        changed[key] = number
    elif key in _LISTS:
        given = value.split(",") if isinstance(value, str) else value
        if not isinstance(given, list | tuple) or not all(isinstance(one, str) for one in given):
            raise BadSetting(f"{where}: {value!r} is not a list of names")
        changed[key] = tuple(one.strip() for one in given if one.strip())
    elif key in ("host", "database"):
        if not isinstance(value, str) or (key == "host" and not value.strip()):
            raise BadSetting(f"{where}: {value!r} is not a {'name or address' if key == 'host' else 'URL'}")
        changed[key] = value.strip()
    else:
        known = sorted({f.name for f in fields(ServiceSettings)} - {"models"})
        raise BadSetting(f"{where}: there is no such setting; there are {', '.join(known)}")
    return replace(settings, **changed)


def _callbacks(value: Any, where: str, environ: Mapping[str, str]) -> dict[str, Callback]:
    if not isinstance(value, dict):
        raise BadSetting(f"{where}: is a section with a section for each name, and is {value!r}")
    return {name: _callback(given, f"{where}.{name}", environ) for name, given in value.items()}


def _callback(given: Any, where: str, environ: Mapping[str, str]) -> Callback:
    """`secret` holds the secret itself, `secret_variable` the name of the variable that does."""
    if not isinstance(given, dict) or set(given) - {"url", "secret", "secret_variable"}:
        raise BadSetting(f"{where}: a callback has a url and may have a secret or a secret_variable")
    url = given.get("url", "")
    try:
        parts = urlsplit(str(url))
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadSetting(f"{where}: {url!r} is not the address of a page: write https://...")
    secret = str(given.get("secret", ""))
    if "secret_variable" in given:
        secret = environ.get(str(given["secret_variable"]), "")
    if len(secret) < _SECRET:
        raise BadSetting(
            f"{where}: needs a secret of at least {_SECRET} characters, as `secret` or in `secret_variable`"
        )
    return Callback(str(url), secret)
