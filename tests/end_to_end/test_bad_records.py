"""Rows F064, F069, F073: a record that does not hold what it says moves nothing."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from sulcus_panel.core.errors import BadRequest, LedgerCorrupt
from sulcus_panel.core.model import Hunk, SeqId
from sulcus_panel.core.undo.model import Outcome
from tests.support.bench import L10, Bench, edited
from tests.support.ledgers import appended, change, contents_of, record, sha, state

CHANGED = edited(L10, _2="two")


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    made.put("a.txt", CHANGED)
    yield made
    made.close()


def append(bench: Bench, *hunks: Hunk, contents: tuple[bytes, ...] = ()) -> SeqId:
    new = record("r", change("a.txt", L10, CHANGED, *hunks), at=bench.clock())
    return appended(bench.ledger, bench.workspace.id, new, contents=contents_of(*contents)).seq_id


@pytest.mark.parametrize(
    "hunk",
    [
        Hunk(0, 0, 0, 0, b"", b""),
        Hunk(1, 1, 1, 1, b"", b""),
        Hunk(1, 1, 1, 1, b"line 3\n", b"two\n"),
        Hunk(90, 1, 90, 1, b"line 2\n", b"two\n"),
        Hunk(1, 1, 1, 1, b"line 2\nline 3\n", b"two\n"),
    ],
)
def test_f069_an_excerpt_that_says_nothing_or_something_else_moves_nothing(bench: Bench, hunk: Hunk) -> None:
    turn = append(bench, hunk)
    plan = bench.plan(turn)
    assert (plan.can_apply, plan.writes) == (False, ())
    assert bench.apply(plan).outcome is not Outcome.UNDONE
    assert bench.read("a.txt") == CHANGED


def test_f069_with_both_snapshots_a_wrong_excerpt_is_passed_over(bench: Bench) -> None:
    turn = append(bench, Hunk(8, 1, 8, 1, b"x\n", b"y\n"), contents=(L10, CHANGED))
    bench.put("a.txt", edited(CHANGED, _9="mine"))
    assert bench.undo(turn).outcome is Outcome.UNDONE
    assert bench.read("a.txt") == edited(L10, _9="mine")


def test_f064_without_the_bytes_of_before_nothing_is_restored_in_part(bench: Bench) -> None:
    turn = append(bench, contents=(CHANGED,))
    plan = bench.plan(turn)
    assert (plan.outcome, plan.entries[0].reason) == (Outcome.UNAVAILABLE, "not_kept")
    bench.put("a.txt", L10)
    assert bench.plan(turn).outcome is Outcome.ALREADY_UNDONE


def test_f073_contents_under_another_hash_are_refused_when_they_are_recorded(bench: Bench) -> None:
    new = record("r", change("a.txt", L10, CHANGED), at=bench.clock())
    with pytest.raises(BadRequest):
        bench.ledger.append(bench.workspace.id, new, contents={sha(L10): b"other\n"})
    assert bench.ledger.newest_seq() == 0


def test_f073_a_damaged_snapshot_stops_the_undo_before_anything_is_written(bench: Bench) -> None:
    turn = append(bench, contents=(L10, CHANGED))
    before = bench.picture()
    with closing(sqlite3.connect(bench.home.database)) as damage, damage:
        damage.execute("UPDATE snapshot SET data = x'00'")
    with pytest.raises(LedgerCorrupt):
        bench.plan(turn)
    assert bench.picture() == before


def test_f073_a_hash_that_no_file_ever_had_is_a_conflict_and_no_restore(bench: Bench) -> None:
    wrong = replace(change("a.txt", L10, CHANGED), after=state(b"never there\n"))
    new = record("r", wrong, at=bench.clock())
    turn = appended(bench.ledger, bench.workspace.id, new, contents=contents_of(L10)).seq_id
    assert not bench.plan(turn).can_apply
    assert bench.read("a.txt") == CHANGED
