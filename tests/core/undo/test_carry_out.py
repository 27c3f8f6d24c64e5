"""Names that are one file, folders, moves, disks that cannot swap names: all or nothing, and what is told."""

import errno
import os
import sqlite3
import stat
import sys
import tempfile
from pathlib import Path

import pytest

from sulcus_panel.core.errors import LedgerBusy, StalePlan
from sulcus_panel.core.model import EntryState, SeqId
from sulcus_panel.core.undo.fs import FileSystem
from sulcus_panel.core.undo.model import Outcome
from sulcus_panel.core.undo.recover import recover
from tests.support.bench import L10, Bench, edited
from tests.support.children import exit_code, forked, give_away
from tests.support.whole_undos import (
    LONG,
    TWO,
    Acting,
    WithoutSwap,
    a_linked_edit,
    a_made_tree,
    a_move,
    an_edit,
    recorded,
    sight,
)


def test_two_names_stay_one_file_and_the_mode_stays(bench: Bench) -> None:
    (seq,) = a_linked_edit(bench)
    inode = (bench.root / "a.txt").stat().st_ino
    assert bench.undo(seq).outcome is Outcome.UNDONE
    for name in ("a.txt", "second"):
        status = (bench.root / name).stat()
        assert (status.st_ino, stat.S_IMODE(status.st_mode), bench.read(name)) == (inode, 0o640, LONG)


def test_without_a_ledger_to_keep_the_bytes_nothing_is_touched(tmp_path: Path) -> None:
    bench = Bench(tmp_path, busy_ms=20)
    (seq,) = an_edit(bench)
    before = sight(bench)
    plan = bench.plan(seq)
    other = sqlite3.connect(bench.home.database, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    fs = Acting()
    with pytest.raises(LedgerBusy):
        bench.apply(plan, fs)
    other.close()
    assert (sight(bench), fs.calls, bench.ledger.open_undos()) == (before, [], ())
    bench.close()


def test_every_step_is_on_the_disk_before_the_next_rests_on_it(bench: Bench) -> None:
    bench.put("a.txt", L10)
    seq = bench.agent(TWO)

    class Watching(Acting):
        def reach(self, call: str) -> None:
            super().reach(f"{call} {bench.entry(seq).state}" if call == "fsync folder" else call)
            assert len(bench.ledger.open_undos()) == 1

    fs = Watching()
    bench.apply(bench.plan(seq), fs)
    assert fs.calls == [
        "create",
        "write",
        *(["setxattr"] * fs.calls.count("setxattr")),
        "fchmod",
        "fsync",
        "exchange",
        "move out",
        "fsync folder recorded",
    ]
    assert (bench.entry(seq).state, bench.ledger.open_undos()) == (EntryState.UNDONE, ())


@pytest.mark.parametrize("mode_only", [False, True])
def test_all_names_of_one_file_may_be_in_one_batch(bench: Bench, mode_only: bool) -> None:
    bench.put("a.txt", L10, 0o644)
    bench.put("gone.txt", b"gone\n")
    for name in ("b.txt", "c.txt"):
        os.link(bench.root / "a.txt", bench.root / name)

    def act() -> None:
        bench.put("a.txt", L10 if mode_only else TWO, 0o755)
        (bench.root / "gone.txt").unlink()

    seq = recorded(bench, act, "a.txt", "b.txt", "c.txt", "gone.txt")
    before = sight(bench)
    inode = (bench.root / "a.txt").stat().st_ino
    fails_at_the_end = Acting()
    undo = bench.apply(bench.plan(seq), fails_at_the_end)
    assert undo.outcome is Outcome.UNDONE
    for name in ("a.txt", "b.txt", "c.txt"):
        status = (bench.root / name).stat()
        assert (bench.read(name), status.st_ino, stat.S_IMODE(status.st_mode)) == (L10, inode, 0o644)
    entry = undo.results[0].undo_seq_id
    assert entry is not None
    last = fails_at_the_end.calls.index("place") + 1

    def refuse() -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    bench.undo(entry)
    assert sight(bench) == before
    assert bench.apply(bench.plan(seq), Acting(last, refuse)).outcome is Outcome.FAILED
    assert sight(bench) == before


def test_many_files_of_one_folder_take_one_open_folder(bench: Bench) -> None:
    names = [f"d/{number}" for number in range(60)]
    for name in names:
        bench.put(name, L10)
    seq = bench.turn(dict.fromkeys(names, TWO))
    most = 0

    class Counting(FileSystem):
        def reach(self, call: str) -> None:
            nonlocal most
            if call == "exchange":
                most = max(most, len(os.listdir("/proc/self/fd")))

    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("this platform does not list open files")
    open_before = len(os.listdir("/proc/self/fd"))
    assert bench.apply(bench.plan(seq), Counting()).outcome is Outcome.UNDONE
    assert most - open_before < 10
    assert len(os.listdir("/proc/self/fd")) <= open_before + 1


def test_a_file_that_somebody_wrote_into_at_the_same_moment_asks_for_attention(bench: Bench) -> None:
    (seq,) = a_linked_edit(bench)

    def scribble() -> None:
        with (bench.root / "second").open("r+b") as file:
            file.write(b"mine")

    class Scribbled(FileSystem):
        def reach(self, call: str) -> None:
            if call == "fsync":
                scribble()

        def hold_alone(self, handle: int) -> bool:
            return handle < 0  # as where nobody can be kept out

    result = bench.apply(bench.plan(seq), Scribbled())
    assert result.outcome is Outcome.FAILED
    assert "a.txt was written to at the same moment" in result.results[0].reason
    assert bench.entry(seq).state is EntryState.ATTENTION
    assert (bench.read("second") or b"").startswith(b"mine")
    assert not bench.ledger.open_undos()


def test_a_file_that_is_open_in_another_program_is_refused_and_its_batch_with_it(bench: Bench) -> None:
    if sys.platform != "linux":
        pytest.skip("only there others can be kept out of a file")
    (seq,) = a_linked_edit(bench)
    bench.put("z.txt", L10)
    other = bench.agent(edited(L10, _2="two"), "z.txt")
    before = sight(bench)
    with (bench.root / "second").open("ab"):
        result = bench.undo(seq, other)
    assert result.outcome is Outcome.REFUSED
    assert "a.txt is open in another program" in result.results[0].reason
    assert (sight(bench), bench.ledger.open_undos()) == (before, ())
    assert bench.undo(seq, other).outcome is Outcome.UNDONE


def test_what_was_changed_in_place_with_others_about_is_told_with_the_result(bench: Bench) -> None:
    class Unfenced(FileSystem):
        def hold_alone(self, handle: int) -> bool:
            return handle < 0

    (seq,) = a_linked_edit(bench)
    result = bench.apply(bench.plan(seq), Unfenced())
    assert result.outcome is Outcome.UNDONE
    assert [each.path for each in result.warnings if each.code == "not_alone"] == ["a.txt"]


def test_a_file_put_into_a_folder_before_it_goes_makes_the_plan_stale_and_all_comes_back(
    bench: Bench,
) -> None:
    (seq,) = a_made_tree(bench)
    before = sight(bench)
    inode = (bench.root / "d/g").stat().st_ino
    plan = bench.plan(seq)
    with pytest.raises(StalePlan, match="not empty"):
        bench.apply(plan, Acting(1, lambda: bench.put("d/e/mine", b"mine\n")))
    assert sight(bench) == before | {"d/e/mine": (stat.S_IFREG | 0o644, b"mine\n")}
    assert (bench.root / "d/g").stat().st_ino == inode
    assert not bench.ledger.open_undos()
    assert bench.undo(seq).outcome is Outcome.UNDONE
    assert bench.read("d/e/mine") == b"mine\n"


def test_a_redo_makes_the_folders_again(bench: Bench) -> None:
    (seq,) = a_made_tree(bench)
    before = sight(bench)
    undo = bench.undo(seq).results[0].undo_seq_id
    assert undo is not None
    assert sight(bench) == {}
    assert bench.undo(undo).outcome is Outcome.UNDONE
    assert sight(bench) == before


def test_a_move_goes_back_with_mode_attributes_and_owner(bench: Bench) -> None:
    (seq,) = a_move(bench)
    moved = bench.root / "new/moved.txt"
    try:
        os.setxattr(moved, "user.tag", b"mine")
    except OSError:
        pytest.skip("this file system keeps no extended attributes")
    if os.geteuid() == 0:
        os.chown(moved, 12345, 54321)
    was = moved.stat()
    assert bench.undo(seq).outcome is Outcome.UNDONE
    now = (bench.root / "old.txt").stat()
    assert os.listdir(bench.root) == ["old.txt"]
    assert (now.st_mode, now.st_uid, now.st_gid) == (was.st_mode, was.st_uid, was.st_gid)
    assert os.getxattr(bench.root / "old.txt", "user.tag") == b"mine"


def test_two_renames_in_place_of_a_swap_are_told_with_the_result(bench: Bench) -> None:
    (seq,) = an_edit(bench)
    result = bench.apply(bench.plan(seq), WithoutSwap())
    assert result.outcome is Outcome.UNDONE
    warning = result.warnings[-1]
    assert (warning.code, warning.path) == ("not_race_free", "a.txt")
    assert "not_race_free" not in {each.code for each in bench.undo(seq).warnings}


def test_a_failed_batch_leaves_inode_time_and_attributes_of_every_file(bench: Bench) -> None:
    (seq,) = an_edit(bench)
    path = bench.root / "a.txt"
    plan = bench.plan(seq)

    def refuse() -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    counting = Acting()
    bench.apply(plan, counting)
    last = max(at for at, call in enumerate(counting.calls, 1) if call in {"place", "exchange"})
    undo = bench.entry(seq).undone_by
    assert undo is not None
    bench.undo(undo)
    os.utime(path, ns=(10**18, 10**18))
    was = path.stat()
    result = bench.apply(bench.plan(seq), Acting(last, refuse))
    assert result.outcome is Outcome.FAILED
    now = path.stat()
    assert (now.st_ino, now.st_mtime_ns, now.st_mode) == (was.st_ino, was.st_mtime_ns, was.st_mode)


def test_what_cannot_go_back_now_is_said_to_wait_and_goes_back_at_the_next_start(bench: Bench) -> None:
    (seq,) = an_edit(bench)
    before = sight(bench)

    class Dying(FileSystem):
        dead = False

        def reach(self, call: str) -> None:
            if self.dead:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            self.dead = call == "exchange"

    result = bench.apply(bench.plan(seq), Dying())
    assert result.outcome is Outcome.FAILED
    assert "the next start puts back what was written" in result.results[0].reason
    assert len(recover(bench.ledger)) == 1
    assert sight(bench) == before


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_a_folder_that_may_not_be_written_is_refused_and_nothing_is_done_in_place() -> None:
    with tempfile.TemporaryDirectory() as name:
        bench = Bench(Path(name))
        bench.put("d/a.txt", L10)
        seq = bench.agent(TWO, "d/a.txt")
        bench.close()
        give_away(Path(name))
        (bench.root / "d").chmod(0o555)
        assert told_to_nobody(bench, seq).startswith("refused d/a.txt: the disk refused: permission denied")
        assert (bench.root / "d/a.txt").read_bytes() == TWO
        assert os.listdir(bench.root / "d") == ["a.txt"]


def told_to_nobody(bench: Bench, seq: SeqId) -> str:
    """What the undo comes to when a user without rights asks for it."""
    reader, writer = os.pipe()

    def tell() -> None:
        result = Bench(bench.root.parent, bench.clock).undo(seq)
        os.write(writer, f"{result.outcome} {result.results[0].reason}".encode())

    child = forked(tell, rights=False)
    os.close(writer)
    with os.fdopen(reader) as answer:
        told = answer.read()
    assert exit_code(child) == 0
    return told
