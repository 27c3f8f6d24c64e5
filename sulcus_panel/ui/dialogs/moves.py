"""Which files of a plan move back to their old names, so that two paths are told as one. No Qt."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sulcus_panel.core.model import FileKind, LedgerPath
from sulcus_panel.core.undo.model import WRITABLE, PathPlan, UndoPlan

_CARRIED = (FileKind.FILE, FileKind.SYMLINK)


@dataclass(frozen=True, slots=True)
class Move:
    """A file goes from `new`, where it is now, to `old`, where it was."""

    old: LedgerPath
    new: LedgerPath


def moves_among(paths: Sequence[PathPlan]) -> tuple[Move, ...]:
    """Return what looks like a move: the same bytes come at one path and go at one other."""
    written = [path for path in paths if path.outcome in WRITABLE]
    comes = [p for p in written if p.disk.kind is FileKind.ABSENT and p.result.kind in _CARRIED]
    goes = [p for p in written if p.result.kind is FileKind.ABSENT and p.disk.kind in _CARRIED]
    counts = Counter([path.result.sha256 for path in comes] + [path.disk.sha256 for path in goes])
    sources = {path.disk.sha256: path.path for path in goes if path.disk.sha256 is not None}
    return tuple(
        Move(path.path, sources[path.result.sha256])
        for path in comes
        if path.result.sha256 in sources and counts[path.result.sha256] == 2
    )


def moves_of_entry(plan: UndoPlan, paths: Sequence[PathPlan]) -> tuple[Move, ...]:
    """Return the moves of one entry of a plan: those that it writes, else those that it would."""
    if not plan.writes:
        return moves_among(paths)
    own = {path.path for path in paths}
    return tuple(move for move in written_moves(plan) if move.old in own and move.new in own)


def written_moves(plan: UndoPlan) -> tuple[Move, ...]:
    """Return the moves of a whole plan, each of its paths written once."""
    return tuple(Move(write.path, write.like) for write in plan.writes if write.like is not None)
