"""The commits that aider made, read from git's objects alone: nothing of the repository ever runs.

What aider wrote itself is marked in the author's name or by a co-author line. Where the committer alone is
marked, aider committed what the person had written (it does so before its own edits): that is not aider's work.
Source: aider/repo.py, and its page on git.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from sulcus_panel.core.capture.edits import Unknown

if TYPE_CHECKING:
    import pygit2

MAX_COMMITS = 20_000
MAX_BLOB = 10 << 20
TOO_LARGE = Unknown("too large to keep")
FILTERED = Unknown("git filters this file: its object does not hold the file's own bytes")
OTHER_ENDS = Unknown(
    "git may have changed the file's line ends: its object does not hold the file's own bytes"
)
GONE = Unknown("git does not have its bytes")
NO_FILE = Unknown("not a regular file")

_MARK = "(aider)"
_TOGETHER = re.compile(r"^co-authored-by: aider \(", re.IGNORECASE | re.MULTILINE)
_LINK, _MODULE, _FOLDER = 0o120000, 0o160000, 0o040000
_REWRITING = ("filter", "working-tree-encoding", "ident")

_DAMAGED = (OSError, ValueError, KeyError)
"""What pygit2 raises (its GitError is a ValueError) where an object or a reference is damaged or not there."""

Side = bytes | Unknown | None
"""A file's bytes, None where there was none."""


@dataclass(frozen=True, slots=True)
class FileChange:
    """What a commit did to one file; `moved_to` where the very same bytes went under another name."""

    path: str
    before: Side
    after: Side
    ids: str
    moved_to: str = ""


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit that is no merge. `at` is when it was written, whatever became of it since."""

    name: str
    at: datetime
    subject: str
    is_marked: bool


class Repository:
    """One folder's git repository, read only."""

    def __init__(self, repo: "pygit2.Repository") -> None:
        self._repo = repo
        self.folder = os.path.realpath(repo.workdir).replace("\\", "/")

    @property
    def head(self) -> str:
        """The newest commit's id, empty where there is none."""
        try:
            return "" if self._repo.head_is_unborn else str(self._repo.head.target)
        except _DAMAGED:
            return ""

    def commits(self, most: int = MAX_COMMITS) -> Iterator[Commit]:
        """The newest commits of the current branch, newest first, merges left out; as far as git has them."""
        from pygit2.enums import SortMode

        head = self.head
        if not head:
            return
        try:
            walk = self._repo.walk(head, SortMode.TIME)
            for _, found in zip(range(most), walk, strict=False):
                commit = _commit(found)
                if commit is not None:
                    yield commit
        except _DAMAGED:
            return

    def find(self, name: str) -> Commit | None:
        """The commit whose id begins like this, on whatever branch or on none any more."""
        import pygit2

        try:
            return _commit(self._repo[name].peel(pygit2.Commit))
        except _DAMAGED:
            return None

    def changes(self, commit: Commit) -> tuple[FileChange, ...]:
        """What the commit did to files, against its parent; nothing where a shallow clone does not have that."""
        import pygit2
        from pygit2.enums import DeltaStatus

        try:
            found = self._repo[commit.name].peel(pygit2.Commit)
            if not found.parents and self._repo.is_shallow:
                return ()
            parent = found.parents[0].tree if found.parents else None
            diff = parent.diff_to_tree(found.tree) if parent else found.tree.diff_to_tree(swap=True)
        except _DAMAGED:
            return ()
        changes: list[FileChange] = []
        for delta in diff.deltas:
            gone = delta.status == DeltaStatus.ADDED
            come = delta.status == DeltaStatus.DELETED
            path = os.fsdecode(delta.new_file.raw_path or delta.old_file.raw_path)
            before = None if gone else self._side(path, delta.old_file)
            after = None if come else self._side(path, delta.new_file)
            changes.append(FileChange(path, before, after, f"{delta.old_file.id} {delta.new_file.id}"))
        return _with_moves(changes)

    def _side(self, path: str, file: "pygit2.DiffFile") -> Side:
        if int(file.mode) in (_LINK, _MODULE, _FOLDER):
            return NO_FILE
        import pygit2

        try:
            blob = self._repo[file.id].peel(pygit2.Blob)
        except _DAMAGED:
            return GONE
        if blob.size > MAX_BLOB:
            return TOO_LARGE
        return self._why_not(path, blob.data) or blob.data

    def _why_not(self, path: str, data: bytes) -> Unknown | None:
        """Why the object's bytes may be others than the file's, by the attributes and settings of today."""
        name = os.fsencode(path)
        if any(self._repo.get_attr(name, key) not in (None, False) for key in _REWRITING):
            return FILTERED
        text, ends = self._repo.get_attr(name, "text"), self._repo.get_attr(name, "eol")
        if text is False or b"\n" not in data:
            return None
        is_text = text is True or ends is not None or self._setting("core.autocrlf") == "true"
        is_binary = b"\0" in data[:8000]
        if ends == "crlf" or (ends is None and is_text and self._writes_crlf() and not is_binary):
            return OTHER_ENDS
        if text == "auto" and ends is None and self._writes_crlf() and not is_binary:
            return OTHER_ENDS
        return None

    def _writes_crlf(self) -> bool:
        if (auto := self._setting("core.autocrlf")) in ("true", "input"):
            return auto == "true"
        return (self._setting("core.eol") or os.linesep.encode().hex()) in ("crlf", "0d0a")

    def _setting(self, name: str) -> str:
        config = self._repo.config
        return (config[name] or "").lower() if name in config else ""


def open_repository(folder: Path) -> Repository | None:
    """The repository in which a folder lies, None where it lies in none that can be read and has files."""
    import pygit2  # here, for its import takes longer than most answers

    try:
        place = pygit2.discover_repository(str(folder))
        repo = pygit2.Repository(place) if place else None
    except _DAMAGED:
        return None
    return Repository(repo) if repo is not None and repo.workdir else None


def _commit(found: "pygit2.Commit") -> Commit | None:
    if len(found.parents) > 1:
        return None
    try:
        at = datetime.fromtimestamp(found.author.time, UTC)
    except (ValueError, OverflowError, OSError):
        at = datetime.fromtimestamp(0, UTC)
    message = found.raw_message.decode("utf-8", "replace")
    name = found.author.raw_name.decode("utf-8", "replace")
    marked = name.rstrip().endswith(_MARK) or _TOGETHER.search(message) is not None
    return Commit(str(found.id), at, message.partition("\n")[0].strip(), marked)


def _with_moves(changes: list[FileChange]) -> tuple[FileChange, ...]:
    """Files that went and came with the very same bytes, each only once, are one move."""
    gone: dict[bytes, list[FileChange]] = {}
    come: dict[bytes, list[FileChange]] = {}
    for one in changes:
        if one.after is None and isinstance(one.before, bytes) and one.before:
            gone.setdefault(one.before, []).append(one)
        if one.before is None and isinstance(one.after, bytes) and one.after:
            come.setdefault(one.after, []).append(one)
    moves = {
        olds[0].path: come[data][0].path
        for data, olds in gone.items()
        if len(olds) == 1 and len(come.get(data, ())) == 1
    }
    targets = set(moves.values())
    return tuple(
        FileChange(one.path, one.before, one.before, one.ids, moves[one.path])
        if one.path in moves and one.after is None
        else one
        for one in changes
        if one.path not in targets or one.before is not None
    )
