"""Which product really ran a hook: several run the hooks of another's config, with payloads of their own.

VS Code, Cursor and Copilot CLI read Claude Code's settings. What they tell belongs to them, in their language; and
where their own hooks are installed too, every event comes twice and is counted once. Whose one is: hook_calls.py.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta

from sulcus_panel.core.capture.adapter import Adapter, CaptureEvent, Ignored
from sulcus_panel.core.capture.hook_calls import caller_of
from sulcus_panel.core.capture.order import Waiting
from sulcus_panel.core.capture.spool import SpoolEvent, bad_event
from sulcus_panel.core.errors import BadPayload
from sulcus_panel.core.ledger.store import Ledger

OWN = "own hooks"
"""Kind of what is kept of a session that its own harness's hooks tell of."""
FORGOTTEN_AFTER = timedelta(days=7)
GUESTS = frozenset(("cursor", "copilot-cli", "copilot-vscode"))
"""Who runs others' hooks."""


def read_as_caller(
    adapters: Mapping[str, Adapter], event: SpoolEvent
) -> tuple[tuple[CaptureEvent, ...], str]:
    """What an event says in its caller's language, else in that of the hook; and the hook where they are two.

    Raises:
        BadPayload: neither understands it, or no adapter knows the hook's harness.
    """
    own = adapters.get(event.harness)
    if own is None:
        raise bad_event(event.name, f"no adapter knows the harness {event.harness!r}")
    caller = caller_of(event.harness, event.payload)
    if caller == event.harness:
        return own.read(event), ""
    if caller in adapters:
        with suppress(BadPayload):
            events = adapters[caller].read(replace(event, harness=caller))
            if not all(isinstance(one, Ignored) for one in events):
                return events, event.harness
    return own.read(event), event.harness


class Copies:
    """Which events tell what another hook of the same call tells: those of others' hooks in such a session."""

    def __init__(self, ledger: Ledger, now: datetime) -> None:
        self._ledger = ledger
        self._own: set[str] = set()
        for kept in ledger.pending(OWN):
            if now - kept.at > FORGOTTEN_AFTER:
                ledger.drop_pending(kept.key)
            else:
                self._own.add(kept.key)

    def names(self, batch: Sequence[Waiting]) -> frozenset[str]:
        """The events of a batch that are copies; sessions of which own hooks tell are remembered."""
        for waiting in batch:
            scene, key = waiting.scene, _key(waiting)
            if not waiting.via and scene.harness in GUESTS and scene.session_id and key not in self._own:
                self._own.add(key)
                self._ledger.put_pending(key, OWN, scene.at, b"")
        return frozenset(one.name for one in batch if one.via and _key(one) in self._own)


def _key(waiting: Waiting) -> str:
    scene = waiting.scene
    return f"{OWN}:{scene.caller or scene.harness}:{scene.session_id}"
