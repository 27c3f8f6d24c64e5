"""A save by whoever is none of the agents, found on the disk between two entries: an entry of origin outside.

Whoever calls makes sure that no agent's call is open and no undo at work; here it is seen again, inside one
transaction, what the ledger last saw, so that nothing is recorded twice.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from sulcus_panel.core.capture.chains import Chains
from sulcus_panel.core.capture.changes import build_change
from sulcus_panel.core.capture.drafts import outside_entry
from sulcus_panel.core.capture.place import Place
from sulcus_panel.core.disk import Fingerprint, fingerprint, look
from sulcus_panel.core.errors import UnsafePath
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import Change, DiskFile, FileKind, LedgerPath, SeqId, Sha256, Workspace
from sulcus_panel.core.safety import check_path
from sulcus_panel.core.states import same_state

MAX_READ = 10 * 2**20
MOST_ROWS = 20
"""More files that changed together, as a checkout does, are one entry: rows are let go of by their number."""
FOREVER = datetime.max.replace(tzinfo=UTC)
TELLING = frozenset((FileKind.ABSENT, FileKind.FILE, FileKind.SYMLINK))

Ripe = Mapping[LedgerPath, Fingerprint | None]
"""Paths that have been quiet, and what they looked like all the time; None where nothing was there."""


@dataclass(frozen=True, slots=True)
class _Save:
    """One path's change, ready to be appended."""

    change: Change
    contents: Mapping[Sha256, bytes]
    since: SeqId
    at: datetime


def record_saves(ledger: Ledger, workspace: Workspace, ripe: Ripe, now: datetime) -> tuple[SeqId, ...]:
    """Record what these paths are now, where that is not what the ledger last saw and nobody wrote meanwhile."""
    if workspace.root is None or not ledger.settings(workspace.id).enabled:
        return ()
    chains = Chains(ledger)
    found = [_save(ledger, chains, workspace, path, seen, now) for path, seen in ripe.items()]
    if not any(found):
        return ()
    with ledger.write():  # late, for comparing takes its time: nobody else waits for that
        chains = Chains(ledger)
        saves = [save for save in found if save is not None and _is_still_last(chains, workspace, save)]
        if len(saves) > MOST_ROWS:
            _append_together(chains, workspace, saves)
        else:
            for save in sorted(saves, key=lambda save: (save.at, save.change.path)):
                entry = outside_entry(_name(save), save.at, save.change)
                chains.append_outside(workspace, entry, save.contents)
    return tuple(chains.recorded)


def _save(
    ledger: Ledger,
    chains: Chains,
    workspace: Workspace,
    path: LedgerPath,
    seen: Fingerprint | None,
    now: datetime,
) -> _Save | None:
    root = workspace.root or ""
    steps = ledger.timeline(workspace.id, path)
    if not steps or steps[-1].after.kind not in TELLING or not _is_sound(path):
        return None
    last = chains.last_seen(Place(workspace, path), FOREVER)
    if last is None:
        return None
    changed = _changed_at(root, path)
    disk = look(root, path, max_bytes=MAX_READ)
    is_quiet = fingerprint(root, path) == seen and _changed_at(root, path) == changed
    after = disk.state
    if not is_quiet or after.kind not in TELLING or same_state(last.after, after):
        return None
    before = DiskFile(last.after, chains.content(last.after))
    change, contents = build_change(path, before, disk, ledger.settings(workspace.id))
    at = changed if changed is not None and last.at < changed <= now else now
    return _Save(change, contents, last.seq_id, at)


def _is_still_last(chains: Chains, workspace: Workspace, save: _Save) -> bool:
    """Whether nobody has recorded anything of the path since it was compared."""
    last = chains.last_seen(Place(workspace, save.change.path), FOREVER)
    return last is not None and last.seq_id == save.since


def _append_together(chains: Chains, workspace: Workspace, saves: list[_Save]) -> None:
    newest = max(saves, key=lambda save: save.at)
    contents = {sha: data for save in saves for sha, data in save.contents.items()}
    changes = tuple(save.change for save in saves)
    entry = outside_entry(_name(newest), newest.at, saves[0].change)
    summary = f"{len(changes)} files changed outside the agents"
    chains.append_outside(workspace, replace(entry, changes=changes, summary=summary), contents)


def _name(save: _Save) -> str:
    """The same for whoever sees this save: what stands there now, since that entry."""
    after = save.change.after
    return f"saved-{save.since}-{after.sha256 or after.kind.value}-{after.mode or 0:o}"


def _is_sound(path: LedgerPath) -> bool:
    try:
        check_path(path)
    except UnsafePath:
        return False
    return True


def _changed_at(root: str, path: LedgerPath) -> datetime | None:
    """When a file was last changed in any way; None where there is none."""
    try:
        return datetime.fromtimestamp(os.lstat(f"{root}/{path}").st_ctime_ns / 1e9, UTC)
    except (OSError, ValueError, OverflowError):
        return None
