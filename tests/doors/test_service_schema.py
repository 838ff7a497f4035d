"""Whatever the OpenAPI document allows, and what it does not, is answered: nothing breaks the service."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from service_at import serving


def test_schemathesis_finds_no_server_error(tmp_path: Path) -> None:
    with serving(tmp_path / "home") as at:
        done = subprocess.run(
            [
                sys.executable, "-m", "schemathesis.cli", "run", f"{at.url}/openapi.json",
                "--checks", "not_a_server_error", "--phases", "examples,coverage,fuzzing",
                "--max-examples", "5", "--seed", "1", "--no-color",
            ],
            check=False, capture_output=True, text=True, timeout=300, cwd=tmp_path,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout[-5_000:] + done.stderr[-2_000:]
        assert " passed" in done.stdout
        replaced = at.desk.judges.replaced
    assert replaced == 0, "no judge died of what was sent"
