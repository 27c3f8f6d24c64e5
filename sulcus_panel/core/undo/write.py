"""Bring one path from one known state to another, without ever losing what somebody else puts there.

Everything is made ready beside the target first; the switch is one rename that keeps the displaced file, and
only a displaced file that is proven to be the one that was planned for is removed. Whoever writes in between
gets his bytes back in place.
"""

import os
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field

from sulcus_panel.core.disk import Unreachable, look, look_at, parent_of
from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.model import DiskFile, FileKind, FileState, LedgerPath, Sha256
from sulcus_panel.core.safety import plain
from sulcus_panel.core.states import same_bytes, same_state
from sulcus_panel.core.undo.fs import FileSystem, Folder, link_count, owner_can_be_kept


class Refused(SulcusError):
    """This path may not be replaced: a second name, a foreign owner, a link on the way."""

    code = "refused"


class Overtaken(SulcusError):
    """Somebody else wrote to the path meanwhile; what he wrote stands there."""

    code = "stale_plan"


@dataclass(frozen=True, slots=True)
class Task:
    """One path from `before` to `after`; `content` is what `after` holds, `temp` a name used beside it."""

    path: LedgerPath
    before: FileState
    after: FileState
    content: bytes | None
    temp: str

    @property
    def only_mode(self) -> bool:
        """True where the bytes stay and the permissions change."""
        return self.after.kind is FileKind.FILE and same_bytes(self.before, self.after)


@dataclass(slots=True)
class Writer:
    """Writes below one root: check everything, make everything ready, switch, then close."""

    root: str
    fs: FileSystem
    touched: set[LedgerPath] = field(default_factory=set)
    """Paths that may be in their new state; one where somebody overtook us is not."""
    _open: ExitStack = field(default_factory=ExitStack)
    _ready: dict[LedgerPath, tuple[Folder, str]] = field(default_factory=dict)
    _made: list[str] = field(default_factory=list)

    def check(self, task: Task) -> None:
        """Say whether a path may be written at all; writes nothing.

        Raises:
            Refused: it may not be replaced, or cannot be reached without following a link.
            Overtaken: it is no longer in the state `before`.
        """
        try:
            with parent_of(self.root, task.path) as (folder, name):
                _check(task, folder, name)
        except Unreachable as error:
            if not (error.absent and task.before.kind is FileKind.ABSENT):
                raise Refused(f"{plain(task.path, 200)} cannot be reached", error.reason) from error

    def prepare(self, task: Task) -> None:
        """Write a path's future beside it, in folders made for it where they are missing.

        Raises:
            Refused, Overtaken: as check().
            OSError: the disk said no.
        """
        try:
            if task.before.kind is FileKind.ABSENT:
                self.fs.make_folders(self.root, task.path, self._made)
            folder, name = self._open.enter_context(parent_of(self.root, task.path))
        except Unreachable as error:
            raise Refused(f"{plain(task.path, 200)} cannot be reached", error.reason) from error
        _check(task, folder, name)
        self._ready[task.path] = folder, name
        temp = self._beside(folder, name, task.temp)
        if task.after.kind is FileKind.SYMLINK:
            self.fs.link_to(folder, temp, task.content or b"")
        elif task.after.kind is FileKind.FILE and not task.only_mode:
            self._write_beside(task, folder, name, temp)

    @staticmethod
    def _beside(folder: Folder, name: str, temp: str) -> str:
        return temp if folder is not None else os.path.join(os.path.dirname(name), temp)

    def _write_beside(self, task: Task, folder: Folder, name: str, temp: str) -> None:
        handle = self.fs.create(folder, temp)
        try:
            self.fs.write(handle, task.content or b"")
            model = name if task.before.kind is FileKind.FILE else None
            self.fs.dress(handle, folder, model, task.after.mode)
            self.fs.sync(handle)
        finally:
            os.close(handle)

    def switch(self, task: Task) -> None:
        """Put the prepared future in place.

        Raises:
            Overtaken: somebody wrote in between; his bytes stand at the path.
            OSError: the disk said no, before or after the switch.
        """
        folder, name = self._ready[task.path]
        temp = self._beside(folder, name, task.temp)
        if not same_state(look_at(folder, name).state, task.before):
            raise Overtaken(f"{plain(task.path, 200)} has changed meanwhile")
        self.touched.add(task.path)
        try:
            self._switch(task, folder, name, temp)
        except Overtaken:
            self.touched.discard(task.path)
            raise
        self.fs.sync_folder(folder)

    def _switch(self, task: Task, folder: Folder, name: str, temp: str) -> None:
        if task.only_mode:
            self.fs.chmod(folder, name, task.after.mode if task.after.mode is not None else 0o600)
        elif task.before.kind is FileKind.ABSENT:
            self._place_new(task, folder, name, temp)
        elif task.after.kind is FileKind.ABSENT:
            self._take_away(task, folder, name, temp)
        else:
            self._exchange(task, folder, name, temp)

    def _place_new(self, task: Task, folder: Folder, name: str, temp: str) -> None:
        try:
            self.fs.place(folder, temp, name)
        except FileExistsError as error:
            raise Overtaken(f"{plain(task.path, 200)} was created meanwhile") from error

    def _take_away(self, task: Task, folder: Folder, name: str, temp: str) -> None:
        """Move the file aside, and remove it only when it is the one that was meant."""
        self.fs.place(folder, name, temp)
        if not same_state(look_at(folder, temp).state, task.before):
            self._give_back(task, folder, name, temp)
        self.fs.unlink(folder, temp)

    def _exchange(self, task: Task, folder: Folder, name: str, temp: str) -> None:
        if not self.fs.exchange(folder, temp, name):
            self.fs.replace(folder, temp, name)
            return
        if same_state(look_at(folder, temp).state, task.before):
            self.fs.unlink(folder, temp)
            return
        self.fs.exchange(folder, temp, name)
        if not same_bytes(look_at(folder, temp).state, task.after):
            self._keep_beside(folder, name, temp)
        raise Overtaken(f"{plain(task.path, 200)} has changed meanwhile")

    def _give_back(self, task: Task, folder: Folder, name: str, temp: str) -> None:
        try:
            self.fs.place(folder, temp, name)
        except FileExistsError:
            self._keep_beside(folder, name, temp)
        raise Overtaken(f"{plain(task.path, 200)} has changed meanwhile")

    def _keep_beside(self, folder: Folder, name: str, temp: str) -> None:
        """Two writers met here: neither's bytes are ours to remove, so one file stays under another name."""
        self.fs.place(folder, temp, conflict_name(name, temp))

    def discard(self, task: Task) -> None:
        """Remove what prepare() left beside the target, where it is ours and no longer needed."""
        if task.path in self._ready:
            folder, name = self._ready[task.path]
            temp = self._beside(folder, name, task.temp)
            if is_ours(look_at(folder, temp), task.before, task.after, task.content):
                self.fs.unlink(folder, temp)

    def remove_made_folders(self) -> None:
        """Remove the folders that were made for files which did not come back after all."""
        for path in reversed(self._made):
            self.fs.remove_folder(self.root, path)
        self._made.clear()

    def close(self) -> None:
        """Let go of all open folders."""
        self._open.close()
        self._ready.clear()


def _check(task: Task, folder: Folder, name: str) -> None:
    if not same_state(look_at(folder, name).state, task.before):
        raise Overtaken(f"{plain(task.path, 200)} has changed meanwhile")
    if task.before.kind is FileKind.ABSENT:
        return
    if link_count(folder, name) > 1:
        raise Refused(f"{plain(task.path, 200)} has a second name (a hard link)")
    if task.after.kind is not FileKind.ABSENT and not owner_can_be_kept(folder, name):
        raise Refused(f"{plain(task.path, 200)} belongs to somebody else", "its owner could not be kept")


def is_ours(found: DiskFile, before: FileState, after: FileState, content: bytes | None) -> bool:
    """Say whether a spare file holds a known image, or the beginning of the one that was being written."""
    if found.state.kind is FileKind.ABSENT:
        return False
    if same_bytes(found.state, after) or same_state(found.state, before):
        return True
    return found.content is not None and content is not None and content.startswith(found.content)


def is_clean(root: str, task: Task) -> bool:
    """Say whether no spare file lies beside a path."""
    folder, slash, _ = task.path.rpartition("/")
    return look(root, LedgerPath(f"{folder}{slash}{task.temp}")).state.kind is FileKind.ABSENT


def conflict_name(name: str, temp: str) -> str:
    """Return the name under which a second writer's file is kept."""
    operation = os.path.basename(temp).removeprefix(".sulcus-").removesuffix(".tmp")
    short = os.fsencode(name)[:180].decode("utf-8", "ignore")  # a file system counts bytes
    return f"{short}.sulcus-conflict-{operation}"


def backwards(task: Task, contents: Mapping[Sha256, bytes]) -> Task:
    """Return the way back; `contents` holds the displaced bytes."""
    digest = task.before.sha256
    content = contents.get(digest) if digest is not None else None
    return Task(task.path, task.after, task.before, content, task.temp)


def put_back(root: str, back: Task, fs: FileSystem) -> bool:
    """Bring one path back where it is still in the state that was written; True where it is so now."""
    now = look(root, back.path).state
    if same_state(now, back.after):
        return True
    if not same_state(now, back.before):
        return False
    writer = Writer(root, fs)
    try:
        writer.prepare(back)
        writer.switch(back)
    except (SulcusError, OSError):
        with suppress(OSError):  # what is left is removed at the next start
            writer.discard(back)
    finally:
        writer.close()
    return same_state(look(root, back.path).state, back.after)
