"""Calls to the addresses that rules name: signed, tried again for a while, then put on the dead-letter list.

What is sent is the event: ids, paths and hashes, never a content. Where a workspace is air-gapped nothing leaves.
An address that does not answer is asked once a round, whatever waits for it, so that it holds up no other one.
"""

import asyncio
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
"""For all of a call, however slowly the other side lets its answer drip."""
LOOK_SECONDS = 0.1
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

    def deliver(self, is_over: Callable[[], bool] = lambda: False) -> int:
        """Make the calls whose time has come, until it `is_over`; how many were answered with a yes.

        Raises LedgerBusy, LedgerFull.
        """
        sent = 0
        silent: dict[int, str] = {}
        for delivery in self._ledger.rules.due(to_micros(self._clock())):
            if is_over():
                break
            now = to_micros(self._clock())
            with self._ledger.write():
                mine = self._ledger.rules.claim(delivery.id, now + LEASE_SECONDS * 1_000_000, now)
            if not mine:
                continue
            trouble = silent.get(delivery.trigger_id, "")
            if not trouble:
                try:
                    trouble = self._call(delivery)
                except OSError as error:
                    trouble = error.strerror or str(error) or type(error).__name__
                    silent[delivery.trigger_id] = trouble
            self._settle(delivery, trouble)
            sent += not trouble
        return sent

    def _call(self, delivery: Delivery) -> str:
        """Make one call; what went wrong, "" where nothing did. Raises OSError where there was no answer."""
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
        status = self._post(trigger.rule.url, body, self._headers(trigger, delivery, body))
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


def post_by_httpx(
    url: str,
    body: bytes,
    headers: dict[str, str],
    *,
    seconds: float = TIMEOUT_SECONDS,
    is_over: Callable[[], bool] = lambda: False,
) -> int:
    """Send one request over the network: no redirect is followed, no answer's body is read.

    Raises OSError where there is no answer, within these seconds or until it `is_over`.
    """
    import httpx  # here, for only a webhook needs it

    try:
        return asyncio.run(_posted(url, body, headers, seconds, is_over))
    except (TimeoutError, asyncio.CancelledError) as error:
        raise OSError(0, f"no answer for {seconds:.0f} seconds") from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise OSError(0, str(error) or type(error).__name__) from error


async def _posted(
    url: str, body: bytes, headers: dict[str, str], seconds: float, is_over: Callable[[], bool]
) -> int:
    call = asyncio.ensure_future(_post(url, body, headers, seconds))
    async with asyncio.timeout(seconds):
        while not call.done():
            await asyncio.wait([call], timeout=LOOK_SECONDS)
            if is_over():
                call.cancel()
        return await call


async def _post(url: str, body: bytes, headers: dict[str, str], seconds: float) -> int:
    import httpx

    is_https = not url.lower().startswith("http:")  # else the authorities' list would be read for nothing
    async with (
        httpx.AsyncClient(
            verify=is_https, timeout=seconds, follow_redirects=False, trust_env=False
        ) as client,
        client.stream("POST", url, content=body, headers=headers) as answer,
    ):
        return answer.status_code
