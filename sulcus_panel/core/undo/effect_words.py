"""What moved in a repository and what becomes of it, in plain sentences and in git's own words. Pure."""

from collections.abc import Iterator, Sequence

from sulcus_panel.core.commands.inverse import Inverse, is_rename, is_staged, named
from sulcus_panel.core.model import RefMove
from sulcus_panel.core.safety import plain
from sulcus_panel.core.undo.model import EffectPlan, Explanation

NOWHERE = "0" * 40
SHORT = 9


def happened(inverse: Inverse) -> str:
    """Say what the command did."""
    if is_rename(inverse.moves):
        gone, come = _ends(inverse.moves)
        return f"{named(come.name)} was named {_short_name(gone.name)}"
    told = [_was(move) for move in inverse.moves]
    if inverse.head is not None:
        told.append(f"HEAD went from {plain(inverse.head[1], 120)} to {plain(inverse.head[0], 120)}")
    return ", ".join(told)


def will_be(inverse: Inverse, stays: str) -> str:
    """Say what the undo does; `stays` names the branch on which HEAD is left where it would have moved."""
    if is_rename(inverse.moves):
        gone, come = _ends(inverse.moves)
        return f"{named(gone.name)} is named {_short_name(come.name)} again; what it follows is not changed"
    told = []
    if inverse.head is not None:
        told.append(f"HEAD goes to {plain(inverse.head[1], 120)}, and no file changes")
    told += [_is(move) for move in inverse.moves]
    told += ["the files themselves stay"] if any(map(is_staged, inverse.moves)) else []
    if stays:
        told.append(f"HEAD stays on {stays}")
    return "; ".join(told)


def commands(inverse: Inverse) -> tuple[tuple[str, ...], ...]:
    """Return git's commands that would do the same, each with the ids from which alone it starts."""
    if is_rename(inverse.moves):
        return (("git", "branch", "-m", *(_bare(move.name) for move in _ends(inverse.moves))),)
    refs = [move for move in inverse.moves if not is_staged(move)]
    come = [move for move in refs if move.after]
    gone = [move for move in refs if not move.after]
    head = () if inverse.head is None else (("git", "symbolic-ref", "HEAD", f"refs/heads/{inverse.head[1]}"),)
    return (
        *(("git", "update-ref", move.name, move.after, move.before or NOWHERE) for move in come),
        *head,
        *(("git", "update-ref", "-d", move.name, move.before) for move in gone),
        *(_staging(move) for move in inverse.moves if is_staged(move)),
    )


def _staging(move: RefMove) -> tuple[str, ...]:
    path = move.name[1:]
    if not move.after:
        return ("git", "update-index", "--force-remove", "--", path)
    return ("git", "update-index", "--add", "--cacheinfo", f"{move.after.replace(' ', ',')},{path}")


def _ends(moves: Sequence[RefMove]) -> tuple[RefMove, RefMove]:
    """Return what goes and what comes, of a branch that gets another name."""
    return next(move for move in moves if not move.after), next(move for move in moves if not move.before)


def _bare(name: str) -> str:
    return name.removeprefix("refs/heads/")


def _short_name(name: str) -> str:
    return plain(_bare(name), 120)


def _was(move: RefMove) -> str:
    """Say what a command did to one reference, or path of the index, from the undo's move."""
    if is_staged(move):
        how = "" if move.after and move.before else " as new" if move.before else " as deleted"
        return f"{plain(move.name[1:], 200)} was staged{how}"
    if not move.after:
        return f"{named(move.name)} was made at {move.before[:SHORT]}"
    if not move.before:
        return f"{named(move.name)} was deleted, which was at {move.after[:SHORT]}"
    return f"{named(move.name)} went from {move.after[:SHORT]} to {move.before[:SHORT]}"


def _is(move: RefMove) -> str:
    if is_staged(move):
        path = plain(move.name[1:], 200)
        return f"{path} is staged as it was before" if move.after else f"{path} is no longer staged"
    if not move.after:
        return f"{named(move.name)} is deleted, and {move.before[:SHORT]} stays in the repository"
    if not move.before:
        return f"{named(move.name)} comes back at {move.after[:SHORT]}"
    return f"{named(move.name)} goes to {move.after[:SHORT]}, and files and index stay as they are"


def explain_effects(where_from: str, running: Sequence[EffectPlan]) -> Explanation:
    """Return the four sentences of an undo that moves references and no file."""
    return Explanation(
        where_from=where_from,
        how_compared="each reference is still exactly where the command left it",
        what_happens="; ".join(effect.undo for effect in running),
        how_back="nothing is lost; the undo is an entry of its own, and Redo brings all of it back",
    )


def lines(effect: EffectPlan) -> Iterator[str]:
    """Tell one effect for a terminal: what happened, what the undo does, and the words that show it."""
    why = f" ({plain(effect.reason, 300)})" if effect.reason else ""
    yield f"#{effect.seq_id}  {effect.happened} | {effect.undo}{why}"
    for command in effect.commands:
        yield "  " + "  ".join(plain(word) for word in command)
