"""A real PostgreSQL from Debian's package, started on a socket in a temporary folder, as a user without rights."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import pytest

_SETTINGS = """
listen_addresses = ''
unix_socket_directories = '{folder}'
shared_buffers = 16MB
max_connections = 60
fsync = off
"""


class Server:
    """A running server that makes databases."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._free: list[str] = []

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://malafide@/{database}?host={quote(str(self._folder), safe='')}"

    def new_database(self) -> str:
        """The address of a database with nothing in it."""
        import psycopg
        from psycopg import sql

        if self._free:
            return self._free.pop()
        name = "t" + uuid.uuid4().hex[:12]
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        return self.url(name)

    def give_back(self, address: str) -> None:
        """Empties a database for the next test: to make one anew takes ten times as long, and 7 MB."""
        import psycopg
        from psycopg import sql

        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            found = "SELECT nspname FROM pg_namespace WHERE starts_with(nspname, 'malafide')"
            for (schema,) in connection.execute(found).fetchall():
                connection.execute(sql.SQL("DROP SCHEMA {} CASCADE").format(sql.Identifier(schema)))
        self._free.append(address)


@contextmanager
def running() -> Iterator[Server]:
    """The server; a test that asks for it is skipped where none can be installed."""
    programs = _programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed, and cannot be installed here: its tests are skipped")
    folder = Path(tempfile.mkdtemp(prefix="mfpg"))
    user = _user()
    shutil.chown(folder, user.pw_uid, user.pw_gid)
    data = folder / "data"
    try:
        _run(
            user, programs / "initdb", "-D", data, "-U", "malafide", "-A", "trust", "-E", "UTF8", "--no-sync"
        )
        with (data / "postgresql.conf").open("a") as settings:
            settings.write(_SETTINGS.format(folder=folder))
        _run(user, programs / "pg_ctl", "-D", data, "-l", folder / "log", "-w", "-t", "60", "start")
        try:
            yield Server(folder)
        finally:
            _run(user, programs / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _programs() -> Path | None:
    """The folder of initdb; Debian keeps it out of the path."""
    found = _installed()
    if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
        subprocess.run(
            ["apt-get", "install", "-y", "postgresql-15"],
            check=False, capture_output=True, timeout=300, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
        )  # fmt: skip
        found = _installed()
    return found


def _installed() -> Path | None:
    folders = [*sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]
    if (found := shutil.which("initdb")) is not None:
        folders.append(Path(found).resolve().parent)
    return next((folder for folder in folders if (folder / "initdb").exists()), None)


def _user() -> pwd.struct_passwd:
    """PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return pwd.getpwuid(os.geteuid())
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    pytest.skip("there is no user without rights that PostgreSQL could run as")


def _run(user: pwd.struct_passwd, *command: object) -> None:
    other = (
        {} if user.pw_uid == os.geteuid() else {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    )
    words = [str(word) for word in command]
    done = subprocess.run(
        words, check=False, timeout=120, cwd="/", stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE if "start" not in words else subprocess.DEVNULL,
        stderr=subprocess.STDOUT, **other,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"{words[0]} ended with {done.returncode}: {(done.stdout or b'').decode()[-500:]}")
