"""The few file-system calls that an undo makes, each one method: what a test stops, fails or counts.

Names are relative to an open folder (`folder` is None, and the name a full path, where there is no dir_fd).
"""

import errno
import os
import stat
import time
from collections.abc import Sequence

from sulcus_panel.core.disk import HAS_DIR_FD
from sulcus_panel.core.undo.kernel import (
    RENAME_EXCHANGE,
    RENAME_NOREPLACE,
    has_writers,
    hold_alone,
    keep_room,
    let_in,
    rename_with,
)

_OURS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _OURS
_OLD = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _OURS
_IN_PLACE = os.O_RDWR | getattr(os, "O_NONBLOCK", 0) | _OURS
_NO_LINKS = {errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}
"""What a file system without hard links says, or a kernel that gives none of somebody else's file."""
_ACCESS_LIST = "system.posix_acl_access"
IN_USE = {errno.ENOTEMPTY, errno.EEXIST}
"""What remove_folder() fails with where something is in the folder."""
_COPY_CHUNK = 1 << 20
_WAIT_SECONDS = 0.5
"""How long somebody who has a file open, maybe only to read it once, is waited for."""
_ASK_AGAIN = 0.01

Folder = int | None


class FileSystem:
    """The real one. Every call passes `reach` first, which a test overrides to stop or fail there."""

    def reach(self, call: str) -> None:
        """Say that `call` is about to be made."""

    def make_folder(self, folder: Folder, name: str, *, private: bool) -> None:
        """Make one folder; raises FileExistsError where anything has the name."""
        self.reach("mkdir")
        os.mkdir(name, 0o700 if private else 0o777, dir_fd=folder)

    def remove_folder(self, folder: Folder, name: str) -> None:
        """Remove an empty folder; a missing one is fine, one in use raises OSError."""
        try:
            self.reach("rmdir")
            os.rmdir(name, dir_fd=folder)
        except FileNotFoundError:
            return

    def create(self, folder: Folder, name: str) -> int:
        """Create a new private file for writing; raises FileExistsError rather than open an old one."""
        self.reach("create")
        return os.open(name, _NEW, 0o600, dir_fd=folder)

    def write(self, handle: int, data: bytes) -> None:
        """Write every byte; a short write is continued."""
        view = memoryview(data)
        while view:
            self.reach("write")
            view = view[os.write(handle, view) :]

    def dress_like(self, handle: int, folder: Folder, name: str) -> None:
        """Give a new file the owner and the extended attributes of `name`.

        Raises:
            PermissionError: the owner cannot be kept.
        """
        old = os.open(name, _OLD, dir_fd=folder)
        try:
            self._copy_owner(old, handle)
            self._copy_attributes(old, handle)
        finally:
            os.close(old)

    def set_mode(self, handle: int, mode: int | None) -> None:
        """Set an open file's permissions; None leaves them."""
        if mode is not None and hasattr(os, "fchmod"):
            self.reach("fchmod")
            os.fchmod(handle, mode)

    def _copy_owner(self, old: int, new: int) -> None:
        source, target = os.fstat(old), os.fstat(new)
        if (source.st_uid, source.st_gid) != (target.st_uid, target.st_gid) and hasattr(os, "fchown"):
            self.reach("fchown")
            os.fchown(new, source.st_uid, source.st_gid)

    def _copy_attributes(self, old: int, new: int) -> None:
        if not hasattr(os, "listxattr"):
            return
        try:
            names = os.listxattr(old)
        except OSError:
            return
        self._drop_inherited(new, names)
        for name in names:
            try:
                self.reach("setxattr")
                os.setxattr(new, name, os.getxattr(old, name))
            except OSError as error:
                # Labels of the security module are the kernel's to give; a file system without any has none.
                if error.errno != errno.EOPNOTSUPP and not name.startswith(("security.", "trusted.")):
                    raise

    def _drop_inherited(self, new: int, names: Sequence[str]) -> None:
        """Take away an access list that a folder gives to what is made in it, where the old file had none."""
        if _ACCESS_LIST not in names and _ACCESS_LIST in os.listxattr(new):
            self.reach("removexattr")
            os.removexattr(new, _ACCESS_LIST)

    def chmod(self, folder: Folder, name: str, mode: int) -> None:
        """Change the permissions of one file or folder, never of a link's target."""
        if folder is None:
            self.reach("chmod")
            os.chmod(name, mode)
            return
        handle = os.open(name, _OLD, dir_fd=folder)
        try:
            self.reach("fchmod")
            os.fchmod(handle, mode)
            self.sync(handle)
        finally:
            os.close(handle)

    def open_in_place(self, folder: Folder, name: str) -> int:
        """Open a file to change its own bytes; nothing is changed yet."""
        self.reach("open")
        return os.open(name, _IN_PLACE, dir_fd=folder)

    def close_in_place(self, handle: int) -> None:
        """Close such a file, and let in whoever waits for it."""
        let_in(handle)
        os.close(handle)

    def keep_room(self, handle: int, size: int) -> bool:
        """Have blocks for `size` bytes of an open file, so that no write runs out of room; False where unsure."""
        if getattr(os.fstat(handle), "st_blocks", 0) * 512 >= size:
            return True
        self.reach("fallocate")
        return keep_room(handle, size)

    def hold_alone(self, handle: int) -> bool:
        """Keep everybody else out of an open file until close_in_place(); False where that cannot be.

        Raises BlockingIOError where another program has it open and does not close it.
        """
        until = time.monotonic() + _WAIT_SECONDS
        while True:
            try:
                return hold_alone(handle)
            except BlockingIOError:
                if time.monotonic() >= until:
                    raise
            time.sleep(_ASK_AGAIN)

    def truncate(self, handle: int, size: int) -> None:
        """Cut an open file."""
        self.reach("truncate")
        os.truncate(handle, size)

    def sync(self, handle: int) -> None:
        """Bring an open file to the disk."""
        self.reach("fsync")
        os.fsync(handle)

    def sync_folder(self, folder: Folder) -> None:
        """Bring a folder's names to the disk."""
        if folder is not None:
            self.reach("fsync folder")
            os.fsync(folder)

    def link_to(self, folder: Folder, name: str, target: bytes) -> None:
        """Make a symbolic link; raises FileExistsError rather than replace."""
        self.reach("symlink")
        os.symlink(target, os.fsencode(name), dir_fd=folder)

    def own_like(self, folder: Folder, name: str, other: str) -> None:
        """Give a new link, or what takes a link's place, the owner of `other`; raises PermissionError."""
        new, old = (os.stat(each, dir_fd=folder, follow_symlinks=False) for each in (name, other))
        if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid) and hasattr(os, "chown"):
            self.reach("chown")
            os.chown(name, old.st_uid, old.st_gid, dir_fd=folder, follow_symlinks=False)

    def unlink(self, folder: Folder, name: str) -> None:
        """Remove one name; a missing one is fine."""
        try:
            self.reach("unlink")
            os.unlink(name, dir_fd=folder)
        except FileNotFoundError:
            return

    def exchange(self, folder: Folder, one: str, other: str) -> bool:
        """Swap two names in one step; False where the platform cannot, and nothing was done."""
        self.reach("exchange")
        return rename_with(folder, one, other, RENAME_EXCHANGE)

    def second_name(self, folder: Folder, name: str, other: str) -> None:
        """Give what is at `name` another name too, or a copy of it one: to be found again after `replace`."""
        self.reach("link")
        try:
            self._link(folder, name, other)
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            self._copy(folder, name, other)

    def _link(self, folder: Folder, source: str, target: str) -> None:
        os.link(source, target, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)

    def _copy(self, folder: Folder, name: str, other: str) -> None:
        old = os.open(name, _OLD, dir_fd=folder)
        try:
            new = self.create(folder, other)
            try:
                while chunk := os.read(old, _COPY_CHUNK):
                    self.write(new, chunk)
                self.dress_like(new, folder, name)
                self.set_mode(new, stat.S_IMODE(os.fstat(old).st_mode))
            finally:
                os.close(new)
        finally:
            os.close(old)

    def move_out(self, folder: Folder, name: str, target: str) -> None:
        """Rename to a full path on the same file system; raises OSError (EXDEV) for any other."""
        self.reach("move out")
        os.rename(name, target, src_dir_fd=folder)

    def move_in(self, source: str, folder: Folder, name: str) -> None:
        """Rename a full path into a folder, back from where move_out() took it; raises OSError."""
        self.reach("move in")
        os.rename(source, name, dst_dir_fd=folder)

    def replace(self, folder: Folder, source: str, target: str) -> None:
        """Rename over what is there: the stand-in where names cannot be exchanged."""
        self.reach("replace")
        os.replace(source, target, src_dir_fd=folder, dst_dir_fd=folder)

    def place(self, folder: Folder, source: str, target: str) -> None:
        """Rename to a free name; raises FileExistsError rather than overwrite a newcomer."""
        self.reach("place")
        if rename_with(folder, source, target, RENAME_NOREPLACE):
            return
        if not HAS_DIR_FD:
            os.rename(source, target)  # Windows refuses an existing target by itself
            return
        try:
            self._link(folder, source, target)
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            _rename_to_free_name(folder, source, target)
            return
        self.reach("unlink source")
        os.unlink(source, dir_fd=folder)


def _rename_to_free_name(folder: Folder, source: str, target: str) -> None:
    """Look, then rename: all that a disk without hard links and without the kernel's help lets us do."""
    try:
        os.stat(target, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        os.rename(source, target, src_dir_fd=folder, dst_dir_fd=folder)
        return
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), target)


def is_written_to(folder: Folder, name: str) -> bool:
    """Say whether a program has a file open to write to it, as far as the platform tells."""
    try:
        handle = os.open(name, _OLD, dir_fd=folder)
    except OSError:
        return False
    try:
        return has_writers(handle)
    finally:
        os.close(handle)


def owner_can_be_kept(folder: Folder, name: str) -> bool:
    """Say whether a new file in the place of `name` could be given its owner and group."""
    if not hasattr(os, "geteuid") or os.geteuid() == 0:
        return True
    status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    groups = {os.getegid(), *os.getgroups()}
    return status.st_uid == os.geteuid() and (status.st_gid in groups)


def link_count(folder: Folder, name: str) -> int:
    """Return how many names a regular file has; 1 for everything else."""
    status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    return status.st_nlink if stat.S_ISREG(status.st_mode) else 1
