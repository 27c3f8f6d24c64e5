"""The one moment in which a path changes: a rename that keeps what it displaces, looked at before anything else.

Whoever writes in between gets his bytes back in place; where two did, one's are kept under a name that is told.
"""

from sulcus_panel.core.disk import look_at
from sulcus_panel.core.model import FileKind
from sulcus_panel.core.safety import plain
from sulcus_panel.core.states import same_bytes, same_state
from sulcus_panel.core.undo import in_place
from sulcus_panel.core.undo.fs import FileSystem
from sulcus_panel.core.undo.spare import Place, keep_beside
from sulcus_panel.core.undo.task import Overtaken, Task, overtaken


def switch(task: Task, place: Place, fs: FileSystem) -> bool:
    """Put what is ready in place; False where a writer in that very moment would not have been seen.

    Raises:
        Overtaken: somebody wrote in between; his bytes stand at the path.
        Mixed: somebody wrote into the very file that was being changed in place.
        Refused: somebody has that file open.
        OSError: the disk said no, before or after the switch.
    """
    if task.only_mode:
        if task.after.mode is not None:
            fs.chmod(place.folder, place.name, task.after.mode)
    elif task.rewrites:
        return in_place.write_in_place(task, place, fs)
    elif task.before.kind is FileKind.ABSENT:
        _place_new(task, place, fs)
    elif task.after.kind is FileKind.ABSENT:
        _take_away(task, place, fs)
    else:
        return _exchange(task, place, fs)
    return True


def _place_new(task: Task, place: Place, fs: FileSystem) -> None:
    try:
        fs.place(place.folder, place.spare, place.name)
    except FileExistsError as error:
        raise overtaken(task.path) from error


def _take_away(task: Task, place: Place, fs: FileSystem) -> None:
    """Move the file aside; only the one that was meant stays there."""
    fs.place(place.folder, place.name, place.spare)
    if same_state(look_at(place.folder, place.spare).state, task.before):
        return
    try:
        fs.place(place.folder, place.spare, place.name)
    except FileExistsError:
        raise _two_writers(task, place, fs) from None
    raise overtaken(task.path)


def _exchange(task: Task, place: Place, fs: FileSystem) -> bool:
    race_free = fs.exchange(place.folder, place.spare, place.name)
    if not race_free:
        _replace(place, fs)
    if same_state(look_at(place.folder, place.spare).state, task.before):
        return race_free
    if fs.exchange(place.folder, place.spare, place.name):
        if not same_bytes(look_at(place.folder, place.spare).state, task.after):
            raise _two_writers(task, place, fs)
    elif same_bytes(look_at(place.folder, place.name).state, task.after):
        fs.replace(place.folder, place.spare, place.name)
    else:
        raise _two_writers(task, place, fs)
    raise overtaken(task.path)


def _replace(place: Place, fs: FileSystem) -> None:
    """Do by a second name and a rename what cannot be done by a swap."""
    fs.second_name(place.folder, place.name, place.second)
    fs.replace(place.folder, place.spare, place.name)
    fs.place(place.folder, place.second, place.spare)


def _two_writers(task: Task, place: Place, fs: FileSystem) -> Overtaken:
    kept = plain(keep_beside(place, place.spare, fs), 200)
    return overtaken(task.path, f"by two others at once; what one of them wrote is kept as {kept}")
