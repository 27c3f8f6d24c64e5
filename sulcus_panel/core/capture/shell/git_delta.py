"""Where git stood before and after a command: HEAD, branch, and the status of the paths that it changed."""

import hashlib
from collections.abc import Callable, Mapping

from sulcus_panel.core.capture.shell.evidence import Evidence
from sulcus_panel.core.capture.shell.git_index import object_id
from sulcus_panel.core.capture.shell.ignored import Ignored
from sulcus_panel.core.capture.shell.index_moves import asks_for_index, index_moves
from sulcus_panel.core.capture.shell.objects import Objects
from sulcus_panel.core.capture.shell.report import RepoHead
from sulcus_panel.core.model import DiskFile, FileKind, GitDelta, GitState, LedgerPath, RefMove

UNTRACKED, IGNORED = "??", "!!"
States = Mapping[str, tuple[DiskFile, DiskFile]]
"""A path of the tree -> the file there before and after."""


def git_delta(
    evidence: Evidence,
    states: States,
    named: Callable[[str], LedgerPath],
    refs: tuple[RefMove, ...] = (),
    command: str = "",
) -> GitDelta | None:
    """The movement of the tree's own repository, with what moved of its references; None where there is none.

    Of the index too, where the command says that it is about that.
    """
    own = next((repo for repo in evidence.repos if not repo.report.at), None)
    if own is None:
        return None
    ignored = Ignored(own.top, own.report.git)
    mine = {
        path: sides for path, sides in states.items() if (found := evidence.repo_of(path)) and found[0] is own
    }
    if asks_for_index(command):
        refs += index_moves(own.index_of(own.report.before), own.index_of(own.report.after))
    before = {path: sides[0] for path, sides in mine.items()}
    after = {path: sides[1] for path, sides in mine.items()}
    return GitDelta(
        _state(own, own.report.before, before, named, ignored),
        _state(own, own.report.after, after, named, ignored),
        refs,
    )


def _state(
    repo: Objects,
    head: RepoHead,
    files: Mapping[str, DiskFile],
    named: Callable[[str], LedgerPath],
    ignored: Ignored,
) -> GitState:
    letters: dict[str, str] = {
        named(path): status if status != UNTRACKED or not ignored.ignores(path) else IGNORED
        for path, file in files.items()
        if (status := _status(repo, head, path, file))
    }
    return GitState(head.head or None, head.branch or None, letters)


def _status(repo: Objects, head: RepoHead, path: str, file: DiskFile) -> str:
    """`git status` in two porcelain letters, "" for a clean or unknown path."""
    if file.state.kind is FileKind.DIRECTORY or not head.index:
        return ""
    entry = repo.entry(path, head)
    staged = object_id(entry) if entry else ""
    committed = repo.in_tree(head.head, path) if head.head else ""
    if not staged and not committed:
        return "" if file.state.kind is FileKind.ABSENT else UNTRACKED
    if committed is None:
        return ""
    letters = _letter(committed, staged) + _work_letter(staged, file)
    return letters if letters.strip() else ""


def _letter(old: str, new: str) -> str:
    if old == new:
        return " "
    if not old:
        return "A"
    return "M" if new else "D"


def _work_letter(staged: str, file: DiskFile) -> str:
    if not staged:
        return " "
    if file.state.kind is FileKind.ABSENT:
        return "D"
    if file.content is None:
        return " "
    return " " if blob_id(file.content) == staged else "M"


def blob_id(data: bytes) -> str:
    """The id under which git keeps these bytes."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
