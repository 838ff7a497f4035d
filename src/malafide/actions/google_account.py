"""The user's Google account: their consent, kept in one file of the home folder, and the services spoken to with it.

Two rights are asked for and no more: to label mail, and to handle the files that malafide itself put on the Drive.
"""

from __future__ import annotations

import os
import webbrowser
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from malafide.errors import BadSetting, MalafideError, MissingExtra, UnreadableInput, UnwritableOutput
from malafide.home import home

SCOPES: Final = (
    "https://www.googleapis.com/auth/gmail.modify",
    "https://www.googleapis.com/auth/drive.file",
)
ENDPOINT = ""  # of a server in Google's place, such as the tests' own
_SECONDS: Final = 25.0  # of one answer
_CONSENT_SECONDS: Final = 300
_AGAIN: Final = "run `malafide google CLIENT.json` (docs/documents.md says where that file comes from)"


def token_path() -> Path:
    return home() / "google_token.json"


def _need() -> None:
    if find_spec("googleapiclient") is None or find_spec("google_auth_oauthlib") is None:
        raise MissingExtra("a Google account needs the extra 'google': pip install 'malafide[google]'")


@dataclass(frozen=True, slots=True)
class Account:
    """An account that its owner connected."""

    address: str
    gmail: Any
    drive: Any

    def own(self, how: dict[str, Any]) -> None:
        """Refuses a receipt of somebody else's account."""
        if how["account"] != self.address:
            raise BadSetting(f"this was done for {how['account']}; the connected account is {self.address}")


def account() -> Account:
    """The connected account. Nothing is fetched but its address: the APIs' descriptions come with the library."""
    _need()
    import httplib2
    from google.oauth2.credentials import Credentials
    from google_auth_httplib2 import AuthorizedHttp
    from googleapiclient.discovery import build

    path = token_path()
    try:
        credentials = Credentials.from_authorized_user_file(str(path), list(SCOPES))  # type: ignore[no-untyped-call]
    except FileNotFoundError:
        raise BadSetting(f"no Google account is connected: {_AGAIN}") from None
    except (OSError, ValueError, AttributeError) as error:
        raise BadSetting(f"cannot use {str(path)!r} ({error}): {_AGAIN}") from None
    http = AuthorizedHttp(credentials, http=httplib2.Http(timeout=_SECONDS))

    def service(name: str, version: str, at: str) -> Any:
        options = {"api_endpoint": f"{ENDPOINT}{at}"} if ENDPOINT else None
        return build(name, version, http=http, client_options=options, static_discovery=True)

    gmail = service("gmail", "v1", "/")
    profile = done(gmail.users().getProfile(userId="me"), UnreadableInput, tries=2)
    return Account(str(profile["emailAddress"]), gmail, service("drive", "v3", "/drive/v3/"))


def done(request: Any, refusal: type[MalafideError] = UnwritableOutput, tries: int = 1) -> dict[str, Any]:
    """What Google answers to a request; a refusal is one sentence. Only what may be done twice is tried again."""
    from google.auth.exceptions import GoogleAuthError, TransportError
    from googleapiclient.errors import Error, HttpError
    from httplib2 import HttpLib2Error

    try:
        said = request.execute(num_retries=tries - 1)
    except HttpError as error:
        raise refusal(f"Google refused: {str(error.reason)[:200]} (status {error.status_code})") from None
    except (TransportError, HttpLib2Error, Error, OSError) as error:
        raise refusal(f"Google cannot be reached: {str(error)[:200]}") from None
    except GoogleAuthError as error:
        raise BadSetting(f"Google no longer takes the consent ({str(error)[:150]}): {_AGAIN}") from None
    if isinstance(said, dict):
        return said
    if said in ("", b""):
        return {}
    raise refusal(f"Google answered with rubbish: {str(said)[:80]!r}")


def connect(client: Path) -> Path:
    """Asks for consent in the browser and keeps it in a file. `client` is a file from Google's console."""
    _need()
    from google_auth_oauthlib.flow import InstalledAppFlow, WSGITimeoutError
    from oauthlib.oauth2 import OAuth2Error
    from requests import RequestException

    try:
        flow = InstalledAppFlow.from_client_secrets_file(str(client), list(SCOPES))
    except (OSError, ValueError, KeyError) as error:
        raise UnreadableInput(f"{str(client)!r} is no client file of Google's console: {error}") from None
    try:
        given = flow.run_local_server(
            host="127.0.0.1", port=0, timeout_seconds=_CONSENT_SECONDS, open_browser=_has_browser(),
            authorization_prompt_message="Open this address, unless your browser has:\n{url}",
            success_message="malafide has your consent. You may close this window.", prompt="consent",
        )  # fmt: skip
    except (OAuth2Error, WSGITimeoutError) as error:
        raise BadSetting(f"no consent was given: {str(error)[:200]}") from None
    except Warning as error:  # how the library tells that boxes were left unticked
        raise BadSetting(f"both rights are needed, and not all were given: {str(error)[:200]}") from None
    except (RequestException, OSError) as error:
        raise UnreadableInput(f"Google cannot be reached: {str(error)[:200]}") from None
    path = token_path()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
        file.write(given.to_json())
    return path


def _has_browser() -> bool:
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True
