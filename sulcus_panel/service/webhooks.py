"""Calls to the addresses that rules name: signed, tried again for a while, then put on the dead-letter list.

What is sent is the event: ids, paths and hashes, never a content. Where a workspace is air-gapped nothing leaves.
"""

import hashlib
import hmac
import json
from collections.abc import Callable
from datetime import datetime
from typing import Protocol

from sulcus_panel.core.errors import NotFound
from sulcus_panel.core.events import Event
from sulcus_panel.core.ledger.encoding import to_micros
from sulcus_panel.core.ledger.rules import Delivery
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.triggers import Trigger
from sulcus_panel.service.wire import event_json

SIGNATURE, STAMP, CALL = "X-Sulcus-Signature", "X-Sulcus-Timestamp", "X-Sulcus-Delivery"
RETRY_AFTER = (10, 60, 600, 3600, 6 * 3600)
"""Seconds until the next try; after the last one a call is dead."""
LEASE_SECONDS = 60
TIMEOUT_SECONDS = 5.0
AIR_GAP = "the workspace is air-gapped"


class Post(Protocol):
    """Sends one request; the status it was answered with. Raises OSError where there was no answer."""

    def __call__(self, url: str, body: bytes, headers: dict[str, str]) -> int:
        """Send."""


def signature(secret: str, stamp: str, body: bytes) -> str:
    """What the receiver compares: HMAC-SHA-256 over the time and the body, so that neither can be replaced."""
    return "sha256=" + hmac.new(secret.encode(), stamp.encode() + b"." + body, hashlib.sha256).hexdigest()


class Webhooks:
    """Delivers what waits in one ledger."""

    def __init__(self, ledger: Ledger, clock: Callable[[], datetime], post: Post) -> None:
        self._ledger = ledger
        self._clock = clock
        self._post = post

    def deliver(self) -> int:
        """Make the calls whose time has come; how many were answered with a yes. Raises LedgerBusy, LedgerFull."""
        sent = 0
        for delivery in self._ledger.rules.due(to_micros(self._clock())):
            now = to_micros(self._clock())
            with self._ledger.write():
                mine = self._ledger.rules.claim(delivery.id, now + LEASE_SECONDS * 1_000_000, now)
            if mine:
                trouble = self._call(delivery)
                self._settle(delivery, trouble)
                sent += not trouble
        return sent

    def _call(self, delivery: Delivery) -> str:
        """Make one call; what went wrong, "" where nothing did."""
        try:
            trigger = self._ledger.rules.by_id(delivery.trigger_id)
        except NotFound:
            return "the trigger is gone"
        events = self._ledger.events.after(delivery.event_id - 1, limit=1)
        if not events or events[0].id != delivery.event_id:
            return "the event is no longer kept"
        if self._is_air_gapped(events[0]):
            return AIR_GAP
        body = json.dumps(
            {"trigger": {"id": trigger.id, "name": trigger.rule.name}, "event": event_json(events[0])}
        ).encode()
        try:
            status = self._post(trigger.rule.url, body, self._headers(trigger, delivery, body))
        except OSError as error:
            return error.strerror or str(error) or type(error).__name__
        return "" if 200 <= status < 300 else f"answered with {status}"

    def _headers(self, trigger: Trigger, delivery: Delivery, body: bytes) -> dict[str, str]:
        stamp = str(int(self._clock().timestamp()))
        headers = {"Content-Type": "application/json", STAMP: stamp, CALL: str(delivery.id)}
        if trigger.rule.secret:
            headers[SIGNATURE] = signature(trigger.rule.secret, stamp, body)
        return headers

    def _settle(self, delivery: Delivery, trouble: str) -> None:
        now, tries = to_micros(self._clock()), delivery.attempts
        with self._ledger.write():
            if not trouble:
                self._ledger.rules.settle(delivery.id, "sent", now, "")
            elif trouble == AIR_GAP or tries >= len(RETRY_AFTER):
                self._ledger.rules.settle(delivery.id, "dead", now, trouble)
            else:
                later = now + RETRY_AFTER[tries] * 1_000_000
                self._ledger.rules.settle(delivery.id, "waiting", later, trouble)

    def _is_air_gapped(self, event: Event) -> bool:
        return any(
            self._ledger.settings(workspace.id).air_gap
            for workspace in self._ledger.workspaces()
            if event.namespace in {None, workspace.namespace}
        )


def post_by_httpx(url: str, body: bytes, headers: dict[str, str]) -> int:
    """Send one request over the network: no redirect is followed, no answer's body is read."""
    import httpx  # here, for only a webhook needs it

    try:
        with (
            httpx.Client(timeout=TIMEOUT_SECONDS, follow_redirects=False, trust_env=False) as client,
            client.stream("POST", url, content=body, headers=headers) as answer,
        ):
            return answer.status_code
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise OSError(0, str(error) or type(error).__name__) from error
