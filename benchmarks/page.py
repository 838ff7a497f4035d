"""Prints how long the page takes in a real browser: from dropping a mail to the answer on the screen, and to each page.

    python -m benchmarks.page                # 30 mails
    python -m benchmarks.page --mails 200

The mails are the golden cases of the tests. Service and browser run on this machine; its load is printed beside.
Needs Debian's `chromium` and `playwright`.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from benchmarks.service import running

_GOLDEN = Path(__file__).parent.parent / "tests/golden/email"
_FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-background-networking --disable-component-update"
    " --disable-sync --no-first-run --disable-dev-shm-usage"
).split()
_WARM = 4
_SHOWN = "#case article"
_TOOK = "name => performance.getEntriesByName(name)[0].startTime - performance.getEntriesByName('dropped')[0].startTime"
_PAGES = ("/", "/queue", "/history", "/dashboard", "/knowledge/rules", "/about")


def drop(page: Any, url: str, mail: Path) -> tuple[float, float]:
    """Milliseconds from the drop to the answer on the screen, and to the whole case."""
    page.goto(url)
    page.set_input_files(
        "#file", {"name": mail.parent.name, "mimeType": "message/rfc822", "buffer": mail.read_bytes()}
    )
    page.wait_for_selector(_SHOWN)
    page.wait_for_timeout(60)
    return page.evaluate(_TOOK, "answered"), page.evaluate(_TOOK, "drawn")


def line(what: str, took: list[float]) -> str:
    ordered = sorted(took)
    high = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    return f"{what:<34} {statistics.median(took):7.0f} {high:7.0f} {ordered[-1]:7.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mails", type=int, default=30)
    chosen = parser.parse_args()
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("there is no chromium here; install Debian's package")
    from playwright.sync_api import sync_playwright

    mails = list(islice(cycle(sorted(_GOLDEN.glob("*/mail.eml"))), chosen.mails + _WARM))
    with (
        tempfile.TemporaryDirectory() as home,
        running(Path(home)) as service,
        sync_playwright() as playwright,
    ):
        url = f"http://127.0.0.1:{service.port}"
        browser = playwright.chromium.launch(executable_path=chromium, args=_FLAGS)
        page = browser.new_page()
        took = [drop(page, f"{url}/", mail) for mail in mails][_WARM:]
        pages: dict[str, list[float]] = {}
        for _ in range(5):
            for path in _PAGES:
                page.goto(url + path)
                timing = "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"
                pages.setdefault(path, []).append(page.evaluate(timing))
        browser.close()
    print(f"{len(took)} mails dropped; load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"{'milliseconds':<34} {'median':>7} {'p95':>7} {'most':>7}")
    print(line("drop to the answer on the screen", [first for first, _ in took]))
    print(line("drop to the whole case", [whole for _, whole in took]))
    for path, found in pages.items():
        print(line(f"page {path}", found))


if __name__ == "__main__":
    main()
