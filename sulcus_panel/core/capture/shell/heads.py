"""Where a repository stands: HEAD, branch, and its index kept as it was; runs inside the hook.

Git replaces its files by renaming, so a file that was opened stays what it was. Nothing of a repository is run,
and its configuration is not read.
"""

import sys

from sulcus_panel.core.capture.shell.keeping import (
    MAX_READ,
    READ,
    Baselines,
    identity,
    read_all,
    read_whole,
)
from sulcus_panel.core.capture.shell.scan import FILE, GIT, KIND, Item

if sys.platform == "win32":
    import nt as system
else:
    import posix as system

Head = tuple[str, str, str, str, str]
"""Of one repository: its folder below the root, its git folder, HEAD's id, the branch, the kept index's name."""
MAX_PACKED_REFS = 8 << 20
MAX_LINE = 4096
HEX = frozenset("0123456789abcdef")
IN_REFTABLE = "refs/heads/.invalid"
"""What HEAD says where git keeps its references in tables, which are not read here."""
MAX_REPOS = 64


def head_of(root: str, at: str, baselines: Baselines) -> Head | None:
    """Where the repository of the folder `at` below `root` stands, its index kept in `baselines`."""
    folder = root + "/" + at if at else root
    git = git_folder(folder)
    if not git:
        return None
    head, branch = _head(git)
    return at, git, head, branch, _keep_index(git, baselines)


def where_it_stands(path: str) -> bytes:
    """HEAD's id and the branch of the repository that a path is in, one a line; empty where it is in none."""
    folder = path
    while folder := folder[: max(folder.rfind("/"), folder.rfind("\\"), 0)]:
        if git := git_folder(folder):
            return "\n".join(_head(git)).encode("utf-8", "surrogateescape")
    return b""


def written_at(index: str) -> int:
    """When an index that we keep had been written, from its name there; 0 for none."""
    return int(index.split("-")[3], 16) if index else 0


def git_folder(folder: str) -> str:
    """The git folder of a working tree, also where `.git` is a file that names it (worktree, submodule)."""
    git = folder + "/" + GIT
    try:
        if system.stat(git).st_mode & KIND != FILE:
            return git
        text = read_whole(git, MAX_LINE).decode("utf-8", "surrogateescape")
    except OSError:
        return ""
    if not text.startswith("gitdir: "):
        return ""
    named = text[8:].rstrip("\r\n")
    return named if named[:1] == "/" or named[1:2] == ":" else folder + "/" + named


def _head(git: str) -> tuple[str, str]:
    """HEAD's object id ("" where unborn or not told) and branch ("" where detached)."""
    text = _line(git + "/HEAD")
    if not text.startswith("ref: "):
        return _id(text), ""
    ref = text[5:].strip()
    if not ref.startswith("refs/") or ".." in ref or ref == IN_REFTABLE:
        return "", ""
    branch = ref.removeprefix("refs/heads/")
    shared = _line(git + "/commondir")
    for folder in (git, _join(git, shared)) if shared else (git,):
        if found := _id(_line(folder + "/" + ref)):
            return found, branch
        if found := _id(_packed(folder, ref)):
            return found, branch
    return "", branch


def _id(text: str) -> str:
    """An object's id, "" for any other text: what a repository names may be a file of the person's."""
    return text if len(text) in (40, 64) and HEX.issuperset(text) else ""


def _join(folder: str, name: str) -> str:
    return name if name[:1] == "/" or name[1:2] == ":" else folder + "/" + name


def _line(path: str) -> str:
    try:
        return read_whole(path, MAX_LINE).partition(b"\n")[0].decode("utf-8", "surrogateescape").strip()
    except OSError:
        return ""


def _packed(git: str, ref: str) -> str:
    try:
        data = read_whole(git + "/packed-refs", MAX_PACKED_REFS)
    except OSError:
        return ""
    at = data.find(b" " + ref.encode("utf-8", "surrogateescape") + b"\n")
    return data[data.rfind(b"\n", 0, at) + 1 : at].decode("ascii", "replace") if at > 0 else ""


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
