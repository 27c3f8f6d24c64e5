"""Rows about what a disk may hold or refuse: huge and growing files, access lists, loops, full disks."""

import os
import struct
import subprocess
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from sulcus_panel.core.disk import look
from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.model import FileKind, LedgerPath
from sulcus_panel.core.undo.fs import FileSystem
from sulcus_panel.core.undo.model import Outcome
from tests.support.bench import Bench, edited
from tests.support.odd_disks import immutable
from tests.support.scene import L10, Scene, sights, with_line

CHANGED = with_line(L10, 2, b"two")
ACCESS = "system.posix_acl_access"


def access_list(uid: int) -> bytes:
    """Owner rw, one more user r, group r, mask r, others none: as the kernel takes it."""
    nobody = 0xFFFFFFFF
    entries = [(0x01, 6, nobody), (0x02, 4, uid), (0x04, 4, nobody), (0x10, 4, nobody), (0x20, 0, nobody)]
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


def test_f005_an_access_list_stays(scene: Scene) -> None:
    path = scene.person("a.txt", L10)
    try:
        os.setxattr(path, ACCESS, access_list(12345))
    except OSError:
        pytest.skip("this file system has no access lists")
    turn = scene.puts("a.txt", CHANGED)
    scene.undo(turn)
    assert os.getxattr(path, ACCESS) == access_list(12345)
    assert path.read_bytes() == L10


def test_f027_a_sparse_file_of_a_terabyte_is_refused_at_once(scene: Scene) -> None:
    path = scene.person("a.txt", L10)
    turn = scene.puts("a.txt", CHANGED)
    try:
        os.truncate(path, 2**40)
    except OSError:
        pytest.skip("this file system has no such files")
    start = time.perf_counter()
    plan = scene.plan(turn)
    assert plan.outcome is Outcome.REFUSED
    assert "too large to be read" in plan.entries[0].reason
    assert scene.operations.apply(plan).outcome is Outcome.REFUSED
    assert time.perf_counter() - start < 5
    assert path.stat().st_size == 2**40


def test_f028_a_file_that_grows_without_end_is_not_read_for_ever(tmp_path: Path) -> None:
    path, done = tmp_path / "log", threading.Event()
    path.write_bytes(b"x" * 2**20)

    def grow() -> None:
        with path.open("ab", buffering=0) as growing:
            while not done.is_set() and growing.tell() < 2**28:
                growing.write(b"y" * 4096)

    thread = threading.Thread(target=grow)
    thread.start()
    try:
        found = [look(str(tmp_path), LedgerPath("log")) for _ in range(20)]
    finally:
        done.set()
        thread.join()
    for file in found:
        assert file.state.kind is FileKind.FILE or file.state.reason == "busy"


def test_f113_a_folder_that_may_not_be_written_is_named_and_nothing_changes(scene: Scene) -> None:
    scene.person("closed/a.txt", L10)
    turn = scene.puts("closed/a.txt", CHANGED)
    before = sights(scene.folder)
    with immutable(scene.path("closed")):
        result = scene.operations.apply(scene.plan(turn))
        assert result.outcome in {Outcome.REFUSED, Outcome.FAILED}
        assert "closed/a.txt" in result.results[0].reason
        assert sights(scene.folder) == before
    scene.undo(turn)


class NoExchange(FileSystem):
    """A file system that cannot swap two names (NFS, some FUSE)."""

    def exchange(self, folder: int | None, one: str, other: str) -> bool:  # noqa: ARG002 - the real one's
        return False


def test_f115_where_names_cannot_be_swapped_the_displaced_bytes_are_kept_first(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.put("a.txt", L10, 0o640)
    first = bench.agent(edited(L10, _2="two"))
    result = bench.apply(bench.plan(first), NoExchange())
    undo = result.results[0].undo_seq_id
    assert undo is not None
    assert bench.read("a.txt") == L10
    assert bench.apply(bench.plan(undo), NoExchange()).outcome in {
        Outcome.UNDONE,
        Outcome.APPLIED_UNCONFIRMED,
    }
    assert bench.read("a.txt") == edited(L10, _2="two")
    assert os.listdir(bench.root) == ["a.txt"]
    bench.close()


def test_f121_a_loop_of_links_ends_nothing_but_itself(scene: Scene) -> None:
    scene.path("one").symlink_to("two")
    scene.path("two").symlink_to("one")
    scene.path("here").symlink_to(".")
    scene.person("a.txt", L10)
    turn = scene.puts("a.txt", CHANGED)
    workspace = scene.operations.workspace_for(scene.folder, register=False)
    assert scene.operations.refresh_drift(workspace.id) == {}
    scene.undo(turn)
    assert {os.readlink(scene.path(name)) for name in ("one", "two", "here")} == {"one", "two", "."}


def test_f092_an_entry_that_retention_takes_between_look_and_yes_is_not_undone_blindly(scene: Scene) -> None:
    path = scene.person("a.txt", L10)
    turn = scene.puts("a.txt", CHANGED)
    plan = scene.plan(turn)
    for number in range(101):
        scene.person("b.txt", b"%d\n" % number)
        scene.runs(f"echo {number}.5 > b.txt")
    scene.set("max_entries", 100)
    scene.operations.ledger.prune()
    before = sights(scene.folder)
    with suppress(SulcusError):
        outcome = scene.operations.apply(plan).outcome
        assert outcome in {Outcome.UNDONE, Outcome.UNAVAILABLE}
        assert path.read_bytes() == (L10 if outcome is Outcome.UNDONE else CHANGED)
        return
    assert sights(scene.folder) == before


def test_f091_a_look_for_drift_during_an_undo_hinders_neither(scene: Scene) -> None:
    path = scene.person("a.txt", L10)
    turn = scene.puts("a.txt", CHANGED)
    workspace = scene.operations.workspace_for(scene.folder, register=False)
    looks = [
        subprocess.Popen(
            ["find", str(scene.folder), "-type", "f", "-exec", "cat", "{}", "+"], stdout=subprocess.DEVNULL
        )
        for _ in range(3)
    ]
    scene.operations.refresh_drift(workspace.id)
    scene.undo(turn)
    assert scene.operations.refresh_drift(workspace.id) == {}
    assert all(each.wait() in {0, 1} for each in looks)
    assert path.read_bytes() == L10
