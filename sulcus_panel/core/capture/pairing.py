"""Calls that have started and not ended yet, kept in the ledger between drains.

A call is known by its session, agent and id; of two with the same id the newer one is meant. Where the harness
gives none, it is known by tool, path and command: by its other words too where one has the same, else first in
first out.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
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
    unwritten: bool = False
    """Its harness said that it ended, and the file was as before: it may be written later (VS Code)."""


UNWRITTEN = ":unwritten"
WHOLE_TREE = frozenset((ToolKind.COMMAND, ToolKind.MCP))
"""Calls that may change any file, so that the hook looks at all of them."""


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
                late = kept.key.endswith(UNWRITTEN)
                self._opened.append(Opened(started, kept.key, unwritten=late))
        self._opened.sort(key=lambda opened: opened.started.scene.spool_name)

    def open(self, started: ToolStarted, *, withheld: bool, unwritten: bool = False) -> None:
        """Remember a started call; `withheld`: no contents of it may be kept. `unwritten`: see Opened."""
        self._opened.append(Opened(started, withheld=withheld, unwritten=unwritten))

    def keep(self) -> None:
        """Keep in the ledger what is still open now; a call that has ended meanwhile never gets there."""
        for at, opened in enumerate(self._opened):
            if not opened.key:
                started = without_contents(opened.started) if opened.withheld else opened.started
                key = f"{STARTED}:{started.scene.spool_name}" + (UNWRITTEN if opened.unwritten else "")
                self._ledger.put_pending(key, STARTED, started.scene.at, encode_started(started))
                self._opened[at] = replace(opened, started=started, key=key)

    def has_named(self, scene: Scene, call: ToolCall) -> bool:
        """Whether a call like this one, but with an id, is open."""
        return any(
            opened.started.call.call_id
            and _same_session(opened.started.scene, scene)
            and _deed(opened.started.call) == _deed(call)
            for opened in self._opened
        )

    def close(self, scene: Scene, call: ToolCall) -> ToolStarted | None:
        """Take the start of a call that has ended, None where nobody saw it."""
        found = [
            opened
            for opened in (reversed(self._opened) if call.call_id else self._opened)
            if not opened.unwritten
            and _same_session(opened.started.scene, scene)
            and _same_call(opened.started, scene, call)
        ]
        alike = [] if call.call_id else [opened for opened in found if _same_words(opened.started.call, call)]
        return self._take((alike or found)[0]) if found else None

    def close_unwritten(self, scene: Scene, path: str | None = None) -> tuple[ToolStarted, ...]:
        """Take the calls of this agent, on a path or on all, of which nothing was written when they had ended."""
        left = [
            opened
            for opened in self._opened
            if opened.unwritten
            and path in (None, opened.started.call.path)
            and _same_session(opened.started.scene, scene)
            and opened.started.scene.agent_id == scene.agent_id
        ]
        return tuple(self._take(opened) for opened in left)

    def close_all(
        self, scene: Scene, *, whole_session: bool, commands: bool = True
    ) -> tuple[ToolStarted, ...]:
        """Take what is still open of this agent, or of all agents of its session, perhaps but for commands."""
        left = [
            opened
            for opened in self._opened
            if _same_session(opened.started.scene, scene)
            and (whole_session or opened.started.scene.agent_id == scene.agent_id)
            and (commands or opened.started.call.kind not in WHOLE_TREE)
        ]
        return tuple(self._take(opened) for opened in left)

    def close_silent(self, is_silent: Callable[[ToolStarted], bool]) -> tuple[ToolStarted, ...]:
        """Take the commands, and other servers' calls, of which nothing more is to be heard."""
        left = [
            opened
            for opened in self._opened
            if opened.started.call.kind in WHOLE_TREE and is_silent(opened.started)
        ]
        return tuple(self._take(opened) for opened in left)

    def close_looked(self, look: str) -> None:
        """Take the call before which this look was taken: there is nothing to record of it."""
        for opened in [one for one in self._opened if look and one.started.look == look]:
            self._take(opened)

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


def _deed(call: ToolCall) -> tuple[str, str, str]:
    return call.path, call.command, call.tool if call.kind is ToolKind.MCP else ""


def _same_session(one: Scene, other: Scene) -> bool:
    return (one.harness, one.session_id) == (other.harness, other.session_id)


def _same_call(started: ToolStarted, scene: Scene, call: ToolCall) -> bool:
    if started.scene.agent_id != scene.agent_id:
        return False
    if call.call_id or started.call.call_id:
        return call.call_id == started.call.call_id
    own = started.call
    return (own.tool, own.path, own.command) == (call.tool, call.path, call.command)


def _same_words(one: ToolCall, other: ToolCall) -> bool:
    return (one.content, one.edits, one.given) == (other.content, other.edits, other.given)
