"""The service as a process: it ends well, loses nothing however it ends, and outlives its judges."""

from __future__ import annotations

import gzip
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from bad_jobs import Ends, EndsOnce, Sleeps
from service_at import MAIL, At, judged, serving, told

from malafide.errors import BrokenStore, Unjudgeable
from malafide.service import guard
from malafide.service import serving as serving_module
from malafide.service.choices import ServiceSettings
from malafide.service.jobs import Judge
from malafide.service.judges import Judges
from malafide.settings import Settings
from malafide.store import Claimed, open_store


@pytest.fixture
def judges(monkeypatch: pytest.MonkeyPatch) -> Iterator[Judges]:
    # A judge process must find those jobs.
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    pool = Judges(Settings(), 1, seconds=4.0)
    yield pool
    pool.close(5.0)


def test_a_judge_that_dies_is_replaced_and_its_job_done_by_another(judges: Judges, tmp_path: Path) -> None:
    assert judges.submit(EndsOnce(tmp_path / "mark")).result(60) == "done"
    assert judges.replaced == 1
    with pytest.raises(Unjudgeable, match="ended two judges"):
        judges.submit(Ends()).result(60)
    with pytest.raises(Unjudgeable, match="within 4 seconds"):
        judges.submit(Sleeps()).result(60)
    answer = judges.submit(Judge("spam", "", MAIL)).result(60)
    assert answer.ruling.answer and judges.replaced == 4


def test_a_judge_killed_between_two_cases_is_not_noticed_outside(tmp_path: Path) -> None:
    with serving(tmp_path / "home") as at, at.client() as client:
        before = client.post("/v1/classify", content=MAIL)
        os.kill(at.desk.judges.pids[0], signal.SIGKILL)
        assert client.post("/v1/classify", content=MAIL).content == before.content
        assert "malafide_judges_replaced_total 1" in client.get("/metrics").text


def test_what_was_learned_elsewhere_is_known_to_the_next_case(tmp_path: Path, at_once: At) -> None:
    with at_once.client() as client:
        before = client.post("/v1/classify", content=MAIL).json()
        taught = at_once.home / "given.eml"
        taught.write_bytes(MAIL)
        subprocess.run(
            [sys.executable, "-m", "malafide", "feedback", str(taught), "ham", "--source", "ana"],
            check=True, capture_output=True, env={**os.environ, "MALAFIDE_HOME": str(at_once.home)},
        )  # fmt: skip
        after = client.post("/v1/classify", content=MAIL).json()
    assert after["final_score"] < before["final_score"]


@pytest.fixture
def at_once(tmp_path: Path) -> Iterator[At]:
    with serving(tmp_path / "home") as found:
        yield found


@contextmanager
def command(home: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "malafide", "serve", "--port", str(port), "--judges", "1"],
        env={**os.environ, "MALAFIDE_HOME": str(home)},
        stderr=subprocess.PIPE,
    )
    assert process.stderr is not None
    try:
        for line in process.stderr:
            if line == f"malafide serves at http://127.0.0.1:{port}\n".encode():
                break
        else:
            raise AssertionError("it did not start")
        yield process
    finally:
        process.kill()
        process.communicate()


def test_every_database_serves_and_one_that_is_away_for_a_moment_is_waited_for(
    tmp_path: Path, database_url: str
) -> None:
    settings = ServiceSettings(port=0, judges=1, database=database_url)
    with serving(tmp_path / "home", settings) as at, at.client() as client:
        store, away = at.desk.store, [BrokenStore("the server starts again")] * 2
        claim = store.claim

        def claimed(*given: Any) -> list[Claimed]:
            if away:
                raise away.pop()
            return claim(*given)

        store.claim = claimed  # type: ignore[method-assign]
        case = client.post("/v1/cases", content=MAIL).json()["id"]
        assert judged(client, case)["state"] == "judged" and not away
        assert client.get("/readyz").json()["ready"]
        first = client.post("/v1/classify", content=MAIL)
        assert client.get(f"/v1/cases/{first.headers['x-malafide-case']}").json()["contract"] == first.json()
        said = client.post("/v1/feedback", json={"case": case, "label": "deceptive"}).json()
        assert client.delete(f"/v1/feedback/{case}/{said['id']}").status_code == 200
        found = client.get("/v1/cases", params={"q": "parcel", "open": "false"}).json()["items"]
        assert len(found) == 2


def test_a_case_that_another_process_judges_can_be_watched(tmp_path: Path) -> None:
    with serving(tmp_path / "home") as at, at.client() as client:
        at.app.state.backlog.stop()
        time.sleep(1.5)
        case = client.post("/v1/cases?panel=spam", content=MAIL).json()["id"]
        worker = subprocess.Popen(
            [sys.executable, "-m", "malafide", "worker", "--workers", "1"],
            env={**os.environ, "MALAFIDE_HOME": str(at.home)}, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            seen = [name for name, _ in told(client.get(f"/v1/cases/{case}/events", timeout=60))]
        finally:
            worker.terminate()
            worker.wait(30)
    assert seen == ["step", "step", "step", "verdict"]


class Collector(HTTPServer):
    """Takes spans in."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Taking)
        self.seen = b""


class _Taking(BaseHTTPRequestHandler):
    server: Collector

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.seen += gzip.decompress(body) if self.headers["Content-Encoding"] == "gzip" else body
        self.send_response(200)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        return


def test_spans_tell_routes_and_answers_and_no_word_of_a_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    collector, port = Collector(), free_port()
    threading.Thread(target=collector.serve_forever, daemon=True).start()
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{collector.server_port}")
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "200")
    with command(tmp_path, port), httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
        assert client.post("/v1/classify?name=secretname", content=MAIL).status_code == 200
        assert client.get("/v1/cases?q=secretword").status_code == 200
        for _ in range(100):
            if b"/v1/cases" in collector.seen:
                break
            time.sleep(0.05)
    collector.shutdown()
    assert b"/v1/classify" in collector.seen and b"malafide.answer" in collector.seen
    assert b"secret" not in collector.seen and b"parcel" not in collector.seen.lower()


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def test_a_caller_who_does_not_come_to_the_end_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving_module, "_HEADER_SECONDS", 0.5)
    monkeypatch.setattr(guard, "_SECONDS", 0.5)
    with serving(tmp_path / "home", http=serving_module._Impatient) as at:
        port = int(at.url.rsplit(":", 1)[1])
        for begun in (b"", b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n"):
            with socket.create_connection(("127.0.0.1", port), timeout=10) as one:
                one.sendall(begun)
                assert one.recv(100) == b"", "closed"
        with socket.create_connection(("127.0.0.1", port), timeout=10) as one:
            one.sendall(b"POST /v1/classify HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\nabc")
            assert one.recv(100).startswith(b"HTTP/1.1 422")
        with at.client() as client:
            assert client.post("/v1/classify", content=MAIL).status_code == 200


def test_it_stops_on_a_signal_and_takes_up_what_waits_after_a_kill(tmp_path: Path) -> None:
    home, port = tmp_path / "home", free_port()
    url = f"http://127.0.0.1:{port}"
    with command(home, port) as process, httpx.Client(base_url=url, timeout=30) as client:
        accepted = [
            client.post("/v1/cases?panel=spam", content=MAIL + b"%d" % n).json()["id"] for n in range(40)
        ]
        process.kill()  # most of them wait, or are being judged
    judges = [one for one in Path("/proc").iterdir() if _is_child(one, process.pid)]
    assert not judges
    with open_store(f"sqlite:///{home}/service.sqlite") as store:
        assert all(store.case(case) is not None for case in accepted)
    with command(home, port) as process, httpx.Client(base_url=url, timeout=30) as client:
        assert all(judged(client, case)["state"] == "judged" for case in accepted)
        with client.stream("GET", f"/v1/cases/{accepted[0]}/events") as stream:
            assert stream.status_code == 200
        later = client.post("/v1/cases?panel=spam", content=MAIL).json()["id"]
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) in (0, -signal.SIGTERM)
    with open_store(f"sqlite:///{home}/service.sqlite") as store:
        found = store.case(later)
        assert found is not None and found.line.state in ("judged", "waiting")


def test_a_judge_that_hangs_keeps_nobody_from_ending(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MALAFIDE_SERVICE_STOP_SECONDS", "1")
    home, port = tmp_path / "home", free_port()
    url = f"http://127.0.0.1:{port}"
    with command(home, port) as process, httpx.Client(base_url=url, timeout=30) as client:
        judged(client, client.post("/v1/cases?panel=spam", content=MAIL).json()["id"])
        (judge,) = (int(one.name) for one in Path("/proc").iterdir() if _is_child(one, process.pid))
        os.kill(judge, signal.SIGSTOP)
        case = client.post("/v1/cases?panel=spam", content=MAIL).json()["id"]
        with client.stream("GET", f"/v1/cases/{case}/events") as stream:
            process.send_signal(signal.SIGTERM)
            assert b"verdict" not in stream.read(), "who watches is let go"
        process.wait(20)
        for _ in range(100):
            if not _lives(judge):
                break
            time.sleep(0.05)
        assert not _lives(judge)
    with command(home, port), httpx.Client(base_url=url, timeout=30) as client:
        assert judged(client, case)["state"] == "judged"


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _is_child(process: Path, parent: int) -> bool:
    try:
        fields = (process / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return int(fields[1]) == parent
