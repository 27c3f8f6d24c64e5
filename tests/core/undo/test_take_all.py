"""A whole file in conflict, and the person decides: nothing is taken without a yes, and redo has all of it."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from sulcus_panel.core.model import SeqId
from sulcus_panel.core.undo.apply import apply_undo
from sulcus_panel.core.undo.model import Outcome, Resolution, UndoPlan, UndoRequest, UndoResult
from sulcus_panel.core.undo.planner import Planner
from sulcus_panel.service.planning import plan_request
from tests.support.bench import L10, Bench, edited
from tests.support.shell import record_command


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.close()


def plan(bench: Bench, seq_id: SeqId, how: Resolution = Resolution.KEEP) -> UndoPlan:
    return plan_request(bench.ledger, UndoRequest((seq_id,), resolution=how), bench.clock, Planner())


def agreed(bench: Bench, found: UndoPlan) -> UndoResult:
    keys = [consent.key for consent in found.consents]
    return apply_undo(bench.ledger, bench.workspace, found, bench.hands(), keys)


def test_c08_a_created_file_that_the_person_wrote_in_offers_both_ways(bench: Bench) -> None:
    made = bench.agent(b"# Notes\n", "notes.md")
    bench.put("notes.md", b"# Notes\nbuy milk\n")
    kept = plan(bench, made)
    assert (kept.outcome, kept.choices) == (Outcome.CONFLICT, (Resolution.TAKE_ALL, Resolution.REST))
    rest = plan(bench, made, Resolution.REST)
    assert (rest.outcome, rest.consents) == (Outcome.UNDONE, ())  # nobody's work is touched
    done = agreed(bench, rest)
    assert (done.outcome, bench.read("notes.md")) == (Outcome.UNDONE, b"buy milk\n")
    undo = done.results[0].undo_seq_id
    assert undo is not None
    assert bench.undo(undo).outcome is Outcome.UNDONE
    assert bench.read("notes.md") == b"# Notes\nbuy milk\n"


def test_c08_or_the_file_goes_as_a_whole_and_redo_has_the_person_s_line(bench: Bench) -> None:
    made = bench.agent(b"# Notes\n", "notes.md")
    bench.put("notes.md", b"# Notes\nbuy milk\n")
    whole = plan(bench, made, Resolution.TAKE_ALL)
    assert [consent.code for consent in whole.consents] == ["review"]
    assert bench.apply(whole).outcome is Outcome.HELD
    assert bench.read("notes.md") == b"# Notes\nbuy milk\n"
    done = agreed(bench, whole)
    assert (done.outcome, bench.read("notes.md")) == (Outcome.UNDONE, None)
    undo = done.results[0].undo_seq_id
    assert undo is not None
    assert bench.undo(undo).outcome is Outcome.UNDONE
    assert bench.read("notes.md") == b"# Notes\nbuy milk\n"


def test_c06_the_person_s_line_among_added_ones(bench: Bench) -> None:
    lines = L10.splitlines(keepends=True)
    added = b"".join([*lines[:5], b"new 1\n", b"new 2\n", b"new 3\n", *lines[5:]])
    bench.put("a.txt", L10)
    first = bench.agent(added)
    bench.put("a.txt", added.replace(b"new 2\n", b"new 2 (user)\n"))
    assert plan(bench, first).choices == (Resolution.TAKE_ALL, Resolution.REST)
    agreed(bench, plan(bench, first, Resolution.REST))
    assert bench.read("a.txt") == b"".join([*lines[:5], b"new 2 (user)\n", *lines[5:]])


def test_c15_bytes_that_are_no_text_go_back_whole_or_not_at_all(bench: Bench) -> None:
    start, first, later = (bytes(range(256)) * 16, b"\0first" * 100, b"\0later" * 100)
    bench.put("b.bin", start)
    one = bench.agent(first, "b.bin")
    bench.agent(later, "b.bin")
    found = plan(bench, one)
    assert (found.choices, len(found.safe_set)) == ((Resolution.TAKE_ALL, Resolution.BESIDE), 1)
    agreed(bench, plan(bench, one, Resolution.TAKE_ALL))
    assert bench.read("b.bin") == start


def test_a_newcomer_in_the_place_of_a_deleted_file_may_give_way(bench: Bench) -> None:
    bench.put("cfg.ini", b"a=1\n", 0o640)
    gone = bench.agent(None, "cfg.ini")
    bench.put("cfg.ini", b"b=2\n")
    assert plan(bench, gone).choices == (Resolution.TAKE_ALL, Resolution.BESIDE)
    agreed(bench, plan(bench, gone, Resolution.TAKE_ALL))
    assert bench.read("cfg.ini") == b"a=1\n"
    assert os.stat(bench.root / "cfg.ini").st_mode & 0o777 == 0o640


def test_a_folder_never_gives_way_and_a_file_too_large_to_keep_neither(bench: Bench) -> None:
    bench.put("lib", b"x\n")
    gone = bench.agent(None, "lib")
    (bench.root / "lib").mkdir()
    bench.put("lib/x.py", b"mine\n")
    assert plan(bench, gone).choices == (Resolution.BESIDE,)
    assert plan(bench, gone, Resolution.TAKE_ALL).outcome is Outcome.CONFLICT


def test_a_deleted_file_comes_back_as_it_was_before_the_change(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _2="two"))
    (bench.root / "a.txt").unlink()
    agreed(bench, plan(bench, first, Resolution.TAKE_ALL))
    assert bench.read("a.txt") == L10


def test_what_nobody_stands_on_offers_no_decision(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _2="two"))
    found = plan(bench, first)
    assert (found.outcome, found.choices) == (Outcome.UNDONE, ())


def test_what_goes_too_is_neither_said_to_be_kept_nor_to_be_what_the_change_left(bench: Bench) -> None:
    made = bench.agent(b"# Notes\n", "notes.md")
    bench.agent(b"# Notes\nmore\n", "notes.md")
    found = plan(bench, made, Resolution.TAKE_ALL)
    said = found.explanation
    assert said.what_happens == (
        "notes.md is deleted, with all that has become of it since; look at it first"
    )
    assert said.how_compared == f"the file now with what #{made} found and left"
    assert "later_kept" not in {warning.code for warning in found.warnings}


def test_a_file_that_becomes_what_it_was_says_that_the_rest_goes_and_is_recorded_by_lines(
    bench: Bench,
) -> None:
    bench.put("d.txt", L10)
    gone = bench.agent(None, "d.txt")
    bench.put("d.txt", edited(L10, _3="mine"))
    found = plan(bench, gone, Resolution.TAKE_ALL)
    assert found.explanation.what_happens.startswith(
        "d.txt becomes what it was before; what has become of it since goes too"
    )
    undo = agreed(bench, found).results[0].undo_seq_id
    assert undo is not None
    (change,) = bench.entry(undo).record.changes
    assert (change.plus, change.minus) == (1, 1)


def test_of_a_file_that_was_moved_away_nobody_may_take_what_has_become_of_it(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _3="B"))
    record_command(bench.ledger, bench.workspace, "mv a.txt b.txt", bench.clock())
    found = plan(bench, first)
    assert found.outcome is Outcome.CONFLICT
    assert Resolution.TAKE_ALL not in found.choices


def test_lines_that_stay_of_an_addition_are_not_counted_as_gone(bench: Bench) -> None:
    made = bench.agent(b"a\nb\nc\n", "new.txt")
    bench.agent(b"a\nLATER\nb\nc\n", "new.txt")
    said = plan(bench, made, Resolution.REST).explanation.what_happens
    assert said.startswith("3 lines go; 1 line stays as it is")
