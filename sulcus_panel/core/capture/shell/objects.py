"""Files by git's object store, read as files: nothing of the repository is run and its configuration is not read.

An object is a file's bytes only where git has changed nothing on the way: the size is the file's, and no attribute
names a filter for it. Objects are checked against their ids by libgit2.
"""

import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from sulcus_panel.core.capture.plain_file import open_plain
from sulcus_panel.core.capture.shell.git_index import (
    Tracked,
    filtered_endings,
    is_clean,
    object_id,
    one_file,
    tracked_files,
)
from sulcus_panel.core.capture.shell.heads import written_at
from sulcus_panel.core.capture.shell.keeping import Baselines
from sulcus_panel.core.capture.shell.report import FileStat, RepoHead, RepoReport

if TYPE_CHECKING:
    import pygit2

COMMIT, TREE, BLOB = 1, 2, 3
MAX_ATTRIBUTES = 1 << 20
FEW = 64


class _Index:
    """One state of an index, read as far as it is asked."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._asked: dict[str, bytes | None] = {}
        self._all: Tracked | None = None if data[4:8] in (b"\0\0\0\2", b"\0\0\0\3") else tracked_files(data)

    def entry(self, path: str) -> bytes | None:
        if self._all is None and path not in self._asked:
            if len(self._asked) < FEW:
                self._asked[path] = one_file(self._data, path)
            else:
                self._all = tracked_files(self._data)
        return self._asked.get(path) if self._all is None else self._all.get(path)


class Objects:
    """One repository's objects, and the two states of its index."""

    def __init__(self, root: str, report: RepoReport, baselines: Baselines) -> None:
        self.top = os.path.join(root, report.at) if report.at else root
        self.report = report
        self._baselines = baselines
        self._indexes: dict[str, _Index] = {}
        self._commits: dict[str, str] = {}
        self._trees: dict[str, Mapping[bytes, str] | None] = {}

    def bytes_of(self, path: str, seen: FileStat, head: RepoHead) -> bytes | None:
        """The bytes that a file had as it was seen, None where git cannot prove them."""
        entry = self.entry(path, head)
        if entry is None or not is_clean(entry, seen, written_at(head.index)):
            return None
        data = self.read(object_id(entry))
        return data if data is not None and len(data) == seen.size and not self._is_filtered(path) else None

    def entry(self, path: str, head: RepoHead) -> bytes | None:
        """What the index had of a path; the whole index is read only where many are asked for."""
        if not head.index:
            return None
        if head.index not in self._indexes:
            self._indexes[head.index] = _Index(self._baselines.read(head.index))
        return self._indexes[head.index].entry(path)

    def index_of(self, head: RepoHead) -> bytes:
        """The index as it was, b"" where it was not kept."""
        return self._baselines.read(head.index) if head.index else b""

    def read(self, name: str) -> bytes | None:
        """A blob's bytes, None where it is not there."""
        return self._read(name, BLOB)

    def _read(self, name: str, wanted: int) -> bytes | None:
        if self._store is None:
            return None
        import pygit2  # here, for most drains have no command that changed a tracked file

        try:
            kind, data = self._store.read(pygit2.Oid(hex=name))
        except (KeyError, ValueError, pygit2.GitError):
            return None
        return data if kind == wanted else None

    def in_tree(self, commit: str, path: str) -> str | None:
        """The id of a path's object in a commit, "" where it is not in it, None where that cannot be told."""
        here = self._tree_of(commit)
        for name in os.fsencode(path).split(b"/"):
            tree = self._tree(here) if here else None
            if tree is None:
                return None
            here = tree.get(name, "")
            if not here:
                return ""
        return here

    def _tree_of(self, commit: str) -> str:
        if commit not in self._commits:
            found = self._read(commit, COMMIT)
            self._commits[commit] = (found or b"")[5:45].decode("ascii", "replace")
        return self._commits[commit]

    def _tree(self, name: str) -> Mapping[bytes, str] | None:
        if name not in self._trees:
            data = self._read(name, TREE)
            self._trees[name] = None if data is None else _tree_entries(data)
        return self._trees[name]

    @cached_property
    def _store(self) -> "pygit2.Odb | None":
        import pygit2  # see _read()

        git = self.report.git
        shared = _first_line(os.path.join(git, "commondir"))
        try:
            return pygit2.Odb(os.path.join(git, shared, "objects"))
        except (pygit2.GitError, ValueError):
            return None

    def _is_filtered(self, path: str) -> bool:
        """Whether an attribute may name a filter for a file: an unclear pattern counts as one that fits."""
        return any(path.endswith(filtered_endings(data)) for data in self._attributes(path))

    def _attributes(self, path: str) -> Iterator[bytes]:
        folders = path.split("/")[:-1]
        files = [
            os.path.join(self.top, *folders[:depth], ".gitattributes") for depth in range(len(folders) + 1)
        ]
        home = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
        for file in (*files, os.path.join(self.report.git, "info", "attributes"), f"{home}/git/attributes"):
            yield _read(file)


def _tree_entries(data: bytes) -> Mapping[bytes, str]:
    """A tree object's names and ids: `mode name`, NUL, 20 bytes, again and again."""
    found = {}
    at = 0
    while at < len(data):
        end = data.index(b"\0", at)
        found[data[at:end].partition(b" ")[2]] = data[end + 1 : end + 21].hex()
        at = end + 21
    return found


def _first_line(path: str) -> str:
    return os.fsdecode(_read(path).split(b"\n")[0])


def _read(path: str) -> bytes:
    try:
        with open_plain(Path(path)) as file:
            return file.read(MAX_ATTRIBUTES)
    except OSError:
        return b""
