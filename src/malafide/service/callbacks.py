"""Results that are due in, posts to the operator's addresses out, signed, and again later where one fails.

What is kept with a result is the name of a callback, never an address: addresses stand in the settings alone, so no
request and no row of a database can make the service post anywhere else. Redirects are not followed.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import http.client
import logging
import time
from datetime import UTC, datetime, timedelta
from typing import Final
from urllib.parse import urlsplit

from malafide.errors import MalafideError
from malafide.render.json_text import json_bytes
from malafide.service.choices import Callback
from malafide.service.desk import Desk
from malafide.store import Delivery
from malafide.version import VERSION

SIGNATURE: Final = "X-Malafide-Signature"
WAITS: Final = (5, 30, 120, 600, 3_600, 21_600)  # seconds before each further attempt; then it is given up
_TIMEOUT: Final = 15.0
_LEASE: Final = 60.0
_BETWEEN_LOOKS: Final = 2.0
_log = logging.getLogger("malafide.service")


def signature(secret: str, moment: int, body: bytes) -> str:
    """What the receiver works out again: an HMAC with SHA-256 over the time, a dot and the body."""
    digest = hmac.new(secret.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={moment},v1={digest}"


def post(callback: Callback, body: bytes, delivery: int) -> str:
    """Posts once; empty when it arrived, otherwise why it did not."""
    parts = urlsplit(callback.url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    headers = {
        "Content-Type": "application/json",
        "User-Agent": f"malafide/{VERSION}",
        "X-Malafide-Delivery": str(delivery),
        SIGNATURE: signature(callback.secret, int(time.time()), body),
    }
    connection = kind(parts.hostname or "", parts.port, timeout=_TIMEOUT)
    try:
        connection.request("POST", path, body, headers)
        status = connection.getresponse().status
    except (OSError, http.client.HTTPException) as error:
        return f"it cannot be reached: {type(error).__name__}"
    finally:
        connection.close()
    return "" if 200 <= status < 300 else f"it answered with status {status}"


class Postman:
    """Posts what is due, for as long as the service runs."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def run(self) -> None:
        while True:
            self._desk.due.clear()
            try:
                for delivery in await self._desk.ask(self._desk.store.claim_deliveries, _LEASE):
                    await self._deliver(delivery)
            except MalafideError as error:  # another process ended it, or the store's server starts again
                _log.warning("what is due cannot be posted now: %s", error)
            try:
                await asyncio.wait_for(self._desk.due.wait(), _BETWEEN_LOOKS)
            except TimeoutError:
                continue

    async def _deliver(self, delivery: Delivery) -> None:
        desk = self._desk
        callback = desk.settings.callbacks.get(delivery.url)
        trouble = f"no callback is named {delivery.url!r} in the settings any more"
        if callback is not None:
            trouble = await asyncio.to_thread(post, callback, json_bytes(delivery.body), delivery.id)
        _log.info("delivery %d to %s: %s", delivery.id, delivery.url, trouble or "arrived")
        if not trouble:
            await desk.ask(desk.store.delivered, delivery.id)
            return
        again = None
        if delivery.attempts <= len(WAITS):
            again = datetime.now(UTC) + timedelta(seconds=WAITS[delivery.attempts - 1])
        await desk.ask(desk.store.not_delivered, delivery.id, trouble, again)
