"""Where an event belongs: the workspace, and the path's name inside it.

It belongs to the nearest registered workspace above the path, else to the git top level, else to the event's
cwd. Folders are resolved, a path's last component is not, so that a symlink itself can be told from
its target. Reads the disk (lstat, readlink), runs nothing.
"""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePosixPath, PureWindowsPath
from typing import Protocol

from sulcus_panel.core.errors import UnsafePath
from sulcus_panel.core.model import Change, LedgerPath, Workspace
from sulcus_panel.core.safety import MAX_PATH_BYTES, plain

MAX_LINKS = 40
"""As many links in a row as the system itself follows."""

_OF_A_PROCESS = re.compile(r"/+(?:proc/(?:self|thread-self|\d+)|dev/(?:fd|stdin|stdout|stderr))(?:/|\Z)")
"""What these names lead to is another thing in every process: in ours it is not what the agent meant."""


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
        return _rootless(ledger, spelled(folder))
    real = resolve(_folder(folder))
    if _OF_A_PROCESS.match(real):
        raise UnsafePath("A folder that is another one in every process", plain(folder, 200))
    return ledger.workspace_above(real) or ledger.add_workspace(git_top(real) or real)


def place_path(ledger: Workspaces, path: str, cwd: str, *, link: str = "") -> Place:
    """The workspace and name of `path`, taken against `cwd`, or of what the symlink there leads to.

    `link` is that symlink's text as it was seen: by now the path may be something else.
    """
    if _is_foreign(path):
        return _place_foreign(ledger, _sound(path), spelled(cwd))
    located = locate(path, cwd, link=link)
    folder = os.path.dirname(located)
    if _OF_A_PROCESS.match(located):
        return Place(place_folder(ledger, cwd), LedgerPath(_posix(located)))
    found = ledger.workspace_above(located)
    if found is None:
        top = git_top(folder)
        found = ledger.add_workspace(top) if top else place_folder(ledger, cwd or folder)
    return Place(found, name_in(found, located))


def is_elsewhere(ledger: Workspaces, path: str, cwd: str, changes: Sequence[Change]) -> bool:
    """Whether these are changes of other files than the one at `path`."""
    if not path or not changes:
        return False
    place = place_path(ledger, path, cwd)
    names = (place.path, name_in(place.workspace, resolve(locate(path, cwd))))
    return all(change.path not in names for change in changes)


def locate(path: str, cwd: str, *, link: str = "") -> str:
    """`path`, or what a link there leads to, as an absolute path with resolved parents.

    Raises:
        UnsafePath: longer than a path can be.
    """
    full = os.path.join(_folder(cwd), _sound(path))
    if link:
        return resolve(os.path.join(os.path.dirname(full), _sound(link)))
    folder, name = os.path.split(full)
    if name in ("", ".", ".."):
        return resolve(full)
    return os.path.join(resolve(folder), name)


def resolve(path: str) -> str:
    """`path` with its links followed, as far as these lead to the same place in every process."""
    written = os.path.normpath(path)
    if _OF_A_PROCESS.match(written):
        return written
    try:
        real = os.path.realpath(path)
    except (OSError, ValueError, RecursionError):
        return written  # a chain of links longer than the system would follow leads nowhere
    return written if _OF_A_PROCESS.match(real) else real


def names_of(workspace: Workspace, path: str, cwd: str, link: str) -> tuple[LedgerPath, ...]:
    """Every name under which `path` was reached: as it was written, and each symlink on the way.

    `link` is the text of the symlink at `path`, "" where there is none. What is a secret by one of these names
    is one by all of them.
    """
    if _is_foreign(path):
        return ()
    folder = _folder(cwd)
    written, located = os.path.normpath(os.path.join(folder, _sound(path))), locate(path, cwd)
    if written == located and not link:
        return (name_in(workspace, located),)
    below = folder.rstrip(os.sep) + os.sep
    if written.startswith(below):
        written = os.path.join(resolve(folder), written[len(below) :])
    ways = (written, *islice(_hops(located, link), MAX_LINKS))
    return tuple(dict.fromkeys(_short_name(workspace, way) for way in ways))


def _hops(here: str, link: str) -> Iterator[str]:
    """The symlink at `here`, and those that it leads to one after the other, as written and as located."""
    yield here
    while link:
        written = os.path.normpath(os.path.join(os.path.dirname(here), _sound(link)))
        here = os.path.join(resolve(os.path.dirname(written)), os.path.basename(written))
        yield written
        yield here
        try:
            link = os.readlink(here)
        except OSError:
            return


def _short_name(workspace: Workspace, way: str) -> LedgerPath:
    """A name in the workspace; of one elsewhere only its end, for the folders above are not its own."""
    name = name_in(workspace, way)
    return LedgerPath("/".join(name.split("/")[-2:])) if os.path.isabs(name) else name


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


def spelled(path: str) -> str:
    """A name that the system can be asked for; what no file can be called is spelled out."""
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        path = path.encode("utf-8", "backslashreplace").decode()
    return path.replace("\0", "\\0")


def _sound(path: str) -> str:
    sound = spelled(path)
    if len(os.fsencode(sound)) > MAX_PATH_BYTES:
        raise UnsafePath("Path too long", f"{plain(path, 80)}: it has more than {MAX_PATH_BYTES} bytes")
    return sound


def _folder(cwd: str) -> str:
    return os.path.join(os.sep, _sound(cwd))
