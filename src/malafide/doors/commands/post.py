"""`malafide post`: raw posts in, signals and the credibility panel's answer out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from malafide.doors.commands.credibility import setting
from malafide.doors.files import write_atomically
from malafide.doors.inputs import PATH
from malafide.doors.streams import Progress, console, print_json, say
from malafide.errors import BadSetting, MalafideError

if TYPE_CHECKING:
    from malafide.benches.post import Look, PostVerdict
    from malafide.intake.posts import Post

_REPORTS = 3  # up to so many posts each get a whole report; more are lines


@click.command()
@click.argument("paths", nargs=-1, required=False, type=PATH, metavar="[PATH]...")
@click.option("--text", help="The text of the post itself.")
@click.option("--image", type=PATH, metavar="FILE", help="The picture of the post.")
@click.option("--json", "as_json", is_flag=True, help="Print the contract, keyed by post_id.")
@click.option("--details", is_flag=True, help="With --json: add signals and evidence under `malafide`.")
@click.option("--html", type=PATH, metavar="FILE", help="Write a report to open in a browser.")
@click.option("--weights", metavar="JSON", help="Weights of the agents, as JSON or a file of it.")
@click.option("--rules", metavar="JSON", help="Decision rules, as JSON or a file of it.")
def post(
    paths: tuple[Path, ...],
    text: str | None,
    image: Path | None,
    as_json: bool,
    details: bool,
    html: Path | None,
    weights: str | None,
    rules: str | None,
) -> None:
    """Say how credible a post is, from the post itself.

    A post is a JSON object with its text and, as far as known, its account, links and picture; JSON Lines and
    folders hold many. Signals that are given are used, the others are made, and what cannot be judged is said.
    Posts named together are held against each other: copies by many accounts are a campaign.

    \b
    Examples:
      malafide post post.json
      malafide post post.json --image photo.jpg
      malafide post --text "Hot lemon water cures the flu"
      malafide post posts.jsonl --json --details > answers.json

    Exit status: 0 when every post was judged, 1 when one could not be.
    """
    from malafide.benches.credibility import MultiAgentReasoningSystem
    from malafide.benches.post import PostExaminer, remembered_posts

    if not paths and text is None:
        raise BadSetting("name a post, a folder or JSON Lines, or give --text")
    found = list(_posts(paths, text))
    posts = [one for _, one in found if not isinstance(one, MalafideError)]
    if image is not None:
        if len(posts) != 1:
            raise BadSetting(f"--image belongs to one post, and there are {len(posts)}")
        posts = [replace(posts[0], image=image)]
    panel = MultiAgentReasoningSystem(setting("--weights", weights), setting("--rules", rules))
    look = _look() if any(one.image for one in posts) else None
    progress = Progress()
    judged = PostExaminer(panel, remembered_posts(), look).judge_all(
        posts, lambda done: progress.show(f"{done:,} of {len(posts):,} posts") if done % 50 == 0 else None
    )
    progress.clear()
    verdicts = [one for one in judged if not isinstance(one, MalafideError)]
    failures = [(name, one) for name, one in found if isinstance(one, MalafideError)]
    failures += [
        (post.post_id, one) for post, one in zip(posts, judged, strict=True) if isinstance(one, MalafideError)
    ]
    if len(found) == 1 and failures:
        raise failures[0][1]
    _print(verdicts, failures, as_json=as_json, details=details, quiet=html is not None)
    if html is not None:
        _write_page(html, verdicts, failures)
    if failures:
        raise SystemExit(1)


def _posts(paths: tuple[Path, ...], text: str | None) -> Iterator[tuple[str, Post | MalafideError]]:
    from malafide.intake.post_files import read_posts
    from malafide.intake.posts import read_post

    if text is not None:
        yield "(text)", read_post({"text": text}, "(text)")
    for path in paths:
        for name, document in read_posts(path):
            try:
                if isinstance(document, MalafideError):
                    raise document
                yield name, read_post(document, name, path if path.is_dir() else path.parent)
            except MalafideError as error:
                yield name, error


def _look() -> Look:
    """The function that reads a picture."""
    from malafide.imaging.examine import examine_image

    return examine_image


Failures = list[tuple[str, MalafideError]]


def _print(
    verdicts: list[PostVerdict], failures: Failures, *, as_json: bool, details: bool, quiet: bool
) -> None:
    from malafide.render.post_view import failed_line, post_line

    if as_json:
        print_json(_contract(verdicts, failures, details=details), pretty=True)
        return
    if quiet or len(verdicts) > _REPORTS:
        for verdict in verdicts:
            print(post_line(verdict))
    else:
        from malafide.render.terminal_post import post_report

        for verdict in verdicts:
            post_report(verdict, console())
    for name, error in failures:
        print(failed_line(name, str(error)))
    if len(verdicts) > _REPORTS:
        say(f"{len(verdicts):,} posts judged, {len(failures):,} failed")


def _contract(verdicts: list[PostVerdict], failures: Failures, *, details: bool) -> dict[str, Any]:
    from malafide.benches.post import as_contract

    rows: dict[str, Any] = {}
    for verdict in verdicts:
        name = verdict.post.post_id
        rows[name if name not in rows else f"{name}#{len(rows) + 1}"] = as_contract(verdict, details=details)
    return rows | {name: {"error": str(error)} for name, error in failures}


def _write_page(path: Path, verdicts: list[PostVerdict], failures: Failures) -> None:
    from malafide.render.html_post import Page, post_page

    entries = [Page(v.post.post_id, v, picture=_marked(v)) for v in verdicts]
    entries += [Page(name, None, str(error)) for name, error in failures]
    write_atomically(path, post_page(entries))


def _marked(verdict: PostVerdict) -> bytes | None:
    """The picture with what looks edited marked."""
    if verdict.picture is None or verdict.post.image is None:
        return None
    from malafide.imaging.drawing import marked_png

    return marked_png(verdict.post.image.read_bytes(), verdict.picture)
