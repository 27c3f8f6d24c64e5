"""The bytes of a state that a look saw: a copy, git's object, the file itself, the ledger; else why not."""

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from sulcus_panel.core.capture.changes import ABSENT_SIDE, file_side, symlink_side, unknown_side
from sulcus_panel.core.capture.shell.keeping import (
    HASH_ONLY,
    MAX_COPY,
    Baselines,
    identity,
    is_seen,
)
from sulcus_panel.core.capture.shell.objects import Objects
from sulcus_panel.core.capture.shell.report import FileStat, RepoHead, TreeReport
from sulcus_panel.core.capture.shell.standing import READ, read_all
from sulcus_panel.core.model import DiskFile, FileKind, FileState, Sha256

Known = Callable[[str], tuple[DiskFile, datetime] | None]
"""What the ledger last saw at a path of the tree, and when."""
MARGIN_SECONDS = 0.05
NOT_KEPT, TOO_LARGE = "not kept: no copy was made before the command", "not kept: too large for the baseline"
GONE = "changed again before it was read"


class Evidence:
    """Where the states of one report are looked up."""

    def __init__(self, report: TreeReport, baselines: Baselines, known: Known) -> None:
        self._root = report.root
        self._baselines = baselines
        self._known = known
        repos = (Objects(report.root, repo, baselines) for repo in report.repos)
        self.repos: Sequence[Objects] = sorted(repos, key=lambda repo: len(repo.report.at), reverse=True)

    def before(self, path: str, seen: FileStat | None) -> DiskFile:
        """A path as it was before the command."""
        return self._side(path, seen, before=True)

    def after(self, path: str, seen: FileStat | None) -> DiskFile:
        """A path as the command left it."""
        return self._side(path, seen, before=False)

    def repo_of(self, path: str) -> tuple[Objects, str] | None:
        """The repository that a path belongs to, and its name there."""
        for repo in self.repos:
            at = repo.report.at
            if not at:
                return repo, path
            if path.startswith(at + "/"):
                return repo, path[len(at) + 1 :]
        return None

    def _side(self, path: str, seen: FileStat | None, *, before: bool) -> DiskFile:
        if seen is None:
            return ABSENT_SIDE
        if not stat.S_ISREG(seen.mode):
            return _without_bytes(seen)
        mode = stat.S_IMODE(seen.mode)
        for data in self._sources(path, seen, before=before):
            if data is not None:
                return file_side(data, mode)
        hashed = self._hash(seen, mode) or (self._remembered(path, seen) if before else None)
        if hashed is not None:
            return hashed
        why = TOO_LARGE if seen.size > MAX_COPY else NOT_KEPT if before else GONE
        return DiskFile(FileState(FileKind.UNKNOWN, None, seen.size, mode, reason=why), None)

    def _sources(self, path: str, seen: FileStat, *, before: bool) -> Iterator[bytes | None]:
        """Where the bytes may be, the cheapest first."""
        yield self._copy(seen)
        yield self._object(path, seen, before=before)
        yield self._file(path, seen)

    def _copy(self, seen: FileStat) -> bytes | None:
        if seen.size == 0:
            return b""
        data = self._baselines.read("copies/" + identity(seen))
        return data if len(data) == seen.size else None

    def _hash(self, seen: FileStat, mode: int) -> DiskFile | None:
        digest = self._baselines.read("copies/" + identity(seen) + HASH_ONLY).decode("ascii", "replace")
        if len(digest) != 64:
            return None
        why = TOO_LARGE if seen.size > MAX_COPY else NOT_KEPT
        return DiskFile(FileState(FileKind.FILE, Sha256(digest), seen.size, mode, reason=why), None)

    def _object(self, path: str, seen: FileStat, *, before: bool) -> bytes | None:
        found = self.repo_of(path)
        if found is None:
            return None
        repo, name = found
        head: RepoHead = repo.report.before if before else repo.report.after
        return repo.bytes_of(name, seen, head)

    def _file(self, path: str, seen: FileStat) -> bytes | None:
        """The file's own bytes where it is still what was seen."""
        try:
            handle = os.open(os.path.join(self._root, path), READ)
        except OSError:
            return None
        try:
            if seen.size > MAX_COPY or not is_seen(handle, seen):
                return None
            data = read_all(handle, seen.size)
            return data if is_seen(handle, seen) else None
        except OSError:
            return None
        finally:
            os.close(handle)

    def _remembered(self, path: str, seen: FileStat) -> DiskFile | None:
        """What the ledger last saw, where the file was not changed since: it is older than that sight."""
        last = self._known(path)
        if last is None or last[0].state.kind is not FileKind.FILE:
            return None
        state, at = last[0].state, last[1]
        is_same = state.size_bytes == seen.size and state.mode in (None, stat.S_IMODE(seen.mode))
        return last[0] if is_same and seen.ctime_ns / 1e9 < at.timestamp() - MARGIN_SECONDS else None


def _without_bytes(seen: FileStat) -> DiskFile:
    """What is no regular file is told whole by the look itself."""
    if stat.S_ISDIR(seen.mode):
        return DiskFile(FileState(FileKind.DIRECTORY, mode=stat.S_IMODE(seen.mode)), None)
    return (
        symlink_side(os.fsencode(seen.link))
        if stat.S_ISLNK(seen.mode)
        else unknown_side("not a regular file")
    )
