"""Killed, failed and overtaken at every file-system call: all before or all after, never a lost byte."""

import errno
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sulcus_panel.core.errors import StalePlan
from sulcus_panel.core.model import EntryState, SeqId
from sulcus_panel.core.undo.fs import FileSystem
from sulcus_panel.core.undo.model import Outcome
from sulcus_panel.core.undo.recover import recover
from tests.support.bench import L10, Bench, edited

Picture = dict[str, tuple[int, bytes]]


class Counting(FileSystem):
    """Counts its calls."""

    def __init__(self) -> None:
        self.calls = 0

    def reach(self, call: str) -> None:
        del call
        self.calls += 1


class Killed(Counting):
    """Ends the process at one call, as a power button would."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at = at

    def reach(self, call: str) -> None:
        super().reach(call)
        if self.calls == self.at:
            os._exit(137)


class Failing(Counting):
    """Fails one call, or that one and every later one."""

    def __init__(self, at: int, code: int, *, for_good: bool) -> None:
        super().__init__()
        self.at, self.code, self.for_good = at, code, for_good

    def reach(self, call: str) -> None:
        super().reach(call)
        if self.calls == self.at or (self.for_good and self.calls > self.at):
            raise OSError(self.code, os.strerror(self.code))


class Meddling(Counting):
    """Lets somebody else act right before one kind of call."""

    def __init__(self, call: str, act: Callable[[], object]) -> None:
        super().__init__()
        self.call, self.act = call, act

    def reach(self, call: str) -> None:
        if call == self.call and not self.calls:
            self.calls += 1
            self.act()


def an_edit(bench: Bench) -> tuple[SeqId, ...]:
    bench.put("a.txt", L10, 0o640)
    first = bench.agent(edited(L10, _2="two"))
    bench.agent(edited(L10, _2="two", _8="eight"))
    return (first,)


def a_creation(bench: Bench) -> tuple[SeqId, ...]:
    return (bench.agent(b"new\n", "sub/new.txt"),)


def a_deletion(bench: Bench) -> tuple[SeqId, ...]:
    bench.put("deep/old.txt", b"old\n")
    first = bench.agent(None, "deep/old.txt")
    (bench.root / "deep").rmdir()
    return (first,)


def a_mode(bench: Bench) -> tuple[SeqId, ...]:
    bench.put("run.sh", b"x\n", 0o644)
    return (bench.agent(b"x\n", "run.sh", mode=0o755),)


def a_link(bench: Bench) -> tuple[SeqId, ...]:
    bench.put("l", b"was a file\n")
    return (bench.link("l", "elsewhere"),)


def a_batch(bench: Bench) -> tuple[SeqId, ...]:
    bench.put("a.txt", L10)
    bench.put("gone.txt", b"gone\n")
    return (
        bench.turn({"a.txt": edited(L10, _2="two"), "gone.txt": None, "made.txt": b"made\n"}),
        bench.agent(edited(L10, _2="two", _8="eight")),
    )


SCENARIOS = [an_edit, a_creation, a_deletion, a_mode, a_link, a_batch]
Scenario = Callable[[Bench], tuple[SeqId, ...]]


@contextmanager
def stage(folder: Path, scenario: Scenario) -> Iterator[tuple[Bench, tuple[SeqId, ...], Picture]]:
    folder.mkdir()
    bench = Bench(folder)
    try:
        seq_ids = scenario(bench)
        yield bench, seq_ids, bench.picture()
    finally:
        bench.close()


def measure(folder: Path, scenario: Scenario) -> tuple[int, Picture]:
    """Return how many calls the undo makes, and what the disk shows afterwards."""
    with stage(folder, scenario) as (bench, seq_ids, _):
        counting = Counting()
        assert bench.apply(bench.plan(*seq_ids), counting).outcome is Outcome.UNDONE
        return counting.calls, bench.picture()


def killed_at(bench: Bench, seq_ids: tuple[SeqId, ...], call: int) -> int:
    """Run the undo in a child that ends at the given call; returns its exit code."""
    bench.ledger.close()
    child = os.fork()
    if child == 0:
        own = Bench(bench.root.parent, bench.clock)
        own.ids = bench.ids
        own.apply(own.plan(*seq_ids), Killed(call))
        os._exit(0)
    _, status = os.waitpid(child, 0)
    bench.ledger = Bench(bench.root.parent, bench.clock).ledger
    return os.waitstatus_to_exitcode(status)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_kill_at_any_call_leaves_all_before_or_all_after(tmp_path: Path, scenario: Scenario) -> None:
    calls, after = measure(tmp_path / "whole", scenario)
    for call in range(1, calls + 1):
        with stage(tmp_path / f"killed-{call}", scenario) as (bench, seq_ids, before):
            assert killed_at(bench, seq_ids, call) == 137
            messages = recover(bench.ledger)
            now = bench.picture()
            assert now in (before, after), call
            assert len(messages) == 1
            done = now == after
            expected = EntryState.UNDONE if done else EntryState.RECORDED
            assert {bench.entry(seq).state for seq in seq_ids} == {expected}
            assert not bench.ledger.open_undos()
            assert recover(bench.ledger) == ()
            again = bench.undo(*seq_ids)
            assert again.outcome is (Outcome.ALREADY_UNDONE if done else Outcome.UNDONE)
            assert bench.picture() == after


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
@pytest.mark.parametrize("for_good", [False, True])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_failure_at_any_call_is_told_and_leaves_all_before_or_all_after(
    tmp_path: Path, scenario: Scenario, code: int, for_good: bool
) -> None:
    calls, after = measure(tmp_path / "whole", scenario)
    for call in range(1, calls + 1):
        with stage(tmp_path / f"failed-{call}", scenario) as (bench, seq_ids, before):
            result = bench.apply(bench.plan(*seq_ids), Failing(call, code, for_good=for_good))
            claims_done = result.outcome in {Outcome.UNDONE, Outcome.APPLIED_UNCONFIRMED}
            recover(bench.ledger)
            now = bench.picture()
            assert now == (after if claims_done else before) or (for_good and now in (before, after)), call
            done = EntryState.UNDONE if now == after else EntryState.RECORDED
            assert {bench.entry(seq).state for seq in seq_ids} == {done}
            assert bench.undo(*seq_ids).outcome is (
                Outcome.ALREADY_UNDONE if now == after else Outcome.UNDONE
            )


@pytest.mark.parametrize("call", ["create", "write", "fsync", "exchange"])
def test_a_writer_who_gets_in_between_is_never_lost(tmp_path: Path, call: str) -> None:
    with stage(tmp_path / "x", an_edit) as (bench, seq_ids, _):
        mine = edited(L10, _2="two", _8="eight", _9="mine")
        plan = bench.plan(*seq_ids)
        with pytest.raises(StalePlan):
            bench.apply(plan, Meddling(call, lambda: bench.put("a.txt", mine)))
        assert bench.read("a.txt") == mine
        assert os.listdir(bench.root) == ["a.txt"]
        assert not bench.ledger.open_undos()


def test_a_file_edited_while_it_is_taken_away_comes_back_with_the_edit(tmp_path: Path) -> None:
    with stage(tmp_path / "x", a_creation) as (bench, seq_ids, _):
        plan = bench.plan(*seq_ids)
        with pytest.raises(StalePlan):
            bench.apply(plan, Meddling("place", lambda: bench.put("sub/new.txt", b"mine\n")))
        assert bench.read("sub/new.txt") == b"mine\n"


def test_a_newcomer_at_the_path_of_a_returning_file_is_never_overwritten(tmp_path: Path) -> None:
    with stage(tmp_path / "x", a_deletion) as (bench, seq_ids, _):
        plan = bench.plan(*seq_ids)
        with pytest.raises(StalePlan):
            bench.apply(plan, Meddling("place", lambda: bench.put("deep/old.txt", b"newcomer\n")))
        assert bench.read("deep/old.txt") == b"newcomer\n"
        assert os.listdir(bench.root / "deep") == ["old.txt"]


def test_bytes_of_somebody_else_after_a_kill_stay_and_ask_for_attention(tmp_path: Path) -> None:
    with stage(tmp_path / "x", an_edit) as (bench, seq_ids, _):
        assert killed_at(bench, seq_ids, 5) == 137
        bench.put("a.txt", b"somebody else\n")
        (message,) = recover(bench.ledger)
        assert "a.txt" in message
        assert bench.read("a.txt") == b"somebody else\n"
        assert bench.entry(seq_ids[0]).state is EntryState.ATTENTION


def test_an_undo_first_settles_what_a_killed_one_left(tmp_path: Path) -> None:
    with stage(tmp_path / "x", an_edit) as (bench, seq_ids, _):
        plan = bench.plan(*seq_ids)
        assert killed_at(bench, seq_ids, 3) == 137
        assert bench.apply(plan).outcome is Outcome.UNDONE
        assert bench.read("a.txt") == edited(L10, _8="eight")
        assert os.listdir(bench.root) == ["a.txt"]


def test_a_ledger_that_cannot_record_at_the_end_is_told_and_records_at_the_next_start(tmp_path: Path) -> None:
    bench = Bench(tmp_path, busy_ms=20)
    (first,) = an_edit(bench)
    other = sqlite3.connect(bench.home.database, isolation_level=None)
    result = bench.apply(
        bench.plan(first), Meddling("fsync folder", lambda: other.execute("BEGIN IMMEDIATE"))
    )
    assert result.outcome is Outcome.APPLIED_UNCONFIRMED
    assert "could not record" in result.results[0].reason
    assert bench.read("a.txt") == edited(L10, _8="eight")
    other.execute("ROLLBACK")
    other.close()
    assert len(recover(bench.ledger)) == 1
    assert bench.entry(first).state is EntryState.UNDONE
    bench.close()
