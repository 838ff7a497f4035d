"""The MCP door: every tool under its contract name, the same answers as elsewhere, and nothing it should not touch."""

from __future__ import annotations

import asyncio
import base64
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from benchmarks.made_documents import SCAMS
from benchmarks.pdf_writer import pdf
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from malafide import SpamClassifier, assess_document
from malafide.contracts import schema
from malafide.doors.mcp_server import build
from malafide.home import home
from malafide.knowledge.precedents import Precedents

DOCUMENT = pdf(SCAMS["bank-suspended"])
ENCODED = base64.b64encode(DOCUMENT).decode()
MAIL = "From: a@example.com\nTo: b@example.com\nSubject: lunch\n\nCall +1 202 555 0143 or see http://example.com/a\n"
NAMES = {
    "data-processor.process_email", "data-processor.process_pdf", "rag-tools.call_rag", "rag-tools.store_rag",
    "extraction-tools.extract_link", "extraction-tools.extract_number", "extraction-tools.extract_organisation",
    "extraction-tools.check_sender", "evidence-tools.examine", "assess_document", "classify_email",
}  # fmt: skip


def call(name: str, **arguments: Any) -> tuple[bool, Any]:
    async def ask() -> tuple[bool, Any]:
        async with Client(build()) as client:
            result = await client.call_tool(name, arguments)
            text = result.content[0].text if result.content else ""  # type: ignore[union-attr]
            return bool(result.is_error), result.structured_content or text

    return asyncio.run(ask())


def test_every_tool_is_there_with_a_sentence() -> None:
    async def listed() -> dict[str, str]:
        async with Client(build()) as client:
            return {tool.name: tool.description or "" for tool in (await client.list_tools()).tools}

    found = asyncio.run(listed())
    assert set(found) == NAMES
    assert all(sentence.endswith(".") for sentence in found.values())


def test_the_same_answer_as_in_python() -> None:
    failed, answer = call("assess_document", content_base64=ENCODED)
    assert not failed
    jsonschema.validate(answer, schema("document"))
    own = assess_document(DOCUMENT)
    assert (answer["is_scam"], answer["scam_probability"]) == (own.is_scam, own.scam_probability)
    _, spam = call("classify_email", text=MAIL)
    assert spam["final_score"] == SpamClassifier().classify(MAIL).final_score


def test_tools_alone(tmp_path: Path) -> None:
    (tmp_path / "x.pdf").write_bytes(DOCUMENT)
    _, processed = call("data-processor.process_pdf", path=str(tmp_path / "x.pdf"))
    assert processed["kind"] == "document" and processed["parts"][0]["name"] == "page/1"
    _, links = call("extraction-tools.extract_link", text=MAIL)
    assert [item["target"] for item in links["items"]] == ["http://example.com/a"]
    _, numbers = call("extraction-tools.extract_number", text=MAIL)
    assert [item["kind"] for item in numbers["items"]] == ["phone"]
    _, named = call("extraction-tools.extract_organisation", content_base64=ENCODED)
    assert [item["name"] for item in named["items"]] == ["Wells Fargo"]
    _, sender = call("extraction-tools.check_sender", text=MAIL)
    assert sender["items"][0]["address"] == "a@example.com"
    _, seen = call("evidence-tools.examine", tool="lookalikes", content_base64=ENCODED)
    assert seen["evidence"][0]["kind"] == "lookalikes.bait"


def test_what_is_stored_has_no_label() -> None:
    _, kept = call("rag-tools.store_rag", text=MAIL)
    assert kept["stored"] and kept["label"] is None
    _, found = call("rag-tools.call_rag", text=MAIL)
    assert (found["average_confidence_level"], found["precedents"]) == (0.0, 0)
    assert [one.label for one in Precedents().unlabelled("document")] == [None]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "exactly one"),
        ({"text": "a", "path": "b"}, "exactly one"),
        ({"content_base64": "###"}, "not Base64"),
        ({"path": "/does/not/exist.pdf"}, "cannot read"),
        ({"path": "/etc/hostname"}, "neither a PDF, an office file nor a mail"),
    ],
)
def test_refusals_are_errors_in_one_sentence(arguments: dict[str, str], words: str) -> None:
    failed, said = call("assess_document", **arguments)
    assert failed and words in said
    assert not home().exists(), "assessing over MCP writes nothing"


def test_over_standard_input_and_output() -> None:
    async def ask() -> str:
        server = StdioServerParameters(command=sys.executable, args=["-m", "malafide", "mcp"])
        async with Client(stdio_client(server)) as client:
            result = await client.call_tool("extraction-tools.extract_link", {"text": MAIL})
            return str((result.structured_content or {})["items"][0]["domain"])

    assert asyncio.run(ask()) == "example.com"
