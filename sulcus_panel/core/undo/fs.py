"""The few file-system calls that an undo makes, each one method: what a test stops, fails or counts.

Names are relative to an open folder (`folder` is None, and the name a full path, where there is no dir_fd).
"""

import ctypes
import errno
import functools
import os
import stat
from collections.abc import Callable

from sulcus_panel.core.disk import HAS_DIR_FD, parent_of

RENAME_NOREPLACE = 1
RENAME_EXCHANGE = 2
_UNSUPPORTED = {errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP, errno.ENOTTY}
_NEW = (
    os.O_WRONLY
    | os.O_CREAT
    | os.O_EXCL
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
_OLD = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)

Folder = int | None


class FileSystem:
    """The real one. Every call passes `reach` first, which a test overrides to stop or fail there."""

    def reach(self, call: str) -> None:
        """Say that `call` is about to be made."""

    def make_folders(self, root: str, path: str, made: list[str]) -> None:
        """Make the missing folders above `path` below `root` and add those made, outermost first."""
        *folders, _ = path.split("/")
        for depth in range(1, len(folders) + 1):
            here = "/".join(folders[:depth])
            with parent_of(root, here) as (folder, name):
                try:
                    self.reach("mkdir")
                    os.mkdir(name, dir_fd=folder)
                except FileExistsError:
                    continue
            made.append(here)

    def remove_folder(self, root: str, path: str) -> None:
        """Remove a folder where it is empty."""
        with parent_of(root, path) as (folder, name):
            try:
                self.reach("rmdir")
                os.rmdir(name, dir_fd=folder)
            except OSError as error:
                if error.errno not in {errno.ENOTEMPTY, errno.EEXIST, errno.ENOENT}:
                    raise

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

    def dress(self, handle: int, folder: Folder, name: str | None, mode: int | None) -> None:
        """Give a new file the owner and extended attributes of `name`, then `mode`.

        Raises:
            PermissionError: the owner cannot be kept.
        """
        if name is not None:
            old = os.open(name, _OLD, dir_fd=folder)
            try:
                self._copy_owner(old, handle)
                self._copy_attributes(old, handle)
            finally:
                os.close(old)
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
        for name in names:
            try:
                self.reach("setxattr")
                os.setxattr(new, name, os.getxattr(old, name))
            except OSError as error:
                # Labels of the security module are the kernel's to give; a file system without any has none.
                if error.errno != errno.EOPNOTSUPP and not name.startswith(("security.", "trusted.")):
                    raise

    def chmod(self, folder: Folder, name: str, mode: int) -> None:
        """Change one file's permissions, never a link's target."""
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
        return _renameat2(folder, one, other, RENAME_EXCHANGE)

    def replace(self, folder: Folder, source: str, target: str) -> None:
        """Rename over what is there: the stand-in where names cannot be exchanged."""
        self.reach("replace")
        os.replace(source, target, src_dir_fd=folder, dst_dir_fd=folder)

    def place(self, folder: Folder, source: str, target: str) -> None:
        """Rename to a free name; raises FileExistsError rather than overwrite a newcomer."""
        self.reach("place")
        if _renameat2(folder, source, target, RENAME_NOREPLACE):
            return
        if not HAS_DIR_FD:
            os.rename(source, target)  # Windows refuses an existing target by itself
            return
        os.link(source, target, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
        self.reach("unlink source")
        os.unlink(source, dir_fd=folder)


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


@functools.cache
def _libc_renameat2() -> Callable[[int, bytes, int, bytes, int], int] | None:
    prototype = ctypes.CFUNCTYPE(
        ctypes.c_int,
        ctypes.c_int,
        ctypes.c_char_p,
        ctypes.c_int,
        ctypes.c_char_p,
        ctypes.c_uint,
        use_errno=True,
    )
    try:
        return prototype(("renameat2", ctypes.CDLL(None)))
    except (OSError, AttributeError, TypeError):
        return None


def _renameat2(folder: Folder, source: str, target: str, flags: int) -> bool:
    """Linux's rename with flags; False where kernel or file system does not have it."""
    function = _libc_renameat2()
    if function is None or folder is None:
        return False
    if function(folder, os.fsencode(source), folder, os.fsencode(target), flags) == 0:
        return True
    code = ctypes.get_errno()
    if code in _UNSUPPORTED:
        return False
    raise OSError(code, os.strerror(code), target)
