"""References moved by compare-and-swap, all of one effect or none, and read back afterwards.

libgit2 runs no hook and no filter. Its reflog lines bear a name of ours, never one from anybody's configuration.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sulcus_panel.core.commands.inverse import is_rename, is_staged, named
from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.model import GitDelta, RefMove
from sulcus_panel.core.undo.git_now import head_of, id_of, opened

if TYPE_CHECKING:
    import pygit2

NAME, EMAIL = "Sulcus Panel", "sulcus-panel@localhost"
Act = Callable[["pygit2.Repository"], object]


class NotMoved(SulcusError):
    """A reference could not be moved; all that the effect had moved before is back."""

    code = "failed"


class HalfMoved(SulcusError):
    """A reference could not be moved, and another that had moved could not go back."""

    code = "attention"


@dataclass(frozen=True, slots=True)
class _Step:
    """One change of the repository and the way back."""

    what: str
    act: Act
    back: Act


def carry(git: str, delta: GitDelta, message: str) -> None:
    """Move what `delta` says, each from where it is said to be. Raises NotMoved, HalfMoved."""
    import pygit2

    failures = (pygit2.GitError, KeyError, ValueError, OSError)
    try:
        repo = opened(git)
    except failures as error:
        raise NotMoved("the repository cannot be opened", str(error)) from error
    repo.set_ident(NAME, EMAIL)
    done: list[_Step] = []
    for step in _steps(git, delta, message):
        try:
            step.act(repo)
        except failures as error:
            _back(repo, done, failures)
            raise NotMoved(f"{step.what} could not be moved", str(error)) from error
        done.append(step)
    try:
        is_there = stands(git, delta.refs, delta.after.branch, after=True)
    except failures:
        is_there = False
    if not is_there:
        _back(repo, done, failures)
        raise NotMoved("it was moved and is somewhere else already", "Somebody else moved it.")


def stands(git: str, moves: tuple[RefMove, ...], branch: str | None, *, after: bool) -> bool:
    """Say whether each is where it was to come (or was before), and HEAD on `branch`. Raises pygit2.GitError."""
    repo = opened(git)
    return head_of(repo)[0] == branch and all(
        id_of(repo, move.name) == (move.after if after else move.before) for move in moves
    )


def _back(repo: "pygit2.Repository", done: list[_Step], failures: tuple[type[Exception], ...]) -> None:
    for step in reversed(done):
        try:
            step.back(repo)
        except failures as error:
            raise HalfMoved(f"{step.what} could not go back", str(error)) from error


def _steps(git: str, delta: GitDelta, message: str) -> Iterator[_Step]:
    """In an order in which HEAD never names what is not there; entries of the index all at once."""
    entries = tuple(move for move in delta.refs if is_staged(move))
    if entries:
        yield _Step("the index", _stages(git, entries), _stages(git, tuple(map(_turned, entries))))
        delta = replace(delta, refs=tuple(move for move in delta.refs if not is_staged(move)))
    if is_rename(delta.refs):
        gone = next(move for move in delta.refs if not move.after)
        come = next(move for move in delta.refs if not move.before)
        there, here = RefMove(gone.name, gone.before, come.name), RefMove(come.name, gone.before, gone.name)
        yield _Step(named(gone.name), _renames(there), _renames(here))
        return
    come_first = sorted(delta.refs, key=lambda move: not move.after)
    for move in (move for move in come_first if move.after):
        yield _step(move, message)
    before, after = delta.before.branch, delta.after.branch
    if before != after and before is not None and after is not None:
        yield _Step("HEAD", _puts_head(before, after, message), _puts_head(after, before, message))
    for move in (move for move in come_first if not move.after):
        yield _step(move, message)


def _step(move: RefMove, message: str) -> _Step:
    return _Step(named(move.name), _moves(move, message), _moves(_turned(move), message))


def _turned(move: RefMove) -> RefMove:
    return RefMove(move.name, move.after, move.before)


def _stages(git: str, moves: tuple[RefMove, ...]) -> Act:
    def act(_repo: "pygit2.Repository") -> None:
        from sulcus_panel.core.undo.index_moves import move_entries

        move_entries(git, moves)

    return act


def _moves(move: RefMove, message: str) -> Act:
    def act(repo: "pygit2.Repository") -> None:
        import pygit2

        if not move.before:
            repo.create_reference_direct(move.name, pygit2.Oid(hex=move.after), False, message=message)
            return
        found = repo.references[move.name]
        if str(found.target) != move.before:
            raise ValueError("it has moved meanwhile")
        # libgit2 does both only where the reference is still what was read here
        if move.after:
            found.set_target(move.after, message)
        else:
            found.delete()

    return act


def _renames(move: RefMove) -> Act:
    """Give a branch another name; so HEAD and what is logged of it go along. `after` is the name here."""

    def act(repo: "pygit2.Repository") -> None:
        found = repo.references[move.name]
        if str(found.target) != move.before:
            raise ValueError("it has moved meanwhile")
        found.rename(move.after)

    return act


def _puts_head(before: str, after: str, message: str) -> Act:
    def act(repo: "pygit2.Repository") -> None:
        head = repo.references["HEAD"]
        if head.target != f"refs/heads/{before}":
            raise ValueError("HEAD has moved meanwhile")
        head.set_target(f"refs/heads/{after}", message)

    return act
