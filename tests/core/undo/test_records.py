"""What an undo leaves in the ledger: one entry for each that was taken back, exact enough to redo it."""

import shutil
from itertools import pairwise

from sulcus_panel.core.diff import apply_hunks, carry_texts
from sulcus_panel.core.model import (
    PERSON,
    ActionType,
    EntryState,
    FileKind,
    NewEntry,
    Origin,
    Provenance,
    SeqId,
)
from sulcus_panel.core.undo.facts import gather_facts
from sulcus_panel.core.undo.gone import is_gone
from sulcus_panel.core.undo.model import HunkOutcome, Outcome, UndoRequest
from sulcus_panel.core.undo.plan import PlannedUndo, plan_with_hunks
from sulcus_panel.core.undo.records import undo_contents, undo_entries
from tests.support.bench import L10, Bench, digest, edited
from tests.support.clock import NOON, counting_ids


def planned(bench: Bench, *seq_ids: int, hunks: tuple[int, ...] | None = None) -> PlannedUndo:
    request = UndoRequest(tuple(SeqId(seq) for seq in seq_ids), hunks)
    return plan_with_hunks(gather_facts(bench.ledger, bench.workspace, request, bench.clock()))


def recorded(plan: PlannedUndo) -> tuple[NewEntry, ...]:
    return undo_entries(plan, PERSON, counting_ids(), NOON)


def test_the_action_is_what_the_undo_does_to_the_disk(bench: Bench) -> None:
    made = bench.agent(L10)
    changed = bench.agent(edited(L10, _3="x"))
    gone = bench.agent(None)
    entries = recorded(planned(bench, made, changed, gone))
    assert [(entry.reverses, entry.action_type, entry.summary) for entry in entries] == [
        (gone, ActionType.FILE_CREATE, f"Undo of #{gone}: an edit"),
        (changed, ActionType.FILE_EDIT, f"Undo of #{changed}: an edit"),
        (made, ActionType.FILE_DELETE, f"Undo of #{made}: an edit"),
    ]


def test_the_undo_of_an_undo_is_a_redo(bench: Bench) -> None:
    bench.put("a.txt", L10)
    changed = bench.agent(edited(L10, _3="x"))
    undo = bench.undo(changed).results[0].undo_seq_id
    assert undo is not None
    (entry,) = recorded(planned(bench, undo))
    assert entry.summary == f"Redo of #{undo}: Undo of #{changed}: an edit"
    assert (entry.origin, entry.actor, entry.reverses) == (Origin.UNDO, PERSON, undo)
    assert (entry.provenance, entry.at, entry.intent) == (Provenance.OBSERVED, NOON, "make it better")


def test_what_is_gone_already_is_closed_beside_what_is_undone(bench: Bench) -> None:
    first, second = bench.agent(L10, "a.txt"), bench.agent(L10, "b.txt")
    (bench.root / "a.txt").unlink()
    plan = planned(bench, first, second)
    assert plan.plan.outcome is Outcome.UNDONE
    entry, closing = recorded(plan)
    assert (entry.reverses, entry.target_path, len(entry.changes)) == (second, "b.txt", 1)
    assert (closing.reverses, closing.target_path, closing.changes) == (first, "a.txt", ())
    assert closing.summary == f"Undo of #{first}, already so: an edit"


def test_what_is_closed_is_not_closed_twice_and_a_closing_can_be_taken_back(bench: Bench) -> None:
    first = bench.agent(L10, "a.txt")
    (bench.root / "a.txt").unlink()
    assert is_gone(bench.plan(first).entries[0])
    closing = bench.undo(first).results[0].undo_seq_id
    assert closing is not None
    assert not is_gone(bench.plan(first).entries[0])
    assert is_gone(bench.plan(closing).entries[0])
    other = bench.record({}, command="true")
    assert not is_gone(bench.plan(other).entries[0])


def test_a_path_that_is_already_back_is_left_out_of_the_entry(bench: Bench) -> None:
    both = bench.turn({"a.txt": L10, "b.txt": L10})
    (bench.root / "a.txt").unlink()
    (entry,) = recorded(planned(bench, both))
    assert [change.path for change in entry.changes] == ["b.txt"]
    assert entry.target_path == "b.txt"


def test_every_step_of_a_batch_is_kept_with_exact_hunks(bench: Bench) -> None:
    one, two = edited(L10, _2="two"), edited(L10, _2="two", _8="eight")
    mine = edited(two, _5="mine")
    bench.put("a.txt", L10)
    first, second = bench.agent(one), bench.agent(two)
    bench.put("a.txt", mine)

    plan = planned(bench, first, second)
    contents = undo_contents(plan)

    versions = [mine, edited(mine, _8="line 8"), edited(L10, _5="mine")]
    assert set(contents) == {digest(version) for version in versions}
    entries = recorded(plan)
    assert len(entries) == 2
    for entry, (old, new) in zip(entries, pairwise(versions), strict=True):
        (change,) = entry.changes
        assert (change.before.sha256, change.after.sha256) == (digest(old), digest(new))
        assert apply_hunks(old, carry_texts(change.hunks, old, new)) == new
        assert (change.plus, change.minus) == (1, 1)
        assert change.before.kept
        assert change.after.kept
    assert all(digest(data) == sha for sha, data in contents.items())


def test_chosen_parts_are_named_and_all_of_them_are_the_whole(bench: Bench) -> None:
    bench.put("a.txt", L10)
    changed = bench.agent(edited(L10, _2="two", _5="five", _8="eight"))

    def reversed_by(*hunks: int) -> tuple[int, ...] | None:
        (entry,) = recorded(planned(bench, changed, hunks=hunks))
        return entry.reversed_hunks

    assert reversed_by(1) == (1,)
    assert reversed_by(2, 0) == (0, 2)
    assert reversed_by(0, 1, 2) is None


def test_a_part_of_one_file_is_not_the_whole_where_nothing_of_another_file_was_chosen(bench: Bench) -> None:
    for path in ("a.txt", "b.txt"):
        bench.put(path, L10)
    both = bench.turn({"a.txt": edited(L10, _2="two"), "b.txt": edited(L10, _5="five")})
    (entry,) = recorded(planned(bench, both, hunks=(1,)))
    assert entry.reversed_hunks == (1,)

    bench.undo(both, hunks=[1])

    assert bench.entry(both).state is EntryState.PARTLY_UNDONE
    assert bench.read("a.txt") == edited(L10, _2="two")
    (rest,) = recorded(planned(bench, both))
    assert rest.reversed_hunks == (0,)


def test_a_chosen_part_that_is_gone_already_counts_as_reversed(bench: Bench) -> None:
    bench.put("a.txt", L10)
    changed = bench.agent(edited(L10, _2="two", _8="eight"))
    bench.put("a.txt", edited(L10, _8="eight"))
    (entry,) = recorded(planned(bench, changed, hunks=(0, 1)))
    assert entry.reversed_hunks is None
    assert len(entry.changes[0].hunks) == 1


def test_a_chosen_part_that_was_followed_to_its_new_place_is_taken_back_too(bench: Bench) -> None:
    part = [b"def area(width, height):\n", b"    size = width * height\n", b"    return size\n", b"\n"]
    rest = [b"value_%d = %d\n" % (n, n) for n in range(30)]
    start = b"".join(rest[:15] + part + rest[15:])
    bench.put("a.py", start)
    changed = start.replace(b"width * height", b"height * width").replace(b"value_2 = 2", b"value_2 = 0")
    seq_id = bench.agent(changed, "a.py")
    lines = changed.splitlines(keepends=True)
    bench.agent(b"".join(lines[:15] + lines[19:] + lines[15:19]), "a.py")
    hunks = [hunk.outcome for path in bench.plan(seq_id).entries[0].paths for hunk in path.hunks]
    assert hunks == [HunkOutcome.UNDONE, HunkOutcome.MOVED]

    assert bench.undo(seq_id, hunks=[0, 1]).outcome is Outcome.UNDONE

    assert bench.entry(seq_id).state is EntryState.UNDONE
    assert b"width * height" in (bench.read("a.py") or b"")


def test_a_result_under_review_is_recorded_like_any_other_and_its_parts_count_as_gone(bench: Bench) -> None:
    say, tell, you_tell = (
        edited(L10, _3=text) for text in ("let me say it", "let me tell it", "let you tell it")
    )
    bench.put("a.txt", say)
    first = bench.agent(edited(tell, _9="nine"))
    bench.agent(edited(you_tell, _9="nine"))
    plan = planned(bench, first, hunks=(0,))
    assert plan.plan.outcome is Outcome.REVIEW
    (entry,) = recorded(plan)
    assert (entry.reverses, entry.reversed_hunks) == (first, (0,))
    result = edited(L10, _3="let you say it", _9="nine")
    assert entry.changes[0].after.sha256 == digest(result)
    assert result in undo_contents(plan).values()
    assert edited(you_tell, _9="nine") in undo_contents(plan).values()


def test_a_folder_that_an_undo_has_to_make_is_its_own_and_goes_with_the_undo_of_it(bench: Bench) -> None:
    made = bench.agent(L10, "a/b/c.txt")
    undo = bench.undo(made).results[0].undo_seq_id
    shutil.rmtree(bench.root / "a")
    assert undo is not None
    redo = bench.undo(undo).results[0].undo_seq_id
    assert redo is not None
    changes = bench.entry(redo).record.changes
    assert [(change.path, change.after.kind) for change in changes] == [
        ("a", FileKind.DIRECTORY),
        ("a/b", FileKind.DIRECTORY),
        ("a/b/c.txt", FileKind.FILE),
    ]
    assert bench.entry(redo).record.target_path == "a/b/c.txt"
    assert bench.undo(redo).outcome is Outcome.UNDONE
    assert not (bench.root / "a").exists()


def test_a_folder_that_an_undo_has_made_stays_while_something_else_is_in_it(bench: Bench) -> None:
    bench.put("a/one.txt", L10)
    bench.put("a/two.txt", L10)
    gone = bench.turn({"a/one.txt": None, "a/two.txt": None})
    (bench.root / "a").rmdir()
    undo = bench.undo(gone).results[0].undo_seq_id
    assert undo is not None
    assert [change.path for change in bench.entry(undo).record.changes] == ["a", "a/one.txt", "a/two.txt"]
    bench.put("a/mine.txt", b"mine\n")
    assert bench.undo(undo).outcome is Outcome.UNDONE
    assert bench.picture().keys() == {"a/mine.txt"}


def test_each_folder_is_named_by_one_of_several_undos(bench: Bench) -> None:
    bench.put("a/one.txt", L10)
    bench.put("a/b/two.txt", L10)
    first, second = bench.agent(None, "a/one.txt"), bench.agent(None, "a/b/two.txt")
    shutil.rmtree(bench.root / "a")
    rows = [result.undo_seq_id for result in bench.undo(first, second).results]
    named = [change.path for row in rows if row is not None for change in bench.entry(row).record.changes]
    assert sorted(named) == ["a", "a/b", "a/b/two.txt", "a/one.txt"]
    assert bench.undo(*[row for row in rows if row is not None]).outcome is Outcome.UNDONE
    assert not (bench.root / "a").exists()
