"""Who may ask: a secret is shown once, and only its digest is kept."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Sequence
from typing import Any, Final, get_args

from malafide.errors import BadSetting, UnknownName
from malafide.store import packing
from malafide.store.audit import write_down
from malafide.store.database import Database
from malafide.store.dialect import Connection
from malafide.store.nouns import Scope, Token

SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)
MOST_PER_MINUTE: Final = 1_000_000
_PREFIX: Final = "mf_"  # so that a scanner for leaked secrets can know ours
_COLUMNS: Final = "id, name, scopes, per_minute, created_at, revoked_at"
_LONGEST: Final = 200


class Tokens:
    """The part of the store that knows tokens. Every change is audited in the same commit."""

    _database: Database

    def new_token(self, name: str, scopes: Iterable[Scope], per_minute: int, who: str) -> tuple[Token, str]:
        """The token, and its secret, which cannot be had again. `who` makes it."""
        wanted = frozenset(scopes)
        if not wanted or not wanted <= set(SCOPES):
            raise BadSetting(f"scopes are {sorted(wanted)!r}; expected some of: {', '.join(SCOPES)}")
        if not 1 <= per_minute <= MOST_PER_MINUTE:
            raise BadSetting(f"per_minute is {per_minute!r}; expected 1 to {MOST_PER_MINUTE:,}")
        named = packing.text(" ".join(name.split()), packing.WHO)
        if not named:
            raise BadSetting("a token needs a name: say whose it is")
        id, secret, moment = "t" + secrets.token_hex(6), _PREFIX + secrets.token_urlsafe(32), packing.now()
        values = (id, named, _digest(secret), " ".join(sorted(wanted)), per_minute, moment)

        def work(connection: Connection) -> None:
            connection.execute(
                "INSERT INTO tokens (id, name, digest, scopes, per_minute, created_at) VALUES (?, ?, ?, ?, ?, ?)",
                values,
            )
            write_down(connection, who, "token made", id, f"{named}: {values[3]}, {per_minute} a minute")

        self._database.write(work)
        return Token(id, named, wanted, per_minute, packing.moment(moment)), secret

    def token_of(self, secret: str) -> Token | None:
        """The token with that secret, unless it was revoked."""
        if not secret.startswith(_PREFIX) or len(secret) > _LONGEST:
            return None
        digest = _digest(secret)
        sql = f"SELECT digest, {_COLUMNS} FROM tokens WHERE digest = ? AND revoked_at IS NULL"
        row = self._database.read(lambda connection: connection.execute(sql, (digest,)).fetchone())
        if row is None or not secrets.compare_digest(row[0], digest):
            return None
        return _token(row[1:])

    def tokens(self) -> list[Token]:
        """All, newest first, those revoked among them."""
        sql = f"SELECT {_COLUMNS} FROM tokens ORDER BY created_at DESC, id"
        return [
            _token(row) for row in self._database.read(lambda connection: connection.execute(sql).fetchall())
        ]

    def revoke(self, id: str, who: str) -> Token:
        """From now on nobody gets in with it."""

        def work(connection: Connection) -> Token:
            row = connection.execute(
                f"UPDATE tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL RETURNING {_COLUMNS}",
                (packing.now(), packing.text(id, packing.WHO)),
            ).fetchone()
            if row is None:
                raise UnknownName(f"there is no token {id[:40]!r} that could be revoked")
            write_down(connection, who, "token revoked", id, row[1])
            return _token(row)

        return self._database.write(work)


def _digest(secret: str) -> str:
    """A plain digest is enough: nobody guesses 256 random bits, so nothing is gained by making a guess slow."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def _token(row: Sequence[Any]) -> Token:
    id, name, scopes, per_minute, created, revoked = row
    return Token(
        id, name, frozenset(scopes.split()), per_minute,
        packing.moment(created), packing.moment_or_none(revoked),
    )  # fmt: skip
