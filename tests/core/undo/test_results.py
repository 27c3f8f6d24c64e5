"""What a result says of the disk was read from the disk, and what it could not read it does not claim."""

import errno
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

from sulcus_panel.core.model import EntryState, SeqId
from sulcus_panel.core.undo.fs import FileSystem
from sulcus_panel.core.undo.model import Outcome, PathResult, Warning
from sulcus_panel.core.undo.results import ReadBack, not_agreed
from tests.support.bench import L10, Bench, digest, edited

TWO = edited(L10, _2="two")
BOTH = edited(TWO, _8="eight")


class AfterTheSwitch(FileSystem):
    """Lets somebody else act, or the disk fail, right after the first file stands in its place."""

    def __init__(self, act: Callable[[], object]) -> None:
        self.act = act
        self.calls = 0

    def reach(self, call: str) -> None:
        if call == "fsync folder":
            self.calls += 1
            if self.calls == 1:
                self.act()


def refuse() -> None:
    raise OSError(errno.EIO, os.strerror(errno.EIO))


def governed(bench: Bench) -> list[tuple[str, str]]:
    return [
        (row.kind, row.summary) for row in bench.ledger.governance(bench.workspace.id, kind_prefix="undo")
    ]


def told(path: PathResult) -> tuple[str | None, str | None, bool]:
    return path.before_sha256, path.after_sha256, path.read_back


def test_a_file_that_was_overwritten_after_the_switch_is_told_as_it_is(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(TWO)
    result = bench.apply(bench.plan(first), AfterTheSwitch(lambda: bench.put("a.txt", b"mine\n")))
    assert result.outcome is Outcome.APPLIED_UNCONFIRMED
    (one,) = result.results
    assert one.reason == "a.txt has changed again since it was written"
    assert told(*one.paths) == (digest(TWO), digest(b"mine\n"), True)
    assert governed(bench) == [("undo.unconfirmed", f"#{first}, 1 file written; {one.reason}")]


def test_a_file_that_was_deleted_after_the_switch_is_told_as_gone(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(TWO)
    result = bench.apply(bench.plan(first), AfterTheSwitch((bench.root / "a.txt").unlink))
    (path,) = result.results[0].paths
    assert (path.after_sha256, path.read_back) == (None, True)


def test_what_cannot_be_read_back_is_not_called_read(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(TWO)

    def bar() -> None:
        (bench.root / "a.txt").unlink()
        os.mkfifo(bench.root / "a.txt")

    result = bench.apply(bench.plan(first), AfterTheSwitch(bar))
    (one,) = result.results
    assert (result.outcome, one.paths[0].read_back) == (Outcome.APPLIED_UNCONFIRMED, False)
    assert one.reason == "a.txt could not be read back: not a regular file"


def test_only_the_last_step_of_a_batch_is_read_back(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first, second = bench.agent(TWO), bench.agent(BOTH)
    newest, oldest = bench.undo(first, second).results
    assert [newest.seq_id, oldest.seq_id] == [second, first]
    assert told(*newest.paths) == (digest(BOTH), digest(TWO), False)
    assert told(*oldest.paths) == (digest(TWO), digest(L10), True)
    assert [kind for kind, _ in governed(bench)] == ["undo.applied"]


def test_steps_that_cancel_each_other_out_are_read_back_beside_what_is_written(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(TWO)
    undo = bench.undo(first).results[0].undo_seq_id
    other = bench.agent(b"new\n", "b.txt")
    assert undo is not None
    results = {one.seq_id: one for one in bench.undo(first, undo, other).results}
    assert results[undo].paths[0].read_back is False
    assert (results[first].paths[0].after_sha256, results[first].paths[0].read_back) == (digest(L10), True)


def test_what_is_written_for_good_on_a_failing_disk_is_not_called_applied(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(TWO)

    class Stuck(FileSystem):
        stuck = False

        def reach(self, call: str) -> None:
            self.stuck = self.stuck or call == "fsync folder"
            if self.stuck:
                refuse()

    result = bench.apply(bench.plan(first), Stuck())
    (one,) = result.results
    assert (result.outcome, bench.read("a.txt")) == (Outcome.APPLIED_UNCONFIRMED, L10)
    assert one.reason == "the files are written, but the disk refused: input/output error"
    assert (one.paths[0].after_sha256, one.paths[0].read_back) == (digest(L10), True)
    assert governed(bench) == [("undo.unconfirmed", f"#{first}, 1 file written; {one.reason}")]


def test_a_disk_that_is_stuck_and_a_ledger_that_is_busy_are_told_and_recorded_later(tmp_path: Path) -> None:
    bench = Bench(tmp_path, busy_ms=20)
    bench.put("a.txt", L10)
    first = bench.agent(TWO)
    other = sqlite3.connect(bench.home.database, isolation_level=None)

    class Stuck(FileSystem):
        stuck = False

        def reach(self, call: str) -> None:
            if call == "fsync folder" and not self.stuck:
                self.stuck = True
                other.execute("BEGIN IMMEDIATE")
            if self.stuck:
                refuse()

    result = bench.apply(bench.plan(first), Stuck())
    assert result.outcome is Outcome.APPLIED_UNCONFIRMED
    assert "could not record" in result.results[0].reason
    assert result.results[0].undo_seq_id is None
    other.close()
    assert len(bench.ledger.open_undos()) == 1
    bench.close()


def test_an_entry_that_had_nothing_to_undo_does_not_fail_with_its_batch(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(TWO)
    gone = bench.agent(b"x\n", "b.txt")
    (bench.root / "b.txt").unlink()

    class Full(FileSystem):
        def reach(self, call: str) -> None:
            if call == "create":
                refuse()

    result = bench.apply(bench.plan(first, gone), Full())
    outcomes = {one.seq_id: one.outcome for one in result.results}
    assert outcomes == {SeqId(first): Outcome.FAILED, SeqId(gone): Outcome.ALREADY_UNDONE}


def test_an_error_right_at_the_end_is_not_called_failed_and_the_entry_is_undone(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(TWO)
    result = bench.apply(bench.plan(first), AfterTheSwitch(refuse))
    assert (result.outcome, bench.read("a.txt")) == (Outcome.APPLIED_UNCONFIRMED, L10)
    assert result.results[0].reason == "the files are written, but the disk refused: input/output error"
    assert bench.entry(first).state is EntryState.UNDONE
    assert not bench.ledger.open_undos()


def test_what_is_held_names_every_yes_that_it_needs(bench: Bench) -> None:
    bench.put("a.txt", L10)
    plan = bench.plan(bench.agent(TWO))
    result = not_agreed(plan, ["one", "two"])
    assert (result.outcome, result.results[0].outcome) == (Outcome.HELD, Outcome.HELD)
    assert result.results[0].reason == "needs the person's own yes: one; two"


def test_warnings_of_the_writing_come_after_those_of_the_plan(bench: Bench) -> None:
    bench.put("a.txt", L10)
    plan = bench.plan(bench.agent(TWO))
    late = Warning("late_write", "kept")
    result = ReadBack.of(str(bench.root), plan).done("", {}, (late,))
    assert result.warnings == (*plan.warnings, late)
