"""Sessions of which a file told what no hook did: how much, and whether hooks have been heard again since.

Kept in the ledger until then, so that every door can warn. A hook that fires later ends a silence. Where other
sessions' hooks had been firing all the while, as when one began before the hooks were installed, they prove
nothing: then the warning goes some time after the session's last such call.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sulcus_panel.core.ledger.encoding import from_micros, to_micros
from sulcus_panel.core.ledger.store import Ledger

SILENCE = "silence"
ALONE_FOR = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class Silence:
    """One session's. `newest` is its last call that no hook told of, `heard` the last hook before the first one."""

    workspace_id: int
    harness: str
    session_id: str
    newest: datetime
    calls: int
    heard: datetime | None
    alone: bool = False
    """Hooks of other sessions were firing."""

    @property
    def key(self) -> str:
        """What it is kept under."""
        return f"{SILENCE}:{self.workspace_id}:{self.harness}:{self.session_id}"

    def is_over(self, fired: datetime | None, now: datetime) -> bool:
        """Whether there is nothing to warn of any more; `fired`: when a hook of the harness fired last."""
        if self.alone:
            return now - self.newest > ALONE_FOR
        return fired is not None and fired > self.newest


def note_silence(ledger: Ledger, silence: Silence) -> None:
    """Add to what is known of the session's silence. Only inside `write()`."""
    known = next((one for one in silences(ledger) if one.key == silence.key), None)
    heard, calls = silence.heard, silence.calls
    if known is not None and _goes_on(known, silence):
        calls += known.calls
    payload = json.dumps(
        [
            silence.workspace_id,
            silence.harness,
            silence.session_id,
            calls,
            None if heard is None else to_micros(heard),
            silence.alone,
        ]
    )
    ledger.put_pending(silence.key, SILENCE, silence.newest, payload.encode("ascii"))


def _goes_on(known: Silence, more: Silence) -> bool:
    if (known.heard, known.alone) != (more.heard, more.alone):
        return False
    return not more.alone or more.newest - known.newest <= ALONE_FOR


def silences(ledger: Ledger) -> tuple[Silence, ...]:
    """Every silence that is remembered, over or not."""
    found = []
    for kept in ledger.pending(SILENCE):
        workspace_id, harness, session_id, calls, heard, alone = json.loads(kept.payload)
        at = None if heard is None else from_micros(heard)
        found.append(Silence(workspace_id, harness, session_id, kept.at, calls, at, alone))
    return tuple(found)


def standing_silences(ledger: Ledger, fired: Mapping[str, datetime], now: datetime) -> tuple[Silence, ...]:
    """Those that are not over."""
    return tuple(one for one in silences(ledger) if not one.is_over(fired.get(one.harness), now))
