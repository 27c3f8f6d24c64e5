"""Killed, failed and overtaken at every file-system call and ledger statement: all before or all after."""

import errno
import os
import resource
import signal
import sqlite3
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from sulcus_panel.core.errors import LedgerBusy, StalePlan
from sulcus_panel.core.model import EntryState, SeqId
from sulcus_panel.core.undo.model import Outcome
from sulcus_panel.core.undo.recover import recover
from sulcus_panel.core.undo.trash import purge_trash
from tests.support.bench import L10, Bench, edited
from tests.support.broken_calls import Counting, Meddling
from tests.support.sweep import (
    DONE,
    Stage,
    sweep_double_failures,
    sweep_failures,
    sweep_kills,
    sweep_kills_of_recovery,
    undone,
)
from tests.support.undo_scenarios import (
    SCENARIOS,
    Scenario,
    a_creation,
    a_deletion,
    a_folder_made,
    a_link_for_a_file,
    an_edit,
)

LEAST_KILLS, LEAST_FAILURES = 2000, 1000


@pytest.fixture(scope="module")
def counts() -> Counter[str]:
    """What all sweeps of this file came to."""
    return Counter()


@pytest.fixture
def edit(tmp_path: Path) -> Iterator[tuple[Bench, SeqId]]:
    bench = Bench(tmp_path)
    (seq_id,) = an_edit(bench)
    yield bench, seq_id
    bench.close()


def refuse(call: str, code: int, times: int = 1) -> Counting:
    """Fails the first calls of one kind."""
    left = [times]

    def fail(number: int, what: str) -> None:
        del number
        if what == call and left[0]:
            left[0] -= 1
            raise OSError(code, os.strerror(code))

    return Counting(fail)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_f099_a_kill_at_any_call_or_statement_leaves_all_before_or_all_after(
    tmp_path: Path, scenario: Scenario, counts: Counter[str]
) -> None:
    sweep_kills(Stage(tmp_path, scenario), counts)
    counts["scenarios"] += 1


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_f100_a_recovery_that_is_killed_itself_comes_to_the_same_end(
    tmp_path: Path, scenario: Scenario, counts: Counter[str]
) -> None:
    stage = Stage(tmp_path, scenario)
    sweep_kills_of_recovery(stage, counts, every=1 + stage.points // 8)
    counts["scenarios"] += 1


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_f101_a_failure_at_any_call_is_told_and_leaves_all_before_or_all_after(
    tmp_path: Path, scenario: Scenario, counts: Counter[str]
) -> None:
    sweep_failures(Stage(tmp_path, scenario), counts)
    counts["scenarios"] += 1


@pytest.mark.parametrize("scenario", [an_edit, a_deletion, a_folder_made, a_link_for_a_file])
def test_two_failures_leave_all_before_or_all_after_too(
    tmp_path: Path, scenario: Scenario, counts: Counter[str]
) -> None:
    sweep_double_failures(Stage(tmp_path, scenario), counts)


def test_the_sweeps_have_reached_their_numbers(counts: Counter[str]) -> None:
    if counts["scenarios"] < 3 * len(SCENARIOS):
        pytest.skip("only some of the sweeps were run")
    assert counts["kills"] + counts["kills of a recovery"] >= LEAST_KILLS
    assert counts["failed calls"] >= LEAST_FAILURES


@pytest.mark.parametrize("call", ["create", "write", "fsync", "exchange"])
def test_f085_a_writer_who_gets_in_between_is_never_lost(edit: tuple[Bench, SeqId], call: str) -> None:
    bench, seq_id = edit
    mine = edited(L10, _2="two", _8="eight", _9="mine")
    plan = bench.plan(seq_id)
    with pytest.raises(StalePlan):
        bench.apply(plan, Meddling(call, lambda: bench.put("a.txt", mine)))
    assert bench.read("a.txt") == mine
    assert os.listdir(bench.root) == ["a.txt"]
    assert not bench.ledger.open_undos()


def test_f085_a_file_edited_while_it_is_taken_away_comes_back_with_the_edit(bench: Bench) -> None:
    plan = bench.plan(*a_creation(bench))
    with pytest.raises(StalePlan):
        bench.apply(plan, Meddling("place", lambda: bench.put("sub/new.txt", b"mine\n")))
    assert bench.read("sub/new.txt") == b"mine\n"


def test_f085_a_newcomer_at_the_path_of_a_returning_file_is_never_overwritten(bench: Bench) -> None:
    plan = bench.plan(*a_deletion(bench))
    with pytest.raises(StalePlan):
        bench.apply(plan, Meddling("place", lambda: bench.put("deep/down/old.txt", b"newcomer\n")))
    assert bench.read("deep/down/old.txt") == b"newcomer\n"
    assert os.listdir(bench.root / "deep/down") == ["old.txt"]


def test_f086_of_two_writers_at_the_same_moment_both_are_kept_and_shown(edit: tuple[Bench, SeqId]) -> None:
    bench, seq_id = edit
    writes = iter([b"the first\n", b"the second\n"])

    def meddle(number: int, what: str) -> None:
        del number
        if what == "exchange":
            bench.put("a.txt", next(writes))

    with pytest.raises(StalePlan) as error:
        bench.apply(bench.plan(seq_id), Counting(meddle))
    (kept,) = [name for name in os.listdir(bench.root) if name != "a.txt"]
    assert ".sulcus-conflict-" in kept
    assert kept in error.value.detail
    assert {bench.read("a.txt"), bench.read(kept)} == {b"the first\n", b"the second\n"}


def test_f087_what_a_program_writes_to_the_old_file_after_the_switch_is_kept_and_told(
    edit: tuple[Bench, SeqId],
) -> None:
    bench, seq_id = edit
    with (bench.root / "a.txt").open("ab", buffering=0) as held:
        assert bench.undo(seq_id).outcome is Outcome.UNDONE
        held.write(b"late\n")
    assert bench.read("a.txt") == edited(L10, _8="eight")
    assert purge_trash(bench.ledger, bench.clock() + timedelta(hours=1)) == ()
    (told,) = purge_trash(bench.ledger, bench.clock() + timedelta(hours=25))
    assert "a.txt" in told
    assert [kept.read_bytes()[-5:] for kept in (bench.home.root / "trash").iterdir()] == [b"late\n"]


def test_f102_a_short_write_is_continued(edit: tuple[Bench, SeqId]) -> None:
    bench, seq_id = edit
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    short = iter([40, limits[0]])

    def shorten(number: int, what: str) -> None:
        del number
        if what == "write":
            resource.setrlimit(resource.RLIMIT_FSIZE, (next(short), limits[1]))

    counting = Counting(shorten)
    try:
        assert bench.apply(bench.plan(seq_id), counting).outcome is Outcome.UNDONE
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert next(short, None) is None
    assert bench.read("a.txt") == edited(L10, _8="eight")


def test_f103_a_file_that_cannot_be_synced_is_written_anew_once_and_then_given_up(
    edit: tuple[Bench, SeqId],
) -> None:
    bench, seq_id = edit
    before = bench.picture()
    twice = bench.apply(bench.plan(seq_id), refuse("fsync", errno.EIO, times=2))
    assert twice.outcome is Outcome.FAILED
    assert "a.txt" in twice.results[0].reason
    assert bench.picture() == before
    assert bench.apply(bench.plan(seq_id), refuse("fsync", errno.EIO)).outcome is Outcome.UNDONE


def test_f104_a_folder_that_cannot_be_synced_leaves_it_applied_but_not_confirmed(
    edit: tuple[Bench, SeqId],
) -> None:
    bench, seq_id = edit
    result = bench.apply(bench.plan(seq_id), refuse("fsync folder", errno.EIO))
    assert result.outcome is Outcome.APPLIED_UNCONFIRMED
    assert bench.entry(seq_id).state is EntryState.UNDONE
    assert bench.read("a.txt") == edited(L10, _8="eight")


def test_f106_signals_at_any_moment_disturb_nothing(edit: tuple[Bench, SeqId]) -> None:
    bench, seq_id = edit
    heard = Counter[int]()
    before = signal.signal(signal.SIGPROF, lambda number, _: heard.update([number]))
    signal.setitimer(signal.ITIMER_PROF, 0.001, 0.001)
    try:
        for _ in range(20):
            undo = bench.undo(seq_id).results[0].undo_seq_id
            assert undo is not None
            seq_id = undo
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    assert heard[signal.SIGPROF]


def test_f107_a_ledger_that_cannot_record_at_the_end_is_told_and_records_at_the_next_start(
    tmp_path: Path,
) -> None:
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


def test_f108_without_a_ledger_to_write_to_nothing_is_touched(tmp_path: Path) -> None:
    bench = Bench(tmp_path, busy_ms=20)
    (first,) = an_edit(bench)
    plan, before = bench.plan(first), bench.picture()
    other = sqlite3.connect(bench.home.database, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    counting = Counting()
    with pytest.raises(LedgerBusy):
        bench.apply(plan, counting)
    other.execute("ROLLBACK")
    other.close()
    assert counting.calls == 0
    assert bench.picture() == before
    bench.close()


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_f109_nothing_is_claimed_before_it_would_outlast_a_power_loss(
    tmp_path: Path, scenario: Scenario
) -> None:
    """The order that makes it so: journal, bytes, switch, folder, record, each on the disk before the next."""
    bench = Bench(tmp_path)
    seq_ids = scenario(bench)
    seen: list[str] = []
    counting = Counting(lambda _, what: seen.append(what))
    counting.listen(bench.ledger)
    assert undone(bench, seq_ids, counting).outcome in DONE
    bench.close()
    first_commit, last_commit = seen.index("COMMIT"), len(seen) - 1 - seen[::-1].index("COMMIT")
    calls = [at for at, what in enumerate(seen) if what.islower()]
    assert first_commit < min(calls)
    assert max(calls) < last_commit
    switch = min((at for at in calls if seen[at] in {"exchange", "place"}), default=0)
    writes = [at for at in calls if seen[at] == "write" and at < switch]
    assert not writes or "fsync" in seen[max(writes) : switch]
    if any(what in {"exchange", "place", "mkdir", "rmdir"} for what in seen):
        assert seen[max(calls)] == "fsync folder"


def test_an_undo_first_settles_what_a_killed_one_left(tmp_path: Path) -> None:
    stage = Stage(tmp_path, an_edit)
    for point in range(1, stage.points):
        stage.reset()
        stage.killed(lambda bench, fs: undone(bench, stage.seq_ids, fs), point)
        bench = stage.opened()
        undone(bench, stage.seq_ids)
        assert stage.check(bench, f"killed at {point}")
        bench.close()


def test_bytes_of_somebody_else_after_a_kill_stay_and_ask_for_attention(tmp_path: Path) -> None:
    stage = Stage(tmp_path, an_edit)
    asked = 0
    for point in range(1, stage.points):
        stage.reset()
        stage.killed(lambda bench, fs: undone(bench, stage.seq_ids, fs), point)
        bench = stage.opened()
        bench.put("a.txt", b"somebody else\n")
        for message in recover(bench.ledger):
            assert bench.read("a.txt") == b"somebody else\n"
            if bench.entry(stage.seq_ids[0]).state is EntryState.ATTENTION:
                assert "a.txt" in message
                asked += 1
        assert bench.read("a.txt") == b"somebody else\n"
        bench.close()
    assert asked
