"""Who may ask the service: tokens, scopes, how often, from where; and what every answer carries."""

from __future__ import annotations

import io
import logging
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.routing import APIRoute
from service_at import MAIL, At, serving

from malafide.errors import BadSetting, MalafideError
from malafide.service.app import make_app
from malafide.service.choices import ServiceSettings, load_service
from malafide.service.security import OPEN, Bucket, check_host, check_origin, cookies_of
from malafide.service.serving import check
from malafide.store import open_store

OWN = {"host": "127.0.0.1:8300"}


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[At]:
    with serving(tmp_path_factory.mktemp("guarded") / "home") as found:
        yield found


@pytest.fixture(scope="module")
def tokens(at: At) -> dict[str, str]:
    """The secret of a token for each scope. From then on the service asks for one."""
    store = at.desk.store
    made = {s: store.new_token(s, [s], 6_000, "test")[1] for s in ("read", "submit", "review", "admin")}
    with at.client() as client:
        for _ in range(100):
            if client.get("/v1/cases").status_code == 401:
                break
    return made


ROUTES = [
    ("GET", "/v1/cases", "read"),
    ("POST", "/v1/classify", "submit"),
    ("POST", "/v1/cases", "submit"),
    ("GET", "/v1/cases/c00000000000000000000/content", "review"),
    ("POST", "/v1/cases/c00000000000000000000/replay", "review"),
    ("GET", "/v1/audit", "admin"),
    ("GET", "/metrics", "read"),
]


@pytest.mark.parametrize(("method", "path", "scope"), ROUTES)
def test_a_token_does_what_its_scope_says_and_no_more(
    at: At, tokens: dict[str, str], method: str, path: str, scope: str
) -> None:
    with at.client() as client:
        assert client.request(method, path).status_code == 401
        for one, secret in tokens.items():
            headers = {"Authorization": f"Bearer {secret}"}
            answer = client.request(method, path, headers=headers, content=MAIL if method == "POST" else None)
            allowed = one in (scope, "admin")
            assert (answer.status_code in (401, 403)) != allowed, (one, answer.status_code)


def test_every_route_of_the_api_asks_for_a_scope() -> None:
    app = make_app(ServiceSettings())
    for route in app.routes:
        if isinstance(route, APIRoute) and route.include_in_schema and route.path not in OPEN:
            asked = [getattr(d.call, "scope", None) for d in route.dependant.dependencies]
            assert any(asked), route.path


def test_a_revoked_or_unknown_token_is_nobody(at: At, tokens: dict[str, str]) -> None:
    token, secret = at.desk.store.new_token("brief", ["read"], 10, "test")
    with at.client(secret) as client:
        assert client.get("/v1/cases").status_code == 200
        at.desk.store.revoke(token.id, "test")
        for _ in range(60):
            if client.get("/v1/cases").status_code == 401:
                break
            time.sleep(0.05)
        assert client.get("/v1/cases").status_code == 401, "within two seconds"
    for secret in ("mf_guess", "x" * 5_000, "mf_" + "é"):
        with at.client() as client:
            answer = client.get("/v1/cases", headers={"Authorization": f"Bearer {secret}".encode()})
            assert answer.status_code == 401 and answer.headers["www-authenticate"].startswith("Bearer")


def test_a_token_asks_only_so_often(at: At, tokens: dict[str, str]) -> None:
    _, secret = at.desk.store.new_token("slow", ["read"], 3, "test")
    with at.client(secret) as client:
        codes = [client.get("/v1/batches").status_code for _ in range(5)]
        assert codes == [200, 200, 200, 429, 429]
        assert int(client.get("/v1/batches").headers["retry-after"]) >= 1


def test_a_bucket_fills_again() -> None:
    bucket = Bucket(60)
    start = bucket._when
    assert all(bucket.take(start) == 0 for _ in range(60))
    assert bucket.take(start) == 1.0
    assert bucket.take(start + 1.1) == 0


def test_a_browser_gets_in_with_a_cookie_that_scripts_cannot_read(at: At, tokens: dict[str, str]) -> None:
    with at.client() as client:
        turned = client.get("/", headers={"accept": "text/html"})
        assert turned.status_code == 303 and turned.headers["location"] == "/login"
        assert client.post("/v1/session", json={"token": "mf_wrong"}).status_code == 401
        entered = client.post("/v1/session", json={"token": tokens["review"]})
        assert entered.status_code == 204
        cookie = entered.headers["set-cookie"].lower()
        assert "httponly" in cookie and "samesite=strict" in cookie
        assert client.get("/v1/queue").status_code == 403, "that token may review, and not read"
        refused = client.post("/v1/feedback", json={"case": "c" + "0" * 20, "label": "genuine"})
        assert refused.status_code == 403 and "x-csrf-token" in refused.json()["error"]
        client.cookies.set("malafide_csrf", "word")
        headers = {"x-csrf-token": "word", "origin": at.url, "sec-fetch-site": "same-origin"}
        said = client.post("/v1/feedback", json={"case": "c" + "0" * 20, "label": "genuine"}, headers=headers)
        assert said.status_code == 404, "let through, and there is no such case"
        assert client.delete("/v1/session", headers=headers).status_code == 204


def raw(headers: dict[str, str]) -> dict[bytes, bytes]:
    return {name.encode(): value.encode() for name, value in headers.items()}


@pytest.mark.parametrize(
    ("headers", "refused"),
    [
        ({}, False),  # no browser
        ({"origin": "http://127.0.0.1:8300", "cookie": "malafide_csrf=w", "x-csrf-token": "w"}, False),
        ({"sec-fetch-site": "same-origin", "cookie": "malafide_csrf=w", "x-csrf-token": "w"}, False),
        ({"origin": "http://127.0.0.1:8300", "cookie": "malafide_csrf=w"}, True),
        ({"origin": "http://127.0.0.1:8300", "cookie": "malafide_csrf=w", "x-csrf-token": "v"}, True),
        ({"origin": "http://127.0.0.1:8300", "x-csrf-token": ""}, True),
        ({"origin": "http://evil.example", "cookie": "malafide_csrf=w", "x-csrf-token": "w"}, True),
        ({"origin": "null"}, True),
        ({"sec-fetch-site": "cross-site"}, True),
        ({"sec-fetch-site": "same-site", "cookie": "malafide_csrf=w", "x-csrf-token": "w"}, True),
        ({"cookie": "malafide_session=mf_x"}, True),
        ({"authorization": "Bearer mf_x", "origin": "http://evil.example"}, False),  # no site can make that
        ({"origin": "http://[bad"}, True),
    ],
)
def test_what_another_site_makes_a_browser_send_is_refused(headers: dict[str, str], refused: bool) -> None:
    given = raw(OWN | headers)
    try:
        check_origin("POST", "/v1/feedback", given, cookies_of(given))
    except MalafideError as error:
        assert refused and error.http_status == 403
    else:
        assert not refused
    check_origin("GET", "/v1/cases", given, cookies_of(given))


@pytest.mark.parametrize(
    ("host", "fine"),
    [
        ("127.0.0.1:8300", True), ("localhost:8300", True), ("LOCALHOST", True), ("[::1]:8300", True),
        ("evil.example", False), ("127.0.0.1.evil.example", False), ("", False), ("[", False),
        ("desk.example.com", True),
    ],
)  # fmt: skip
def test_a_name_that_is_not_ours_is_refused(host: str, fine: bool) -> None:
    settings = ServiceSettings(hosts=("desk.example.com",))
    try:
        check_host(raw({"host": host}), settings)
    except MalafideError as error:
        assert not fine and error.http_status == 421
    else:
        assert fine


def test_every_answer_carries_what_protects_a_browser(at: At) -> None:
    with at.client() as client:
        for path in ("/healthz", "/v1/cases", "/login", "/none", "/openapi.json"):
            headers = client.get(path, headers={"accept": "application/json"}).headers
            policy = headers["content-security-policy"]
            assert "default-src 'none'" in policy and "unsafe" not in policy, path
            assert "frame-ancestors 'none'" in policy
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["cross-origin-opener-policy"] == "same-origin"
            assert headers["cross-origin-resource-policy"] == "same-origin"
            assert headers["x-frame-options"] == "DENY"
            assert "access-control-allow-origin" not in headers and "server" not in headers
        assert client.get("/healthz").headers["cache-control"] == "no-store"


def test_the_access_log_holds_no_word_of_a_message(at: At, tokens: dict[str, str]) -> None:
    seen = io.StringIO()
    handler, log = logging.StreamHandler(seen), logging.getLogger("malafide.access")
    log.addHandler(handler)
    before = log.level
    log.setLevel(logging.INFO)
    try:
        with at.client(tokens["admin"]) as client:
            client.post("/v1/classify?name=secretname.eml", content=MAIL)
            client.get("/v1/cases?q=secretword")
            client.get("/v1/cases/c00000000000000000000?secretquery")
    finally:
        log.removeHandler(handler)
        log.setLevel(before)
    lines = seen.getvalue()
    assert "POST /v1/classify 200" in lines and "admin" in lines
    assert "secret" not in lines and "parcel" not in lines.lower() and tokens["admin"] not in lines


def test_no_secret_is_kept(at: At, tokens: dict[str, str]) -> None:
    kept = b"".join(path.read_bytes() for path in at.home.rglob("*") if path.is_file())
    assert all(secret.encode() not in kept for secret in tokens.values())


def test_others_can_ask_only_once_there_is_a_token(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/s.sqlite"
    open_to_all = ServiceSettings(host="0.0.0.0", database=database)
    with pytest.raises(BadSetting, match="malafide token new"):
        check(open_to_all)
    with open_store(database) as store:
        token, _ = store.new_token("one", ["read"], 10, "test")
        check(open_to_all)
        store.revoke(token.id, "test")
    with pytest.raises(BadSetting):
        check(open_to_all)
    check(ServiceSettings(host="::1", database=database))


def test_settings_come_from_the_file_then_the_environment_then_flags(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(
        'model = "openai:x"\n[service]\nport = 9000\nhosts = ["desk.example.com"]\nmax_upload = 1000\n'
        '[service.callbacks.soc]\nurl = "https://soc.example.com/in"\nsecret_variable = "SOC"\n'
    )
    environ = {"MALAFIDE_SERVICE_PORT": "9001", "MALAFIDE_SERVICE_JUDGES": "3", "SOC": "0123456789abcdef"}
    found = load_service({"judges": 4, "host": None}, environ, file)
    assert (found.port, found.judges, found.hosts, found.max_upload) == (9001, 4, ("desk.example.com",), 1000)
    assert found.models.model == "openai:x"
    assert found.callbacks["soc"].secret == "0123456789abcdef"
    assert "0123456789abcdef" not in repr(found)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[service]\nport = 70000", "not a number from 0 to 65,535"),
        ("[service]\nprot = 1", "no such setting"),
        ("service = 3", "is a section"),
        ("[service]\nhosts = 3", "not a list of names"),
        ('[service]\nhost = ""', "not a name or address"),
        ('[service.callbacks.a]\nurl = "ftp://x"\nsecret = "0123456789abcdef"', "not the address"),
        ('[service.callbacks.a]\nurl = "https://x.example"', "needs a secret"),
        ('[service.callbacks.a]\nurl = "https://x.example"\nsecret = "short"', "at least 16"),
        ('[service.callbacks.a]\naddress = "https://x.example"', "has a url"),
    ],
)
def test_bad_settings_are_refused_in_one_sentence(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(text)
    with pytest.raises(BadSetting, match=words):
        load_service({}, {}, file)


def malafide(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "malafide", *arguments], check=False, capture_output=True, text=True
    )


def test_tokens_are_made_listed_and_revoked_on_the_command_line() -> None:
    made = malafide("token", "new", "gateway", "--scopes", "submit,read", "--per-minute", "60")
    assert (
        made.returncode == 0 and made.stdout.startswith("mf_") and "read, submit, 60 a minute" in made.stderr
    )
    listed = malafide("token", "list")
    name = listed.stdout.split()[0]
    assert "gateway" in listed.stdout and made.stdout.strip() not in listed.stdout
    assert '"revoked_at": null' in malafide("token", "list", "--json").stdout
    assert "is revoked" in malafide("token", "revoke", name).stderr
    assert malafide("token", "revoke", name).returncode == 4
    assert malafide("token", "new", "x", "--scopes", "all").returncode == 6


def test_the_command_refuses_in_one_line() -> None:
    refused = malafide("serve", "--host", "0.0.0.0", "--port", "0")
    assert refused.returncode == 6
    assert refused.stderr.count("\n") == 1 and "a token is needed first" in refused.stderr
