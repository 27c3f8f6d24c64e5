"""Where displaced files wait for a day: a program that still has one open may write to it after the undo.

The file itself is moved there, where that is the same file system; what was written to it since is found when it
is let go of, and then it stays for a month and the person is told. Its bytes of before are in the ledger anyway.
"""

import os
import stat
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from sulcus_panel.core.disk import look, look_at
from sulcus_panel.core.ledger.encoding import from_micros, to_micros
from sulcus_panel.core.ledger.governance import PANEL
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import FileKind, FileState, LedgerPath, Sha256
from sulcus_panel.core.safety import plain
from sulcus_panel.core.undo.fs import FileSystem, is_written_to
from sulcus_panel.core.undo.lock import undo_lock
from sulcus_panel.core.undo.spare import Place

GRACE = timedelta(hours=24)
MOST_BYTES = 512 * 2**20
LATE_STAYS = timedelta(days=30)
LATE = "late-"


@dataclass(slots=True, eq=False, repr=False)
class Trash:
    """The folder, and what is said of everything that this undo moves there."""

    folder: str
    workspace_id: int
    at: datetime

    def take(self, fs: FileSystem, place: Place, state: FileState) -> bool:
        """Move a displaced file here; False where it cannot be, or should not: another of its names lives on."""
        if state.kind is not FileKind.FILE or state.sha256 is None:
            return False
        target = os.path.join(self.folder, self._name(place, state.sha256))
        try:
            if os.stat(place.spare, dir_fd=place.folder, follow_symlinks=False).st_nlink > 1:
                return False
            with suppress(FileExistsError):
                os.mkdir(self.folder, 0o700)
            fs.move_out(place.folder, place.spare, target)
        except OSError:
            return False
        with suppress(OSError):  # the folder lets nobody else in anyway
            _set_mode(target, 0o600)
        return True

    def give_back(self, fs: FileSystem, place: Place, state: FileState) -> None:
        """Bring the very file that take() moved here back beside its path; raises OSError."""
        if state.kind is not FileKind.FILE or state.sha256 is None:
            return
        target = os.path.join(self.folder, self._name(place, state.sha256))
        if os.path.lexists(target) and look_at(place.folder, place.spare).state.kind is FileKind.ABSENT:
            if state.mode is not None:
                _set_mode(target, state.mode)
            fs.move_in(target, place.folder, place.spare)

    def _name(self, place: Place, sha256: Sha256) -> str:
        spare = os.path.basename(place.spare).removeprefix(".sulcus-").removesuffix(".tmp")
        name = os.fsencode(os.path.basename(place.name))[:80].decode("utf-8", "ignore")
        return f"{to_micros(self.at)}-{self.workspace_id}-{sha256}-{spare.replace('-', '_')}-{name}"


@dataclass(frozen=True, slots=True)
class _Kept:
    """One file in the trash, as its name tells."""

    name: str
    at: datetime
    workspace_id: int
    sha256: str
    original: str
    size: int


def _set_mode(path: str, mode: int) -> None:
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    try:
        if hasattr(os, "fchmod"):
            os.fchmod(handle, mode)
    finally:
        os.close(handle)


def trash_of(home: DataHome, workspace_id: int, at: datetime) -> Trash:
    """Return where one undo's displaced files go."""
    return Trash(str(home.trash), workspace_id, at)


def purge_trash(ledger: Ledger, now: datetime) -> tuple[str, ...]:
    """Let go of displaced files after a day, or of the oldest beyond 512 MiB; keep what was written to since.

    Returns a sentence for each of those, which also stands on the governance. Nothing is done while an undo is.
    """
    folder = str(ledger.home.trash)
    kept = _kept(folder)
    due = _due([each for each in kept if not each.name.startswith(LATE)], now)
    old = [each for each in kept if each.name.startswith(LATE) and each.at < now - LATE_STAYS]
    if not due and not old:
        return ()
    with undo_lock(ledger, 0) as held:
        if not held:
            return ()
        for each in old:
            _remove(folder, each)
        told = [_let_go(ledger, folder, each) for each in due]
    return tuple(sentence for sentence in told if sentence)


def _kept(folder: str) -> list[_Kept]:
    """Everything in the trash that has a name of ours, oldest first."""
    found: list[_Kept] = []
    try:
        names = os.listdir(folder)
    except OSError:
        return found
    for name in names:
        with suppress(ValueError, OSError, OverflowError):
            at, workspace_id, sha256, _, original = name.removeprefix(LATE).split("-", 4)
            status = os.lstat(os.path.join(folder, name))
            if stat.S_ISREG(status.st_mode):
                moved = from_micros(int(at))
                found.append(_Kept(name, moved, int(workspace_id), sha256, original, status.st_size))
    return sorted(found, key=lambda each: each.at)


def _due(kept: Sequence[_Kept], now: datetime) -> list[_Kept]:
    """Return what is old enough, or too much; what is dated ahead, by a wrong clock, waits."""
    total = sum(each.size for each in kept)
    due = []
    for each in kept:
        if each.at < now - GRACE or total > MOST_BYTES:
            due.append(each)
            total -= each.size
    return due


def _let_go(ledger: Ledger, folder: str, each: _Kept) -> str:
    """Remove a file that is as it was displaced; keep one that was written to since, and tell of it."""
    state = look(folder, LedgerPath(each.name), max_bytes=0).state
    place = os.path.join(folder, each.name)
    if state.sha256 is None or is_written_to(None, place):  # gone, or not to be read today, or not done with
        return ""
    if state.sha256 == each.sha256 or _has_other_names(folder, each):
        _remove(folder, each)
        return ""
    late = os.path.join(folder, LATE + each.name)
    try:
        os.rename(place, late)
    except OSError:
        return ""
    told = (
        f"A program wrote to its old {plain(each.original, 120)} after an undo had put another in its place;"
        f" what it wrote is kept for {LATE_STAYS.days} days as {plain(late)}"
    )
    known = {workspace.id for workspace in ledger.workspaces()}
    workspace_id = each.workspace_id if each.workspace_id in known else None
    ledger.record_governance(workspace_id, PANEL, "undo.late_write", told, (), {"kept": plain(late)})
    return told


def _has_other_names(folder: str, each: _Kept) -> bool:
    return os.lstat(os.path.join(folder, each.name)).st_nlink > 1


def _remove(folder: str, each: _Kept) -> None:
    with suppress(OSError):
        os.unlink(os.path.join(folder, each.name))
