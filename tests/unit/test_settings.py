"""Settings: the file, then the environment, then flags; what is misspelt is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from malafide.errors import BadSetting
from malafide.minds.models import endpoint
from malafide.settings import DEFAULT_MODEL, Caps, Price, Settings, load, with_caps, with_value

FILE = """
model = "anthropic:claude-sonnet-5-5"
escalate = "always"
share = "redacted"
concurrency = 2
[agents]
intent-analyzer = "openai:big"
[case]
calls = 3
[run]
money = 2.5
[prices."openai:big"]
input = 1
output = 4
"""


def test_nothing_chosen_means_no_model(tmp_path: Path) -> None:
    settings = load({}, tmp_path / "none.toml")
    assert settings == Settings() and not settings.thinks


def test_each_source_overrules_the_one_before(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(FILE, encoding="utf-8")
    settings = load({}, file)
    assert settings.thinks and settings.model == DEFAULT_MODEL
    assert settings.agents == {"intent-analyzer": "openai:big"} and settings.prices["openai:big"] == Price(
        1, 4
    )
    assert (settings.escalate, settings.share, settings.concurrency) == ("always", "redacted", 2)
    assert settings.case.calls == 3 and settings.case.seconds == 90 and settings.run == Caps(money=2.5)
    variables = {
        "MALAFIDE_ESCALATE": "never",
        "MALAFIDE_RUN_MONEY": "1",
        "MALAFIDE_CACHE": "false",
        "MALAFIDE_HOME": "x",
    }
    settings = load(variables, file)
    assert (settings.escalate, settings.run.money, settings.cache, settings.thinks) == (
        "never",
        1.0,
        False,
        False,
    )
    settings = with_caps(
        with_value(settings, "escalate", "uncertain", "--escalate"), ["run.money=0.5", "case.seconds=9"]
    )
    assert (settings.escalate, settings.run.money, settings.case.seconds) == ("uncertain", 0.5, 9.0)


@pytest.mark.parametrize(
    "text",
    [
        "modell = 'x'", "escalate = 'sometimes'", "share = 'none'", "[case]\ncall = 3", "[case]\ncalls = -1",
        "[run]\nmoney = 'much'", "concurrency = 0", "cache = 'maybe'", "[prices.x]\ninput = 1", "model = ",
        "[case]\ncalls = true",
    ],
)  # fmt: skip
def test_what_is_misspelt_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadSetting, match=r"settings\.toml"):
        load({}, file)


@pytest.mark.parametrize("cap", ["calls=3", "case.calls", "case.call=3", "run.money=a", "mail.calls=1"])
def test_a_cap_is_written_in_one_way(cap: str) -> None:
    with pytest.raises(BadSetting):
        with_caps(Settings(), [cap])


def test_names_of_models_lead_to_endpoints() -> None:
    keys = {"ANTHROPIC_API_KEY": "a", "OPENAI_API_KEY": "o"}
    claude = endpoint(DEFAULT_MODEL, {}, keys)
    assert (claude.format, claude.model, claude.url) == (
        "anthropic", "claude-sonnet-5-5", "https://api.anthropic.com/v1/messages",
    )  # fmt: skip
    assert claude.price is not None and not claude.here and "a" not in repr(claude).split("'")
    mine = endpoint("http://localhost:11434/v1#llama3.2", {}, {})
    assert (mine.url, mine.model, mine.here) == (
        "http://localhost:11434/v1/chat/completions",
        "llama3.2",
        True,
    )
    assert mine.price == Price(0, 0)
    assert endpoint("https://host.example/v1#m", {}, {}).price is None
    assert endpoint("openai:big", {"openai:big": Price(1, 4)}, keys).price == Price(1, 4)
    for bad in ("claude", "anthropic:", "http://localhost/v1", "local:", "gpt:4"):
        with pytest.raises(BadSetting, match="model"):
            endpoint(bad, {}, keys)
    with pytest.raises(BadSetting, match="OPENAI_API_KEY"):
        endpoint("openai:big", {}, {})
