"""What git says now: read by libgit2, so that nothing of a repository is run; only where references had moved.

A repository that belongs to somebody else, or that leads to another place by a link, is not opened.
"""

import os
import stat
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from sulcus_panel.core.commands.inverse import HEADS, Inverse, inverse_of
from sulcus_panel.core.commands.now import GitNow
from sulcus_panel.core.model import Entry, NewEntry, SeqId
from sulcus_panel.core.safety import plain

if TYPE_CHECKING:
    import pygit2

NO_PLACE = "the folder in which it ran is not in this workspace"
NO_REPOSITORY = "there is no repository in this workspace where it ran"
BY_LINK = "a link, or what is no file, stands where git keeps its own: do it yourself"
NOT_YOURS = "the repository belongs to somebody else: do it yourself"
NO_TREE = "its .git names another place, which does not name it back: do it yourself"
CANNOT_READ = "the repository cannot be read"
READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
MANY_REMOTES = 1000
MAX_LINE = 4096


def git_now(root: str | None, targets: Sequence[Entry]) -> dict[SeqId, GitNow]:
    """Look at the repositories of those targets whose moves can be taken back; nothing is opened for the others."""
    found: dict[SeqId, GitNow] = {}
    for entry in targets:
        inverse = inverse_of(entry.record)
        if isinstance(inverse, Inverse):
            found[entry.seq_id] = look_at(root, entry.record, inverse)
    return found


def look_at(root: str | None, record: NewEntry, inverse: Inverse) -> GitNow:
    """Look at what one inverse concerns."""
    git, problem = git_folder_of(root, record.cwd)
    names = tuple(dict.fromkeys([*(move.name for move in inverse.moves), *(_of_head(inverse))]))
    problem = problem or _links(git, common_folder(git), names)
    if problem:
        return GitNow(git, problem)
    import pygit2  # takes longer than an undo of files, which has no use for it

    try:
        return _read(opened(git), git, inverse, names)
    except (pygit2.GitError, KeyError, ValueError, OSError):
        return GitNow(git, CANNOT_READ)


def opened(git: str) -> "pygit2.Repository":
    """The repository of a git folder and of no other. Raises pygit2.GitError."""
    import pygit2

    flags = pygit2.enums.RepositoryOpenFlag.NO_SEARCH | pygit2.enums.RepositoryOpenFlag.NO_DOTGIT
    return pygit2.Repository(git, flags)


def git_folder_of(root: str | None, cwd: str | None) -> tuple[str, str]:
    """The git folder of the working tree in which a command ran, or why there is none that may be touched."""
    if root is None or cwd is None:
        return "", NO_PLACE
    top, folder = os.path.realpath(root), os.path.realpath(cwd)
    if not os.path.join(folder, "").startswith(os.path.join(top, "")):
        return "", NO_PLACE
    while not os.path.lexists(os.path.join(folder, ".git")):
        if folder == top:
            return "", NO_REPOSITORY
        folder = os.path.dirname(folder)
    dot = os.path.join(folder, ".git")
    try:
        return _of_dot(dot)
    except OSError:
        return "", CANNOT_READ


def _of_dot(dot: str) -> tuple[str, str]:
    """Follow `.git`: a folder, or the file of a linked working tree that is named back. Raises OSError."""
    found = os.lstat(dot)
    if stat.S_ISLNK(found.st_mode):
        return "", BY_LINK
    git = dot
    if stat.S_ISREG(found.st_mode):
        said = _line(dot)
        git = os.path.normpath(os.path.join(os.path.dirname(dot), said.removeprefix("gitdir: ")))
        back = _line(os.path.join(git, "gitdir"))
        if not said.startswith("gitdir: ") or os.path.realpath(os.path.join(git, back)) != os.path.realpath(
            dot
        ):
            return "", NO_TREE
    owners = {os.lstat(place).st_uid for place in (dot, git, common_folder(git))}
    return ("", NOT_YOURS) if hasattr(os, "geteuid") and owners != {os.geteuid()} else (git, "")


def common_folder(git: str) -> str:
    """The folder that all working trees of a repository share."""
    try:
        return os.path.normpath(os.path.join(git, _line(os.path.join(git, "commondir"))))
    except OSError:
        return git


def _line(path: str) -> str:
    """The first line of a file, which is never waited for and no link. Raises OSError."""
    with open(os.open(path, READ), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError("not a regular file")
        return os.fsdecode(file.read(MAX_LINE).partition(b"\n")[0]).strip()


def _links(git: str, common: str, names: Sequence[str]) -> str:
    """Say whether all on the way to what is read and written is plain: git's files, and what it logs of them."""
    own = ["HEAD", "logs/HEAD", "index", "commondir", "gitdir", "config.worktree"]
    refs = [name for name in names if not name.startswith(":")]
    shared = ["packed-refs", "config", "objects/info/alternates", *refs, *(f"logs/{name}" for name in refs)]
    for base, paths in ((git, own), (common, shared)):
        for path in paths:
            parts = path.split("/")
            for end in range(1, len(parts) + 1):
                if not _is_plain(os.path.join(base, *parts[:end])):
                    return BY_LINK
    return ""


def _is_plain(path: str) -> bool:
    """Say whether a file or folder is there, or nothing; what cannot be looked at is refused by git as well."""
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return True
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode)


def _of_head(inverse: Inverse) -> Iterator[str]:
    yield from (HEADS + name for name in inverse.head or ())


def _read(repo: "pygit2.Repository", git: str, inverse: Inverse, names: Sequence[str]) -> GitNow:
    branch, head = head_of(repo)
    ids = {
        name: found
        for name in (*names, *((HEADS + branch,) if branch else ()))
        if (found := id_of(repo, name))
    }
    wanted = {move.after.rpartition(" ")[2] for move in inverse.moves if move.after}
    commits = [one for one in (inverse.commit, inverse.replaces) if one]
    return GitNow(
        git,
        "",
        branch,
        head,
        ids,
        _elsewhere(git),
        frozenset(one for one in wanted if one not in repo),
        {one: parents for one in commits if (parents := _parents(repo, one)) is not None},
        {inverse.commit: where} if inverse.commit and (where := _pushed(repo, inverse.commit)) else {},
    )


def _parents(repo: "pygit2.Repository", oid: str) -> tuple[str, ...] | None:
    """The parents of a commit, None where it is none or is not there."""
    import pygit2

    found = repo.get(oid)
    if found is None or found.type != pygit2.enums.ObjectType.COMMIT:
        return None
    return tuple(map(str, found.peel(pygit2.Commit).parent_ids))


def head_of(repo: "pygit2.Repository") -> tuple[str | None, str]:
    """HEAD's branch, None where it stands on none, and its id, "" where it has none."""
    found = repo.references.get("HEAD")
    if found is None:
        return None, ""
    target = str(found.target)
    if not target.startswith("refs/"):
        return None, target
    return target.removeprefix(HEADS), id_of(repo, target)


def id_of(repo: "pygit2.Repository", name: str) -> str:
    """The id of a reference, "" where there is none; mode and id of a path of the index.

    Raises ValueError for a reference that only names another, and for an index with conflicts.
    """
    if name.startswith(":"):
        return staged(repo.index, name[1:])
    found = repo.references.get(name)
    if found is None:
        return ""
    target = str(found.target)
    if target.startswith("refs/"):
        raise ValueError("a symbolic reference")
    return target


def staged(index: "pygit2.Index", path: str) -> str:
    """Mode and id of a path, "" where there is none. Raises ValueError for an index with conflicts."""
    if index.conflicts is not None:
        raise ValueError("the index has conflicts")
    try:
        found = index[path]
    except KeyError:
        return ""
    return f"{found.mode:o} {found.id}"


def _elsewhere(git: str) -> dict[str, str]:
    """What the other working trees of the repository have checked out, and where."""
    common = common_folder(git)
    trees = [(common, "the main working tree")]
    try:
        folders = sorted(os.listdir(os.path.join(common, "worktrees")))
    except OSError:
        folders = []
    trees += [(os.path.join(common, "worktrees", name), name) for name in folders]
    found = {}
    for folder, name in trees:
        try:
            said = _line(os.path.join(folder, "HEAD"))
        except OSError:
            continue
        if os.path.realpath(folder) != os.path.realpath(git) and said.startswith("ref: "):
            found[said.removeprefix("ref: ")] = name
    return found


def _pushed(repo: "pygit2.Repository", commit: str) -> str:
    """Name a remote's branch that holds the commit, "" where none is known to. Raises ValueError past a number."""
    remotes = [name for name in repo.references if name.startswith("refs/remotes/")]
    if len(remotes) > MANY_REMOTES:
        raise ValueError("too many remote branches to look at")
    for name in remotes:
        try:
            tip = repo.references[name].resolve().target
        except KeyError:  # it names a branch that is gone, as a remote's HEAD may
            continue
        if str(tip) == commit or (commit in repo and repo.descendant_of(tip, commit)):
            return plain(name.removeprefix("refs/remotes/"), 120)
    return ""
