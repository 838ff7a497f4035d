"""`malafide serve`: the HTTP API and the page, for a team."""

from __future__ import annotations

from typing import Any

import click

from malafide.errors import MissingExtra


@click.command()
@click.option("--host", metavar="ADDRESS", help="Where to listen; 127.0.0.1 by default.")
@click.option(
    "--port", type=click.IntRange(0, 65_535), metavar="N", help="8300 by default; 0 for a free one."
)
@click.option(
    "--database", metavar="URL", help="sqlite:///FILE or postgresql://...; SQLite in MALAFIDE_HOME."
)
@click.option(
    "--judges", type=click.IntRange(1, 256), metavar="N", help="Judge processes; one for each core."
)
@click.option("--quiet", is_flag=True, help="Write no line for each request.")
def serve(quiet: bool, **flags: Any) -> None:
    """Serve the HTTP API and the page.

    Listens on this machine alone, where nobody needs a token until one exists. Any other address needs one first; see
    `malafide token`. Settings stand in settings.toml under [service]; docs/service.md tells how a team runs it.

    \b
    Examples:
      malafide serve
      malafide serve --port 9000 --judges 4
      malafide serve --host 0.0.0.0 --database postgresql://malafide@db.example/malafide
    """
    from malafide.service.choices import load_service

    try:
        from malafide.service.serving import run
    except ImportError as error:
        if error.name and error.name.startswith("malafide"):
            raise
        raise MissingExtra("the service needs the extra 'serve': pip install 'malafide[serve]'") from None
    run(load_service(flags), access_log=not quiet)
