"""The other filters as they come from Debian's packages, each started, asked about mails and stopped: one class each.

What is counted is the CPU time of the filter's own processes, so that neither the client nor a busy machine matters.
"""

from __future__ import annotations

import http.client
import json
import os
import pwd
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

Answer = Literal["SPAM", "HAM", "UNCERTAIN"]
_TICK = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Run:
    """How a filter did: its answers in order, the CPU seconds it used for them, and the memory it held."""

    answers: tuple[Answer, ...]
    seconds: float
    megabytes: float


def missing() -> list[str]:
    """The Debian packages of the filters that are not installed."""
    wanted = {"spamd": "spamassassin", "bogofilter": "bogofilter", "rspamd": "rspamd"}
    return [package for program, package in wanted.items() if shutil.which(program, path=_path()) is None]


def _path() -> str:
    return f"{os.environ['PATH']}:/usr/sbin:/sbin"


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _tree(pid: int) -> list[int]:
    """A process and all that descend from it."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            children.setdefault(int(fields[1]), []).append(int(entry.name))
    found, left = [], [pid]
    while left:
        one = left.pop()
        found.append(one)
        left.extend(children.get(one, ()))
    return found


def _cpu(pid: int) -> float:
    """CPU seconds of a process tree, with those of its children that ended."""
    total = 0
    for one in _tree(pid):
        try:
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        total += sum(map(int, fields[11:15] if one == pid else fields[11:13]))
    return total / _TICK


def _memory(pid: int) -> float:
    """Megabytes that a process tree holds; pages that it shares are counted once."""
    total = 0
    for one in _tree(pid):
        try:
            rollup = Path(f"/proc/{one}/smaps_rollup").read_text()
        except OSError:
            continue
        total += int(re.search(r"^Pss:\s+(\d+)", rollup, re.MULTILINE)[1])  # type: ignore[index]
    return total / 1024


@contextmanager
def _daemon(command: Sequence[str], port: int) -> Iterator[subprocess.Popen[bytes]]:
    """A server on one core, ended afterwards."""
    with tempfile.TemporaryFile() as told:  # and not a pipe: a server that fills one waits for its reader
        started = subprocess.Popen(
            ["taskset", "-c", "1", *command], env={**os.environ, "PATH": _path()},
            stdout=subprocess.DEVNULL, stderr=told,
        )  # fmt: skip
        yield from _until_ready(started, told, port)


def _until_ready(
    started: subprocess.Popen[bytes], told: IO[bytes], port: int
) -> Iterator[subprocess.Popen[bytes]]:
    try:
        for _ in range(600):
            if started.poll() is not None:
                told.seek(0)
                sys.exit(f"{started.args!r} did not start: {told.read()[-400:].decode('utf-8', 'replace')}")
            try:
                socket.create_connection(("127.0.0.1", port), 0.2).close()
                break
            except OSError:
                time.sleep(0.1)
        _settle(started.pid)
        yield started
    finally:
        started.send_signal(signal.SIGTERM)
        try:
            started.wait(20)
        except subprocess.TimeoutExpired:
            started.kill()


def _settle(pid: int) -> None:
    """Waits until a server has done what it does at its start, such as compiling its rules: at most two minutes."""
    for _ in range(60):
        before = _cpu(pid)
        time.sleep(2)
        if _cpu(pid) - before < 0.1:
            return


class SpamAssassin:
    """spamd with its local tests alone, as `spamd --local`; no network, no Bayes database."""

    name = "SpamAssassin (spamd, local tests)"
    reasons = "names of rules, with a phrase each"

    def run(self, mails: Sequence[bytes]) -> Run:
        port = _free_port()
        command = [
            "spamd", "--local", f"--listen=127.0.0.1:{port}", "--max-children=1", "--min-children=1",
            "--max-conn-per-child=1000000", "--nouser-config", "--username=nobody", "--syslog=null",
        ]  # fmt: skip
        with _daemon(command, port) as server:
            for data in mails[:20]:
                self._ask(port, data)
            before = _cpu(server.pid)
            answers = tuple(self._ask(port, data) for data in mails)
            return Run(answers, _cpu(server.pid) - before, _memory(server.pid))

    def _ask(self, port: int, data: bytes) -> Answer:
        with socket.create_connection(("127.0.0.1", port), 120) as line:
            line.sendall(b"SYMBOLS SPAMC/1.5\r\nContent-length: %d\r\n\r\n" % len(data) + data)
            line.shutdown(socket.SHUT_WR)
            said = b"".join(iter(lambda: line.recv(65536), b""))
        return "SPAM" if re.search(rb"^Spam: True", said, re.MULTILINE) else "HAM"


class Bogofilter:
    """bogofilter, trained on the other half of the same mails; it says `Unsure` where it is."""

    name = "bogofilter (trained)"
    reasons = "none (words with `-vvv`)"

    def __init__(self, spam: Sequence[bytes], ham: Sequence[bytes]) -> None:
        self._taught = (("-s", spam), ("-n", ham))

    def run(self, mails: Sequence[bytes]) -> Run:
        with tempfile.TemporaryDirectory() as folder:
            base = Path(folder)
            for flag, taught in self._taught:
                self._call(base, ["-b", flag], taught)
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            said = self._call(base, ["-b", "-v"], mails)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            words = re.findall(r"X-Bogosity: (Spam|Ham|Unsure)", said)
            kinds: dict[str, Answer] = {"Spam": "SPAM", "Ham": "HAM", "Unsure": "UNCERTAIN"}
            return Run(tuple(kinds[word] for word in words), spent, self._peak / 1024)

    def _call(self, base: Path, flags: list[str], mails: Sequence[bytes]) -> str:
        folder = base / "mails"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        paths = []
        for number, data in enumerate(mails):
            path = folder / f"{number:06}"
            path.write_bytes(data)
            paths.append(str(path))
        names = base / "names"
        names.write_text("".join(f"{path}\n" for path in paths))
        out = base / "said"
        with names.open() as given, out.open("w") as taken:
            command = ["taskset", "-c", "1", "bogofilter", *flags, "-d", str(base / "words")]
            (base / "words").mkdir(exist_ok=True)
            child = subprocess.Popen(command, stdin=given, stdout=taken)
            _, _, used = os.wait4(child.pid, 0)
        self._peak = used.ru_maxrss
        return out.read_text()


class Rspamd:
    """Rspamd with the rules it ships with, less every module that asks the network or Redis."""

    name = "Rspamd (no network)"
    reasons = "names of symbols, with a phrase each"
    _OFF = (
        "antivirus arc asn aws_s3 bimi clickhouse dcc dkim dkim_signing dmarc elastic external_services fuzzy_check "
        "greylist history_redis metadata_exporter metric_exporter mx_check neural p0f ratelimit rbl replies reputation "
        "rspamd_update spf surbl url_redirector"
    ).split()

    def run(self, mails: Sequence[bytes]) -> Run:
        port = _free_port()
        with tempfile.TemporaryDirectory() as name:
            folder = self._configured(Path(name), port)
            command = [
                "rspamd", "-f", "-u", "_rspamd", "-g", "_rspamd", "-c", str(folder / "rspamd.conf"),
                f"--var=LOCAL_CONFDIR={folder}", f"--var=DBDIR={folder}", f"--var=RUNDIR={folder}",
                f"--var=LOGDIR={folder}",
            ]  # fmt: skip
            with _daemon(command, port) as server:
                for data in mails[:20]:
                    self._ask(port, data)
                _settle(server.pid)
                before = _cpu(server.pid)
                # Side by side: each mail waits for names that no server resolves here, which costs no CPU.
                with ThreadPoolExecutor(16) as clients:
                    answers = tuple(clients.map(lambda data: self._ask(port, data), mails))
                return Run(answers, _cpu(server.pid) - before, _memory(server.pid))

    def _configured(self, folder: Path, port: int) -> Path:
        (folder / "local.d").mkdir()
        for module in self._OFF:
            (folder / "local.d" / f"{module}.conf").write_text("enabled = false;\n")
        (folder / "local.d" / "options.inc").write_text(
            'filters = "chartable,regexp"; disable_monitoring = true;\n'
            'dns { nameserver = ["127.0.0.1:9"]; timeout = 0.05s; retransmits = 1; }\n'
        )
        (folder / "rspamd.conf").write_text(
            '.include "$CONFDIR/common.conf"\n'
            'options { .include "$CONFDIR/options.inc"\n'
            '  .include(try=true; priority=1,duplicate=merge) "$LOCAL_CONFDIR/local.d/options.inc" }\n'
            f'logging {{ type = "file"; filename = "{folder}/log"; level = "error"; }}\n'
            f'worker "normal" {{ bind_socket = "127.0.0.1:{port}"; count = 1; mime = true; }}\n'
        )
        owner = pwd.getpwnam("_rspamd")
        for path in (folder, *folder.rglob("*")):
            os.chown(path, owner.pw_uid, owner.pw_gid)
        return folder

    def _ask(self, port: int, data: bytes) -> Answer:
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        line.request("POST", "/checkv2", data)
        said = json.loads(line.getresponse().read())
        line.close()
        action = said.get("action", "")
        if action in ("reject", "add header", "rewrite subject"):
            return "SPAM"
        return "UNCERTAIN" if action in ("greylist", "soft reject") else "HAM"


class Malafide:
    """malafide in a process of its own; each answer is made into the whole contract, with its reasons, as JSON."""

    reasons = "sentences, each with the words of the mail and where they stand"

    def __init__(self, spam: Sequence[bytes] = (), ham: Sequence[bytes] = ()) -> None:
        self._taught = (("spam", spam), ("ham", ham)) if spam else ()
        self.name = "malafide (learned)" if spam else "malafide (built in)"

    def run(self, mails: Sequence[bytes]) -> Run:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for kind, held in (("test", mails), *self._taught):
                (folder / kind).mkdir()
                for number, data in enumerate(held):
                    (folder / kind / f"{number:06}").write_bytes(data)
            done = subprocess.run(
                ["taskset", "-c", "1", sys.executable, "-m", "benchmarks.peer_malafide", name],
                env={**os.environ, "MALAFIDE_HOME": str(folder / "home"), "OPENBLAS_NUM_THREADS": "1"},
                capture_output=True, check=True, text=True,
            )  # fmt: skip
        said = json.loads(done.stdout)
        return Run(tuple(said["answers"]), said["seconds"], said["megabytes"])
