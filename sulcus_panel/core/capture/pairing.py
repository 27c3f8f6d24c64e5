"""Calls that have started and not ended yet, kept in the ledger between drains.

A call is known by its session, agent and id; of two with the same id the newer one is meant. Where the harness
gives none, it is known by tool and path, first in first out.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sulcus_panel.core.capture.adapter import Scene, ToolCall, ToolKind, ToolStarted
from sulcus_panel.core.capture.draining import STARTED
from sulcus_panel.core.capture.started_calls import decode_started, encode_started, without_contents
from sulcus_panel.core.ledger.store import Ledger

FORGOTTEN_AFTER = timedelta(days=7)
"""A session that ended without a word: its open calls are drift's matter by then."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A started call, and its key in the ledger, "" where it is not there yet."""

    started: ToolStarted
    key: str = ""
    withheld: bool = False


class Pairs:
    """The open calls of all sessions."""

    def __init__(self, ledger: Ledger, now: datetime) -> None:
        self._ledger = ledger
        self._opened: list[Opened] = []
        for kept in ledger.pending(STARTED):
            started = decode_started(kept.payload)
            if started is None or now - kept.at > FORGOTTEN_AFTER:
                ledger.drop_pending(kept.key)
            else:
                self._opened.append(Opened(started, kept.key))
        self._opened.sort(key=lambda opened: opened.started.scene.spool_name)

    def open(self, started: ToolStarted, *, withheld: bool) -> None:
        """Remember a started call; `withheld`: no contents of it may be kept."""
        self._opened.append(Opened(started, withheld=withheld))

    def keep(self) -> None:
        """Keep in the ledger what is still open now; a call that has ended meanwhile never gets there."""
        for at, opened in enumerate(self._opened):
            if not opened.key:
                started = without_contents(opened.started) if opened.withheld else opened.started
                key = f"{STARTED}:{started.scene.spool_name}"
                self._ledger.put_pending(key, STARTED, started.scene.at, encode_started(started))
                self._opened[at] = Opened(started, key)

    def close(self, scene: Scene, call: ToolCall) -> ToolStarted | None:
        """Take the start of a call that has ended, None where nobody saw it."""
        for opened in reversed(self._opened) if call.call_id else self._opened:
            if _same_session(opened.started.scene, scene) and _same_call(opened.started, scene, call):
                return self._take(opened)
        return None

    def close_all(self, scene: Scene, *, whole_session: bool) -> tuple[ToolStarted, ...]:
        """Take what is still open of this agent, or of all agents of its session."""
        left = [
            opened
            for opened in self._opened
            if _same_session(opened.started.scene, scene)
            and (whole_session or opened.started.scene.agent_id == scene.agent_id)
        ]
        return tuple(self._take(opened) for opened in left)

    def commands_below(self, folder: str) -> tuple[ToolStarted, ...]:
        """The commands that have started in or below a folder and not ended."""
        found = (opened.started for opened in self._opened)
        return tuple(
            started
            for started in found
            if started.call.kind is ToolKind.COMMAND
            and (started.scene.cwd + "/").startswith(folder.rstrip("/") + "/")
        )

    def _take(self, opened: Opened) -> ToolStarted:
        if opened.key:
            self._ledger.drop_pending(opened.key)
        self._opened.remove(opened)
        return opened.started


def _same_session(one: Scene, other: Scene) -> bool:
    return (one.harness, one.session_id) == (other.harness, other.session_id)


def _same_call(started: ToolStarted, scene: Scene, call: ToolCall) -> bool:
    if started.scene.agent_id != scene.agent_id:
        return False
    if call.call_id or started.call.call_id:
        return call.call_id == started.call.call_id
    return (started.call.tool, started.call.path) == (call.tool, call.path)
