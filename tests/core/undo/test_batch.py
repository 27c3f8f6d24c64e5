"""The virtual disk: in which order the parts of entries are taken back, and what stands in a folder by then."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from sulcus_panel.core.errors import BadRequest
from sulcus_panel.core.model import (
    ABSENT,
    Change,
    DiskFile,
    Entry,
    EntryState,
    FileKind,
    FileState,
    Hunk,
    LedgerPath,
    Namespace,
    NewEntry,
    Origin,
    SeqId,
    Step,
    Undoability,
)
from sulcus_panel.core.undo.batch import Batch, weigh
from sulcus_panel.core.undo.folder_plans import A_SWAP
from sulcus_panel.core.undo.model import Outcome, UndoFacts
from sulcus_panel.core.undo.plan import plan_undo
from tests.support.bench import L10, Bench, edited
from tests.support.ledgers import change, contents_of, record, state

FOLDER = FileState(FileKind.DIRECTORY, mode=0o755)
CLOSED = replace(FOLDER, mode=0o555)
A, B = b"a\n", b"b\n"


def entry(seq_id: int, new: NewEntry) -> Entry:
    state_of = (EntryState.RECORDED, None, Undoability.FULLY, "", None)
    return Entry(SeqId(seq_id), new.at, 1, Namespace("demo"), new, *state_of)


def folder(path: str, before: FileState, after: FileState) -> Change:
    return Change(LedgerPath(path), before, after)


def file(data: bytes) -> DiskFile:
    return DiskFile(state(data), data)


def facts(
    *entries: Entry,
    disk: Mapping[str, DiskFile | None],
    listings: Mapping[str, tuple[str, ...]] | None = None,
) -> UndoFacts:
    """Facts about targets given newest first; None on the disk is a folder."""
    return UndoFacts(
        workspace_id=1,
        root="/project",
        targets=entries,
        hunks=None,
        timelines={},
        contents=contents_of(A, B),
        disk={LedgerPath(path): found or DiskFile(FOLDER, None) for path, found in disk.items()},
        readers={},
        active_sessions=frozenset(),
        refusals={},
        listings={LedgerPath(path): names for path, names in (listings or {}).items()},
    )


NOTHING = DiskFile(ABSENT, None)


def test_folders_are_made_outermost_first_before_files_and_removed_innermost_first_after_them() -> None:
    gone = record(
        "1",
        change("z/in/f", A, None),
        folder("z", FOLDER, ABSENT),
        folder("z/in", CLOSED, ABSENT),
        change("m/f", None, B),
        folder("m", ABSENT, FOLDER),
        folder("m/in", ABSENT, FOLDER),
    )
    disk = {"z/in/f": NOTHING, "z": NOTHING, "z/in": NOTHING, "m/f": file(B), "m": None, "m/in": None}
    plan = plan_undo(facts(entry(1, gone), disk=disk, listings={"m": ("f", "in"), "m/in": ()}))
    assert [write.path for write in plan.writes] == ["z", "z/in", "m/f", "z/in/f", "m/in", "m"]


def test_a_folder_that_may_not_be_written_at_all_and_was_not_looked_at_is_refused() -> None:
    made = record("1", folder(".git", ABSENT, FOLDER), folder("d", ABSENT, FOLDER))
    barred = replace(facts(entry(1, made), disk={}), refusals={LedgerPath("d"): "the root has changed"})
    plan = plan_undo(barred)
    assert [path.outcome for path in plan.entries[0].paths] == [Outcome.REFUSED] * 2
    assert plan.entries[0].paths[1].reason == "the root has changed"


def test_a_folder_whose_permissions_bar_what_comes_into_it_gets_them_last() -> None:
    shut = record("1", folder("d", CLOSED, FOLDER), change("d/f", A, None))
    plan = plan_undo(facts(entry(1, shut), disk={"d": None, "d/f": NOTHING}))
    assert [write.path for write in plan.writes] == ["d/f", "d"]


def test_a_folder_that_an_older_entry_fills_again_is_kept() -> None:
    older = entry(1, record("1", change("d/f", A, None)))
    newer = entry(2, record("2", folder("d", ABSENT, FOLDER)))
    disk = {"d": None, "d/f": NOTHING}
    plan = plan_undo(facts(newer, older, disk=disk, listings={"d": ()}))
    assert [write.path for write in plan.writes] == ["d/f"]
    assert plan.entries[0].paths[0].reason == "not empty, so it is kept"


def test_a_folder_that_an_older_entry_had_removed_gets_back_the_permissions_of_before() -> None:
    older = entry(1, record("1", folder("d", replace(FOLDER, mode=0o700), ABSENT), change("d/f", A, None)))
    newer = entry(2, record("2", folder("d", ABSENT, FOLDER), change("d/g", None, B)))
    disk = {"d": None, "d/f": NOTHING, "d/g": file(B)}
    plan = plan_undo(facts(newer, older, disk=disk, listings={"d": ("g",)}))
    assert [(write.path, write.result.mode) for write in plan.writes] == [
        ("d", 0o700),
        ("d/f", 0o644),
        ("d/g", None),
    ]


@pytest.mark.parametrize(
    ("names", "outcome"),
    [(("f",), Outcome.UNDONE), (("f", "g"), Outcome.NOTHING_TO_UNDO), ((), Outcome.UNDONE)],
)
def test_what_is_in_a_folder_by_then_decides(names: tuple[str, ...], outcome: Outcome) -> None:
    made = record("1", folder("d", ABSENT, FOLDER), change("d/f", None, A))
    plan = plan_undo(facts(entry(1, made), disk={"d": None, "d/f": file(A)}, listings={"d": names}))
    assert plan.entries[0].paths[0].outcome is outcome


def test_a_folder_that_was_made_and_removed_since_is_nowhere_in_the_end() -> None:
    made = record("1", folder("d", ABSENT, FOLDER), change("d/f", None, A))
    gone = record("2", folder("d", FOLDER, ABSENT), change("d/f", A, None))
    plan = plan_undo(facts(entry(2, gone), entry(1, made), disk={"d": NOTHING, "d/f": NOTHING}))
    assert (plan.outcome, plan.writes) == (Outcome.UNDONE, ())


def test_a_folder_that_could_not_be_listed_is_kept() -> None:
    made = record("1", folder("d", ABSENT, FOLDER))
    assert plan_undo(facts(entry(1, made), disk={"d": None})).outcome is Outcome.NOTHING_TO_UNDO


def test_hunks_keep_their_numbers_where_folders_and_moves_stand_between() -> None:
    both = record(
        "1",
        change("new", None, A, Hunk(0, 0, 0, 1)),
        folder("d", ABSENT, FOLDER),
        change("e", A, B, Hunk(0, 1, 0, 1)),
        change("old", A, None, Hunk(0, 1, 0, 0)),
    )
    disk = {"new": file(A), "d": None, "e": file(B), "old": NOTHING}
    given = facts(entry(1, both), disk=disk, listings={"d": ()})
    plan = plan_undo(given)
    assert [[hunk.index for hunk in path.hunks] for path in plan.entries[0].paths] == [[0], [], [1], [2]]
    one = plan_undo(replace(given, hunks=(1,)))
    assert [write.path for write in one.writes] == ["e"]
    with pytest.raises(BadRequest):
        plan_undo(replace(given, hunks=(4,)))


def test_a_file_that_goes_back_takes_its_owner_from_where_it_is_on_disk() -> None:
    first = record("1", change("a", A, None), change("b", None, A))
    second = record("2", change("b", A, None), change("c", None, A))
    disk = {"a": NOTHING, "b": NOTHING, "c": file(B)}
    entries = (entry(2, second), entry(1, first))
    passages = tuple(
        Step(each.seq_id, Origin.AGENT, each.record.at, one.before, one.after, ())
        for each in reversed(entries)
        for one in each.record.changes
        if one.path == "b"
    )
    plan = plan_undo(replace(facts(*entries, disk=disk), timelines={LedgerPath("b"): passages}))
    assert [(write.path, write.like) for write in plan.writes] == [("a", "c"), ("c", None)]
    deleted = record("3", change("b", A, None))
    plan = plan_undo(facts(entry(3, deleted), entry(1, first), disk={"a": NOTHING, "b": NOTHING}))
    assert [(write.path, write.like) for write in plan.writes] == [("a", None)]


def test_without_a_root_nothing_is_moved_or_made() -> None:
    both = record(
        "1", change("a", A, None), change("b", None, A), folder("d", ABSENT, FOLDER), change("e", A, B)
    )
    plan = plan_undo(replace(facts(entry(1, both), disk={}), root=None))
    assert {path.reason for path in plan.entries[0].paths} == {"no_root"}


def test_each_step_builds_on_the_one_before() -> None:
    first, second = record("1", change("f", None, A)), record("2", change("f", A, B))
    batch = Batch.of(facts(entry(2, second), entry(1, first), disk={"f": file(B)}))
    for target in batch.facts.targets:
        assert batch.plan_entry(target).outcome is Outcome.UNDONE
    assert batch.files[LedgerPath("f")] == NOTHING
    assert [step.after for step in batch.done[LedgerPath("f")]] == [replace(state(A), size_bytes=2), ABSENT]


def test_what_is_superseded_weighs_more_than_what_is_to_be_looked_at() -> None:
    assert weigh([Outcome.REVIEW, Outcome.SUPERSEDED, Outcome.UNDONE]) is Outcome.SUPERSEDED


def mixed(bench: Bench) -> SeqId:
    """One entry: a text is edited, a picture changed, an empty file made, a script allowed to run."""
    bench.put("a.txt", L10)
    bench.put("p.png", b"\0old")
    bench.put("run.sh", b"exit\n", 0o644)
    paths = ("a.txt", "e.txt", "p.png", "run.sh")
    was = {path: bench.look(path) for path in paths}
    bench.put("a.txt", edited(L10, _2="two", _8="eight"))
    bench.put("e.txt", b"")
    bench.put("p.png", b"\0new")
    (bench.root / "run.sh").chmod(0o755)
    seq_id = bench.record({path: (was[path], bench.look(path)) for path in paths}, binary=True)
    assert [len(change.hunks) for change in bench.entry(seq_id).record.changes] == [2, 0, 0, 0]
    return seq_id


def test_a_change_without_hunks_is_a_part_of_its_own_behind_the_hunks(bench: Bench) -> None:
    seq_id = mixed(bench)
    (plan,) = bench.plan(seq_id).entries
    assert [(path.path, path.part) for path in plan.paths] == [
        ("a.txt", None),
        ("e.txt", 2),
        ("p.png", 3),
        ("run.sh", 4),
    ]
    with pytest.raises(BadRequest, match="No such hunk"):
        bench.plan(seq_id, hunks=[5])


@pytest.mark.parametrize(("part", "path"), [(0, "a.txt"), (2, "e.txt"), (3, "p.png"), (4, "run.sh")])
def test_a_part_goes_alone_and_comes_back_and_all_others_stay(bench: Bench, part: int, path: str) -> None:
    seq_id = mixed(bench)
    before = bench.picture()
    plan = bench.plan(seq_id, hunks=[part])
    assert [write.path for write in plan.writes] == [path]
    undo = bench.apply(plan).results[0].undo_seq_id
    assert undo is not None
    assert bench.entry(undo).record.reversed_hunks == (part,)
    assert bench.entry(seq_id).state is EntryState.PARTLY_UNDONE
    assert bench.undo(undo).outcome is Outcome.UNDONE
    assert bench.picture() == before
    assert bench.entry(seq_id).state is EntryState.RECORDED


def test_part_by_part_an_entry_is_undone_in_the_end(bench: Bench) -> None:
    seq_id = mixed(bench)
    for parts in ([2], [0, 3], [4]):
        assert bench.undo(seq_id, hunks=parts).outcome is Outcome.UNDONE
        assert bench.entry(seq_id).state is EntryState.PARTLY_UNDONE
    assert bench.undo(seq_id).outcome is Outcome.UNDONE
    assert bench.entry(seq_id).state is EntryState.UNDONE
    assert bench.read("a.txt") == L10
    assert bench.read("e.txt") is None
    assert bench.read("p.png") == b"\0old"


def test_a_folder_and_a_moved_picture_are_parts_too(bench: Bench) -> None:
    bench.put("old.png", b"\0old")
    paths = ("d", "new.png", "old.png")
    was = {path: bench.look(path) for path in paths}
    (bench.root / "d").mkdir()
    (bench.root / "old.png").rename(bench.root / "new.png")
    seq_id = bench.record({path: (was[path], bench.look(path)) for path in paths}, binary=True)
    assert bench.undo(seq_id, hunks=[0]).outcome is Outcome.UNDONE
    assert not (bench.root / "d").exists()
    assert bench.read("new.png") == b"\0old"
    assert bench.undo(seq_id, hunks=[1, 2]).outcome is Outcome.UNDONE
    assert (bench.read("new.png"), bench.read("old.png")) == (None, b"\0old")
    assert bench.entry(seq_id).state is EntryState.UNDONE


@pytest.mark.parametrize("now", ["file", "folder"])
def test_a_batch_that_would_turn_a_folder_into_a_file_or_back_is_refused_by_the_plan(now: str) -> None:
    if now == "folder":
        older = entry(1, record("1", change("d", A, None)))
        newer = entry(2, record("2", folder("d", ABSENT, FOLDER)))
        disk: dict[str, DiskFile | None] = {"d": None}
    else:
        older = entry(1, record("1", folder("d", FOLDER, ABSENT)))
        newer = entry(2, record("2", change("d", None, A)))
        disk = {"d": file(A)}
    plan = plan_undo(facts(newer, older, disk=disk, listings={"d": ()}))
    assert (plan.outcome, plan.writes) == (Outcome.REFUSED, ())
    assert [each.outcome for each in plan.entries] == [Outcome.NOT_TRIED, Outcome.REFUSED]
    assert plan.entries[1].reason == plan.entries[1].paths[0].reason == A_SWAP


def test_a_folder_that_stood_between_two_files_is_in_nobodys_way() -> None:
    deleted = entry(1, record("1", change("d", A, None)))
    made = entry(2, record("2", folder("d", ABSENT, FOLDER)))
    removed = entry(3, record("3", folder("d", FOLDER, ABSENT)))
    created = entry(4, record("4", change("d", None, B)))
    plan = plan_undo(facts(created, removed, made, deleted, disk={"d": file(B)}, listings={"d": ()}))
    assert [(write.path, write.result_content) for write in plan.writes] == [("d", A)]
