"""The files of an entry that changed several, a line each: what became of it, and what is not sure or not kept."""

from collections.abc import Iterator

from sulcus_panel.core.model import Change, CommandFacts, FileKind, NewEntry
from sulcus_panel.core.safety import plain
from sulcus_panel.core.states import moves_in
from sulcus_panel.ui.models.wording import signed_counts, split_path

FileLine = tuple[str, str]
"""What is said of a file, and its whole path; both plain."""


def file_lines(record: NewEntry) -> tuple[FileLine, ...]:
    """Return a line for each file; a moved file is one line, where it went to.

    What is not sure or not kept comes first, then what came, went or moved, then what was edited: lists are cut.
    """
    return tuple(line for _, line in sorted(_weighed(record), key=lambda weighed: weighed[0]))


def _weighed(record: NewEntry) -> Iterator[tuple[int, FileLine]]:
    changes = record.changes
    moved = {new: changes[old] for old, new in moves_in(changes)}
    left = {old for old, _ in moves_in(changes)}
    unsure = (record.ran or CommandFacts()).unsure
    for at, change in enumerate(changes):
        if at in left:
            continue
        doubts = ["unsure"] if change.path in unsure else []
        if any(_not_kept(change)):
            doubts.append("not kept")
        marks = [_became(change, moved.get(at)), *doubts]
        stays = FileKind.ABSENT not in (change.before.kind, change.after.kind)
        name, _ = split_path(change.path)
        whole = plain(change.path)
        if at in moved:
            whole = f"{plain(moved[at].path)} → {whole}"
        yield 0 if doubts else 1 + stays, (" · ".join([name, *(mark for mark in marks if mark)]), whole)


def _became(change: Change, source: Change | None) -> str:
    if source is not None:
        old, folder = split_path(source.path)
        name, _ = split_path(change.path)
        return f"moved, was {old}" if old != name else f"moved from {folder or 'the top'}"
    counts = signed_counts(change.plus, change.minus)
    if FileKind.UNKNOWN in (change.before.kind, change.after.kind):
        return "not known"
    if change.before.kind is FileKind.ABSENT:
        return f"created {counts}".rstrip()
    if change.after.kind is FileKind.ABSENT:
        return f"deleted {counts}".rstrip()
    return counts


def _not_kept(change: Change) -> Iterator[bool]:
    for side in (change.before, change.after):
        yield side.kind is FileKind.FILE and not side.kept
