"""`malafide mcp`: the tools and panels for an MCP client, over standard input and output."""

from __future__ import annotations

import click


@click.command()
def mcp() -> None:
    """Serve the tools and panels to an MCP client.

    Speaks the Model Context Protocol on standard input and output; a client starts it. Nothing is moved, deleted
    or labelled from there.

    \b
    Example:
      claude mcp add malafide -- malafide mcp
    """
    from malafide.doors.mcp_server import build

    build().run("stdio")
