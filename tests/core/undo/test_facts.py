"""Gathering: the order of targets, what is fetched, what is refused by name."""

import os
import zlib
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from sulcus_panel.core.errors import BadRequest, NotFound
from sulcus_panel.core.model import ABSENT, DiskFile, FileKind, FileState, LedgerPath, SeqId, Undoability
from sulcus_panel.core.safety import EXCLUDED, MAY_HOLD_A_SECRET
from sulcus_panel.core.undo.facts import gather_facts, newest_first, not_by_these_names
from sulcus_panel.core.undo.model import Outcome, UndoRequest
from tests.support.bench import L10, Bench, edited


def test_entries_go_by_time_of_happening_not_by_number(bench: Bench) -> None:
    """An import arrives after newer entries; its work is older all the same."""
    bench.put("a.txt", L10)
    start = bench.look("a.txt")
    bench.put("a.txt", edited(L10, _2="old"))
    middle = bench.look("a.txt")
    bench.clock.advance(100)
    newer = bench.agent(edited(L10, _2="new"))
    bench.clock.now -= timedelta(seconds=50)
    older = bench.record({"a.txt": (start, middle)})
    assert older > newer
    plan = bench.plan(older, newer)
    assert [each.entry.seq_id for each in plan.entries] == [newer, older]
    assert bench.plan(older).conflicts[0].with_seq_ids == (newer,)
    assert bench.apply(plan).outcome is Outcome.UNDONE
    assert bench.read("a.txt") == L10


def test_the_chain_of_a_path_decides_against_equal_times(bench: Bench) -> None:
    bench.put("a.txt", L10)
    one, two = bench.agent(edited(L10, _2="x")), bench.agent(edited(L10, _2="y"))
    entries = (bench.entry(one), bench.entry(two))
    timeline = bench.ledger.timeline(bench.workspace.id, LedgerPath("a.txt"))
    assert [each.seq_id for each in newest_first(entries, {LedgerPath("a.txt"): timeline[::-1]})] == [
        one,
        two,
    ]


def test_every_kept_version_on_the_way_is_fetched_so_that_each_step_can_be_read_twice(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _2="x"))
    for number in range(3, 9):
        bench.agent(edited(L10, _2="x", **{f"_{number}": "later"}))
    request = UndoRequest((first,))
    facts = gather_facts(bench.ledger, bench.workspace, request, bench.clock())
    assert len(facts.contents) == 8


def test_an_empty_request_and_an_entry_of_another_workspace_are_refused(bench: Bench, tmp_path: Path) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _2="x"))
    with pytest.raises(BadRequest):
        bench.plan()
    other = bench.ledger.add_workspace(str(tmp_path / "other"))
    with pytest.raises(NotFound, match=f"#{first}"):
        gather_facts(bench.ledger, other, UndoRequest((SeqId(first),)), bench.clock())


SECRET = b"TOKEN=hunter2-hunter2\n"


def stored(bench: Bench) -> bytes:
    """Every byte below the data folder, snapshots inflated."""
    rows = bench.ledger._db.rows("SELECT data FROM snapshot")
    files = [file.read_bytes() for file in bench.home.root.rglob("*") if file.is_file()]
    return b"".join([*files, *(zlib.decompress(data) for (data,) in rows)])


def withheld(file: DiskFile, reason: str = MAY_HOLD_A_SECRET) -> DiskFile:
    """As a recorder gives it: hash and size, no bytes, and why."""
    return DiskFile(replace(file.state, reason=reason), None)


def created(bench: Bench, path: str, *, reason: str = MAY_HOLD_A_SECRET) -> SeqId:
    bench.put(path, SECRET)
    return bench.record({path: (DiskFile(ABSENT, None), withheld(bench.look(path), reason))})


def test_a_created_secret_is_not_deleted_as_its_bytes_may_not_be_kept(bench: Bench) -> None:
    seq_id = created(bench, ".env")
    result = bench.undo(seq_id)
    assert (result.outcome, result.results[0].reason) == (
        Outcome.REFUSED,
        "its contents may not be kept (may hold a secret), so this could not be taken back:"
        " delete the file yourself",
    )
    assert bench.read(".env") == SECRET
    assert b"hunter2" not in stored(bench)
    assert bench.entry(seq_id).undoability is Undoability.NOT


def test_a_secret_by_a_recorded_reason_is_refused_under_any_name(bench: Bench) -> None:
    """It was reached through a link called `.env`."""
    for reason in (MAY_HOLD_A_SECRET, EXCLUDED):
        assert bench.undo(created(bench, "notes.txt", reason=reason)).outcome is Outcome.REFUSED
        bench.clear()
    assert b"hunter2" not in stored(bench)


def test_what_is_excluded_since_is_refused(bench: Bench) -> None:
    seq_id = bench.agent(b"one\n", "gen/a.txt")
    bench.put("gen/a.txt", b"one\n")
    bench.ledger.set_setting(bench.workspace.id, "exclude", "gen/")
    result = bench.undo(seq_id)
    assert (result.outcome, bench.read("gen/a.txt")) == (Outcome.REFUSED, b"one\n")
    assert EXCLUDED in result.results[0].reason


@pytest.mark.parametrize("pattern", ["gen/", "*.log"])
def test_a_row_knows_what_was_excluded_since_as_its_plan_does(bench: Bench, pattern: str) -> None:
    bench.put("gen/a.txt", L10)
    edit = bench.agent(edited(L10, _2="two"), "gen/a.txt")
    both = bench.turn({"gen/a.txt": b"one\n", "b.txt": b"b\n"})
    bench.ledger.set_setting(bench.workspace.id, "exclude", pattern)
    fits = pattern == "gen/"
    seen = bench.entry(both), bench.entry(edit)
    assert [row.undoability for row in seen] == (
        [Undoability.PARTLY, Undoability.NOT] if fits else [Undoability.FULLY] * 2
    )
    assert all((EXCLUDED in row.undo_reason) is fits for row in seen)
    outcome = Outcome.REFUSED if fits else Outcome.UNDONE
    assert bench.plan(both).outcome is bench.plan(both, edit).outcome is outcome
    bench.ledger.set_setting(bench.workspace.id, "exclude", "")
    assert bench.entry(edit).undoability is Undoability.FULLY


@pytest.mark.parametrize("kind", ["edit", "mode", "delete"])
def test_a_secret_is_neither_edited_nor_brought_back_nor_given_its_mode(bench: Bench, kind: str) -> None:
    bench.put("key.pem", SECRET, 0o600)
    before = bench.look("key.pem")
    if kind == "delete":
        (bench.root / "key.pem").unlink()
    else:
        bench.put("key.pem", SECRET + (b"x\n" if kind == "edit" else b""), 0o644)
    seq_id = bench.record({"key.pem": (withheld(before), withheld(bench.look("key.pem")))})
    picture = bench.picture()
    result = bench.undo(seq_id)
    assert bench.picture() == picture
    told = (result.outcome, result.results[0].reason)
    if kind == "mode":  # its bytes would do, but they are displaced all the same
        assert told[0] is Outcome.REFUSED
        assert told[1].endswith("change the file back yourself")
    else:
        assert told == (Outcome.UNAVAILABLE, "not_kept")
    assert b"hunter2" not in stored(bench)


def test_a_secret_stops_its_batch(bench: Bench) -> None:
    bench.put("a.txt", L10)
    other = bench.agent(edited(L10, _2="x"))
    result = bench.undo(created(bench, ".env"), other)
    assert result.outcome is Outcome.REFUSED
    assert bench.read("a.txt") == edited(L10, _2="x")
    assert b"hunter2" not in stored(bench)


def test_a_file_with_another_name_is_told_and_not_refused(bench: Bench) -> None:
    bench.put("a.txt", L10)
    bench.put("b.txt", L10)
    first = bench.turn({"a.txt": edited(L10, _2="x"), "b.txt": edited(L10, _2="x")})
    os.link(bench.root / "a.txt", bench.root / "second")
    facts = gather_facts(bench.ledger, bench.workspace, UndoRequest((first,)), bench.clock())
    assert (set(facts.linked), dict(facts.refusals)) == ({"a.txt"}, {})


def test_folders_that_a_target_made_are_listed_and_no_others(bench: Bench) -> None:
    folder = DiskFile(FileState(FileKind.DIRECTORY, mode=0o755), None)
    gone = DiskFile(ABSENT, None)
    bench.put("made/b", b"b")
    bench.put("made/a", b"a")
    bench.put("kept/c", b"c")
    images = {"made": (gone, folder), "kept": (folder, folder), "never": (gone, folder)}
    first = bench.record(images, command="mkdir made never")
    facts = gather_facts(bench.ledger, bench.workspace, UndoRequest((first,)), bench.clock())
    assert facts.listings == {"made": ("a", "b")}


def test_c12_c_f118_a_path_that_is_on_disk_under_another_case_only_is_not_there() -> None:
    """What a disk shows on which case does not count: both paths can be read, one name is in the folder."""
    paths = [LedgerPath("Readme.md"), LedgerPath("README.md"), LedgerPath("x/Y"), LedgerPath("x/y")]
    names = {LedgerPath("."): ("README.md",), LedgerPath("x"): ("Y", "y")}
    assert not_by_these_names(paths, names) == ["Readme.md"]
    assert not_by_these_names(paths[:2], {LedgerPath("."): None}) == []


def test_two_files_whose_names_differ_in_case_are_two(bench: Bench) -> None:
    bench.put("sub/x.py", b"one\n")
    bench.put("sub/X.py", b"two\n")
    both = bench.turn({"sub/x.py": b"1\n", "sub/X.py": b"2\n"})
    facts = gather_facts(bench.ledger, bench.workspace, UndoRequest((both,)), bench.clock())
    assert {path: file.content for path, file in facts.disk.items()} == {
        "sub/x.py": b"1\n",
        "sub/X.py": b"2\n",
    }
