"""The baselines: what a tree was like, and the bytes of the files that git does not have; runs inside the hook.

A copy is named for its file's identity (inode, ctime, mtime, size). Whoever reads a file that has this identity
before and after the reading has the bytes that every look saw under it, whenever the copy is made.
"""

import marshal
import sys
from time import time_ns

from sulcus_panel.core.capture.shell.rules import NOT_RECORDED, judge_of
from sulcus_panel.core.capture.shell.scan import CTIME, MODE, SIZE, TEXT, Item
from sulcus_panel.core.capture.shell.standing import FILE, KIND, READ, read_all, read_whole

if sys.platform == "win32":
    import nt as system
else:
    import posix as system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

MAX_COPY = 10 << 20
MAX_COPIES, MAX_COPIES_BYTES = 20_000, 512 << 20
MAX_OPEN = 8
"""So many calls of a run that did not end are looked at again."""
MAX_HASHED = 1 << 30
"""A file larger than this is only named: reading it would keep the disk busy after every command."""
RACY_NS = 10_000_000
"""A file written to this recently may be written to again within one tick of the clock that stamps it."""
WRITE = system.O_WRONLY | system.O_CREAT | system.O_EXCL | getattr(system, "O_CLOEXEC", 0)
WRITE |= getattr(system, "O_BINARY", 0)
_CHUNK = 1 << 20
DAMAGED = (ValueError, EOFError, TypeError, KeyError, IndexError, AttributeError)
"""What a file of ours brings about that is not what was written."""
HASH_ONLY, TMP, ROOT = ".sha256", ".tmp", "root"


def identity(item: Item) -> str:
    """The name under which the bytes of a file in this state are kept."""
    _, ctime, mtime, size, inode, _, _ = item
    return f"{inode:x}-{ctime:x}-{mtime:x}-{size:x}"


def fingerprint(text: str) -> str:
    """A short name for a text (FNV-1a, 64 bits); what is found under it says which text it is for."""
    value = 0xCBF29CE484222325
    for byte in text.encode("utf-8", "surrogatepass"):
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def root_before(root: str, key: str, home: str) -> str:
    """The tree that was looked at before: a command may go elsewhere, or take away what made it the root."""
    folders = [Baselines(home, root).folder]
    try:
        folders += [f"{home}/baselines/{tree}" for tree in system.listdir(home + "/baselines")]
    except OSError:
        return root
    for folder in folders:
        try:
            known, there = marshal.loads(read_whole(folder + "/" + scan_name(key)))[:2]
        except (OSError, *DAMAGED):
            continue
        if known == key:
            return str(there)
    return root


def scan_name(key: str) -> str:
    """Under which name the look before a call is kept: first its run's, so that a run's looks can be found."""
    return scans_of(key) + fingerprint(key)


def scans_of(key: str) -> str:
    """How the names of a run's looks begin; `key` begins with its harness and its own id."""
    return "scan-" + fingerprint("\0".join(key.split("\0", 2)[:2])) + "-"


def open_scans(home: str, key: str) -> list[tuple[str, str]]:
    """The looks that a run's calls left and have not taken up again: folder and name, MAX_OPEN at most."""
    start = scans_of(key)
    found: list[tuple[str, str]] = []
    try:
        trees = [home + "/baselines/" + tree for tree in sorted(system.listdir(home + "/baselines"))]
    except OSError:
        return found
    for folder in trees:
        try:
            names = system.listdir(folder)
        except OSError:
            continue
        found += [(folder, name) for name in sorted(names) if name.startswith(start) and TMP not in name]
    return found[:MAX_OPEN]


class Baselines:
    """One tree's folder in the data home."""

    def __init__(self, home: str, root: str) -> None:
        self.root = root
        self._home = home
        self.folder = home + "/baselines/" + fingerprint(root)
        self.copies = self.folder + "/copies"
        self.full = False
        self._why: Callable[[str], str] | None = None

    def make(self) -> None:
        """Have the folders there, for this user only, and the tree's name, for who must find all of a file's."""
        _make(self.copies)
        root = self.root.encode("utf-8", "surrogateescape")
        if self.read(ROOT) != root:
            self.write(ROOT, root)

    def read(self, name: str) -> bytes:
        """One of our files; empty where it is not there."""
        try:
            return read_whole(self.folder + "/" + name)
        except OSError:
            return b""

    def write(self, name: str, data: bytes) -> None:
        """One of our files, whole or not at all."""
        write_whole(self.folder, name, data)

    def link(self, name: str, other: str) -> None:
        """Give one of our files another name too, in place of what had it."""
        beside = f"{self.folder}/{other}.{system.getpid()}"
        try:
            system.link(self.folder + "/" + name, beside)
        except OSError:
            self.write(other, self.read(name))
            return
        system.rename(beside, self.folder + "/" + other)

    def drop(self, name: str) -> None:
        """Let one of our files go."""
        try:
            system.unlink(self.folder + "/" + name)
        except OSError:
            return

    def measure(self) -> None:
        """See whether there is room for more copies; each one's name ends with its size."""
        names = system.listdir(self.copies)
        total = sum(int(name.rpartition("-")[2], 16) for name in names if not name.endswith((HASH_ONLY, TMP)))
        self.full = len(names) >= MAX_COPIES or total >= MAX_COPIES_BYTES

    def keep(self, path: str, item: Item) -> bool:
        """Copy a file as it was seen, or its hash where its bytes may not be kept; False: to be tried again."""
        if item[MODE] & KIND != FILE or self.full or item[SIZE] > MAX_HASHED:
            return True
        if time_ns() - item[CTIME] < RACY_NS:
            return False
        if self._why is None:
            self._why = judge_of(self._home, self.root)
        why = self._why(path)
        if why == NOT_RECORDED:
            return True
        name = identity(item)
        hash_only = item[SIZE] > MAX_COPY or bool(why)
        if hash_only:
            name += HASH_ONLY
        try:
            there = system.lstat(self.copies + "/" + name).st_size
        except OSError:
            there = -1
        if there != (64 if hash_only else item[SIZE]):
            self._copy(path, item, name, hash_only=hash_only)
        return True

    def _copy(self, path: str, item: Item, name: str, *, hash_only: bool) -> None:
        try:
            handle = system.open(path, READ)
        except OSError:
            return  # gone or not readable: that there is no copy says so
        try:
            if not is_seen(handle, item):
                return
            data = _digest(handle) if hash_only else read_all(handle, item[SIZE])
            if not hash_only and _holds_a_key(data):
                system.lseek(handle, 0, 0)
                name, data = name + HASH_ONLY, _digest(handle)
            if is_seen(handle, item):
                write_whole(self.copies, name, data)
        except OSError:
            return
        finally:
            system.close(handle)


def is_seen(handle: int, item: Item) -> bool:
    """Say whether an open file is still what the look saw."""
    found = system.fstat(handle)
    now = (found.st_ctime_ns, found.st_mtime_ns, found.st_size, found.st_ino, found.st_mode)
    return now == item[CTIME:TEXT]


KEY_MARKS = (
    *(b"AKIA", b"ASIA", b"ghp_", b"gho_", b"ghu_", b"ghs_", b"ghr_", b"github_pat_", b"glpat-", b"xox"),
    *(b"sk_live_", b"rk_live_", b"sk-ant-", b"sk-proj-", b"AIza", b"npm_", b"pypi-", b"PRIVATE KEY"),
)
"""A text without any of these holds no key that credentials.py knows."""


def _holds_a_key(data: bytes) -> bool:
    """Say what credentials.holds_a_key says, which is loaded only for a file that has a key's mark in it."""
    if not any(mark in data for mark in KEY_MARKS):
        return False
    from sulcus_panel.core.credentials import holds_a_key

    return holds_a_key(data)


def write_whole(folder: str, name: str, data: bytes) -> None:
    """A file in `folder`, written beside and renamed."""
    beside = f"{folder}/{name}.{system.getpid()}{TMP}"
    handle = system.open(beside, WRITE, 0o600)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[system.write(handle, rest) :]
        system.close(handle)
        handle = -1
        system.rename(beside, folder + "/" + name)
    except OSError:
        if handle >= 0:
            system.close(handle)
        system.unlink(beside)
        raise


def _make(folder: str) -> None:
    try:
        system.mkdir(folder, 0o700)
    except FileExistsError:
        return
    except FileNotFoundError:
        _make(folder.rpartition("/")[0])
        system.mkdir(folder, 0o700)


def _digest(handle: int) -> bytes:
    """The SHA-256 of an open file, in hexadecimal."""
    for module in ("_sha2", "_sha256", "hashlib"):
        try:
            digest = __import__(module).sha256()
            break
        except ImportError:
            continue
    else:
        return b""
    while part := system.read(handle, _CHUNK):
        digest.update(part)
    return str(digest.hexdigest()).encode("ascii")
