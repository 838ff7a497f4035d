"""`malafide credibility`: posts with their signals in, the panel's decisions out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from malafide.doors.inputs import PATH
from malafide.doors.streams import Progress, print_json, say
from malafide.errors import BadSetting


@click.command()
@click.argument("posts", type=PATH)
@click.argument("out", required=False, type=PATH)
@click.option("--weights", metavar="JSON", help="Weights of the agents, as JSON or a file of it.")
@click.option("--rules", metavar="JSON", help="Decision rules, as JSON or a file of it.")
@click.option("--details", is_flag=True, help="Add each agent's score under `malafide`.")
def credibility(posts: Path, out: Path | None, weights: str | None, rules: str | None, details: bool) -> None:
    """Score posts from given signals.

    POSTS is JSON (a list, one post, or posts by their ids) or JSON Lines. The decisions go to OUT, keyed by
    post_id, or to standard output. A post that cannot be judged is a row with an error. `malafide post` makes
    the signals from the raw post.

    \b
    Examples:
      malafide credibility posts.json agent_outputs.json
      malafide credibility posts.json agent_outputs.json --weights '{"ImageAgent": 0}'
      malafide credibility posts.json --rules '{"clickbait": -0.3, "missing_image": "abstain"}' --details

    Exit status: 0 when every post was judged, 1 when one could not be.
    """
    from malafide.benches.credibility import MultiAgentReasoningSystem
    from malafide.intake.post_files import read_posts

    panel = MultiAgentReasoningSystem(setting("--weights", weights), setting("--rules", rules))
    progress = Progress()
    results = panel.process_batch(
        (post for _, post in read_posts(posts)),
        out,
        details=details,
        progress=lambda done: progress.show(f"{done:,} posts"),
    )
    progress.clear()
    if out is None:
        print_json(results, pretty=True)
    failed = sum("error" in row for row in results.values())
    say(f"{len(results) - failed:,} posts scored, {failed:,} failed" + (f"; written to {out}" if out else ""))
    if failed:
        raise SystemExit(1)


def setting(option: str, value: str | None) -> dict[str, Any] | None:
    """An option's JSON object, written out or in a file."""
    if value is None:
        return None
    try:
        text = value if value.lstrip().startswith("{") else Path(value).read_text(encoding="utf-8")
        document = json.loads(text)
    except OSError as error:
        raise BadSetting(f"{option}: cannot read {value!r}: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise BadSetting(f"{option}: {value[:80]!r} is not JSON: {error}") from None
    if not isinstance(document, dict):
        raise BadSetting(f"{option}: {value[:80]!r} is not a JSON object")
    return document
