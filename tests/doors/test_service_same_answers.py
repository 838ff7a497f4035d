"""The same answer, to the byte, at every door: command line, HTTP, Python and MCP, over the golden cases."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner
from mcp import Client
from service_at import At, serving

from malafide import SpamClassifier, assess_conversation, assess_document
from malafide.doors.cli import app
from malafide.doors.mcp_server import build
from malafide.judging import bench
from malafide.render.json_text import json_bytes

GOLDEN = Path(__file__).parent.parent / "golden"
MAILS = sorted((GOLDEN / "email").iterdir())[::6]
DOCUMENTS = sorted((GOLDEN / "document").iterdir())[::4]
POSTS = sorted((GOLDEN / "post").iterdir())
CHAT = json.dumps(
    {
        "sessionId": "s1",
        "messages": [
            {
                "sender": "stranger",
                "text": "Your account is blocked today. Send the OTP now.",
                "timestamp": 1,
            },
            {"sender": "user", "text": "Which OTP?", "timestamp": 2},
            {
                "sender": "stranger",
                "text": "The code of your bank, or you go to jail. é \u200b",
                "timestamp": 3,
            },
        ],
    }
).encode()
# What the clock decides, and a number that is drawn for each assessment; and what only one door does about it.
CLOCK = {"total_time", "workflow_id", "started", "at", "seconds"}
ACTED = {"receipts", "trace", "agents_called"}


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[At]:
    with serving(tmp_path_factory.mktemp("same") / "home") as found:
        yield found


@pytest.fixture(scope="module")
def client(at: At) -> Iterator[httpx.Client]:
    with at.client() as found:
        yield found


def printed(*arguments: str, given: bytes | None = None) -> bytes:
    """What the command line prints."""
    done = CliRunner().invoke(app, arguments, input=given, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout_bytes


def over_mcp(name: str, content: bytes) -> Any:
    async def ask() -> Any:
        async with Client(build()) as mcp:
            result = await mcp.call_tool(name, {"content_base64": base64.b64encode(content).decode()})
            return result.structured_content

    return asyncio.run(ask())


@pytest.mark.parametrize("folder", MAILS, ids=lambda folder: folder.name)
def test_mail(client: httpx.Client, folder: Path) -> None:
    mail = (folder / "mail.eml").read_bytes()
    http = client.post("/v1/classify", content=mail).content
    assert http == printed("classify", "--json", given=mail)
    assert http == json_bytes(dict(SpamClassifier().classify(mail)))
    assert json.loads(http) == over_mcp("classify_email", mail)


def timeless(value: Any, without: set[str]) -> Any:
    if isinstance(value, dict):
        return {k: timeless(v, without) for k, v in value.items() if k not in without}
    return [timeless(one, without) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize("folder", DOCUMENTS, ids=lambda folder: folder.name)
def test_documents(client: httpx.Client, folder: Path) -> None:
    (path,) = (p for p in folder.iterdir() if p.name != "expected.json")
    content = path.read_bytes()
    http = client.post("/v1/assess", content=content).json()
    assert timeless(http, CLOCK) == timeless(dict(bench("document").judge(content).contract), CLOCK)
    for door in (json.loads(json.dumps(assess_document(content))), over_mcp("assess_document", content)):
        assert timeless(door, CLOCK) == timeless(http, CLOCK)
    command = json.loads(printed("assess", "--rehearse", "--json", str(path)))
    assert timeless(command, CLOCK | ACTED) == timeless(http, CLOCK | ACTED), "it alone acts on the answer"


@pytest.mark.parametrize("folder", POSTS, ids=lambda folder: folder.name)
def test_posts(client: httpx.Client, folder: Path, tmp_path: Path) -> None:
    document = json.loads((folder / "post.json").read_text())
    content = json.dumps({"post_id": folder.name, **document} if isinstance(document, dict) else document)
    alone = tmp_path / "post.json"
    alone.write_text(content)
    for extra, query in (((), ""), (("--details",), "?details=true")):
        assert client.post(f"/v1/post{query}", content=content).content == printed(
            "post", "--json", *extra, str(alone)
        )


def test_signals(client: httpx.Client, tmp_path: Path) -> None:
    signals = {
        "post_id": "p2",
        "nlp_signals": {"sentiment": "NEGATIVE", "clickbait": True, "emotion": "anger"},
    }
    (tmp_path / "posts.json").write_text(json.dumps([signals]))
    http = client.post("/v1/credibility", json=signals).content
    assert http == printed("credibility", str(tmp_path / "posts.json"))


def test_conversations(client: httpx.Client) -> None:
    http = client.post("/v1/conversation", content=CHAT).content
    assert http == printed("conversation", "--json", given=CHAT)
    found = assess_conversation(json.loads(CHAT)["messages"], session="s1")
    assert http == json_bytes(dict(found))
