"""Undos of several files, names and folders, and a file system that does something right before its n-th call."""

import os
from collections.abc import Callable

from sulcus_panel.core.model import DiskFile, SeqId
from sulcus_panel.core.undo.fs import FileSystem
from sulcus_panel.core.undo.in_place import FORWARD_PIECE
from tests.support.bench import L10, Bench, edited

LONG = b"".join(b"line %d of a long file\n" % n for n in range(1 + FORWARD_PIECE // 10))


TWO = edited(L10, _2="two")


Picture = dict[str, tuple[int, bytes]]


Scenario = Callable[[Bench], tuple[SeqId, ...]]


class Acting(FileSystem):
    """Does something right before its n-th call; it may be unable to swap names."""

    can_swap = True

    def __init__(self, at: int = 0, act: Callable[[], object] = lambda: None) -> None:
        self.at, self.act = at, act
        self.calls: list[str] = []

    def reach(self, call: str) -> None:
        self.calls.append(call)
        if len(self.calls) == self.at:
            self.act()

    def exchange(self, folder: int | None, one: str, other: str) -> bool:
        if self.can_swap:
            return super().exchange(folder, one, other)
        self.reach("exchange")
        return False


class WithoutSwap(Acting):
    """As on NFS and some FUSE."""

    can_swap = False


def sight(bench: Bench) -> Picture:
    """Everything below the root, folders too: mode and bytes."""
    seen = bench.picture()
    for folder, names, _ in os.walk(bench.root):
        for name in names:
            place = os.path.join(folder, name)
            seen[os.path.relpath(place, bench.root)] = (os.lstat(place).st_mode, b"")
    return seen


def seen(bench: Bench, *paths: str) -> dict[str, DiskFile]:
    return {path: bench.look(path) for path in paths}


def recorded(bench: Bench, act: Callable[[], object], *paths: str) -> SeqId:
    """One entry of whatever `act` does to these paths."""
    before = seen(bench, *paths)
    act()
    after = seen(bench, *paths)
    return bench.record({path: (before[path], after[path]) for path in paths})


def a_linked_edit(bench: Bench) -> tuple[SeqId, ...]:
    bench.put("a.txt", LONG, 0o640)
    os.link(bench.root / "a.txt", bench.root / "second")
    longer = b"".join(b"line %d of a longer file\n" % n for n in range(2 * FORWARD_PIECE // 10))
    return (bench.agent(longer, "a.txt"),)


def a_linked_batch(bench: Bench) -> tuple[SeqId, ...]:
    bench.put("b.txt", L10)
    os.link(bench.root / "b.txt", bench.root / "second")
    bench.put("a.txt", L10)
    bench.put("c.txt", L10)
    return (bench.turn({"a.txt": TWO, "b.txt": LONG, "c.txt": None}),)


def a_made_tree(bench: Bench) -> tuple[SeqId, ...]:
    def act() -> None:
        (bench.root / "d/e").mkdir(parents=True)
        bench.put("d/e/f", b"new\n")
        bench.put("d/g", b"new\n")

    return (recorded(bench, act, "d", "d/e", "d/e/f", "d/g"),)


def a_removed_tree(bench: Bench) -> tuple[SeqId, ...]:
    bench.put("d/e/f", b"old\n", 0o600)
    bench.put("d/g", b"old\n")
    (bench.root / "d/e").chmod(0o550)

    def act() -> None:
        (bench.root / "d/e/f").unlink()
        (bench.root / "d/g").unlink()
        (bench.root / "d/e").rmdir()
        (bench.root / "d").rmdir()

    return (recorded(bench, act, "d", "d/e", "d/e/f", "d/g"),)


def a_folder_mode(bench: Bench) -> tuple[SeqId, ...]:
    (bench.root / "d").mkdir(mode=0o755)
    bench.put("a.txt", L10)

    def act() -> None:
        (bench.root / "d").chmod(0o700)
        bench.put("a.txt", TWO)

    return (recorded(bench, act, "d", "a.txt"),)


def a_move(bench: Bench) -> tuple[SeqId, ...]:
    bench.put("old.txt", L10, 0o640)

    def act() -> None:
        (bench.root / "new").mkdir()
        (bench.root / "old.txt").rename(bench.root / "new/moved.txt")

    return (recorded(bench, act, "old.txt", "new", "new/moved.txt"),)


def an_edit(bench: Bench) -> tuple[SeqId, ...]:
    bench.put("a.txt", L10, 0o640)
    bench.put("gone.txt", b"gone\n")
    return (bench.turn({"a.txt": TWO, "gone.txt": None, "made.txt": b"made\n"}),)
