"""The pages over HTTP, without a browser: every page and form, who may do what, and a message as text alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import httpx
import pytest
from benchmarks.made_documents import qr_png
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
from tests.doors.page_service import Service, csrf, running

from malafide.errors import Unjudgeable
from malafide.judging import bench
from malafide.service.page.knowledge import agents
from malafide.store import Said
from malafide.tools import tools

PAGES = ("/", "/queue", "/history", "/dashboard", "/knowledge/catalog", "/knowledge/agents", "/knowledge/tools",
         "/knowledge/rules", "/about")  # fmt: skip


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(tmp_path_factory.mktemp("page")) as found:
        yield found


@pytest.fixture
def client(service: Service) -> Iterator[httpx.Client]:
    with service.client() as made:
        yield made


def label(client: httpx.Client, case: str, said: Said, **more: str) -> httpx.Response:
    return client.post(f"/cases/{case}/label", data={"csrf": csrf(client), "label": said, **more})


@pytest.mark.parametrize("path", PAGES)
def test_every_page_is_there_before_anything_was_checked(client: httpx.Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert not re.search(r"<script(?! src=\"/static/)|\sstyle=|\son\w+=|https?://", answer.text)


@pytest.mark.parametrize(
    ("content", "panel", "word"),
    [
        (PHISH, "spam", "SPAM"),
        (NOTE, "spam", "HAM"),
        (CHAT, "conversation", "SCAM"),
        (POST, "post", "CREDIBLE"),
    ],
)
def test_a_form_without_a_script_leads_to_the_answer(
    service: Service, client: httpx.Client, content: bytes, panel: str, word: str
) -> None:
    case = service.check(content, "m.eml")
    found = service.newest()
    assert found.line.panel == panel
    page = client.get(f"/cases/{case}")
    assert page.status_code == 200
    assert word in page.text
    with_marks = re.findall(r'id="w(\d+)"', page.text)
    entries = re.findall(r'<li id="e(\d+)"', page.text)
    assert set(with_marks) == set(entries)
    for agent in re.findall(r'href="#a-([\w-]+)"', page.text):
        assert f'id="a-{agent}"' in page.text


def test_a_picture_is_read(service: Service, client: httpx.Client) -> None:
    case = service.check(qr_png("http://203.0.113.9/pay"), "screenshot.png")
    assert service.newest().line.panel == "document"
    page = client.get(f"/cases/{case}").text
    assert "hxxp://203[.]0[.]113[.]9/pay" in page
    assert 'id="w1"' in page


def test_the_page_and_the_command_line_have_one_answer(service: Service, client: httpx.Client) -> None:
    case = service.check(PHISH, "m.eml")
    ruling = bench("spam").judge(PHISH, "m.eml")
    assert json.loads(client.get(f"/cases/{case}/contract").text) == json.loads(json.dumps(ruling.contract))


def test_links_of_a_message_are_broken_and_its_pictures_are_not_there(
    service: Service, client: httpx.Client
) -> None:
    page = client.get(f"/cases/{service.check(PHISH, 'm.eml')}").text
    assert "hxxp://203[.]0[.]113[.]9/pay" in page
    assert not re.search(r"""(?:href|src)=(?!"[/#])""", page)
    assert "Hidden from the reader" in page


@pytest.mark.parametrize("content", [attack_mail(), attack_chat(), attack_post()])
def test_attacks_are_shown_as_text(service: Service, client: httpx.Client, content: bytes) -> None:
    case = service.check(content, ATTACKS[1] + ".eml")
    for path in (f"/cases/{case}", "/history", "/", f"/cases/{case}?part=article", "/queue"):
        page = client.get(path).text
        assert not re.search(
            r"<(?:script(?! src=\"/static/)|img|iframe|xss|math|video|base|link rel=stylesheet)", page
        )
        # No tag of ours has a handler, so none may be there at all.
        assert not re.search(r"<\w[^>]*\son\w+\s*=", page)


@pytest.mark.parametrize("path", ["/history?q={}", "/knowledge/rules?q={}", "/cases/{}", "/queue?skip={}&done={}",
                                  "/knowledge/{}", "/history?panel={}", "/history?after={}"])  # fmt: skip
def test_attacks_in_the_address_are_text(client: httpx.Client, path: str) -> None:
    for attack in ATTACKS[:4]:
        answer = client.get(path.replace("{}", httpx.QueryParams({"x": attack})["x"]))
        assert answer.status_code in (200, 400, 404)
        assert attack not in answer.text


def test_a_person_overrules_and_takes_it_back(service: Service, client: httpx.Client) -> None:
    case = service.check(PHISH + b"once more", "m.eml")
    said = label(client, case, "genuine")
    assert said.status_code == 303
    page = client.get(said.headers["location"]).text
    assert "Noted:" in page
    assert "overruling the panel" in page
    (made,) = service.desk.store.labels(case)
    assert (made.label, made.who, made.overruled) == ("genuine", "local", True)
    back = client.post(f"/cases/{case}/undo", data={"csrf": csrf(client), "said": str(made.id)})
    assert "Taken back" in client.get(back.headers["location"]).text
    assert service.desk.store.case(case).line.label == ""
    again = client.post(f"/cases/{case}/undo", data={"csrf": csrf(client), "said": str(made.id)})
    assert again.status_code == 409
    assert "text/html" in again.headers["content-type"]


def test_judging_again_says_that_nothing_changed(service: Service, client: httpx.Client) -> None:
    for content in (NOTE, CHAT, POST):
        case = service.check(content, "m.eml")
        page = client.post(f"/cases/{case}/replay", data={"csrf": csrf(client)})
        assert page.status_code == 200
        assert "the same in every field" in page.text


def test_the_queue_asks_decides_skips_and_goes_back(service: Service, client: httpx.Client) -> None:
    first, second = service.check(UNSURE + b"one", "1.eml"), service.check(UNSURE + b"two", "2.eml")
    assert service.desk.store.case(first).line.is_open
    page = client.get("/queue").text
    current = re.search(r'data-case="(\w+)"', page)
    assert current is not None
    skip = re.search(r'data-key="s" href="([^"]+)"', page)
    assert skip is not None
    after = client.get(skip.group(1)).text
    assert f'data-case="{current.group(1)}"' not in after
    said = label(client, first, "deceptive", back=f"/queue?skip={second}")
    assert said.headers["location"].startswith(f"/queue?done={first}.")
    assert said.headers["location"].endswith(f"&skip={second}")
    page = client.get(said.headers["location"]).text
    assert "Noted:" in page
    undo = re.search(r'name="said" value="(\d+)"', page)
    assert undo is not None
    back = client.post(
        f"/cases/{first}/undo", data={"csrf": csrf(client), "said": undo.group(1), "back": "/queue"}
    )
    page = client.get(back.headers["location"]).text
    assert f'data-case="{first}"' in page


def test_a_burst_of_labels_is_held_until_an_administrator_lets_it_count(
    service: Service, client: httpx.Client
) -> None:
    for number in range(22):
        case = service.desk.store.submit_judged(*_judged(UNSURE + b"burst %d" % number, "b.eml"))
        label(client, case, "deceptive")
    page = client.get("/queue").text
    assert re.search(r"\d+ labels of local came quickly", page)
    word = csrf(client)
    assert client.post("/held", data={"csrf": word, "source": "nobody", "what": "count"}).status_code == 404
    assert client.post("/held", data={"csrf": word, "source": "local", "what": "x"}).status_code == 400
    assert client.post("/held", data={"csrf": word, "source": "local", "what": "count"}).status_code == 303
    page = client.get("/queue").text
    assert "came quickly" not in page
    assert service.desk.store.audit().items[0].action == "held labels let count"


@pytest.mark.parametrize(
    "back", ["https://bad.test/", "//bad.test", "/queue/../x", "/queue?skip=<x>", "javascript:x"]
)
def test_a_form_leads_nowhere_else(service: Service, client: httpx.Client, back: str) -> None:
    case = service.check(NOTE, "m.eml")
    where = label(client, case, "genuine", back=back).headers["location"]
    assert where.startswith((f"/cases/{case}?said=", f"/queue?done={case}."))
    assert "<" not in where


@pytest.mark.parametrize("word", [None, "", "0" * 32])
@pytest.mark.parametrize(
    "action", ["/check", "/cases/{}/label", "/cases/{}/undo", "/cases/{}/replay", "/logout"]
)
def test_a_form_of_another_site_is_refused(
    service: Service, client: httpx.Client, action: str, word: str | None
) -> None:
    case = service.newest().id
    client.get("/")
    data = {"label": "genuine", "text": "hello", **({} if word is None else {"csrf": word})}
    assert client.post(action.format(case), data=data).status_code == 403
    elsewhere = {"Origin": "https://bad.test", "Sec-Fetch-Site": "cross-site"}
    good = {**data, "csrf": csrf(client)}
    assert client.post(action.format(case), data=good, headers=elsewhere).status_code == 403


def test_nothing_to_check_is_said_as_a_page_and_to_the_script(client: httpx.Client) -> None:
    empty = {"csrf": csrf(client), "text": "  "}
    page = client.post("/check", data=empty)
    assert page.status_code == 422
    assert "nothing to check yet" in page.text
    told = client.post("/check", data=empty, headers={"Accept": "application/json"})
    assert "nothing to check yet" in told.json()["error"]


def test_a_case_that_cannot_be_judged_says_why(service: Service, client: httpx.Client) -> None:
    page = client.get(f"/cases/{service.check(b'[1, 2', 'x.json', 'post')}").text
    assert "This could not be judged" in page
    assert "not thereby safe" in page


def test_an_answer_is_shown_even_when_the_message_cannot_be_read_again(
    service: Service, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = service.check(PHISH, "m.eml")

    async def refuse(job: object) -> object:
        raise Unjudgeable("it ended two judges")

    monkeypatch.setattr(service.desk, "run", refuse)
    page = client.get(f"/cases/{case}")
    assert page.status_code == 200
    assert "SPAM" in page.text
    assert "There is no text to show" in page.text
    assert "not marked" in page.text


def test_the_steps_come_as_events(service: Service, client: httpx.Client) -> None:
    for content in (PHISH, CHAT, POST):
        case = service.check(content, "m.eml")
        text = client.get(f"/cases/{case}/steps").text
        events = re.findall(r"event: (\w+)\ndata: (.+)\n", text)
        assert [name for name, _ in events].count("verdict") == 1
        assert events[-1][0] == "verdict"
        assert json.loads(events[-1][1])["badge"]
        assert len(events) > 2


def test_the_history_is_searched_and_paged(service: Service, client: httpx.Client) -> None:
    for number in range(45):
        service.desk.store.submit_judged(*_judged(NOTE + b"%d" % number, f"paged-{number}.eml"))
    page = client.get("/history?q=paged&panel=spam").text
    assert page.count('<td class="what">') == 40
    older = re.search(r'rel="next" href="([^"]+)"', page)
    assert older is not None
    rest = client.get(older.group(1).replace("&amp;", "&")).text
    assert rest.count('<td class="what">') == 5
    assert client.get("/history?q=paged&answer=SPAM").text.count('<td class="what">') == 0
    assert client.get("/history?since=tomorrow").status_code == 400


def _judged(content: bytes, name: str) -> tuple[object, object]:
    from malafide.store import NewCase

    return NewCase("spam", name, content, "local"), bench("spam").judge(content, name)


def test_the_dashboard_counts(client: httpx.Client) -> None:
    for days in (1, 7, 30, 365, 9999):
        page = client.get(f"/dashboard?days={days}")
        assert page.status_code == 200
        assert "Volume and mix" in page.text
        assert page.text.count("As a table") == 5


def test_everything_that_is_known_is_documented(client: httpx.Client) -> None:
    listed = client.get("/knowledge/tools").text
    assert all(f"<b>{tool.name}</b>" in listed for tool in tools)
    listed = client.get("/knowledge/agents").text
    names = [agent.name for _, found in agents() for agent in found]
    assert len(names) > 10
    assert all(f'id="agent-{name}"' in listed for name in names)
    rules = client.get("/knowledge/rules?q=parcel&tool=").text
    assert "phishing.parcel-problem" in rules


def test_static_files_may_be_kept_for_ever_and_there_are_no_others(client: httpx.Client) -> None:
    answer = client.get("/static/page.css")
    assert "immutable" in answer.headers["cache-control"]
    assert "url(" not in answer.text
    assert client.get("/static/icon.svg").headers["content-type"] == "image/svg+xml"
    for path in ("/static/../pages.py", "/static/%2e%2e/pages.py", "/static/nothing.css"):
        assert client.get(path).status_code == 404


def test_with_a_token_everybody_must_log_in(tmp_path: object) -> None:
    with running(tmp_path) as service:  # type: ignore[arg-type]
        _, reader = service.desk.store.new_token("reader <b>", {"read"}, 6000, "test")
        _, all_of_it = service.desk.store.new_token(
            "boss", {"read", "submit", "review", "admin"}, 6000, "test"
        )
        with service.client() as client:
            html = {"Accept": "text/html"}
            for path in PAGES:
                assert client.get(path, headers=html).headers["location"] == "/login"
            word = csrf(client)
            assert "no token that counts" in client.post("/login", data={"csrf": word, "token": "mf_x"}).text
            inside = client.post("/login", data={"csrf": word, "token": reader})
            cookie = inside.headers["set-cookie"].lower()
            assert "httponly" in cookie
            assert "samesite=strict" in cookie
            assert client.get("/history").status_code == 200
            assert "may read, but not submit" in client.get("/").text
            assert client.get("/queue").status_code == 403
            assert client.post("/check", data={"csrf": word, "text": "x"}).status_code == 403
            assert "Tokens are shown to those who may administer" in client.get("/about").text
            assert client.post("/logout", data={"csrf": word}).headers["location"] == "/login"
            assert client.get("/history", headers=html).status_code == 303
            client.post("/login", data={"csrf": word, "token": all_of_it})
            about = client.get("/about").text
            assert "reader &lt;b&gt;" in about
            assert reader not in about
            assert client.get("/queue").status_code == 200
