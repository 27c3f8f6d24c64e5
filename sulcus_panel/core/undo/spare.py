"""What lies beside a path while it is written: the future, then what it displaced. Never a stranger's lost.

A spare is let go of only where it is proven to be ours; anything else is kept under a name that says so. A file
system that cannot swap two names has a second spare for the moment between two renames.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sulcus_panel.core.disk import Unreachable, is_named_so, look, look_as_named, look_at, parent_of
from sulcus_panel.core.model import ABSENT, DiskFile, FileKind, FileState
from sulcus_panel.core.states import same_bytes, same_state
from sulcus_panel.core.undo.fs import FileSystem, Folder
from sulcus_panel.core.undo.task import Task

NEW_FILE_MODE = 0o600
"""What a file has while it is being written; the whole old image with any other is a file that somebody touched."""


@dataclass(frozen=True, slots=True)
class Place:
    """A path's name and its two spare names in its open folder."""

    folder: Folder
    name: str
    spare: str
    second: str


def place_in(folder: Folder, name: str, temp: str) -> Place:
    """Return the names beside `name`; full paths where there is no open folder."""
    prefix = "" if folder is not None else os.path.join(os.path.dirname(name), "")
    return Place(folder, name, prefix + temp, prefix + second_spare(temp))


@contextmanager
def place_of(root: str, task: Task) -> Iterator[Place]:
    """Open a task's folder; raises Unreachable."""
    with parent_of(root, task.path) as (folder, name):
        yield place_in(folder, name, task.temp)


def look_for(root: str, task: Task) -> DiskFile:
    """Read a task's path; where its name comes or goes, only in this very spelling."""
    comes_or_goes = FileKind.ABSENT in {task.before.kind, task.after.kind}
    return look_as_named(root, task.path) if comes_or_goes else look(root, task.path)


def state_at(place: Place, task: Task) -> FileState:
    """Return what stands at a task's place, as look_for() does."""
    found = look_at(place.folder, place.name).state
    is_free = task.before.kind is FileKind.ABSENT and not is_named_so(place.folder, place.name)
    return ABSENT if found.kind is not FileKind.ABSENT and is_free else found


def second_spare(temp: str) -> str:
    """Return the name that the displaced file has between two renames."""
    return f"{temp.removesuffix('.tmp')}.old"


def conflict_name(name: str, temp: str) -> str:
    """Return the name under which a second writer's file is kept."""
    operation = os.path.basename(temp).removeprefix(".sulcus-").removesuffix(".tmp").removesuffix(".old")
    short = os.fsencode(name)[:180].decode("utf-8", "ignore")  # a file system counts bytes
    return f"{short}.sulcus-conflict-{operation}"


def is_ours(found: DiskFile, task: Task) -> bool:
    """Say whether a spare holds a known image, or the beginning of one that was being written, either way."""
    if found.state.kind is FileKind.ABSENT:
        return False
    if same_bytes(found.state, task.after) or same_state(found.state, task.before):
        return True
    if found.content is None or found.state.kind is not FileKind.FILE:
        return False
    if task.content is not None and task.content.startswith(found.content):
        return True
    if task.displaced is None or not task.displaced.startswith(found.content):
        return False
    return len(found.content) < len(task.displaced) or found.state.mode == NEW_FILE_MODE


def is_clean(root: str, task: Task) -> bool:
    """Say whether no spare lies beside a path."""
    try:
        with place_of(root, task) as place:
            spares = (place.spare, place.second)
            return all(
                look_at(place.folder, spare, max_bytes=0).state.kind is FileKind.ABSENT for spare in spares
            )
    except Unreachable as error:
        return error.absent


def straighten(place: Place, fs: FileSystem) -> None:
    """Bring the second spare to where an exchange would have left it; removes a mere second name of the file."""
    if look_at(place.folder, place.second, max_bytes=0).state.kind is FileKind.ABSENT:
        return
    if _is_same_file(place):
        fs.unlink(place.folder, place.second)
    elif look_at(place.folder, place.spare, max_bytes=0).state.kind is FileKind.ABSENT:
        fs.place(place.folder, place.second, place.spare)


def _is_same_file(place: Place) -> bool:
    try:
        one, other = (
            os.stat(name, dir_fd=place.folder, follow_symlinks=False) for name in (place.name, place.second)
        )
    except FileNotFoundError:
        return False
    return os.path.samestat(one, other)


def keep_beside(place: Place, spare: str, fs: FileSystem) -> str:
    """Give a file that is not ours to remove, for two writers met, another name; returns that."""
    kept = conflict_name(place.name, spare)
    fs.place(place.folder, spare, kept)
    return os.path.basename(kept)


def sweep(root: str, task: Task, fs: FileSystem) -> tuple[str, ...]:
    """Remove what is ours beside a path, keep what is not; returns the names of what was kept.

    What the disk will not let go of now is left for the next start.
    """
    kept: list[str] = []
    try:
        with place_of(root, task) as place:
            for spare in (place.spare, place.second):
                found = look_at(place.folder, spare)
                if is_ours(found, task):
                    fs.unlink(place.folder, spare)
                elif found.state.kind is not FileKind.ABSENT:
                    kept.append(keep_beside(place, spare, fs))
    except (Unreachable, OSError):
        pass
    return tuple(kept)
