import pytest

from sulcus_panel.core.errors import BadRequest, NotFound
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import Entry, EntryState, Hunk, Origin, SeqId, Undoability, Workspace
from tests.support.ledgers import appended, change, contents_of, record

A, B = b"a\nb\n", b"x\ny\n"
TWO_HUNKS = (Hunk(0, 1, 0, 1), Hunk(1, 1, 1, 1))


@pytest.fixture
def edit(ledger: Ledger, workspace: Workspace) -> Entry:
    return appended(
        ledger, workspace.id, record("edit", change("f", A, B, *TWO_HUNKS)), contents=contents_of(A, B)
    )


def undo(ledger: Ledger, target: Entry, uid: str, hunks: tuple[int, ...] | None = None) -> Entry:
    reverse = record(
        uid,
        change("f", B, A, *TWO_HUNKS),
        origin=Origin.UNDO,
        reverses=target.seq_id,
        reversed_hunks=hunks,
    )
    return appended(ledger, target.workspace_id, reverse)


def stand(ledger: Ledger, entry: Entry) -> tuple[EntryState, SeqId | None]:
    now = ledger.entry(entry.seq_id)
    return now.state, now.undone_by


def test_an_undo_marks_what_it_reverses(ledger: Ledger, edit: Entry) -> None:
    assert edit.undoability is Undoability.FULLY
    taken = undo(ledger, edit, "undo")
    assert stand(ledger, edit) == (EntryState.UNDONE, taken.seq_id)
    now = ledger.entry(edit.seq_id)
    assert (now.undoability, now.undo_reason) == (Undoability.NOT, "already undone")
    assert taken.undoability is Undoability.FULLY


def test_redo_brings_the_entry_back_to_any_depth(ledger: Ledger, edit: Entry) -> None:
    first = undo(ledger, edit, "undo")
    redo = undo(ledger, first, "redo")
    assert stand(ledger, first) == (EntryState.UNDONE, redo.seq_id)
    assert stand(ledger, edit) == (EntryState.RECORDED, None)
    again = undo(ledger, redo, "redo of redo")
    assert stand(ledger, redo) == (EntryState.UNDONE, again.seq_id)
    assert stand(ledger, first) == (EntryState.RECORDED, None)
    assert stand(ledger, edit) == (EntryState.UNDONE, first.seq_id)


def test_hunks_taken_back_one_by_one_make_a_whole(ledger: Ledger, edit: Entry) -> None:
    first = undo(ledger, edit, "first", (1,))
    assert stand(ledger, edit) == (EntryState.PARTLY_UNDONE, first.seq_id)
    second = undo(ledger, edit, "second", (0,))
    assert stand(ledger, edit) == (EntryState.UNDONE, second.seq_id)
    undo(ledger, first, "redo of the first")
    assert stand(ledger, edit) == (EntryState.PARTLY_UNDONE, second.seq_id)


def test_an_undo_that_is_partly_redone_leaves_the_entry_partly_undone(ledger: Ledger, edit: Entry) -> None:
    whole = undo(ledger, edit, "undo")
    undo(ledger, whole, "part of it", (0,))
    assert stand(ledger, edit) == (EntryState.PARTLY_UNDONE, whole.seq_id)


def test_no_list_of_hunks_takes_back_a_change_without_hunks(ledger: Ledger, workspace: Workspace) -> None:
    entry = appended(
        ledger,
        workspace.id,
        record("two", change("f", A, B, *TWO_HUNKS), change("binary", b"\0", b"\1")),
    )
    undo(ledger, entry, "undo", (0, 1))
    assert stand(ledger, entry)[0] is EntryState.PARTLY_UNDONE


def test_a_deferral_shows_until_it_is_taken_away_or_undone(ledger: Ledger, edit: Entry) -> None:
    ledger.set_state(edit.seq_id, EntryState.DEFERRED)
    assert stand(ledger, edit) == (EntryState.DEFERRED, None)
    ledger.set_state(edit.seq_id, EntryState.RECORDED)
    assert stand(ledger, edit) == (EntryState.RECORDED, None)
    ledger.set_state(edit.seq_id, EntryState.HELD)
    taken = undo(ledger, edit, "undo")
    assert stand(ledger, edit) == (EntryState.UNDONE, taken.seq_id)
    ledger.set_state(edit.seq_id, EntryState.DEFERRED)
    assert stand(ledger, edit) == (EntryState.UNDONE, taken.seq_id)


def test_taking_a_deferral_away_leaves_a_partial_undo(ledger: Ledger, edit: Entry) -> None:
    undo(ledger, edit, "first", (1,))
    ledger.set_state(edit.seq_id, EntryState.DEFERRED)
    ledger.set_state(edit.seq_id, EntryState.RECORDED)
    assert stand(ledger, edit)[0] is EntryState.PARTLY_UNDONE


def test_nobody_says_undone_without_an_undo(ledger: Ledger, edit: Entry) -> None:
    with pytest.raises(BadRequest):
        ledger.set_state(edit.seq_id, EntryState.UNDONE)
    with pytest.raises(NotFound, match="no such entry"):
        ledger.set_state(SeqId(99), EntryState.HELD)


def test_an_entry_that_claims_to_reverse_itself_ends_well(ledger: Ledger, workspace: Workspace) -> None:
    entry = appended(ledger, workspace.id, record("odd", origin=Origin.UNDO, reverses=SeqId(1)))
    assert entry.record.reverses == entry.seq_id == 1


def test_an_undo_of_an_entry_that_is_gone_is_still_recorded(ledger: Ledger, workspace: Workspace) -> None:
    entry = appended(ledger, workspace.id, record("undo", origin=Origin.UNDO, reverses=SeqId(77)))
    assert entry.record.reverses == 77
