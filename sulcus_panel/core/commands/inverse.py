"""What takes a command back: from what it asked for and what was seen to move, only where both agree exactly. Pure.

A text alone is never enough. An undo that moved references is taken back by what it moved, for we did it.
"""

import posixpath
from dataclasses import dataclass

from sulcus_panel.core.commands.forward import Form, Forward, read_forward
from sulcus_panel.core.commands.outward import manual_way
from sulcus_panel.core.model import COMMANDS, GitDelta, NewEntry, Origin, Provenance, RefMove
from sulcus_panel.core.safety import plain

HEADS, TAGS = "refs/heads/", "refs/tags/"
NOT_SEEN = "what it moved was not seen as it happened, so that nothing can be checked"
NOT_READ = "it is more than one plain command, so that what moved cannot be told from what was asked for"
OTHERWISE = "what was seen to move is not what the command asked for"
FAILED = "the command failed, so that what moved meanwhile may be somebody else's work"
NO_BRANCH = "HEAD stood on no branch before"
FILES_TOO = "it checked out another commit, and that is a matter of files"
WITH_FILES = "it changed files as well: these go back, the references of git stay"


@dataclass(frozen=True, slots=True)
class Inverse:
    """The moves of an undo, and where HEAD goes from and to (branches). `commit`: what leaves its branch."""

    moves: tuple[RefMove, ...]
    head: tuple[str, str] | None = None
    commit: str = ""
    at: str | None = None
    """Where HEAD must stand for entries of the index to go back."""
    replaces: str = ""
    """The commit in whose place it came, of an amended one; else it stands on what the branch goes back to."""


@dataclass(frozen=True, slots=True)
class NoInverse:
    """Why there is none, or what a person can do instead."""

    why: str


def inverse_of(record: NewEntry) -> Inverse | NoInverse | None:
    """What takes the command back; None where it is no command that is known to need more than its files."""
    if record.origin is Origin.UNDO:
        return _back(record.git) if record.git is not None and record.git.refs else None
    if record.action_type not in COMMANDS or record.command is None:
        return None
    if way := manual_way(record.command):
        return NoInverse(way)
    forward = read_forward(record.command)
    if record.provenance is not Provenance.OBSERVED:
        return NoInverse(NOT_SEEN) if forward is not None else None
    if record.git is None or not record.git.refs:
        return None
    return _seen(record, forward, record.git)


def _seen(record: NewEntry, forward: Forward | None, git: GitDelta) -> Inverse | NoInverse:
    if record.exit_code:
        return NoInverse(FAILED)
    if forward is None:
        return NoInverse(NOT_READ)
    return NoInverse(WITH_FILES) if record.changes else _agreed(forward, git)


def _back(git: GitDelta) -> Inverse:
    """The way back of what was observed, whole."""
    moves = tuple(RefMove(move.name, move.after, move.before) for move in git.refs)
    before, after = git.before.branch, git.after.branch
    head = (after, before) if before and after and before != after else None
    return Inverse(moves, head, at=git.after.head if any(map(is_staged, moves)) else None)


def _agreed(forward: Forward, git: GitDelta) -> Inverse | NoInverse:
    """Compare what was asked for with what moved."""
    if forward.form in {Form.COMMIT, Form.AMEND}:
        return _commit(forward, git)
    if forward.form is Form.ADD:
        return _added(forward, git)
    if forward.form is Form.BRANCH_AND_SWITCH:
        return _switched(forward, git)
    if forward.form is Form.RENAME_BRANCH:
        return _renamed(forward, git)
    folder = TAGS if forward.form in {Form.TAG, Form.DELETE_TAG} else HEADS
    is_made = forward.form in {Form.BRANCH, Form.TAG}
    stays = (git.before.branch, git.before.head) == (git.after.branch, git.after.head)
    return (
        _back(git)
        if stays and _is_only(git, folder + forward.names[0], made=is_made)
        else NoInverse(OTHERWISE)
    )


def _is_only(git: GitDelta, name: str, *, made: bool) -> bool:
    """Say whether one reference alone came or went."""
    if len(git.refs) != 1 or git.refs[0].name != name:
        return False
    absent, there = (
        (git.refs[0].before, git.refs[0].after) if made else (git.refs[0].after, git.refs[0].before)
    )
    return not absent and bool(there)


def _added(forward: Forward, git: GitDelta) -> Inverse | NoInverse:
    stays = (git.before.branch, git.before.head) == (git.after.branch, git.after.head)
    asked = all(is_staged(move) and _names(forward.names, move.name[1:]) for move in git.refs)
    return _back(git) if stays and asked and git.after.head else NoInverse(OTHERWISE)


def _names(asked: tuple[str, ...], path: str) -> bool:
    """Say whether one of the words stands for this path, from whichever folder they were said."""
    words = [posixpath.normpath(word) for word in asked]
    return any(word == "." or f"/{word}/" in f"/{path}/" for word in words)


def is_staged(move: RefMove) -> bool:
    """Say whether it is a path of the index, and no reference."""
    return move.name.startswith(":")


def _switched(forward: Forward, git: GitDelta) -> Inverse | NoInverse:
    before, after = git.before, git.after
    if not _is_only(git, HEADS + forward.names[0], made=True) or after.branch != forward.names[0]:
        return NoInverse(OTHERWISE)
    if before.branch is None:
        return NoInverse(NO_BRANCH)
    if not before.head == after.head == git.refs[0].after:
        return NoInverse(FILES_TOO)
    return _back(git)


def _renamed(forward: Forward, git: GitDelta) -> Inverse | NoInverse:
    old = forward.names[0] if len(forward.names) == 2 else git.before.branch
    new = forward.names[-1]
    moves = {move.name: (move.before, move.after) for move in git.refs}
    gone, come = moves.get(f"{HEADS}{old}"), moves.get(HEADS + new)
    is_one = len(git.refs) == 2 and gone is not None and come is not None
    if (
        not is_one
        or gone is None
        or come is None
        or not gone[0]
        or (gone[0], "") != (come[1], come[0])
        or gone[1]
    ):
        return NoInverse(OTHERWISE)
    branch = new if git.before.branch == old else git.before.branch
    stays = git.before.head == git.after.head and git.after.branch == branch
    return _back(git) if stays else NoInverse(OTHERWISE)


def _commit(forward: Forward, git: GitDelta) -> Inverse | NoInverse:
    before, after = git.before, git.after
    if before.branch is None:
        return NoInverse(NO_BRANCH)
    if len(git.refs) != 1 or before.branch != after.branch:
        return NoInverse(OTHERWISE)
    (move,) = git.refs
    as_seen = (HEADS + before.branch, before.head or "", after.head or "")
    if (move.name, move.before, move.after) != as_seen or not move.before or not move.after:
        return NoInverse(OTHERWISE)
    replaces = move.before if forward.form is Form.AMEND else ""
    return Inverse(_back(git).moves, commit=move.after, replaces=replaces)


def is_rename(moves: tuple[RefMove, ...]) -> bool:
    """Say whether one branch gets another's name, and keeps what it is."""
    if len(moves) != 2 or not all(move.name.startswith(HEADS) for move in moves):
        return False
    gone = next((move for move in moves if not move.after), None)
    come = next((move for move in moves if not move.before), None)
    return gone is not None and come is not None and gone.before == come.after


def named(name: str) -> str:
    """A reference, or a path of the index, as a person calls it."""
    if name.startswith(":"):
        return f"{plain(name[1:], 200)} in the index"
    for folder, noun in ((HEADS, "branch"), (TAGS, "tag")):
        if name.startswith(folder):
            return f"{noun} {plain(name.removeprefix(folder), 120)}"
    return plain(name, 120)
