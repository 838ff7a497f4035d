"""The page in a real Chromium: drop, watch, marks, decisions by key, narrow and dark screens, attacks, auditing."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.doors.page_messages import (
    ATTACKS,
    CHAT,
    NOTE,
    PHISH,
    POST,
    UNSURE,
    attack_chat,
    attack_mail,
    attack_post,
)
from tests.doors.page_service import Service, running

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
if CHROMIUM is None:
    pytest.skip("there is no chromium; install Debian's package to run these tests", allow_module_level=True)
sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-background-networking --disable-component-update"
    " --disable-sync --no-first-run --disable-dev-shm-usage"
).split()
CHECKS = (Path(__file__).parent / "page_checks.js").read_text(encoding="utf-8")
Page = Any


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(tmp_path_factory.mktemp("browser")) as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()


class Watched:
    """A page whose requests and mishaps are written down."""

    def __init__(self, browser: Any, service: Service, **look: Any) -> None:
        self.context = browser.new_context(
            viewport=look.pop("viewport", {"width": 1280, "height": 900}), **look
        )
        self.context.set_default_timeout(30_000)
        self.page: Page = self.context.new_page()
        self.url = service.url
        self.requests: list[str] = []
        self.mishaps: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on(
            "dialog", lambda dialog: (self.mishaps.append(f"dialog {dialog.message}"), dialog.dismiss())
        )
        self.page.on("pageerror", lambda error: self.mishaps.append(f"error {error}"))
        self.page.on(
            "console", lambda m: self.mishaps.append(m.text) if "Content Security Policy" in m.text else None
        )

    def go(self, path: str) -> Page:
        self.page.goto(self.url + path)
        return self.page

    def unharmed(self) -> None:
        """Nothing ran that is not ours, and nothing was asked of anybody else."""
        assert self.page.evaluate("window.pwned") is None
        assert self.mishaps == []
        assert [url for url in self.requests if not url.startswith(self.url + "/")] == []


@pytest.fixture
def watched(browser: Any, service: Service, request: pytest.FixtureRequest) -> Iterator[Watched]:
    made = Watched(browser, service, **getattr(request, "param", {}))
    yield made
    made.context.close()


def drop(page: Page, name: str, content: bytes) -> None:
    """Lets a file fall on the page, as a hand does."""
    page.evaluate(
        """([name, bytes]) => {
            const data = new DataTransfer();
            data.items.add(new File([new Uint8Array(bytes)], name));
            for (const kind of ["dragenter", "dragover", "drop"])
                document.body.dispatchEvent(new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true}));
        }""",
        [name, list(content)],
    )


def test_a_dropped_mail_is_judged_without_a_reload(watched: Watched) -> None:
    page = watched.go("/")
    page.evaluate("window.same = 1")
    drop(page, "parcel.eml", PHISH)
    page.wait_for_selector("article.case")
    assert "SPAM" in page.inner_text(".answer .badge")
    actors = page.locator(".arrival .actor").all_inner_texts()
    assert actors == ["intake", "content-analyzer", "pattern-recognizer", "intent-analyzer"]
    assert page.evaluate("window.same") == 1
    assert "/cases/c" in page.url
    assert page.locator(".arriving").get_attribute("aria-live") == "polite"
    box = page.locator(".answer .headline").bounding_box()
    assert box["y"] + box["height"] < 900  # in sight, without scrolling
    page.reload()
    assert "SPAM" in page.inner_text(".answer .badge")
    watched.unharmed()


def test_pasted_text_and_every_kind_of_file(watched: Watched) -> None:
    page = watched.go("/")
    page.fill("#text", NOTE.decode())
    page.click("text=Check it")
    page.wait_for_selector("article.case")
    assert "HAM" in page.inner_text(".answer .badge")
    for name, content, word in (("chat.json", CHAT, "SCAM"), ("post.json", POST, "CREDIBLE")):
        page = watched.go("/")
        page.set_input_files("#file", {"name": name, "mimeType": "application/json", "buffer": content})
        page.wait_for_selector("article.case")
        assert word in page.inner_text(".answer .badge")
    watched.unharmed()


def test_an_empty_form_and_an_unreadable_file_are_told_kindly(watched: Watched) -> None:
    page = watched.go("/")
    page.click("text=Check it")
    assert "nothing to check yet" in page.inner_text(".trouble")
    page.select_option("#panel", "post")
    page.fill("#text", "[no post")
    page.click("text=Check it")
    page.wait_for_selector(".trouble >> text=JSON")
    assert page.locator("#check").is_visible()
    watched.unharmed()


def test_a_mark_leads_to_its_evidence_and_the_agent_and_back(service: Service, watched: Watched) -> None:
    page = watched.go(f"/cases/{service.check(PHISH, 'm.eml')}")
    mark = page.locator("a.mark.deceptive").first
    number = mark.get_attribute("href").removeprefix("#e")
    mark.click()
    assert page.url.endswith(f"#e{number}")
    entry = page.locator(f"#e{number}")
    assert entry.evaluate("e => e.matches(':target') && getComputedStyle(e).outlineStyle") == "solid"
    entry.locator(".uses a").first.click()
    assert page.locator(".card:target").count() == 1
    page.locator(".card:target summary").click()
    page.locator(f".card:target .steps a[href='#e{number}']").click()
    entry.locator(".where a").click()
    assert page.url.endswith(f"#w{number}")
    shapes = page.evaluate(
        """() => ["deceptive", "genuine"].map(kind => {
            const s = getComputedStyle(document.querySelector(".mark." + kind));
            return [s.textDecorationStyle, s.backgroundColor];
        })"""
    )
    assert [shape for shape, _ in shapes] == ["wavy", "double"]
    assert shapes[0][1] != shapes[1][1]
    assert "garden club" in page.inner_text(".concealed")
    watched.unharmed()


def test_overruling_and_taking_it_back(service: Service, watched: Watched) -> None:
    case = service.check(PHISH + b"overruled", "m.eml")
    page = watched.go(f"/cases/{case}")
    page.click("text=Overrule: it is genuine")
    page.wait_for_selector(".flash >> text=Noted")
    assert "overruling the panel" in page.inner_text(".log")
    page.keyboard.press("u")
    page.wait_for_selector(".flash >> text=Taken back")
    assert service.desk.store.case(case).line.label == ""
    page.click("text=Judge again and compare")
    page.wait_for_selector(".flash >> text=Judged again")
    watched.unharmed()


def test_the_queue_by_keyboard_alone(service: Service, watched: Watched) -> None:
    cases = {service.check(UNSURE + b"%d" % number, f"{number}.eml") for number in range(4)}
    page = watched.go("/queue")
    current = lambda: page.locator("article.case").get_attribute("data-case")  # noqa: E731
    keys = page.keyboard
    keys.press("?")
    assert page.locator("#help").is_visible()
    keys.press("Escape")
    first = current()
    assert first in cases
    leaning = page.inner_text(".review .ask b")
    with page.expect_navigation():
        keys.press("y")
    page.wait_for_selector(".flash >> text=Noted")
    assert service.desk.store.case(first).line.label == leaning
    second = current()
    assert second != first
    with page.expect_navigation():
        keys.press("s")
    third = current()
    assert third not in (first, second)
    leaning = page.inner_text(".review .ask b")
    with page.expect_navigation():
        keys.press("o")
    page.wait_for_selector(".flash >> text=Noted")
    assert service.desk.store.case(third).line.label not in ("", leaning)
    with page.expect_navigation():
        keys.press("u")
    page.wait_for_selector(".flash >> text=Taken back")
    assert current() == third
    assert service.desk.store.case(third).line.label == ""
    assert "1 decided today" in page.inner_text(".progress")
    watched.unharmed()


def test_keys_do_nothing_while_somebody_types(watched: Watched) -> None:
    page = watched.go("/history")
    page.keyboard.press("/")
    page.keyboard.type("you?gq")
    assert page.input_value("#q") == "you?gq"
    assert not page.locator("#help").is_visible()
    page.keyboard.press("Enter")
    page.wait_for_url("**/history?q=you*")
    page.locator("main").focus()
    page.keyboard.press("g")
    page.keyboard.press("d")
    page.wait_for_url("**/dashboard")


def test_everything_is_reached_by_tab_in_order_and_seen(service: Service, watched: Watched) -> None:
    for path in ("/", "/queue", "/history", f"/cases/{service.check(PHISH, 'm.eml')}"):
        page = watched.go(path)
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        order, bare = [], []
        for _ in range(25):
            page.keyboard.press("Tab")
            at = page.evaluate(
                """() => {
                    const e = document.activeElement, s = getComputedStyle(e);
                    const all = [...document.querySelectorAll("*")];
                    const seen = s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 2;
                    return [all.indexOf(e), seen, e.outerHTML.slice(0, 90)];
                }"""
            )
            if at[2].startswith("<body"):
                break  # once around
            order.append(at[0])
            # The button inside a field for days is drawn by the browser, and so is its ring.
            bare += [] if at[1] or 'type="date"' in at[2] else [at[2]]
        ahead = order[: order.index(max(order)) + 1]
        assert ahead == sorted(ahead), path
        assert bare == [], path


@pytest.mark.parametrize(
    "watched",
    [{}, {"color_scheme": "dark"}, {"viewport": {"width": 360, "height": 740}}],
    indirect=True,
    ids=["light", "dark", "narrow"],
)  # fmt: skip
def test_an_auditor_finds_nothing(service: Service, watched: Watched, request: pytest.FixtureRequest) -> None:
    """Contrast, labels, headings, targets, landmarks, no scrolling sideways: on every page."""
    cases = [service.check(content, "m.eml") for content in (PHISH, NOTE, CHAT, POST, attack_mail())]
    document = service.check(PHISH, "m.eml", "document")
    broken = service.check(b"[1", "x.json", "post")
    paths = [
        "/", "/queue", "/history", "/history?q=nothing-like-it", "/dashboard?days=1", "/knowledge/catalog",
        "/knowledge/agents", "/knowledge/tools", "/knowledge/rules?q=parcel", "/about", "/cases/none",
        *(f"/cases/{case}" for case in (*cases, document, broken)),
    ]  # fmt: skip
    shots = os.environ.get("MALAFIDE_SHOTS")
    for path in paths:
        page = watched.go(path)
        wrong = page.evaluate(CHECKS)
        if shots:
            look = request.node.callspec.id.replace(" ", "-")
            page.screenshot(
                path=f"{shots}/{path.strip('/').replace('/', '-') or 'home'}-{look}.png", full_page=True
            )
        assert wrong == [], path
    watched.unharmed()


@pytest.mark.parametrize("watched", [{"reduced_motion": "reduce"}], indirect=True)
def test_nothing_moves_for_those_who_ask(watched: Watched) -> None:
    page = watched.go("/")
    drop(page, "note.eml", NOTE)
    page.wait_for_selector("article.case")
    assert page.locator(".arrival").first.evaluate("e => getComputedStyle(e).animationName") == "none"


@pytest.mark.parametrize("watched", [{"java_script_enabled": False}], indirect=True)
def test_it_works_without_a_script(service: Service, watched: Watched) -> None:
    page = watched.go("/")
    page.fill("#text", PHISH.decode() + "no script")
    page.click("text=Check it")
    page.wait_for_selector("article.case")
    assert "SPAM" in page.inner_text(".answer .badge")
    page.click("text=Overrule: it is genuine")
    page.wait_for_selector(".flash >> text=Noted")
    assert service.newest().line.label == "genuine"
    page.click(".flash >> text=Undo")
    page.wait_for_selector(".flash >> text=Taken back")


@pytest.mark.parametrize(
    ("name", "content"),
    [("mail", attack_mail()), ("chat", attack_chat()), ("post", attack_post())],
    ids=["mail", "chat", "post"],
)
def test_no_attack_runs_and_no_request_leaves(
    service: Service, watched: Watched, name: str, content: bytes
) -> None:
    page = watched.go("/")
    drop(page, f"{name}{ATTACKS[1]}.json", content)
    page.wait_for_selector("article.case")
    watched.unharmed()
    case = page.url.rpartition("/")[2]
    for path in (f"/cases/{case}", "/history", "/queue", "/", "/about"):
        page = watched.go(path)
        for mark in page.locator("a.mark").all()[:3]:
            mark.hover()
        watched.unharmed()
    links = page.evaluate("[...document.querySelectorAll('a[href]')].map(a => a.href)")
    assert all(link.startswith(service.url) for link in links)


@pytest.mark.parametrize("attack", ATTACKS[:8])
def test_attacks_one_by_one_as_text_and_as_address(service: Service, watched: Watched, attack: str) -> None:
    page = watched.go("/")
    page.fill("#text", f"Your account will be closed, verify your password: {attack}")
    page.click("text=Check it")
    page.wait_for_selector("article.case")
    assert page.locator(".paper").inner_text()
    page.goto(service.url + "/history?" + sync_query(attack))
    assert page.input_value("#q")
    watched.unharmed()


def sync_query(attack: str) -> str:
    from urllib.parse import urlencode

    return urlencode({"q": attack})


def test_the_policy_holds_even_if_markup_came_through(watched: Watched) -> None:
    page = watched.go("/")
    page.evaluate(
        """() => {
            const [script, picture, leak] = ["script", "img", "img"].map(name => document.createElement(name));
            script.textContent = "window.pwned = 1";
            picture.setAttribute("onerror", "window.pwned = 1");
            picture.src = "/nothing";
            leak.src = "http://203.0.113.9/leak.png";
            document.body.append(script, picture, leak);
        }"""
    )
    page.wait_for_timeout(200)
    assert page.evaluate("window.pwned") is None
    assert any("Content Security Policy" in mishap for mishap in watched.mishaps)
