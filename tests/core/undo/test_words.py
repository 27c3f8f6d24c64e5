"""The sentences that a person reads before deciding: true to the letter, in number too."""

from dataclasses import replace
from datetime import timedelta

import pytest

from sulcus_panel.core.diff import diff_hunks
from sulcus_panel.core.model import (
    ABSENT,
    ActionType,
    Change,
    DiskFile,
    DriftKind,
    FileKind,
    FileState,
    LedgerPath,
    NewEntry,
    SeqId,
)
from sulcus_panel.core.undo.judge import IN_THE_WAY
from sulcus_panel.core.undo.model import Conflict, Outcome, Resolution, UndoFacts, UndoPlan
from sulcus_panel.core.undo.plan import plan_undo
from sulcus_panel.core.undo.words import DRIFT, WAYS, because, reason_words, stands
from tests.support.bench import L10, edited
from tests.support.clock import NOON
from tests.support.entries import make_entry
from tests.support.ledgers import contents_of, record, state

A, B = LedgerPath("src/a.txt"), LedgerPath("b.txt")


def changed(path: LedgerPath, old: bytes | None, new: bytes | None, mode: int = 0o644) -> Change:
    return Change(path, state(old), state(new, mode=mode), diff_hunks(old or b"", new or b""))


def facts(*records: NewEntry, disk: dict[LedgerPath, FileState] | None = None) -> UndoFacts:
    """Nothing came after these entries, numbered from 1, oldest first; the disk is what they left."""
    entries = [
        replace(make_entry(number), record=one, recorded_at=one.at) for number, one in enumerate(records, 1)
    ]
    left = {change.path: change.after for one in records for change in one.changes}
    return UndoFacts(
        workspace_id=1,
        root="/w",
        targets=tuple(reversed(entries)),
        hunks=None,
        timelines={},
        contents=contents_of(L10, b"one\n", b"two\n", b""),
        disk={path: DiskFile(file, None) for path, file in (disk or left).items()},
        readers={},
        active_sessions=frozenset(),
        refusals={},
    )


def with_disk(given: UndoFacts, **contents: bytes) -> UndoFacts:
    """The same where these bytes are on disk, named by their path's last letter."""
    disk = {
        path: DiskFile(file.state, contents.get(path[-5], file.content)) for path, file in given.disk.items()
    }
    return replace(given, disk=disk)


def one(old: bytes | None, new: bytes | None, mode: int = 0o644) -> UndoPlan:
    given = facts(record("u1", changed(A, old, new, mode)))
    return plan_undo(with_disk(given, a=new) if new is not None else given)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (L10, edited(L10, _3="x"), "1 line goes back; 9 lines stay as they are"),
        (L10, edited(L10, _3="x", _7="y"), "2 lines go back; 8 lines stay as they are"),
        (L10, L10 + b"more\n", "1 line goes; 10 lines stay as they are"),
        (L10, L10 + b"more\nand more\n", "2 lines go; 10 lines stay as they are"),
        (L10, L10.replace(b"line 4\n", b""), "1 line comes back; 9 lines stay as they are"),
        (b"one\n", b"two\n", "1 line goes back"),
        (b"one\n", b"", "1 line comes back"),
        (None, b"one\n", "a.txt is deleted; it is exactly what the change created"),
        (b"one\n", None, "a.txt comes back"),
    ],
)
def test_one_files_fate_is_told_in_lines(old: bytes | None, new: bytes | None, told: str) -> None:
    assert one(old, new).explanation.what_happens == told


def test_permissions_are_told_alone_and_beside_lines() -> None:
    alone, both = one(L10, L10, 0o755), one(L10, edited(L10, _3="x"), 0o755)
    assert alone.explanation.what_happens == "permissions go back to 0644; the contents stay as they are"
    assert both.explanation.what_happens.endswith("; permissions go back to 0644")


def test_several_files_and_changes_are_counted_and_each_kind_has_its_verb() -> None:
    plan = plan_undo(
        with_disk(
            facts(
                record("u1", changed(A, b"one\n", b"two\n")),
                record("u2", changed(B, b"one\n", None), changed(LedgerPath("c.txt"), None, b"new\n")),
            ),
            a=b"two\n",
            c=b"new\n",
        )
    )
    assert plan.explanation.what_happens == (
        "2 changes are taken back, newest first: "
        "1 file goes back, later changes kept; 1 file is deleted; 1 file comes back"
    )
    assert plan.explanation.where_from.startswith("2 changes, Claude Code, ")
    assert plan.explanation.how_compared.startswith("each file: ")
    assert plan.explanation.how_back.startswith("the files as they are now are kept")


def test_a_moved_file_counts_once_and_folders_are_not_files() -> None:
    folder = FileState(FileKind.DIRECTORY, mode=0o755)
    made = Change(LedgerPath("new.d"), ABSENT, folder)
    paths = changed(B, b"one\n", None), changed(LedgerPath("c.txt"), None, b"one\n"), made
    found = facts(record("u1", *paths))
    listed = replace(found, listings={LedgerPath("new.d"): ()})
    told = plan_undo(with_disk(listed, c=b"one\n")).explanation.what_happens
    assert told == "1 file moves back to where it was; 1 folder is deleted"


def test_steps_that_cancel_each_other_out_are_said_to_change_nothing() -> None:
    there, back = changed(A, b"one\n", b"two\n"), changed(A, b"two\n", b"one\n")
    plan = plan_undo(with_disk(facts(record("u1", there), record("u2", back)), a=b"one\n"))
    assert plan.outcome is Outcome.UNDONE
    assert plan.explanation.what_happens == "nothing changes: the steps cancel each other out"
    assert plan.explanation.how_back == "nothing is changed, so there is nothing to get back"


def test_what_is_gone_already_or_changed_no_file_is_said_so() -> None:
    undone = plan_undo(facts(record("u1", changed(A, None, b"one\n")), disk={A: ABSENT}))
    looked = plan_undo(facts(record("u1", action_type=ActionType.FILE_EDIT)))
    assert undone.explanation.what_happens == "nothing: the change is no longer there"
    assert looked.explanation.what_happens == "nothing: no file was changed"
    assert looked.explanation.how_compared == "there is no file to compare"


def test_why_not_names_the_file_only_where_there_are_several() -> None:
    lost = replace(state(b"lost\n"), reason="larger than 4,096 bytes")
    single = facts(record("u1", replace(changed(A, b"lost\n", b"one\n"), before=lost)))
    double = facts(
        record("u1", replace(changed(A, b"lost\n", b"one\n"), before=lost), changed(B, None, b"two\n"))
    )
    why = "what was there before was never kept"
    assert plan_undo(with_disk(single, a=b"one\n")).explanation.what_happens == f"nothing: {why}"
    assert plan_undo(with_disk(double, a=b"one\n", b=b"two\n")).explanation.what_happens == (
        f"nothing: {A}: {why}"
    )
    assert because((), Outcome.REFUSED) == "it cannot be done"


@pytest.mark.parametrize(
    ("lines", "who", "outside", "told"),
    [
        ((2, 3), (4,), False, "#4 stands on line 3 (why)"),
        ((2, 5), (4, 5), False, "#4, #5 stand on lines 3–5 (why)"),
        ((2, 2), (), True, "a change outside the agents stands on the place before line 3 (why)"),
        (None, (4,), True, "#4 and a change outside the agents stand on src/a.txt (why)"),
        (None, (), False, "something stands on src/a.txt (why)"),
    ],
)
def test_who_stands_in_the_way_is_named_with_the_place(
    lines: tuple[int, int] | None, who: tuple[int, ...], outside: bool, told: str
) -> None:
    assert stands(Conflict(A, lines, tuple(SeqId(seq) for seq in who), outside, "why")) == told


def test_that_later_work_stands_there_is_said_once() -> None:
    assert stands(Conflict(A, (2, 3), (SeqId(4),), False, IN_THE_WAY)) == "#4 stands on line 3"


def test_a_harness_without_a_known_name_is_shown_as_it_calls_itself_and_escaped() -> None:
    plan = plan_undo(facts(record("u1", harness="nano\x1b[31m", intent="")))
    assert plan.explanation.where_from == "nano\\x1b[31m, 12:00"


def test_prompts_that_differ_are_not_quoted() -> None:
    records = [record(f"u{n}", intent=f"prompt {n}", at=NOON + timedelta(minutes=n)) for n in (1, 2)]
    assert plan_undo(facts(*records)).explanation.where_from == "2 changes, Claude Code, 12:02"


def test_a_command_without_files_says_that_there_is_no_way_back() -> None:
    command = record("u1", action_type=ActionType.RUN_COMMAND, command="make\nall")
    alone = plan_undo(facts(command))
    assert alone.explanation.what_happens.startswith("nothing: it changed no file that was recorded")


def test_a_link_that_becomes_a_file_again_is_told() -> None:
    link = FileState(FileKind.SYMLINK, state(b"two\n").sha256, 4)
    given = facts(record("u1", replace(changed(A, b"one\n", None), after=link)))
    plan = plan_undo(with_disk(given, a=b"two\n"))
    assert plan.explanation.what_happens == "a.txt becomes again the link or file that it was"


def test_every_kind_of_drift_has_its_sentence() -> None:
    assert set(DRIFT) == set(DriftKind)


def test_whatever_a_person_may_decide_has_its_words_on_every_door() -> None:
    assert set(WAYS) == set(Resolution) - {Resolution.KEEP}


def test_a_reason_is_told_in_words_and_never_as_a_sentence_of_ours() -> None:
    assert reason_words("snapshot_expired") == "what was there before is no longer kept"
    assert reason_words("a_new_word") == "a new word"
    assert reason_words("a file\x1b of data") == "a file\\x1b of data"
