"""Names that are one file, folders, moves, disks that cannot swap names: killed and failed at every call too."""

import errno
import os
import sqlite3
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from sulcus_panel.core.errors import LedgerBusy, StalePlan
from sulcus_panel.core.model import DiskFile, EntryState, SeqId
from sulcus_panel.core.undo.fs import FileSystem
from sulcus_panel.core.undo.in_place import FORWARD_PIECE
from sulcus_panel.core.undo.model import Outcome
from sulcus_panel.core.undo.recover import recover
from tests.support.bench import L10, Bench, edited
from tests.support.children import exit_code, forked, in_a_child

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


CASES = [
    pytest.param(scenario, kind, id=f"{scenario.__name__}-{kind.__name__}")
    for scenario, kind in (
        (a_linked_batch, Acting),
        (a_removed_tree, Acting),
        (a_folder_mode, Acting),
        (an_edit, WithoutSwap),
    )
]


@contextmanager
def stage(folder: Path, scenario: Scenario) -> Iterator[tuple[Bench, tuple[SeqId, ...], Picture]]:
    folder.mkdir()
    bench = Bench(folder)
    try:
        seq_ids = scenario(bench)
        yield bench, seq_ids, sight(bench)
    finally:
        bench.close()


def measure(folder: Path, scenario: Scenario, kind: type[Acting]) -> tuple[int, Picture]:
    with stage(folder, scenario) as (bench, seq_ids, _):
        fs = kind()
        result = bench.apply(bench.plan(*seq_ids), fs)
        assert result.outcome is Outcome.UNDONE, result
        return len(fs.calls), sight(bench)


def killed(bench: Bench, act: Callable[[Bench, Callable[[], object]], object]) -> int:
    """Let a child act on the same workspace and end where it says so; returns its exit code."""
    bench.ledger.close()

    def act_there() -> None:
        own = Bench(bench.root.parent, bench.clock)
        own.ids = bench.ids
        act(own, lambda: os._exit(137))

    code = in_a_child(act_there)
    bench.ledger = Bench(bench.root.parent, bench.clock).ledger
    return code


@pytest.mark.parametrize(("scenario", "kind"), CASES)
def test_a_kill_at_any_call_leaves_all_before_or_all_after(
    tmp_path: Path, scenario: Scenario, kind: type[Acting]
) -> None:
    calls, after = measure(tmp_path / "whole", scenario, kind)
    for call in range(1, calls + 1):
        with stage(tmp_path / f"killed-{call}", scenario) as (bench, seq_ids, before):
            inodes = {path: os.lstat(bench.root / path).st_ino for path in ("second",) if path in before}
            code = killed(bench, partial(applied, seq_ids, kind, call))
            assert code == 137
            messages = recover(bench.ledger, kind())
            assert len(messages) == 1
            now = sight(bench)
            assert now in (before, after), (call, messages)
            done = EntryState.UNDONE if now == after else EntryState.RECORDED
            assert {bench.entry(seq).state for seq in seq_ids} == {done}
            assert not bench.ledger.open_undos()
            for path, inode in inodes.items():
                assert os.lstat(bench.root / path).st_ino == inode
            bench.undo(*seq_ids)
            assert sight(bench) == after


def applied(
    seq_ids: tuple[SeqId, ...], kind: type[Acting], at: int, own: Bench, end: Callable[[], object]
) -> None:
    own.apply(own.plan(*seq_ids), kind(at, end))


def recovered(kind: type[Acting], at: int, own: Bench, end: Callable[[], object]) -> None:
    recover(own.ledger, kind(at, end))


@pytest.mark.parametrize("scenario", [a_linked_batch, a_removed_tree, an_edit])
@pytest.mark.parametrize("share", [0.5, 0.7, 0.85])
def test_a_recovery_that_is_killed_at_any_call_comes_to_the_same_end(
    tmp_path: Path, scenario: Scenario, share: float
) -> None:
    kind = WithoutSwap if scenario is an_edit else Acting
    calls, after = measure(tmp_path / "whole", scenario, kind)
    at = 0
    code = 137
    while code == 137:
        at += 1
        with stage(tmp_path / f"killed-{at}", scenario) as (bench, seq_ids, before):
            assert killed(bench, partial(applied, seq_ids, kind, int(calls * share))) == 137
            code = killed(bench, partial(recovered, kind, at))
            recover(bench.ledger, kind())
            assert sight(bench) in (before, after), at
            assert not bench.ledger.open_undos()
            assert recover(bench.ledger) == ()
            bench.undo(*seq_ids)
            assert sight(bench) == after


@pytest.mark.parametrize(("code", "for_good"), [(errno.ENOSPC, False), (errno.EIO, True)])
@pytest.mark.parametrize(("scenario", "kind"), CASES)
def test_a_failure_at_any_call_is_told_and_leaves_all_before_or_all_after(
    tmp_path: Path, scenario: Scenario, kind: type[Acting], code: int, for_good: bool
) -> None:
    calls, after = measure(tmp_path / "whole", scenario, kind)

    def fail() -> None:
        fs.at = len(fs.calls) + 1 if for_good else 0
        raise OSError(code, os.strerror(code))

    for call in range(1, calls + 1):
        with stage(tmp_path / f"failed-{call}", scenario) as (bench, seq_ids, before):
            fs = kind(call, fail)
            result = bench.apply(bench.plan(*seq_ids), fs)
            claims_done = result.outcome in {Outcome.UNDONE, Outcome.APPLIED_UNCONFIRMED}
            recover(bench.ledger, kind())
            now = sight(bench)
            assert now in (before, after), (call, result)
            assert now == (after if claims_done else before) or for_good, (call, result)
            assert not bench.ledger.open_undos()
            bench.undo(*seq_ids)
            assert sight(bench) == after


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

    result = bench.apply(bench.plan(seq), Scribbled())
    assert result.outcome is Outcome.FAILED
    assert "a.txt was written to at the same moment" in result.results[0].reason
    assert bench.entry(seq).state is EntryState.ATTENTION
    assert (bench.read("second") or b"").startswith(b"mine")
    assert not bench.ledger.open_undos()


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
        for folder, _, names in os.walk(name):
            for place in (folder, *(os.path.join(folder, each) for each in names)):
                os.chown(place, 65534, 65534)
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
