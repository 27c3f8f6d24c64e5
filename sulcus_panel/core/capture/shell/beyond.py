"""Files outside the workspace that a command names as written: they are not looked at, and that is said.

Only a path that stands there plainly, absolute or in the home folder, counts; what a command does not name is not
guessed at.
"""

import os
from collections.abc import Iterator

from sulcus_panel.core.capture.place import name_in, resolve
from sulcus_panel.core.capture.shell.targets import targets_of
from sulcus_panel.core.model import Workspace
from sulcus_panel.core.safety import plain

MOST_NAMED = 5
OUTSIDE = "outside the workspace, so not kept"
NO_FILES = ("/dev/", "/proc/")


def named_beyond(command: str, workspace: Workspace, tree: str) -> tuple[str, ...]:
    """A sentence for each file outside workspace and tree that the command says it writes, MOST_NAMED at most."""
    found = list(_beyond(command, workspace, tree))
    more = len(found) - MOST_NAMED
    told = [f"{plain(path, 200)} is {OUTSIDE}" for path in found[:MOST_NAMED]]
    return (*told, *([f"{more} more files are {OUTSIDE}"] if more > 0 else []))


def _beyond(command: str, workspace: Workspace, tree: str) -> Iterator[str]:
    for path in targets_of(command).paths:
        whole = os.path.expanduser(path) if path == "~" or path.startswith("~/") else path
        if not whole.startswith("/") or whole.startswith(NO_FILES):
            continue
        located = resolve(whole)
        below = tree.rstrip("/") + "/"
        is_root = located in (tree, workspace.root)
        if (
            not is_root
            and not (tree and located.startswith(below))
            and name_in(workspace, located) == located
        ):
            yield path
