"""Where git stands around a file: HEAD and branch, by git's own small files. Runs inside the hook, at every file.

So all that it needs is in it: how a file of git's or ours is read as a whole, without waiting for it. Nothing of a
repository is run, and its configuration is not read.
"""

import sys

if sys.platform == "win32":
    import nt as system
else:
    import posix as system

KIND, FILE = 0o170000, 0o100000
GIT = ".git"
MAX_READ = 128 << 20
"""No file that is read as a whole, git's or ours, is this large; one that is was made to keep us busy."""
MAX_PACKED_REFS = 8 << 20
MAX_LINE = 4096
HEX = frozenset("0123456789abcdef")
IN_REFTABLE = "refs/heads/.invalid"
"""What HEAD says where git keeps its references in tables, which are not read here."""
READ = system.O_RDONLY
for _flag in ("O_NONBLOCK", "O_CLOEXEC", "O_NOCTTY", "O_NOFOLLOW", "O_BINARY"):
    READ |= getattr(system, _flag, 0)
_CHUNK = 1 << 20


def where_it_stands(path: str) -> bytes:
    """HEAD's id and the branch of the repository that a path is in, one a line; empty where it is in none."""
    folder = path
    while folder := folder[: max(folder.rfind("/"), folder.rfind("\\"), 0)]:
        if git := git_folder(folder):
            return "\n".join(head_and_branch(git)).encode("utf-8", "surrogateescape")
    return b""


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


def head_and_branch(git: str) -> tuple[str, str]:
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


def read_whole(path: str, most: int = MAX_READ) -> bytes:
    """All of a regular file, which may have `most` bytes."""
    handle = system.open(path, READ)
    try:
        found = system.fstat(handle)
        if found.st_mode & KIND != FILE or found.st_size > most:
            raise OSError("not a regular file, or too large")
        return read_all(handle, found.st_size)
    finally:
        system.close(handle)


def read_all(handle: int, size: int) -> bytes:
    """An open file to its end, which is expected at `size`."""
    parts: list[bytes] = []
    while part := system.read(handle, _CHUNK if parts else size + 1):
        parts.append(part)
    return b"".join(parts)
