"""Where a repository stands, with its index kept as it was; runs inside the hook.

Git replaces its files by renaming, so a file that was opened stays what it was. Nothing of a repository is run,
and its configuration is not read.
"""

import sys

from sulcus_panel.core.capture.shell.keeping import Baselines, identity
from sulcus_panel.core.capture.shell.scan import Item
from sulcus_panel.core.capture.shell.standing import (
    FILE,
    KIND,
    MAX_READ,
    READ,
    git_folder,
    head_and_branch,
    read_all,
)

if sys.platform == "win32":
    import nt as system
else:
    import posix as system

Head = tuple[str, str, str, str, str]
"""Of one repository: its folder below the root, its git folder, HEAD's id, the branch, the kept index's name."""
MAX_REPOS = 64


def head_of(root: str, at: str, baselines: Baselines) -> Head | None:
    """Where the repository of the folder `at` below `root` stands, its index kept in `baselines`."""
    folder = root + "/" + at if at else root
    git = git_folder(folder)
    if not git:
        return None
    head, branch = head_and_branch(git)
    return at, git, head, branch, _keep_index(git, baselines)


def written_at(index: str) -> int:
    """When an index that we keep had been written, from its name there; 0 for none."""
    return int(index.split("-")[3], 16) if index else 0


def _keep_index(git: str, baselines: Baselines) -> str:
    """The name of our copy of the index; "" where there is none to be had."""
    try:
        handle = system.open(git + "/index", READ)
    except OSError:
        return ""
    try:
        found = system.fstat(handle)
        if found.st_mode & KIND != FILE or found.st_size > MAX_READ:
            return ""
        item: Item = (
            "", found.st_ctime_ns, found.st_mtime_ns, found.st_size, found.st_ino, found.st_mode, ""
        )  # fmt: skip
        name = "index-" + identity(item)
        try:
            system.lstat(baselines.folder + "/" + name)
        except OSError:
            baselines.write(name, read_all(handle, found.st_size))
    except OSError:
        return ""
    finally:
        system.close(handle)
    return name
