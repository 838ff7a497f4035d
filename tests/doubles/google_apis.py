"""A loopback server that speaks what malafide uses of Gmail, Drive and Google's sign-in, over TLS like the real ones.

    with GoogleApis(tmp_path) as google: ...

It keeps mails, labels and files, wants its token, pages its lists, and refuses in Google's form.
"""

from __future__ import annotations

import base64
import hashlib
import json
import ssl
import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import IPv4Address
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

PAGE = 2  # mails of one page of a list
TOKEN = "ya29.double"
SYSTEM = ("INBOX", "UNREAD", "STARRED", "IMPORTANT", "SPAM", "TRASH")


@dataclass
class Mail:
    raw: bytes
    labels: list[str]


@dataclass
class File:
    name: str
    kind: str
    content: bytes
    trashed: bool = False


class Refusal(Exception):
    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass
class Request:
    method: str
    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]
    body: bytes

    def one(self, name: str, default: str = "") -> str:
        return self.query.get(name, [default])[0]

    @property
    def json(self) -> dict[str, Any]:
        sent: dict[str, Any] = json.loads(self.body or b"{}")
        return sent


@dataclass
class GoogleApis:
    folder: Path
    address: str = "ann@gmail.example"
    mails: dict[str, Mail] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=lambda: {name: name for name in SYSTEM})
    files: dict[str, File] = field(default_factory=dict)
    tokens: list[str] = field(default_factory=lambda: [TOKEN])
    granted: str = ""  # scopes at sign-in, when they are others than asked for
    failing: list[int] = field(default_factory=list)  # statuses to answer with first
    asked: list[tuple[str, str]] = field(default_factory=list)

    def __enter__(self) -> GoogleApis:
        self.certificate = _certificate(self.folder)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        ).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self._server.server_address[1]}"

    def add(self, raw: bytes, *labels: str) -> str:
        one = f"{len(self.mails) + 0x18F0:016x}"
        self.mails[one] = Mail(raw, list(labels))
        return one

    def state(self) -> dict[str, Any]:
        """Everything that undo has to restore."""
        mails = {one: (mail.raw, sorted(mail.labels)) for one, mail in self.mails.items()}
        files = {one: (file.name, file.content, file.trashed) for one, file in self.files.items()}
        return {"mails": mails, "labels": dict(self.labels), "files": files}

    def client_file(self) -> Path:
        """What a user downloads from Google's console, for this server."""
        path = self.folder / "client.json"
        client = {"client_id": "id.apps", "client_secret": "shh", "redirect_uris": ["http://localhost"]}
        where = {"auth_uri": f"{self.url}/auth", "token_uri": f"{self.url}/token"}
        path.write_text(json.dumps({"installed": {**client, **where}}))
        return path

    def token(self, **changes: Any) -> str:
        """What a connected account keeps."""
        until = (datetime.now(UTC) + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
        kept = {"token": TOKEN, "refresh_token": "1//r", "client_id": "id.apps", "client_secret": "shh"}
        return json.dumps({**kept, "expiry": until, **changes})

    def _answer(self, request: Request) -> tuple[int, Any]:
        parts = request.path.strip("/").split("/")
        if request.path == "/token":
            return 200, self._token(request)
        if request.headers.get("authorization", "").removeprefix("Bearer ") not in self.tokens:
            raise Refusal(401, "Request had invalid authentication credentials.")
        if self.failing:
            raise Refusal(self.failing.pop(0), "The service is currently unavailable.")
        if parts[:4] == ["gmail", "v1", "users", "me"]:
            return self._gmail(request, parts[4:])
        if parts[:4] == ["upload", "drive", "v3", "files"] and request.method == "POST":
            return 200, self._upload(request)
        if parts[:3] == ["drive", "v3", "files"] and len(parts) == 4:
            return self._drive(request, parts[3])
        raise Refusal(404, f"no method {request.method} {request.path}")

    def _token(self, request: Request) -> dict[str, Any]:
        form = parse_qs(request.body.decode())
        if form["grant_type"] == ["authorization_code"] and (
            form["code"] != ["4/code"] or "code_verifier" not in form
        ):
            raise Refusal(400, "invalid_grant")
        if form["grant_type"] == ["refresh_token"] and form["refresh_token"] != ["1//r"]:
            raise Refusal(400, "invalid_grant")
        return {
            "access_token": TOKEN, "expires_in": 3599, "token_type": "Bearer", "refresh_token": "1//r",
            "scope": self.granted or self._scope,
        }  # fmt: skip

    _scope = "https://www.googleapis.com/auth/gmail.modify https://www.googleapis.com/auth/drive.file"

    def consent(self, query: dict[str, list[str]]) -> str:
        """Where the browser is sent when the user agrees."""
        assert query["scope"] == [self._scope] and query["response_type"] == ["code"]
        back = urlencode({"state": query["state"][0], "code": "4/code", "scope": self.granted or self._scope})
        return f"{query['redirect_uri'][0]}?{back}"

    def _gmail(self, request: Request, parts: list[str]) -> tuple[int, Any]:
        match request.method, parts:
            case "GET", ["profile"]:
                return 200, {"emailAddress": self.address, "messagesTotal": len(self.mails)}
            case "GET", ["messages"]:
                return 200, self._list(request)
            case "GET", ["messages", one]:
                return 200, self._mail(one, request.one("format", "full"))
            case "POST", ["messages", one, "modify"]:
                return 200, self._modify(one, request.json)
            case "GET", ["labels"]:
                return 200, {"labels": [{"id": i, "name": name} for i, name in self.labels.items()]}
            case "POST", ["labels"]:
                name = request.json["name"]
                if name in self.labels.values():
                    raise Refusal(409, "Label name exists or conflicts")
                one = f"Label_{len(self.labels)}"
                self.labels[one] = name
                return 200, {"id": one, "name": name}
            case "DELETE", ["labels", one] if one in self.labels and one not in SYSTEM:
                del self.labels[one]
                for mail in self.mails.values():
                    mail.labels = [label for label in mail.labels if label != one]
                return 204, None
        raise Refusal(404, "Requested entity was not found.")

    def _list(self, request: Request) -> dict[str, Any]:
        wanted = {"is:unread": "UNREAD", "in:inbox": "INBOX", "is:starred": "STARRED"}
        labels = [wanted[word] for word in request.one("q").split()] + request.query.get("labelIds", [])
        found = [one for one, mail in self.mails.items() if set(labels) <= set(mail.labels)]
        if request.one("includeSpamTrash") != "true":
            found = [one for one in found if not {"SPAM", "TRASH"} & set(self.mails[one].labels)]
        start = int(request.one("pageToken", "0"))
        page = found[start : start + min(PAGE, int(request.one("maxResults", "100")))]
        answer: dict[str, Any] = {"resultSizeEstimate": len(found)}
        if page:
            answer["messages"] = [{"id": one, "threadId": one} for one in page]
        if start + len(page) < len(found):
            answer["nextPageToken"] = str(start + len(page))
        return answer

    def _mail(self, one: str, form: str) -> dict[str, Any]:
        if one not in self.mails:
            raise Refusal(404, "Requested entity was not found.")
        mail = self.mails[one]
        answer: dict[str, Any] = {"id": one, "labelIds": mail.labels, "sizeEstimate": len(mail.raw)}
        if form == "raw":
            answer["raw"] = base64.urlsafe_b64encode(mail.raw).decode().rstrip("=")
        return answer

    def _modify(self, one: str, body: dict[str, Any]) -> dict[str, Any]:
        add, remove = body.get("addLabelIds", []), body.get("removeLabelIds", [])
        for label in (*add, *remove):
            if label not in self.labels:
                raise Refusal(400, f"Invalid label: {label}")
        if not add and not remove:
            raise Refusal(400, "No label add or removes specified")
        answer = self._mail(one, "minimal")
        kept = [label for label in self.mails[one].labels if label not in remove]
        self.mails[one].labels = answer["labelIds"] = list(dict.fromkeys([*kept, *add]))
        return answer

    def _upload(self, request: Request) -> dict[str, Any]:
        if request.one("uploadType") != "multipart":
            raise Refusal(400, "this double takes multipart uploads")
        whole = b"Content-Type: " + request.headers["content-type"].encode() + b"\r\n\r\n" + request.body
        about, media = message_from_bytes(whole).get_payload()  # type: ignore[misc]
        told = json.loads(about.get_payload(decode=True))  # type: ignore[union-attr]
        one = f"1drive{len(self.files)}"
        kind = told.get("mimeType") or media.get_content_type()  # type: ignore[union-attr]
        self.files[one] = File(told["name"], kind, media.get_payload(decode=True))  # type: ignore[union-attr, arg-type]
        return {"id": one}

    def _drive(self, request: Request, one: str) -> tuple[int, Any]:
        if one not in self.files:
            raise Refusal(404, f"File not found: {one}.")
        file = self.files[one]
        if request.method == "DELETE":
            del self.files[one]
            return 204, None
        if request.method == "PATCH":
            file.trashed = bool(request.json.get("trashed", file.trashed))
        told = {
            "id": one, "name": file.name, "mimeType": file.kind, "trashed": file.trashed,
            "md5Checksum": hashlib.md5(file.content, usedforsecurity=False).hexdigest(),
        }  # fmt: skip
        fields = request.one("fields", "id,name,mimeType").split(",")
        return 200, {name: told[name] for name in fields}

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        double = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                return

            def _any(self) -> None:
                url = urlsplit(self.path)
                headers = {name.lower(): value for name, value in self.headers.items()}
                body = self.rfile.read(int(headers.get("content-length", 0)))
                request = Request(self.command, url.path, parse_qs(url.query), headers, body)
                double.asked.append((request.method, request.path))
                try:
                    code, said = double._answer(request)
                except Refusal as refused:
                    code, said = refused.code, _error(request, refused)
                sent = b"" if said is None else json.dumps(said).encode()
                self.send_response(code)
                self.send_header("content-type", "application/json; charset=UTF-8")
                self.send_header("content-length", str(len(sent)))
                self.end_headers()
                self.wfile.write(sent)

            do_GET = do_POST = do_DELETE = do_PATCH = _any

        return Handler


def _error(request: Request, refused: Refusal) -> dict[str, Any]:
    if request.path == "/token":
        return {"error": str(refused), "error_description": "Bad Request"}
    reasons = [{"message": str(refused), "domain": "global", "reason": "backendError"}]
    return {"error": {"code": refused.code, "message": str(refused), "errors": reasons}}


def _certificate(folder: Path) -> Path:
    """A certificate for this machine and its key, in one file."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1"))]), False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), True)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    path = folder / "double.pem"
    plain = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path.write_bytes(made.public_bytes(pem) + plain)
    return path
