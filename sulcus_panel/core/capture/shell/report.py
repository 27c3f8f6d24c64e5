"""What the hook's two looks at a tree came to, read from an event's own sections (written by look.py)."""

import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from sulcus_panel.core.capture.shell.standing import HEX
from sulcus_panel.core.capture.spool import Looked, bad_event
from sulcus_panel.core.model import RefMove


class FileStat(NamedTuple):
    """A scan.Item by its fields' names: the hook, which makes them, has no time to import what names them."""

    name: str
    ctime_ns: int
    mtime_ns: int
    size: int
    inode: int
    mode: int
    link: str = ""
    """A symbolic link's text."""


@dataclass(frozen=True, slots=True)
class PathReport:
    """One path that is not what it was: as lstat saw it before and after, None where there was nothing."""

    path: str
    before: FileStat | None
    after: FileStat | None

    @property
    def is_regular(self) -> bool:
        """Whether it is or was a file with bytes."""
        return any(found is not None and stat.S_ISREG(found.mode) for found in (self.before, self.after))


@dataclass(frozen=True, slots=True)
class RepoHead:
    """Where a repository stood: HEAD's id and the branch, "" where there is none, and our copy of the index."""

    head: str
    branch: str
    index: str


@dataclass(frozen=True, slots=True)
class RepoReport:
    """One repository of the tree: its folder below the root, its git folder, and where it stood."""

    at: str
    git: str
    before: RepoHead
    after: RepoHead


@dataclass(frozen=True, slots=True)
class TreeReport:
    """A command's tree. `gap` says why nothing was seen; `unseen` are folders that could not be listed."""

    root: str
    gap: str = ""
    since: datetime | None = None
    paths: tuple[PathReport, ...] = ()
    unseen: tuple[str, ...] = ()
    repos: tuple[RepoReport, ...] = ()
    refs: tuple[RefMove, ...] = ()
    """What moved of the root's own repository, where the command names git."""
    refs_gap: str = ""
    """Why that could not be seen."""


def read_report(name: str, looked: Looked | None) -> TreeReport | None:
    """The report of the spool file `name`, None where no tree was looked at.

    Raises:
        BadPayload: it is not what the hook writes.
    """
    if looked is None:
        return None
    fields, sections = looked.fields, looked.sections
    root = os.fsdecode(sections.get("tree_root", b""))
    if gap := fields.get("tree_gap", ""):
        return TreeReport(root, gap)
    if fields.get("tree") != "after":
        return TreeReport(root)
    try:
        return TreeReport(
            root,
            since=_time(fields["tree_since"]),
            paths=tuple(map(_path, _records(sections["tree_changes"], 5))),
            unseen=tuple(dict.fromkeys(filter(None, os.fsdecode(sections["tree_unseen"]).split("\0")))),
            repos=tuple(map(_repo, _records(sections["tree_repos"], 8))),
            refs=tuple(map(_move, _records(sections.get("tree_refs", b""), 3))),
            refs_gap=fields.get("tree_refs_gap", ""),
        )
    except (KeyError, ValueError, OverflowError) as error:
        raise bad_event(name, f"its look at the tree cannot be read ({error})") from error


def _time(text: str) -> datetime:
    return datetime.fromtimestamp(int(text) / 1e9, UTC)


def _records(data: bytes, fields: int) -> Sequence[Sequence[str]]:
    parts = os.fsdecode(data).split("\0")[:-1]
    if len(parts) % fields:
        raise ValueError("cut short")
    return [parts[start : start + fields] for start in range(0, len(parts), fields)]


def _path(record: Sequence[str]) -> PathReport:
    path, before, link_before, after, link_after = record
    return PathReport(path, _stat(path, before, link_before), _stat(path, after, link_after))


def _stat(path: str, numbers: str, link: str) -> FileStat | None:
    if not numbers:
        return None
    ctime, mtime, size, inode, mode = map(int, numbers.split(" "))
    return FileStat(path.rpartition("/")[2], ctime, mtime, size, inode, mode, link)


def _repo(record: Sequence[str]) -> RepoReport:
    at, git, *heads = record
    if "/" in heads[2] or "/" in heads[5]:
        raise ValueError("not an index of ours")
    return RepoReport(at, git, RepoHead(*heads[:3]), RepoHead(*heads[3:]))


def _move(record: Sequence[str]) -> RefMove:
    name, before, after = record
    ids = [one for one in (before, after) if one]
    if not name.startswith("refs/") or not all(len(one) in {40, 64} and not set(one) - HEX for one in ids):
        raise ValueError("not a reference")
    return RefMove(name, before, after)
