"""Notices: what waits to be told to an agent after an undo, for its next hook to print (hook_notices.py).

One file a session in the data home's `notices`, named for harness, session and agent; two lines of ASCII: the
notice's own name, and its text as JSON. What it is about stays in the ledger, so that the recorder, who learns from
the hook's event that it was printed, puts it on governance. It goes with the session's end, or after a day.
"""

import json
import os
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sulcus_panel.core.capture.adapter import SessionEnded
from sulcus_panel.core.capture.order import Waiting
from sulcus_panel.core.ledger.activity import KEPT
from sulcus_panel.core.ledger.governance import PANEL
from sulcus_panel.core.ledger.pending import Pending
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import LedgerPath, SeqId
from sulcus_panel.core.safety import plain

NOTICE, FOLDER = "notice", "notices"
TOLD = "agent.told"


@dataclass(frozen=True, slots=True)
class Addressee:
    """Who is told: a session, or one agent of it."""

    harness: str
    session_id: str
    agent_id: str = ""

    @property
    def file_name(self) -> str:
        """The name that its hook looks for (`told` in hook_trees.py)."""
        return f"{self.harness}-" + f"{self.session_id}\0{self.agent_id}".encode().hex()


@dataclass(frozen=True, slots=True)
class Notice:
    """What one addressee is to learn: undone entries, the undos' own, and the paths that changed.

    `workspace_id` is None, and the paths are absolute, where they are of several workspaces.
    """

    uid: str
    workspace_id: int | None
    to: Addressee
    undone: tuple[SeqId, ...]
    undos: tuple[SeqId, ...]
    paths: tuple[LedgerPath, ...]

    @property
    def key(self) -> str:
        """Where the ledger keeps it while it waits."""
        return f"{NOTICE}:{self.uid}"

    def encode(self) -> bytes:
        """For the ledger's own store."""
        to = [self.to.harness, self.to.session_id, self.to.agent_id]
        return json.dumps([self.workspace_id, to, self.undone, self.undos, self.paths]).encode("ascii")


def waiting(ledger: Ledger) -> tuple[tuple[Notice, datetime], ...]:
    """Every notice that was not told yet, and when it was made."""
    found = ((decode(kept), kept.at) for kept in ledger.pending(NOTICE))
    return tuple((notice, at) for notice, at in found if notice is not None)


def decode(kept: Pending) -> Notice | None:
    """What encode() made; None for what another version wrote."""
    try:
        workspace_id, to, undone, undos, paths = json.loads(kept.payload)
        uid = kept.key.removeprefix(f"{NOTICE}:")
        return Notice(uid, workspace_id, Addressee(*to), tuple(undone), tuple(undos), tuple(paths))
    except (ValueError, TypeError):
        return None


def folder_of(ledger: Ledger) -> Path:
    """Where the files stand."""
    return ledger.home.root / FOLDER


def note_told(ledger: Ledger, batch: Iterable[Waiting]) -> None:
    """Record which notices these events passed on, and drop those of sessions that ended. Only inside `write()`."""
    events = tuple(batch)
    told = {event.told for event in events} - {""}
    scenes = [one.scene for event in events for one in event.events if isinstance(one, SessionEnded)]
    ended = {(scene.caller or scene.harness, scene.session_id) for scene in scenes}
    if not told and not ended:
        return
    for notice, _ in waiting(ledger):
        if notice.uid in told:
            _record(ledger, notice)
            ledger.drop_pending(notice.key)
        elif (notice.to.harness, notice.to.session_id) in ended:
            withdraw(ledger, [notice])


def _record(ledger: Ledger, notice: Notice) -> None:
    numbers = ", ".join(f"#{seq_id}" for seq_id in notice.undone)
    run = plain(notice.to.agent_id or notice.to.session_id, 100)
    count = f"{len(notice.paths)} file{'s' * (len(notice.paths) != 1)}"
    ledger.record_governance(
        notice.workspace_id,
        PANEL,
        TOLD,
        f"Told {notice.to.harness}, session {run}: the undo of {numbers} changed {count}",
        notice.undone,
        {"harness": notice.to.harness, "session_id": run, "undos": json.dumps(notice.undos)},
    )


def withdraw(ledger: Ledger, notices: Collection[Notice]) -> None:
    """Let these wait no longer, and take away their files, unless a hook has taken one just now."""
    for notice in notices:
        path = folder_of(ledger) / notice.to.file_name
        with suppress(OSError):
            if path.read_bytes().startswith(notice.uid.encode() + b"\n"):
                path.unlink()
        ledger.drop_pending(notice.key)


def withdraw_all(ledger: Ledger, workspace_id: int) -> None:
    """Tell nobody what waits to be told of this workspace. Only inside `write()`."""
    withdraw(ledger, [notice for notice, _ in waiting(ledger) if notice.workspace_id == workspace_id])


def drop_old(ledger: Ledger, now: datetime) -> None:
    """Let go of what nobody came for within a day, and of what a killed hook left."""
    if old := [notice for notice, at in waiting(ledger) if now - at > KEPT]:
        with ledger.write():
            withdraw(ledger, old)
    folder = folder_of(ledger)
    with suppress(OSError):
        with os.scandir(folder) as found:
            paths = [one.path for one in found]
        for path in paths:
            with suppress(FileNotFoundError):  # a hook took it meanwhile
                if now.timestamp() - os.lstat(path).st_mtime > KEPT.total_seconds():
                    os.unlink(path)
        folder.rmdir()
