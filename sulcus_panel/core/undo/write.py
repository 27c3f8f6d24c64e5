"""Bring paths from one known state to another, in stages over the whole batch: check, make ready, switch, let go.

What a switch displaces stays beside its path until all are switched, so that going back is the same rename. Only
what is proven to be what was planned for is then let go of.
"""

import errno
import os
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field

from sulcus_panel.core.disk import BUSY, Unreachable, is_out_of_sight, look_at, parent_of
from sulcus_panel.core.model import FileKind, FileState, LedgerPath
from sulcus_panel.core.safety import plain
from sulcus_panel.core.states import opens_a_folder, same_state
from sulcus_panel.core.undo import folders, in_place
from sulcus_panel.core.undo.fs import FileSystem, is_written_to, link_count, owner_can_be_kept
from sulcus_panel.core.undo.open_folders import OpenFolders
from sulcus_panel.core.undo.spare import Place, keep_beside, place_in, state_at
from sulcus_panel.core.undo.switch import switch
from sulcus_panel.core.undo.task import Overtaken, Refused, Task, overtaken
from sulcus_panel.core.undo.trash import Trash


@dataclass(slots=True, eq=False, repr=False)
class Writer:
    """Writes below one root: check everything, make everything ready, switch, let go, then close."""

    root: str
    fs: FileSystem
    trash: Trash | None = None
    touched: set[LedgerPath] = field(default_factory=set)
    """Paths that may be in their new state; one where somebody overtook us is not."""
    not_race_free: set[LedgerPath] = field(default_factory=set)
    """Paths that were switched by two renames, for the file system cannot swap two names."""
    open_to_others: set[LedgerPath] = field(default_factory=set)
    """Paths that were changed in place while nobody else could be kept out."""
    notes: list[str] = field(default_factory=list)
    """What the person must be told although everything is written."""
    _folders: OpenFolders = field(init=False)
    _ready: set[LedgerPath] = field(default_factory=set)
    _changed: dict[tuple[int, int], FileState] = field(default_factory=dict)
    """What files with several names were made, by device and inode: each of its names may be in the batch."""

    def __post_init__(self) -> None:
        self._folders = OpenFolders(self.root)

    def check(self, task: Task) -> None:
        """Say whether a path may be written at all; writes nothing.

        Raises:
            Refused: it may not be replaced, or cannot be reached without following a link.
            Overtaken: it is no longer in the state `before`.
        """
        try:
            with parent_of(self.root, task.path) as (folder, name):
                _check(task, place_in(folder, name, task.temp))
        except Unreachable as error:
            if not (error.absent and task.before.kind is FileKind.ABSENT):
                raise _unreachable(task, error) from error
        if task.like is not None:
            self._check_like(task, task.like)

    def _check_like(self, task: Task, like: LedgerPath) -> None:
        try:
            with parent_of(self.root, like) as (folder, name):
                os.stat(name, dir_fd=folder, follow_symlinks=False)
                if not owner_can_be_kept(folder, name):
                    raise _foreign(task)
        except (Unreachable, FileNotFoundError) as error:
            raise overtaken(like) from error

    def prepare(self, task: Task) -> None:
        """Write a path's future beside it; a folder is made or opened at once, for others go into it.

        Raises:
            Refused, Overtaken: as check().
            OSError: the disk said no.
        """
        place = self._place(task)
        _check(task, place)
        self._ready.add(task.path)
        if task.makes_folder:
            folders.make(task, place, self.fs)
            self.touched.add(task.path)
        elif task.is_folder and opens_a_folder(task.before, task.after):
            self.touched.add(task.path)
            folders.set_mode(task, place, self.fs)
        elif task.rewrites:
            in_place.keep_room(task, place, self.fs)
        elif task.after.kind in {FileKind.FILE, FileKind.SYMLINK} and not task.only_mode:
            self._make_future(task, place)

    def _place(self, task: Task) -> Place:
        try:
            return self._folders.place(task)
        except Unreachable as error:
            raise _unreachable(task, error) from error

    def _make_future(self, task: Task, place: Place) -> None:
        if same_state(look_at(place.folder, place.spare).state, task.after):
            return  # on the way back: the file itself, which was displaced
        if task.content is None:
            raise Refused(f"{plain(task.path, 200)} cannot be written", "its contents are not kept any more")
        if task.after.kind is FileKind.SYMLINK:
            self.fs.link_to(place.folder, place.spare, task.content)
            if task.before.kind is not FileKind.ABSENT:
                self.fs.own_like(place.folder, place.spare, place.name)
            return
        try:
            self._write_beside(task, place)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            # What could not be brought to the disk may be torn there, and asking again proves nothing.
            self.fs.unlink(place.folder, place.spare)
            self._write_beside(task, place)

    def _write_beside(self, task: Task, place: Place) -> None:
        handle = self.fs.create(place.folder, place.spare)
        try:
            self.fs.write(handle, task.content or b"")
            self._dress(task, place, handle)
            self.fs.set_mode(handle, task.after.mode)
            self.fs.sync(handle)
        finally:
            os.close(handle)

    def _dress(self, task: Task, place: Place, handle: int) -> None:
        if task.before.kind is FileKind.FILE:
            self.fs.dress_like(handle, place.folder, place.name)
        elif task.before.kind is FileKind.SYMLINK:
            self.fs.own_like(place.folder, place.spare, place.name)
        elif task.like is not None:
            try:
                with parent_of(self.root, task.like) as (folder, name):
                    self.fs.dress_like(handle, folder, name)
            except (Unreachable, FileNotFoundError) as error:
                raise overtaken(task.like) from error

    def switch(self, task: Task) -> None:
        """Put the prepared future in place; what it displaces lies beside the path until let_go().

        Raises:
            Overtaken: somebody wrote in between; his bytes stand at the path.
            Mixed: somebody wrote into the very file that was being changed in place.
            OSError: the disk said no, before or after the switch.
        """
        if task.is_folder:
            return  # made or opened already, or closed and removed once its files are written
        place = self._place(task)
        if task.in_place and self._is_done(task, place):
            self.touched.add(task.path)
            return
        _check_state(task, place)
        self.touched.add(task.path)
        if task.in_place and (task.rewrites or task.only_mode):
            self._changed[_identity(place, place.name)] = task.after
        try:
            if not switch(task, place, self.fs):
                (self.open_to_others if task.rewrites else self.not_race_free).add(task.path)
        except (Overtaken, Refused):
            self.touched.discard(task.path)
            raise

    def _is_done(self, task: Task, place: Place) -> bool:
        """Say whether the file was made what it is to be by another of its names."""
        try:
            made = self._changed.get(_identity(place, place.name))
        except FileNotFoundError:
            return False
        return made is not None and same_state(made, task.after)

    def _is_changed_by_us(self, place: Place, found: FileState) -> bool:
        """Say whether a displaced file is one that lives on under another name, where it was changed in place."""
        if found.kind is not FileKind.FILE:
            return False
        made = self._changed.get(_identity(place, place.spare))
        return made is not None and same_state(made, found)

    def finish(self, tasks: Sequence[Task]) -> None:
        """Let go of all that was displaced, remove folders that are empty now, give folders their permissions.

        Raises:
            Overtaken: a folder that goes is not empty.
            OSError: the disk said no to a folder; a spare file that it keeps waits for the next start.
        """
        goes = [task for task in tasks if task.removes_folder]
        for task in goes:
            folders.check_empty(task, self._place(task), tasks)
        inside = tuple(f"{task.path}/" for task in goes)
        for task in tasks:
            if task.displaces:
                with nullcontext() if task.path.startswith(inside) else suppress(OSError, Refused):
                    self._let_go(task, self._place(task))
        for task in goes:
            self.touched.add(task.path)
            folders.remove(task, self._place(task), self.fs)
        for task in tasks:
            if task.makes_folder or (task.is_folder and not opens_a_folder(task.before, task.after)):
                self.touched.add(task.path)
                folders.set_mode(task, self._place(task), self.fs)

    def _let_go(self, task: Task, place: Place) -> None:
        if self.trash is not None and self.trash.take(self.fs, place, task.before):
            return
        found = look_at(place.folder, place.spare).state
        if found.kind is FileKind.ABSENT:
            return
        is_known = same_state(found, task.before) or self._is_changed_by_us(place, found)
        is_last = found.kind is FileKind.FILE and link_count(place.folder, place.spare) == 1
        still_open = is_known and is_last and is_written_to(place.folder, place.spare)
        if is_known and not still_open:
            self.fs.unlink(place.folder, place.spare)
            return
        did = (
            "has the old {} open and may write to it still"
            if still_open
            else ("wrote to the old {} after it was replaced")
        )
        kept = keep_beside(place, place.spare, self.fs)
        self.notes.append(
            f"a program {did.format(plain(task.path, 200))}; that is kept as {plain(kept, 200)}"
        )

    def sync(self, tasks: Sequence[Task]) -> None:
        """Bring every changed folder's names to the disk; raises OSError, Refused: written, but it may not last."""
        gone = tuple(f"{task.path}/" for task in tasks if task.removes_folder)
        changed: dict[str, Task] = {}
        for task in tasks:
            if (
                task.path in self._ready
                and not task.path.startswith(gone)
                and not (task.only_mode or task.rewrites)
            ):
                changed[task.path.rpartition("/")[0]] = task
        for task in changed.values():
            self.fs.sync_folder(self._place(task).folder)

    def close(self) -> None:
        """Let go of all open folders."""
        self._folders.close()
        self._ready.clear()


def _identity(place: Place, name: str) -> tuple[int, int]:
    status = os.stat(name, dir_fd=place.folder, follow_symlinks=False)
    return status.st_dev, status.st_ino


def _check_state(task: Task, place: Place) -> None:
    now = state_at(place, task)
    if is_out_of_sight(now) and now.reason != BUSY:
        raise Refused(f"{plain(task.path, 200)} cannot be read", now.reason)
    if not same_state(now, task.before):
        raise overtaken(task.path)


def _check(task: Task, place: Place) -> None:
    _check_state(task, place)
    if task.is_folder:
        folders.check(task)
    if task.before.kind is FileKind.ABSENT or task.after.kind is FileKind.ABSENT:
        return
    if task.after.kind is FileKind.FILE and not task.in_place and link_count(place.folder, place.name) > 1:
        raise Refused(f"{plain(task.path, 200)} has a second name (a hard link)")
    if not owner_can_be_kept(place.folder, place.name):
        raise _foreign(task)


def _foreign(task: Task) -> Refused:
    return Refused(f"{plain(task.path, 200)} belongs to somebody else", "its owner could not be kept")


def _unreachable(task: Task, error: Unreachable) -> Refused:
    return Refused(f"{plain(task.path, 200)} cannot be reached", error.reason)
