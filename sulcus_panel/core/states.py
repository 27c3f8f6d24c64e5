"""Comparisons of file states: what counts as the same file, how a disk differs from the ledger's memory.

Pure, so that planning and drift detection share one meaning of "unchanged".
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence

from sulcus_panel.core.model import Change, DriftKind, FileKind, FileState, GitDelta

SPECIAL_BITS = 0o6000
"""Set-user-id and set-group-id: never taken from a record, and a file that has them is not rewritten."""
NEVER_GIVEN_BACK = "a set-user-id bit is never given back"
EXPIRED = "snapshot expired"
"""Why bytes that were once kept are not any more."""


def same_bytes(one: FileState, other: FileState) -> bool:
    """Say whether both states are provably the same kind with the same bytes; an unknown equals nothing."""
    kind = one.kind
    if kind is not other.kind or kind is FileKind.UNKNOWN:
        return False
    if kind is FileKind.ABSENT or kind is FileKind.DIRECTORY:
        return True
    return one.sha256 is not None and one.sha256 == other.sha256


def mode_differs(one: FileState, other: FileState) -> bool:
    """Say whether two files' permission bits are both known and differ; links have none of their own."""
    if one.kind is FileKind.SYMLINK or other.kind is FileKind.SYMLINK:
        return False
    return one.mode is not None and other.mode is not None and one.mode != other.mode


def same_state(one: FileState, other: FileState) -> bool:
    """Say whether both are the same kind, bytes and, as far as known, permission bits."""
    return same_bytes(one, other) and not mode_differs(one, other)


def drift_between(known: FileState, now: FileState) -> DriftKind | None:
    """Name how `now` differs from the state the ledger last saw, None where it does not.

    A path whose last state is unknown cannot drift: there is nothing to compare with.
    """
    if known.kind is FileKind.UNKNOWN or same_state(known, now):
        return None
    if now.kind is FileKind.UNKNOWN:
        return DriftKind.UNREADABLE
    if now.kind is FileKind.ABSENT:
        return DriftKind.MISSING
    if known.kind is FileKind.ABSENT:
        return DriftKind.RECREATED
    if known.kind is not now.kind:
        return DriftKind.TYPE_CHANGED
    return DriftKind.CHANGED


OWNER_MAY_FILL = 0o300


def opens_a_folder(before: FileState, after: FileState) -> bool:
    """Say whether a folder is made, or given permissions by which something can be put into it."""
    if after.kind is not FileKind.DIRECTORY:
        return False
    return before.kind is FileKind.ABSENT or is_open_folder(after)


def is_open_folder(folder: FileState) -> bool:
    """Say whether its owner can put something into a folder and take it out."""
    return folder.mode is None or folder.mode & OWNER_MAY_FILL == OWNER_MAY_FILL


def git_movement(git: GitDelta) -> str:
    """Name how HEAD or the branch moved, "" where neither did; a branch's name is as it was recorded."""
    before, after = git.before, git.after
    if before.branch != after.branch:
        return f"{before.branch or 'no branch'} → {after.branch or 'no branch'}"
    if before.head != after.head:
        return f"{(before.head or 'no commit')[:9]} → {(after.head or 'no commit')[:9]}"
    return ""


MOST_REFERENCES = 10


def moved_references(git: GitDelta) -> tuple[str, ...]:
    """Tell each reference that moved, and from where to where; names are as they were recorded."""
    told = [
        f"{move.name}: {move.before[:9] or 'nothing'} → {move.after[:9] or 'nothing'}"
        for move in git.refs[:MOST_REFERENCES]
    ]
    more = len(git.refs) - MOST_REFERENCES
    return (*told, f"and {more} more") if more > 0 else tuple(told)


def part_numbers(hunks: Sequence[int]) -> tuple[range, ...]:
    """Return the numbers by which the parts of each change can be chosen, from how many hunks each has.

    Hunks are counted over all changes, in order; behind them, one by one, the changes that have none.
    """
    first, whole = 0, sum(hunks)
    found: list[range] = []
    for count in hunks:
        found.append(range(first, first + count) if count else range(whole, whole + 1))
        first, whole = first + count, whole + (not count)
    return tuple(found)


def moves_in(changes: Sequence[Change]) -> tuple[tuple[int, int], ...]:
    """Pair, by position, the changes of one entry that are one file going from the first's path to the second's.

    One path lost the same bytes that another gained, and no other did: no other at all, or none of that name.
    """
    gone = {
        at: change
        for at, change in enumerate(changes)
        if _has_bytes(change.before) and change.after.kind is FileKind.ABSENT
    }
    come = {
        at: change
        for at, change in enumerate(changes)
        if _has_bytes(change.after) and change.before.kind is FileKind.ABSENT
    }
    pairs = _unique_pairs(gone, come, lambda _, state: (state.kind, state.sha256))
    paired = {at for pair in pairs for at in pair}
    left = {at: change for at, change in gone.items() if at not in paired}
    free = {at: change for at, change in come.items() if at not in paired}
    pairs += _unique_pairs(
        left, free, lambda at, state: (state.kind, state.sha256, changes[at].path.rsplit("/", 1)[-1])
    )
    return tuple(sorted(pairs))


def _has_bytes(state: FileState) -> bool:
    return state.kind in {FileKind.FILE, FileKind.SYMLINK} and state.sha256 is not None


def _unique_pairs(
    gone: dict[int, Change], come: dict[int, Change], key: Callable[[int, FileState], Hashable]
) -> list[tuple[int, int]]:
    lost = _grouped((key(at, change.before), at) for at, change in gone.items())
    gained = _grouped((key(at, change.after), at) for at, change in come.items())
    return [
        (olds[0], gained[same][0])
        for same, olds in lost.items()
        if len(olds) == 1 and len(gained.get(same, ())) == 1
    ]


def _grouped(keyed: Iterable[tuple[Hashable, int]]) -> dict[Hashable, list[int]]:
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for key, at in keyed:
        groups[key].append(at)
    return groups
