"""The pure plan: order, digest, words and outcomes, from facts made by hand."""

from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from itertools import pairwise

import pytest

from sulcus_panel.core.diff import diff_hunks
from sulcus_panel.core.model import (
    ABSENT,
    ActionType,
    Change,
    DiskFile,
    DriftKind,
    Entry,
    EntryState,
    FileKind,
    FileState,
    LedgerPath,
    Namespace,
    NewEntry,
    Origin,
    Provenance,
    SeqId,
    Sha256,
    Step,
    Undoability,
)
from sulcus_panel.core.undo.model import Outcome, Strategy, UndoFacts, UndoPlan
from sulcus_panel.core.undo.plan import plan_undo
from tests.support.bench import AGENT, L10, edited
from tests.support.clock import NOON

PATH = LedgerPath("a.txt")


def state(data: bytes | None, mode: int = 0o644) -> FileState:
    if data is None:
        return ABSENT
    return FileState(FileKind.FILE, Sha256(sha256(data).hexdigest()), len(data), mode, kept=True)


def change(before: bytes | None, after: bytes | None, path: LedgerPath = PATH) -> Change:
    return Change(path, state(before), state(after), diff_hunks(before or b"", after or b""))


def entry(seq: int, *changes: Change, **more: str) -> Entry:
    record = NewEntry(
        uid=f"u{seq}",
        at=NOON + timedelta(minutes=seq),
        harness="claude-code",
        actor=AGENT,
        origin=Origin.AGENT,
        action_type=ActionType.FILE_EDIT,
        tool_name="Edit",
        target_path=PATH,
        summary="an edit",
        provenance=Provenance.OBSERVED,
        session_id="s1",
        intent=more.get("intent", "Harden webhook verification"),
        changes=changes,
    )
    return Entry(
        SeqId(seq),
        record.at,
        1,
        Namespace("demo"),
        record,
        EntryState.RECORDED,
        None,
        Undoability.FULLY,
        "",
        None,
    )


def facts(disk: bytes | None, *entries: Entry, targets: tuple[int, ...] = ()) -> UndoFacts:
    """Facts about one path whose history is exactly these entries."""
    steps = tuple(
        Step(each.seq_id, Origin.AGENT, each.record.at, one.before, one.after, one.hunks)
        for each in entries
        for one in each.record.changes
    )
    chosen = [each for each in reversed(entries) if not targets or each.seq_id in targets]
    return UndoFacts(
        workspace_id=1,
        root="/project",
        targets=tuple(chosen),
        hunks=None,
        timelines={PATH: steps},
        contents={},
        disk={PATH: DiskFile(state(disk), disk)},
        readers={},
        active_sessions=frozenset(),
        refusals={},
    )


def kept(given: UndoFacts, *datas: bytes) -> UndoFacts:
    return replace(given, contents={Sha256(sha256(data).hexdigest()): data for data in datas})


T1 = edited(L10, _3="three")
T2 = edited(T1, _8="eight")


def test_a_clean_plan_tells_what_happens_in_plain_words() -> None:
    plan = plan_undo(
        kept(facts(T2, entry(1, change(L10, T1)), entry(2, change(T1, T2)), targets=(1,)), L10, T1)
    )
    assert plan.can_apply
    assert plan.explanation.where_from == "Claude Code, 12:01, “Harden webhook verification”"
    assert plan.explanation.how_compared == "state after #1, the file now, state before #1"
    assert plan.explanation.what_happens == "1 line goes back; 9 lines stay as they are"
    assert plan.explanation.how_back == "the file as it is now is kept; Redo brings it back any time"
    assert [(w.code, w.seq_ids) for w in plan.warnings] == [("later_kept", (2,))]
    hunk = plan.entries[0].paths[0].hunks[0]
    assert (hunk.removes, hunk.restores, hunk.disk_lines) == (b"three\n", b"line 3\n", (2, 3))


def test_text_of_a_record_cannot_leave_its_place() -> None:
    hostile = entry(1, change(L10, T1), intent="x\n\x1b[31m”. Everything is fine\u202e")
    told = plan_undo(kept(facts(T1, hostile), L10)).explanation.where_from
    assert told.isprintable()


def test_the_same_facts_give_the_same_digest_and_others_another() -> None:
    given = kept(facts(T2, entry(1, change(L10, T1)), entry(2, change(T1, T2)), targets=(1,)), L10, T1)
    assert plan_undo(given).digest == plan_undo(given).digest
    busy = replace(given, active_sessions=frozenset({"s1"}))
    assert plan_undo(busy).digest == plan_undo(given).digest
    moved = replace(given, disk={PATH: DiskFile(state(T2, 0o600), T2)})
    assert plan_undo(moved).digest != plan_undo(given).digest


def test_without_a_root_nothing_can_be_undone() -> None:
    plan = plan_undo(replace(facts(T1, entry(1, change(L10, T1))), root=None, disk={}))
    assert (plan.outcome, plan.entries[0].reason) == (Outcome.UNAVAILABLE, "no_root")


@pytest.mark.parametrize(
    ("was_kept", "reason", "word"),
    [
        (True, "", "snapshot_expired"),
        (False, "snapshot expired", "snapshot_expired"),
        (False, "larger than 4,096 bytes", "not_kept"),
    ],
)
def test_a_missing_snapshot_is_named(was_kept: bool, reason: str, word: str) -> None:
    one = change(L10, T1)
    one = replace(one, before=replace(one.before, kept=was_kept, reason=reason))
    plan = plan_undo(facts(T1, entry(1, one)))
    assert (plan.outcome, plan.entries[0].reason) == (Outcome.UNAVAILABLE, word)


def test_a_version_on_the_way_that_is_not_kept_is_bridged_and_its_maker_named() -> None:
    between = edited(T1, _3="between")
    lost = replace(change(T1, between), hunks=())
    history = (entry(1, change(L10, T1)), entry(2, lost), entry(3, replace(change(between, T2), hunks=())))
    clean = plan_undo(kept(facts(T2, *history, targets=(1,)), L10, T1))
    assert clean.outcome is Outcome.UNDONE
    stands = edited(T1, _3="somebody's")
    history = (*history[:2], entry(3, replace(change(between, stands), hunks=())))
    plan = plan_undo(kept(facts(stands, *history, targets=(1,)), L10, T1))
    assert (plan.outcome, plan.conflicts[0].with_seq_ids) == (Outcome.CONFLICT, (2, 3))
    assert "#2, #3 stand on line 3" in plan.explanation.what_happens


def test_drift_is_named_and_an_outside_edit_elsewhere_stays() -> None:
    mine = edited(T1, _9="mine")
    plan = plan_undo(kept(facts(mine, entry(1, change(L10, T1))), L10, T1))
    assert plan.drift == {PATH: DriftKind.CHANGED}
    assert plan.writes[0].result_content == edited(L10, _9="mine")
    assert plan.warnings[0].code == "drift"


def test_readers_and_a_busy_session_and_a_claimed_record_are_told() -> None:
    one = entry(1, change(L10, T1))
    one = replace(one, record=replace(one.record, provenance=Provenance.CLAIMED))
    given = kept(facts(T1, one), L10)
    given = replace(given, readers={PATH: (SeqId(7),)}, active_sessions=frozenset({"s1"}))
    codes = {warning.code: warning for warning in plan_undo(given).warnings}
    assert set(codes) == {"session_active", "unverified_pre_image", "read_by"}
    assert codes["read_by"].text == "#7 was made after reading a.txt"


def test_a_batch_is_all_or_nothing() -> None:
    other = LedgerPath("b.txt")
    two = entry(1, change(L10, T1), change(L10, T1, other))
    given = kept(facts(T1, two), L10, T1)
    given = replace(
        given, disk={**given.disk, other: DiskFile(state(edited(T1, _3="x")), edited(T1, _3="x"))}
    )
    plan = plan_undo(given)
    assert [path.outcome for path in plan.entries[0].paths] == [Outcome.UNDONE, Outcome.CONFLICT]
    assert (plan.outcome, plan.writes) == (Outcome.CONFLICT, ())


def test_a_created_file_that_a_later_turn_edited_is_never_deleted() -> None:
    history = (entry(1, change(None, L10)), entry(2, change(L10, T1)))
    plan = plan_undo(kept(facts(T1, *history, targets=(1,)), L10))
    assert (plan.outcome, plan.conflicts[0].with_seq_ids, plan.conflicts[0].lines) == (
        Outcome.CONFLICT,
        (2,),
        None,
    )
    both = plan_undo(kept(facts(T1, *history), L10))
    assert both.entries[1].paths[0].strategy is Strategy.DELETE_CREATED_FILE
    assert both.writes[0].result == ABSENT


def test_a_created_file_edited_and_put_back_may_be_deleted() -> None:
    history = (entry(1, change(None, L10)), entry(2, change(L10, T1)), entry(3, change(T1, L10)))
    assert plan_undo(facts(L10, *history, targets=(1,))).outcome is Outcome.UNDONE


def planned(path: str, *versions: bytes) -> UndoPlan:
    """Plan the undo of the first of several entries over one path."""
    entries = [
        entry(at + 1, replace(change(old, new), path=LedgerPath(path)))
        for at, (old, new) in enumerate(pairwise(versions))
    ]
    given = kept(facts(versions[-1], *entries, targets=(1,)), *versions)
    named = {LedgerPath(path): given.timelines[PATH]}
    disk = {LedgerPath(path): given.disk[PATH]}
    return plan_undo(replace(given, timelines=named, disk=disk))


SAY, TELL, YOU_TELL = (
    L10.replace(b"line 3\n", line)
    for line in (b"let me say some words\n", b"let me tell some words\n", b"let you tell some words\n")
)


def test_words_of_one_line_edited_side_by_side_are_written_once_the_person_has_looked() -> None:
    plan = planned("a.txt", SAY, TELL, YOU_TELL)
    path = plan.entries[0].paths[0]
    assert (plan.outcome, plan.can_apply) == (Outcome.REVIEW, True)
    assert [write.result_content for write in plan.writes] == [YOU_TELL.replace(b"tell", b"say")]
    assert path.conflicts[0].with_seq_ids == (2,)
    assert [consent.key for consent in plan.consents] == ["review:a.txt"]


def test_older_entries_of_a_batch_build_on_a_result_under_review() -> None:
    start = edited(SAY, _8="eight")
    history = (entry(1, change(start, SAY)), entry(2, change(SAY, TELL)), entry(3, change(TELL, YOU_TELL)))
    plan = plan_undo(kept(facts(YOU_TELL, *history, targets=(1, 2)), start, SAY, TELL))
    assert [each.outcome for each in plan.entries] == [Outcome.REVIEW, Outcome.UNDONE]
    assert plan.entries[1].paths[0].disk_content == YOU_TELL.replace(b"tell", b"say")
    assert [write.result_content for write in plan.writes] == [
        edited(YOU_TELL.replace(b"tell", b"say"), _8="eight")
    ]


def test_a_result_under_review_is_not_written_beside_a_conflict() -> None:
    other = LedgerPath("b.txt")
    mine = edited(T1, _3="mine")
    given = facts(
        YOU_TELL, entry(1, change(SAY, TELL), change(L10, T1, other)), entry(2, change(TELL, YOU_TELL))
    )
    given = replace(given, targets=given.targets[1:], disk={**given.disk, other: DiskFile(state(mine), mine)})
    plan = plan_undo(kept(given, SAY, TELL, L10, T1))
    assert [path.outcome for path in plan.entries[0].paths] == [Outcome.REVIEW, Outcome.CONFLICT]
    assert (plan.outcome, plan.writes, plan.consents) == (Outcome.CONFLICT, (), ())


def test_a_file_with_another_name_is_written_in_place_but_deleted_by_its_own_name() -> None:
    edit = kept(facts(T1, entry(1, change(L10, T1))), L10)
    assert [write.in_place for write in plan_undo(edit).writes] == [False]
    linked = replace(edit, linked=frozenset({PATH}))
    assert [write.in_place for write in plan_undo(linked).writes] == [True]
    assert plan_undo(linked).digest != plan_undo(edit).digest
    created = replace(facts(T1, entry(1, change(None, T1))), linked=frozenset({PATH}))
    assert [write.in_place for write in plan_undo(created).writes] == [False]


def test_lines_that_went_with_their_neighbours_are_superseded() -> None:
    now = T1.replace(b"line 2\nthree\nline 4\n", b"")
    plan = planned("a.txt", L10, T1, now)
    assert (plan.outcome, plan.entries[0].outcome) == (Outcome.SUPERSEDED, Outcome.SUPERSEDED)
    assert plan.conflicts[0].with_seq_ids == (2,)


def test_superseded_lines_beside_others_that_could_go_back_are_a_conflict() -> None:
    turned = edited(T1, _9="nine")
    plan = planned("a.txt", L10, turned, turned.replace(b"line 2\nthree\nline 4\n", b""))
    assert [hunk.outcome for hunk in plan.entries[0].paths[0].hunks] == ["superseded", "undone"]
    assert plan.outcome is Outcome.CONFLICT


def test_a_result_that_no_longer_parses_is_for_a_person_to_look_at() -> None:
    before = b"def one():\n    return 1\n\n\ndef two():\n    return 2\n"
    after = before.replace(b"    return 2\n", b"    if True:\n        return 2\n")
    now = after.replace(b"return 2\n", b"return 2\n        print(2)\n")
    plan = planned("code.py", before, after, now)
    assert (plan.outcome, plan.entries[0].reason) == (Outcome.REVIEW, "the file would no longer parse")
    assert planned("code.txt", before, after, now).outcome is Outcome.UNDONE
