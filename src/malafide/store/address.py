"""An address in, the database it names out."""

from __future__ import annotations

from pathlib import Path
from typing import Final
from urllib.parse import unquote

from malafide.errors import BadSetting
from malafide.home import home
from malafide.store.dialect import Dialect
from malafide.store.postgresql import Postgresql, without_password
from malafide.store.sqlite import Sqlite

FILE_NAME: Final = "service.sqlite"
_FORMS: Final = "sqlite:///FILE (sqlite:////FILE from the root) or postgresql://USER@HOST/DATABASE"


def dialect(url: str) -> Dialect:
    """The database of that address; the file in the home folder when it is empty."""
    if not url:
        return Sqlite(home() / FILE_NAME)
    scheme, _, rest = url.partition("://")
    if scheme == "sqlite" and rest.startswith("/") and len(rest) > 1:
        return Sqlite(Path(unquote(rest[1:])))
    if scheme in ("postgresql", "postgres"):
        return Postgresql(url)
    raise BadSetting(f"{without_password(url)!r} is no address of a database; expected {_FORMS}")
