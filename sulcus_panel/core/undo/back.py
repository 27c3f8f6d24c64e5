"""Undo the undo: bring every path that a write reached back to what it was, with the very file that it displaced.

What is neither of the two known states, nor our own unfinished work, is somebody else's and stays.
"""

import stat
from collections.abc import Callable, Sequence
from contextlib import suppress

from sulcus_panel.core.disk import Unreachable, is_out_of_sight, look, look_at
from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.model import DiskFile, FileKind
from sulcus_panel.core.states import is_open_folder, same_state
from sulcus_panel.core.undo import in_place
from sulcus_panel.core.undo.fs import IN_USE, FileSystem
from sulcus_panel.core.undo.spare import is_ours, look_for, place_of, straighten, sweep
from sulcus_panel.core.undo.task import Task, backwards
from sulcus_panel.core.undo.trash import Trash
from sulcus_panel.core.undo.write import Writer


def put_all_back(
    root: str,
    tasks: Sequence[Task],
    fs: FileSystem,
    reached: Callable[[Task], bool] = lambda _: True,
    trash: Trash | None = None,
) -> tuple[Task, ...]:
    """Bring back the tasks that were `reached`, remove what lies beside any; returns those that are not back.

    A displaced file that was let go of already is taken from the `trash` again.
    """
    failed: list[Task] = []
    for task in tasks:
        if reached(task):
            _open_folder(root, task, fs)
    for task in reversed(tasks):
        if not reached(task):
            sweep(root, task, fs)
        elif not put_back(root, task, fs, trash):
            failed.append(task)
    for task in tasks:  # a folder's permissions may bar what comes back into it, so they come last
        if task not in failed and reached(task) and not _set_folder_mode(root, task, fs):
            failed.append(task)
    return tuple(task for task in tasks if task in failed)


def put_back(root: str, task: Task, fs: FileSystem, trash: Trash | None = None) -> bool:
    """Bring one path back where it is still what was written; True where it is so now."""
    if task.is_folder:
        return _put_folder_back(root, task, fs)
    with suppress(Unreachable, OSError), place_of(root, task) as place:
        straighten(place, fs)
    now = look_for(root, task)
    if is_out_of_sight(now.state):
        return False  # and what lies beside it may be all that there is to bring back
    if not same_state(now.state, task.before):
        if not is_after(task, now):
            sweep(root, task, fs)
            return False
        if trash is not None and task.displaces:
            with suppress(Unreachable, OSError), place_of(root, task) as place:
                trash.give_back(fs, place, task.before)
        if not _go(root, task, fs):
            return False
    sweep(root, task, fs)
    return True


def is_after(task: Task, now: DiskFile) -> bool:
    """Say whether a path is what the task made of it, or half of that."""
    return same_state(now.state, task.after) or is_halfway(task, now)


def is_halfway(task: Task, now: DiskFile) -> bool:
    """Say whether a path is what only our own unfinished work leaves there."""
    if task.is_folder:
        return now.state.kind is FileKind.DIRECTORY
    return in_place.is_halfway(task, now)


def _go(root: str, task: Task, fs: FileSystem) -> bool:
    back = backwards(task)
    writer = Writer(root, fs)
    try:
        if back.rewrites:
            with place_of(root, back) as place:
                in_place.restore_in_place(back, place, fs)
        else:
            _clear_for(root, back, fs)
            writer.prepare(back)
            writer.switch(back)
            writer.finish([back])
            writer.sync([back])
    except (SulcusError, OSError, Unreachable):
        pass  # what the disk says now is the answer
    finally:
        writer.close()
    return same_state(look_for(root, task).state, task.before)


def _clear_for(root: str, back: Task, fs: FileSystem) -> None:
    """Remove a spare that is ours and not the file that was displaced."""
    with place_of(root, back) as place:
        found = look_at(place.folder, place.spare)
        if not same_state(found.state, back.after) and is_ours(found, back):
            fs.unlink(place.folder, place.spare)


def _put_folder_back(root: str, task: Task, fs: FileSystem) -> bool:
    try:
        with place_of(root, task) as place:
            if task.makes_folder:
                fs.remove_folder(place.folder, place.name)
            elif task.removes_folder and look_at(place.folder, place.name).state.kind is FileKind.ABSENT:
                fs.make_folder(place.folder, place.name, private=task.before.mode is not None)
    except Unreachable as error:
        return error.absent and task.makes_folder
    except OSError as error:
        return task.makes_folder and error.errno in IN_USE  # whoever put something in it keeps it
    return True


def _open_folder(root: str, task: Task, fs: FileSystem) -> None:
    """Let what is in a folder be put back although the write closed it; its permissions come back at the end."""
    now = look(root, task.path).state if task.is_folder else task.before
    if now.kind is FileKind.DIRECTORY and not is_open_folder(now) and same_state(now, task.after):
        with suppress(Unreachable, OSError), place_of(root, task) as place:
            fs.chmod(place.folder, place.name, (now.mode or 0) | stat.S_IRWXU)


def _set_folder_mode(root: str, task: Task, fs: FileSystem) -> bool:
    """Give a folder the permissions that it had; True where there are none to give."""
    if not task.is_folder or task.before.kind is not FileKind.DIRECTORY or task.before.mode is None:
        return True
    if same_state(look(root, task.path).state, task.before):
        return True
    with suppress(Unreachable, OSError), place_of(root, task) as place:
        fs.chmod(place.folder, place.name, task.before.mode)
    return same_state(look(root, task.path).state, task.before)
