"""`malafide purge`, `backup` and `restore`: what the service keeps, forgotten in time and never lost."""

from __future__ import annotations

import getpass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import click

from malafide.doors.inputs import PATH
from malafide.doors.streams import say
from malafide.errors import BadSetting

_DATABASE = click.option("--database", metavar="URL", help="As for `malafide serve`.")
_UNITS: Final = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}
_LONGEST: Final = 1_000_000  # hours, days or weeks


@click.command()
@click.option("--older-than", required=True, metavar="AGE", help="Such as 90d, 12h or 8w.")
@click.option("--rehearse", is_flag=True, help="Only say what would be removed.")
@_DATABASE
def purge(older_than: str, rehearse: bool, database: str | None) -> None:
    """Remove old cases of the service, with their content, rulings and labels.

    Batches and sessions of that age go too. That somebody purged, and how much, stays in the audit log. What was
    learned from labels stays as well: `malafide forget` takes that back.

    \b
    Examples:
      malafide purge --older-than 90d --rehearse
      malafide purge --older-than 90d
    """
    from malafide.store import open_store

    moment = _before(older_than, datetime.now(UTC))
    with open_store(_address(database)) as store:
        found = store.purgeable(moment) if rehearse else store.purge(moment, _user())
    told = f"{found.cases:,} cases, {found.sessions:,} sessions and {found.batches:,} batches"
    say(f"{'Would remove' if rehearse else 'Removed'} {told} from before {moment:%Y-%m-%d %H:%M} UTC.")


@click.command()
@click.argument("file", type=PATH)
@_DATABASE
def backup(file: Path, database: str | None) -> None:
    """Write the service's database and what was learned into one file.

    The service may run meanwhile. The file holds messages: only its owner can read it. Of the home folder it has
    catalogs, labels, samples, precedents and cases for review.

    \b
    Examples:
      malafide backup malafide-backup.zip
      malafide backup malafide-backup.zip --database postgresql://malafide@db.example/malafide
    """
    from malafide.store.backup import backup as write

    cases, names = write(_address(database), file)
    say(f"Wrote {file}: {cases:,} cases and {len(names):,} files of the home folder.")


@click.command()
@click.argument("file", type=PATH)
@click.option("--force", is_flag=True, help="Also where something is kept already; that is moved aside.")
@_DATABASE
def restore(file: Path, force: bool, database: str | None) -> None:
    """Put a backup back, into any database: one of SQLite may go on in PostgreSQL.

    Everything in the file is verified before anything is changed. Stop the service and its workers first.

    \b
    Examples:
      malafide restore malafide-backup.zip
      malafide restore malafide-backup.zip --force --database postgresql://malafide@db.example/malafide
    """
    from malafide.store.restore import restore as put_back

    done = put_back(_address(database), file, _user(), force=force)
    say(f"Restored {done.cases:,} cases and {len(done.files):,} files of the home folder.")
    for place in done.aside:
        say(f"What was there before: {place}")


def _before(age: str, now: datetime) -> datetime:
    number, unit = age[:-1], age[-1:]
    if not (number.isascii() and number.isdigit() and unit in _UNITS and 0 < int(number[:9]) <= _LONGEST):
        raise BadSetting(
            f"an age of {age!r} cannot be read; expected a number of hours, days or weeks, such as 90d"
        )
    try:
        return now - int(number) * _UNITS[unit]
    except OverflowError:
        raise BadSetting(f"{age!r} is longer ago than any calendar goes; give a shorter age") from None


def _address(database: str | None) -> str:
    from malafide.service.choices import load_service

    return load_service({"database": database}).database


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # no such user, or a system without users
        return "somebody"
