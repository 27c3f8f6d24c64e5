"""A file with several names keeps them all, and no moment of the writing loses a byte of either image."""

import os
import stat
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.core.disk import look
from sulcus_panel.core.model import LedgerPath, SeqId
from sulcus_panel.core.undo.back import put_back
from sulcus_panel.core.undo.fs import FileSystem
from sulcus_panel.core.undo.in_place import BACKWARD_PIECE, FORWARD_PIECE, is_halfway, is_mixture
from sulcus_panel.core.undo.model import Outcome
from sulcus_panel.core.undo.recover import recover
from sulcus_panel.core.undo.task import Mixed, Overtaken, Refused, Task
from sulcus_panel.core.undo.write import Writer
from tests.support.bench import Bench
from tests.support.children import exit_code, forked
from tests.support.ledgers import state

A = LedgerPath("a.txt")
LONG, SHORT = b"o" * (3 * FORWARD_PIECE + 5), b"n" * (FORWARD_PIECE + 3)


def task(before: bytes, after: bytes, mode: int = 0o644) -> Task:
    return Task(A, state(before), state(after, mode=mode), after, ".sulcus-op1.tmp", True, before)


SIZES = pytest.mark.parametrize(
    "one", [task(LONG, SHORT), task(SHORT, LONG), task(LONG, b""), task(b"", LONG), task(SHORT, LONG, 0o755)]
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path


def put(root: Path, data: bytes) -> None:
    """Give a.txt these bytes and a second name."""
    (root / A).write_bytes(data)
    (root / A).chmod(0o644)
    (root / "second").unlink(missing_ok=True)
    os.link(root / A, root / "second")


def run(root: Path, one: Task, fs: FileSystem | None = None) -> set[LedgerPath]:
    writer = Writer(str(root), fs or FileSystem())
    try:
        writer.check(one)
        writer.prepare(one)
        writer.switch(one)
        writer.finish([one])
        writer.sync([one])
    except Overtaken:
        assert not writer.touched
        raise
    finally:
        writer.close()
    return writer.touched


class Acting(FileSystem):
    """Something happens at the n-th call of one kind."""

    def __init__(self, call: str, at: int, act: Callable[[], object]) -> None:
        self.call, self.at, self.act = call, at, act
        self.seen: list[str] = []

    def reach(self, call: str) -> None:
        self.seen.append(call)
        if self.seen.count(self.call) == self.at and call == self.call:
            self.act()


@SIZES
def test_both_names_show_the_new_bytes_and_stay_one_file(root: Path, one: Task) -> None:
    put(root, one.displaced or b"")
    inode = (root / A).stat().st_ino
    assert run(root, one) == {A}
    assert (root / "second").read_bytes() == one.content
    assert (root / A).stat().st_ino == (root / "second").stat().st_ino == inode
    assert stat.S_IMODE((root / A).stat().st_mode) == one.after.mode
    assert sorted(os.listdir(root)) == [A, "second"]


def test_without_the_plans_word_a_second_name_is_refused(root: Path) -> None:
    put(root, LONG)
    with pytest.raises(Refused, match="second name"):
        run(root, replace(task(LONG, SHORT), in_place=False))
    assert (root / "second").read_bytes() == LONG


def test_a_name_among_several_is_removed_and_the_others_stay(root: Path) -> None:
    put(root, b"old")
    gone = replace(task(b"old", b""), after=state(None), content=None)
    for in_place in (True, False):
        run(root, replace(gone, in_place=in_place))
        assert os.listdir(root) == ["second"]
        os.link(root / "second", root / A)


class Unfenced(Acting):
    """As on a platform where nobody can be kept out of an open file."""

    def hold_alone(self, handle: int) -> bool:
        return handle < 0


class Stopping(FileSystem):
    """The disk fails for good after so many calls."""

    def __init__(self, left: int) -> None:
        self.left = left

    def reach(self, call: str) -> None:
        self.left -= 1
        if self.left < 0:
            raise OSError(5, os.strerror(5), call)


@SIZES
def test_a_failure_at_any_call_goes_back_to_all_before(root: Path, one: Task) -> None:
    before = one.displaced or b""
    put(root, before)
    counting = Acting("", 0, lambda: None)
    run(root, one, counting)
    for at in range(len(counting.seen)):
        put(root, before)
        with pytest.raises(OSError, match="Input/output"):
            run(root, one, Stopping(at))
        assert put_back(str(root), one, FileSystem())
        assert (root / "second").read_bytes() == before
        assert stat.S_IMODE((root / A).stat().st_mode) == 0o644


@SIZES
def test_a_way_back_that_is_stopped_at_any_call_is_known_and_taken_up_again(root: Path, one: Task) -> None:
    before = one.displaced or b""
    left = 0
    while True:
        put(root, one.content or b"")
        (root / A).chmod(one.after.mode or 0)
        if put_back(str(root), one, Stopping(left)):
            break
        found = look(str(root), A)
        assert is_halfway(one, found) or found.content == before, left
        assert put_back(str(root), one, FileSystem())
        assert (root / "second").read_bytes() == before
        left += 1
    assert left >= 2


def test_bytes_of_somebody_else_are_never_put_back_over(root: Path) -> None:
    put(root, SHORT[:10] + b"mine" + LONG[14:])
    assert not put_back(str(root), task(LONG, SHORT), FileSystem())
    assert (root / A).read_bytes()[10:14] == b"mine"


def test_who_writes_before_us_is_seen_and_nothing_is_changed(root: Path) -> None:
    put(root, LONG)
    with pytest.raises(Overtaken):
        run(root, task(LONG, SHORT), Acting("open", 2, lambda: (root / "second").write_bytes(b"mine")))
    assert (root / A).read_bytes() == b"mine"


def test_who_puts_another_file_there_meanwhile_keeps_it_and_the_other_names_go_back(root: Path) -> None:
    put(root, LONG)

    def replace_it() -> None:
        (root / "new").write_bytes(b"mine")
        (root / "new").rename(root / A)

    with pytest.raises(Overtaken):
        run(root, task(LONG, SHORT), Acting("write", 2, replace_it))
    assert ((root / A).read_bytes(), (root / "second").read_bytes()) == (b"mine", LONG)


def test_who_writes_into_it_at_the_same_moment_is_told_of_and_not_guessed_at(root: Path) -> None:
    put(root, LONG)

    def scribble() -> None:
        with (root / "second").open("r+b") as file:
            file.write(b"mine")

    with pytest.raises(Mixed, match="at the same moment"):
        run(root, task(LONG, SHORT), Unfenced("fsync", 1, scribble))
    assert (root / A).read_bytes() == b"mine" + SHORT[4:]
    assert not put_back(str(root), task(LONG, SHORT), FileSystem())


@pytest.mark.skipif(sys.platform != "linux", reason="only there others can be kept out of a file")
@pytest.mark.parametrize("one", [task(LONG, SHORT), task(SHORT, LONG), task(SHORT, LONG, 0o755)])
def test_what_another_program_appends_at_any_moment_is_never_lost(root: Path, one: Task) -> None:
    put(root, one.displaced or b"")
    counting = Acting("", 0, lambda: None)
    run(root, one, counting)
    for at, call in enumerate(counting.seen):
        put(root, one.displaced or b"")
        writers: list[int] = []

        def append(writers: list[int] = writers) -> None:
            writers.append(forked(lambda: appended_to(root / "second")))

        expected = one.content or b""
        try:
            run(root, one, Acting(call, counting.seen[: at + 1].count(call), append))
        except (Overtaken, Refused):
            expected = one.displaced or b""
        assert exit_code(writers[0]) == 0
        assert (root / A).read_bytes() == (root / "second").read_bytes() == expected + b"mine\n", call


def appended_to(place: Path) -> None:
    with place.open("ab") as file:
        file.write(b"mine\n")


@pytest.mark.skipif(sys.platform != "linux", reason="only there others can be kept out of a file")
def test_a_file_that_a_program_keeps_open_is_refused_before_anything_is_changed(root: Path) -> None:
    put(root, LONG)
    with (root / "second").open("ab"), pytest.raises(Refused, match="open in another program"):
        run(root, task(LONG, SHORT))
    assert (root / A).read_bytes() == LONG


@pytest.mark.parametrize("one", [task(LONG, SHORT), task(SHORT, LONG)])
def test_where_nobody_can_be_kept_out_what_is_appended_stops_the_write_and_stays(
    root: Path, one: Task
) -> None:
    put(root, one.displaced or b"")
    with pytest.raises(Mixed):
        run(root, one, Unfenced("write", 1, lambda: appended_to(root / "second")))
    assert (root / A).read_bytes().endswith(b"mine\n")
    assert not put_back(str(root), one, FileSystem())


def test_where_nobody_can_be_kept_out_that_is_told(root: Path) -> None:
    put(root, LONG)
    writer = Writer(str(root), Unfenced("", 0, lambda: None))
    writer.prepare(task(LONG, SHORT))
    writer.switch(task(LONG, SHORT))
    writer.close()
    assert (writer.open_to_others, writer.not_race_free) == ({A}, set())


def test_a_disk_that_cannot_keep_the_room_is_not_begun_on(root: Path) -> None:
    class NoRoom(FileSystem):
        def keep_room(self, handle: int, size: int) -> bool:
            return (handle, size) == (0, 0)

    put(root, SHORT)
    with pytest.raises(Refused, match="room"):
        run(root, task(SHORT, LONG), NoRoom())
    assert (root / A).read_bytes() == SHORT


def test_a_full_disk_is_said_before_the_first_byte_is_changed(root: Path) -> None:
    def full() -> None:
        raise OSError(28, os.strerror(28))

    put(root, b"x")
    fs = Acting("fallocate", 1, full)
    with pytest.raises(OSError, match="No space"):
        run(root, task(b"x", LONG), fs)
    assert "write" not in fs.seen
    assert (root / A).read_bytes() == b"x"


def test_the_first_bytes_of_the_new_image_and_the_rest_of_the_old_are_a_mixture() -> None:
    one, other = b"abcdef", b"XYZ"
    for before, after in ((one, other), (other, one)):
        for count in range(len(after) + 1):
            assert is_mixture(after[:count] + before[count:], before, after)
        assert is_mixture(after, before, after)
    for foreign in (b"", b"XbYdef", b"abcdeX", b"XYZdeX", b"XYZdefg", b"aYcdef"):
        assert not is_mixture(foreign, one, other)


@given(st.binary(max_size=40), st.binary(max_size=40), st.integers(0, 80), st.integers(0, 80))
def test_every_stage_there_and_back_is_a_mixture(before: bytes, after: bytes, there: int, back: int) -> None:
    there = min(there, len(after))
    stage = after[:there] + before[there:]
    assert is_mixture(stage, before, after)
    stage = stage[: len(before)] if len(stage) > len(before) else stage
    stage += before[len(stage) :][:back]
    assert is_mixture(stage, before, after)
    cut = len(stage) - back
    assert is_mixture(stage[: max(cut, 0)] + before[max(cut, 0) : len(stage)], before, after)


def test_the_pieces_of_the_way_back_lie_within_a_page() -> None:
    assert BACKWARD_PIECE <= 4096


def a_file_changed_and_given_other_names(bench: Bench) -> SeqId:
    """One command: a file is written, one name of it is new, another was a link before."""
    bench.put("a.txt", LONG)
    os.symlink("a.txt", bench.root / "z.txt")
    names = ("a.txt", "b.txt", "z.txt")
    was = {name: bench.look(name) for name in names}
    (bench.root / "z.txt").unlink()
    bench.put("a.txt", SHORT)
    for name in names[1:]:
        os.link(bench.root / "a.txt", bench.root / name)
    return bench.record({name: (before, bench.look(name)) for name, before in was.items()})


def test_the_names_that_a_file_was_given_go_and_leave_nothing_behind(bench: Bench) -> None:
    seq = a_file_changed_and_given_other_names(bench)
    after = bench.picture()
    result = bench.undo(seq)
    assert result.outcome is Outcome.UNDONE
    assert "late_write" not in {warning.code for warning in result.warnings}
    assert sorted(os.listdir(bench.root)) == ["a.txt", "z.txt"]
    assert (bench.read("a.txt"), os.readlink(bench.root / "z.txt")) == (LONG, "a.txt")
    bench.undo(result.results[0].undo_seq_id or 0)
    assert bench.picture() == after


def test_a_failure_among_several_names_goes_back_to_all_before(bench: Bench) -> None:
    seq = a_file_changed_and_given_other_names(bench)
    before = bench.picture()
    for at in range(100):
        if bench.apply(bench.plan(seq), Stopping(at)).outcome is not Outcome.FAILED:
            break
        recover(bench.ledger)
        assert bench.picture() == before
    assert at > 5
