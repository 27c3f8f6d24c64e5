"""Where an event belongs: the workspace, and the path's name inside it.

The rule is api.md's: the nearest registered workspace above the path, else the git top level, else the
event's cwd. Folders are resolved, a path's last component is not, so that a symlink itself can be told from
its target. Reads the disk (lstat, readlink), runs nothing.
"""

import os
from dataclasses import dataclass
from pathlib import PurePosixPath, PureWindowsPath
from typing import Protocol

from sulcus_panel.core.model import LedgerPath, Workspace


class Workspaces(Protocol):
    """The part of the ledger that knows workspaces."""

    def add_workspace(self, root: str | None, namespace: str | None = None) -> Workspace:
        """The workspace of `root`, registered if need be."""

    def workspace_above(self, path: str) -> Workspace | None:
        """The nearest registered workspace above `path`."""


@dataclass(frozen=True, slots=True)
class Place:
    """A path's workspace and its name there; an absolute name lies outside."""

    workspace: Workspace
    path: LedgerPath


def place_folder(ledger: Workspaces, folder: str) -> Workspace:
    """The workspace of an event without a path, from its cwd; registers it."""
    if _is_foreign(folder):
        return _rootless(ledger, folder)
    real = os.path.realpath(folder or os.sep)
    return ledger.workspace_above(real) or ledger.add_workspace(git_top(real) or real)


def place_path(ledger: Workspaces, path: str, cwd: str, *, link: str = "") -> Place:
    """The workspace and name of `path`, taken against `cwd`, or of what the symlink there leads to.

    `link` is that symlink's text as it was seen: by now the path may be something else.
    """
    if _is_foreign(path):
        return _place_foreign(ledger, path, cwd)
    located = locate(path, cwd, link=link)
    folder = os.path.dirname(located)
    found = ledger.workspace_above(located)
    if found is None:
        top = git_top(folder)
        found = ledger.add_workspace(top) if top else place_folder(ledger, cwd or folder)
    return Place(found, name_in(found, located))


def locate(path: str, cwd: str, *, link: str = "") -> str:
    """`path`, or what a link there leads to, as an absolute path with resolved parents."""
    full = os.path.join(cwd or os.sep, _sound(path))
    if link:
        return os.path.realpath(os.path.join(os.path.dirname(full), _sound(link)))
    folder, name = os.path.split(full)
    if name in ("", ".", ".."):
        return os.path.realpath(full)
    return os.path.join(os.path.realpath(folder), name)


def name_in(workspace: Workspace, located: str) -> LedgerPath:
    """The name of a located path in `workspace`: relative when inside, absolute when not."""
    root = workspace.root
    if root is None:
        return LedgerPath(_posix(located))
    below = root.rstrip(os.sep) + os.sep
    inside = located.startswith(below) and len(located) > len(below)
    return LedgerPath(_posix(located[len(below) :] if inside else located))


def git_top(folder: str) -> str | None:
    """The nearest folder at or above `folder` that holds `.git` (a folder, or a worktree's file)."""
    while True:
        if os.path.lexists(os.path.join(folder, ".git")):
            return folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def _place_foreign(ledger: Workspaces, path: str, cwd: str) -> Place:
    """A path of another system: named by its letters alone, in a workspace without a root."""
    workspace = place_folder(ledger, cwd or str(PureWindowsPath(path).parent))
    try:
        return Place(workspace, LedgerPath(PureWindowsPath(path).relative_to(cwd).as_posix()))
    except ValueError:
        return Place(workspace, LedgerPath(PureWindowsPath(path).as_posix()))


def _rootless(ledger: Workspaces, folder: str) -> Workspace:
    """A namespace without a folder, under a name that no folder here gets by itself."""
    return ledger.add_workspace(None, f"{PureWindowsPath(folder).name}-windows")


def _is_foreign(path: str) -> bool:
    """A Windows path where this is no Windows: a transcript or payload from elsewhere."""
    return os.sep == "/" and (path.startswith("\\\\") or (path[1:2] == ":" and path[2:3] in ("\\", "/")))


def _posix(path: str) -> str:
    return PureWindowsPath(path).as_posix() if os.sep == "\\" else str(PurePosixPath(path))


def _sound(path: str) -> str:
    """A name that the system can be asked for; what no file can be called is spelled out."""
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        path = path.encode("utf-8", "backslashreplace").decode()
    return path.replace("\0", "\\0")
