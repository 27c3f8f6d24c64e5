"""Comparisons of file states: what counts as the same file, how a disk differs from the ledger's memory.

Pure, so that planning and drift detection share one meaning of "unchanged".
"""

from sulcus_panel.core.model import DriftKind, FileKind, FileState


def same_bytes(one: FileState, other: FileState) -> bool:
    """Say whether both states are provably the same kind with the same bytes; an unknown equals nothing."""
    if one.kind is not other.kind or one.kind is FileKind.UNKNOWN:
        return False
    if one.kind in {FileKind.ABSENT, FileKind.DIRECTORY}:
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
