"""Folders as parts of a batch: made before what comes into them, removed only empty, never with what is in them."""

from collections.abc import Iterable, Sequence

from sulcus_panel.core.disk import look, names_at
from sulcus_panel.core.model import ABSENT, FileKind, FileState, LedgerPath
from sulcus_panel.core.safety import plain
from sulcus_panel.core.states import opens_a_folder
from sulcus_panel.core.undo.fs import IN_USE, FileSystem
from sulcus_panel.core.undo.model import Write
from sulcus_panel.core.undo.spare import Place
from sulcus_panel.core.undo.task import Overtaken, Refused, Task, overtaken

FOLDER = FileState(FileKind.DIRECTORY)
"""A folder that is made because something comes into it: its permissions are the system's to choose."""


def in_order(root: str, writes: Sequence[Write]) -> tuple[Write, ...]:
    """Return the writes in the order to be done, with one for every folder that must be made first.

    So the journal names them too, and they go again with what they were made for.
    """
    missing = {
        folder: Write(folder, ABSENT, FOLDER, None, None)
        for write in writes
        if write.disk.kind is FileKind.ABSENT
        for folder in missing_above(root, write.path)
    }
    opening: dict[str, Write] = {
        write.path: write for write in writes if opens_a_folder(write.disk, write.result)
    }
    first = sorted((missing | opening).values(), key=lambda write: write.path.count("/"))
    rest = sorted((write for write in writes if write.path not in opening), key=_turn)
    return (*first, *rest)


def _turn(write: Write) -> int:
    """What goes makes way for what comes: on some disks its name is the same but for capitals; folders go last.

    A file is changed in place once its other names have been given up.
    """
    if write.is_folder:
        return 3
    if write.result.kind is FileKind.ABSENT:
        return 0
    return 2 if write.in_place else 1


def missing_above(root: str, path: str) -> list[LedgerPath]:
    """Return the folders above a path that are not on disk, outermost first."""
    return [folder for folder in _above(path) if _is_absent(root, folder)]


def _is_absent(root: str, folder: LedgerPath) -> bool:
    return look(root, folder, max_bytes=0).state.kind is FileKind.ABSENT


def _above(path: str) -> Iterable[LedgerPath]:
    parts = path.split("/")
    return (LedgerPath("/".join(parts[:count])) for count in range(1, len(parts)))


def check(task: Task) -> None:
    """Raise Refused where a folder and something else would have to take each other's place."""
    if {task.before.kind, task.after.kind} - {FileKind.DIRECTORY, FileKind.ABSENT}:
        raise Refused(
            f"{plain(task.path, 200)} is a folder on one side", "only an absent one is replaced by it"
        )


def make(task: Task, place: Place, fs: FileSystem) -> None:
    """Make a folder, with its permissions still to come where they are known; raises Overtaken, OSError."""
    try:
        fs.make_folder(place.folder, place.name, private=task.after.mode is not None)
    except FileExistsError as error:
        raise overtaken(task.path) from error


def check_empty(task: Task, place: Place, tasks: Sequence[Task]) -> None:
    """Raise Overtaken where a folder holds more than what this batch lets go of next."""
    ours = {other.temp for other in tasks if other.displaces and _parent(other.path) == task.path}
    ours |= {
        other.path.rpartition("/")[2]
        for other in tasks
        if other.removes_folder and _parent(other.path) == task.path
    }
    if not set(names_at(place.folder, place.name)) <= ours:
        raise _in_use(task)


def remove(task: Task, place: Place, fs: FileSystem) -> None:
    """Remove a folder; raises Overtaken where it is not empty, OSError."""
    try:
        fs.remove_folder(place.folder, place.name)
    except OSError as error:
        if error.errno in IN_USE:
            raise _in_use(task) from error
        raise


def set_mode(task: Task, place: Place, fs: FileSystem) -> None:
    """Give a folder its permissions, where they are known; raises OSError."""
    if task.after.mode is not None:
        fs.chmod(place.folder, place.name, task.after.mode)


def _parent(path: str) -> str:
    return path.rpartition("/")[0]


def _in_use(task: Task) -> Overtaken:
    return Overtaken(f"{plain(task.path, 200)} has changed meanwhile", "the folder is not empty")
