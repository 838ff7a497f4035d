"""`malafide token`: who may ask the service, and for what."""

from __future__ import annotations

import getpass
from typing import TYPE_CHECKING

import click

from malafide.doors.streams import print_json, say

if TYPE_CHECKING:
    from malafide.store import Store

_DATABASE = click.option("--database", metavar="URL", help="As for `malafide serve`.")


@click.group()
def token() -> None:
    """Make, list and revoke the service's tokens.

    Scopes: read (cases and answers), submit (messages), review (labels, and the messages themselves), admin (all).

    \b
    Example:
      malafide token new gateway --scopes submit,read
    """


@token.command()
@click.argument("name")
@click.option("--scopes", required=True, metavar="LIST", help="Of read, submit, review, admin; with commas.")
@click.option(
    "--per-minute",
    type=click.IntRange(1, 1_000_000),
    metavar="N",
    help="Requests a minute; by default the setting service.per_minute.",
)
@_DATABASE
def new(name: str, scopes: str, per_minute: int | None, database: str | None) -> None:
    """Make a token. Its secret is printed now and cannot be had again.

    \b
    Examples:
      malafide token new gateway --scopes submit,read
      malafide token new ana --scopes read,submit,review --per-minute 600
    """
    from malafide.service.choices import load_service

    wanted = [scope.strip() for scope in scopes.split(",") if scope.strip()]
    most = per_minute or load_service().per_minute
    with _store(database) as store:
        made, secret = store.new_token(name, wanted, most, _user())  # type: ignore[arg-type]
    say(
        f"{made.id}: {made.name}, {', '.join(sorted(made.scopes))}, {made.per_minute:,} a minute. The secret:"
    )
    print(secret)


@token.command(name="list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@_DATABASE
def list_(as_json: bool, database: str | None) -> None:
    """List the tokens, newest first; their secrets are known to nobody here.

    \b
    Example:
      malafide token list
    """
    with _store(database) as store:
        tokens = store.tokens()
    if as_json:
        rows = [
            {
                "id": one.id, "name": one.name, "scopes": sorted(one.scopes), "per_minute": one.per_minute,
                "created_at": one.created_at.isoformat(),
                "revoked_at": one.revoked_at.isoformat() if one.revoked_at else None,
            }
            for one in tokens
        ]  # fmt: skip
        print_json(rows, pretty=True)
        return
    if not tokens:
        say("there are no tokens: on this machine everybody may ask, and the service listens nowhere else")
    for one in tokens:
        state = f"revoked {one.revoked_at:%Y-%m-%d}" if one.revoked_at else f"since {one.created_at:%Y-%m-%d}"
        print(f"{one.id}  {one.name}  {','.join(sorted(one.scopes))}  {one.per_minute:,}/min  {state}")


@token.command()
@click.argument("id")
@_DATABASE
def revoke(id: str, database: str | None) -> None:
    """Revoke a token: within two seconds nobody gets in with it.

    \b
    Example:
      malafide token revoke t0c7a55e0d1f2
    """
    with _store(database) as store:
        gone = store.revoke(id, _user())
    say(f"{gone.id}: {gone.name} is revoked")


def _store(database: str | None) -> Store:
    from malafide.service.choices import load_service
    from malafide.store import open_store

    return open_store(load_service({"database": database}).database)


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # no such user, or a system without users
        return "somebody"
