"""A tree's listing by lstat, folder by folder; runs inside the hook.

One folder's listing is one bytes object, so that what has not changed is compared, kept and handed from process to
process without being looked into. A large tree is shared among two or more processes.
"""

import marshal
import sys
from time import monotonic

from sulcus_panel.core.capture.shell.standing import FILE, GIT, KIND

if sys.platform == "win32":
    import nt as system
else:
    import posix as system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Final

Item = tuple[str, int, int, int, int, int, str]
"""Name, ctime_ns, mtime_ns, size, inode, mode, and a link's text. Of a folder name and mode alone are told."""
NAME: "Final" = 0
CTIME: "Final" = 1
SIZE: "Final" = 3
MODE: "Final" = 5
TEXT: "Final" = 6
"""Where they stand in it: a class with these names would take longer to import than a small tree to look at."""
Listings = dict[str, bytes]
"""Folder (relative, "" for the root) -> its items, marshalled; b"" where it cannot be listed."""
FOLDER, LINK = 0o040000, 0o120000
ALONE_UP_TO = 1500
"""So many items one process looks at by itself; more are shared out."""
MAX_ITEMS, MAX_SECONDS, MAX_PROCESSES = 200_000, 3.0, 4
_CHUNK = 1 << 16


class TooMuch(Exception):
    """The tree has more than can be looked at while an agent waits."""


class Walk:
    """One look at a tree. `changed`: the listings that are not as `base` has them; `repos`: folders with .git.

    `loose`: the files of these listings that `base` does not have so, and that `wanted` says yes to.
    """

    def __init__(
        self, root: str, base: Listings, skip: str = "", wanted: "Callable[[str, Item], bool] | None" = None
    ) -> None:
        self.root = root
        self.base = base
        self.skip = skip
        self.wanted = wanted
        try:  # by its number too, for it may be reached by another name
            home = system.stat(skip)
            self.skipped = home.st_dev, home.st_ino
        except OSError:
            self.skipped = 0, 0
        self.loose: list[tuple[int, str, Item]] = []
        self.until = monotonic() + MAX_SECONDS
        self.items = 0
        self.changed: Listings = {}
        self.repos: list[str] = []
        self.unseen: list[str] = []

    def whole(self) -> None:
        """Look at all of it; TooMuch where it is too large."""
        waiting = self.below([""], ALONE_UP_TO)
        if len(waiting) > 1 and hasattr(system, "fork") and (processes := _processors()) > 1:
            self._shared(waiting, min(processes, MAX_PROCESSES))
        else:
            self.below(waiting, MAX_ITEMS)
        if self.items > MAX_ITEMS:
            raise TooMuch

    def below(self, waiting: list[str], most: int) -> list[str]:
        """Look at these folders and all below them, up to about `most` items; what is left comes back."""
        at = 0
        while at < len(waiting) and self.items <= most:
            waiting += self.folder(waiting[at])
            at += 1
            if monotonic() > self.until:
                raise TooMuch
        if self.items > MAX_ITEMS:
            raise TooMuch
        return waiting[at:]

    def folder(self, at: str) -> list[str]:
        """Look at one folder; returns those in it."""
        found: list[Item] = []
        folders: list[str] = []
        prefix = at + "/" if at else ""
        try:
            with system.scandir(self.root + "/" + at if at else self.root) as entries:
                self._list(entries, prefix, found, folders)
        except FileNotFoundError:
            if at:
                return []
            listing = marshal.dumps(
                found, 2
            )  # a root that is gone holds nothing, so all of it is told as gone
        except OSError:
            self.unseen.append(at)
            found, folders, listing = [], [], b""
        else:
            listing = marshal.dumps(found, 2)
        self.items += len(found)
        if self.base.get(at) != listing:
            self.changed[at] = listing
            self._collect(at, prefix, found)
        return folders

    def _list(
        self, entries: "Iterator[system.DirEntry[str]]", prefix: str, found: list[Item], folders: list[str]
    ) -> None:
        for entry in entries:
            try:
                seen = entry.stat(follow_symlinks=False)
                mode, name = seen.st_mode, entry.name
                kind = mode & KIND
                text = system.readlink(entry.path) if kind == LINK else ""
            except FileNotFoundError:
                continue
            if kind != FOLDER:
                if name != GIT:
                    found.append(
                        (name, seen.st_ctime_ns, seen.st_mtime_ns, seen.st_size, seen.st_ino, mode, text)
                    )
                    continue
            elif name != GIT:
                found.append((name, 0, 0, 0, 0, mode, ""))
                if entry.path != self.skip and (seen.st_dev, seen.st_ino) != self.skipped:
                    folders.append(prefix + name)
                continue
            self.repos.append(prefix[:-1])

    def _collect(self, at: str, prefix: str, found: list[Item]) -> None:
        known = items_of(self.base.get(at))
        wanted = self.wanted
        for item in found:
            if item[MODE] & KIND == FILE and (not known or known.get(item[NAME]) != item):
                path = prefix + item[NAME]
                if wanted is None or wanted(path, item):
                    self.loose.append((item[SIZE], path, item))

    def _shared(self, waiting: list[str], processes: int) -> None:
        """Share these folders out: whoever is free takes the next number from a pipe."""
        tickets, give = system.pipe()
        step = len(waiting) // 200 + 1
        parts = [waiting[start : start + step] for start in range(0, len(waiting), step)]
        system.write(give, bytes(range(len(parts))))
        system.close(give)
        results = [self._helper(tickets, parts) for _ in range(processes - 1)]
        try:
            self._serve(tickets, parts)
        finally:
            system.close(tickets)
            answers = [_read_all(result) for _, result in results]
            for child, _ in results:
                system.waitpid(child, 0)
        for answer in answers:
            if not answer:
                raise TooMuch
            changed, loose, repos, unseen, items = marshal.loads(answer)
            self.changed.update(changed)
            self.loose += loose
            self.repos += repos
            self.unseen += unseen
            self.items += items

    def _helper(self, tickets: int, parts: list[list[str]]) -> tuple[int, int]:
        """One more process that looks; its number, and where its answer comes."""
        result, answer = system.pipe()
        child = system.fork()
        if child:
            system.close(answer)
            return child, result
        try:
            self.changed, self.loose, self.repos, self.unseen, self.items = {}, [], [], [], 0
            self._serve(tickets, parts)
            told = marshal.dumps((self.changed, self.loose, self.repos, self.unseen, self.items))
            rest = memoryview(told)
            while rest:
                rest = rest[system.write(answer, rest) :]
        finally:
            system._exit(0)  # noqa: SLF001 - a child must not come back into its parent's work

    def _serve(self, tickets: int, parts: list[list[str]]) -> None:
        while ticket := system.read(tickets, 1):
            self.below(list(parts[ticket[0]]), MAX_ITEMS)


def near(root: str, home: str) -> str:
    """A tree's root by the shortest way there is: from inside of it, for so the way to each file is short too.

    What this process names later on stays what it was, for both names are whole.
    """
    if not hasattr(system, "fork") or root[:1] != "/" or home[:1] != "/":
        return root
    try:
        system.chdir(root)
    except OSError:
        return root
    return "."


def items_of(listing: bytes | None) -> dict[str, Item]:
    """A folder's items by name; none where it could not be listed."""
    return {item[NAME]: item for item in marshal.loads(listing)} if listing else {}


Differences = dict[str, tuple[Item | None, Item | None]]
"""Path -> what was there before and after."""


def differences(base: Listings, changed: Listings) -> tuple[Differences, list[str], list[str]]:
    """What is different: paths, the folders that went, and those that only one of the two looks could list."""
    found: Differences = {}
    gone: list[str] = []
    unseen: list[str] = []
    for at, listing in changed.items():
        if at in base and (not listing or not base[at]):
            unseen.append(at)
            continue
        was, now = items_of(base.get(at)), items_of(listing)
        prefix = at + "/" if at else ""
        for name in was.keys() | now.keys():
            before, after = was.get(name), now.get(name)
            if before == after:
                continue
            found[prefix + name] = before, after
            if before and is_folder(before) and not (after and is_folder(after)):
                _add_gone(base, prefix + name, found, gone)
    return found, gone, unseen


def is_folder(item: Item) -> bool:
    """Say whether an item is a folder."""
    return item[MODE] & KIND == FOLDER


def _add_gone(base: Listings, folder: str, found: Differences, gone: list[str]) -> None:
    """All that was below a folder that went."""
    waiting = [folder]
    while waiting:
        at = waiting.pop()
        gone.append(at)
        for name, item in items_of(base.get(at)).items():
            found[at + "/" + name] = item, None
            if is_folder(item):
                waiting.append(at + "/" + name)


def _processors() -> int:
    try:
        return len(system.sched_getaffinity(0))
    except (AttributeError, OSError):
        return system.cpu_count() or 1


def _read_all(handle: int) -> bytes:
    parts = []
    while part := system.read(handle, _CHUNK):
        parts.append(part)
    system.close(handle)
    return b"".join(parts)
