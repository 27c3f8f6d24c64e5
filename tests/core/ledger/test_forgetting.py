import pytest

from sulcus_panel.core.errors import LedgerBusy
from sulcus_panel.core.ledger.forgetting import FORGOTTEN
from sulcus_panel.core.ledger.journal import JournalWrite, UndoJournal
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import Hunk, LedgerPath, Origin, SeqId, Workspace
from tests.support.ledgers import appended, change, contents_of, record, sha, state

PATH = LedgerPath("secret.txt")


def test_the_empty_file_is_nothing_to_forget(ledger: Ledger, workspace: Workspace) -> None:
    ledger.append(workspace.id, record("a", change(PATH, b"", b"key")), contents=contents_of(b"", b"key"))
    going = ledger.forget(workspace.id, PATH)
    assert (going.entries, going.versions) == (1, 1)
    assert ledger.blobs.get(sha(b"")) == b""
    assert not ledger.blobs.has(sha(b"key"))


def test_lines_go_where_they_are_all_that_is_kept(ledger: Ledger, workspace: Workspace) -> None:
    hunk = Hunk(3, 1, 3, 1, b"old\n", b"key\n", exact=True)
    appended(ledger, workspace.id, record("a", change(PATH, b"1", b"2", hunk)))
    ledger.forget(workspace.id, PATH)
    (kept,) = ledger.entry(SeqId(1)).record.changes
    assert kept.hunks == (Hunk(3, 1, 3, 1, exact=True),)
    assert kept.before.reason == FORGOTTEN


def test_a_broken_off_undo_keeps_what_it_may_need(ledger: Ledger, workspace: Workspace) -> None:
    ledger.append(workspace.id, record("a", change(PATH, b"1", b"2")), contents=contents_of(b"1", b"2"))
    undo = record("undo", origin=Origin.UNDO, reverses=SeqId(1))
    write = JournalWrite(PATH, state(b"2"), state(b"1"), "")
    ledger.begin_undo(UndoJournal("op", workspace.id, "/nowhere", "d", (write,), (undo,)))
    with pytest.raises(LedgerBusy):
        ledger.forget(workspace.id, PATH)
    assert ledger.blobs.get(sha(b"1")) == b"1"


def test_a_broken_off_undo_keeps_the_states_between_its_steps(ledger: Ledger, workspace: Workspace) -> None:
    ledger.append(workspace.id, record("a", change(PATH, b"1", b"2")), contents=contents_of(b"1", b"2"))
    undo = record("undo", change(PATH, b"3", b"2"), origin=Origin.UNDO, reverses=SeqId(1))
    write = JournalWrite(PATH, state(b"3"), state(b"0"), "")
    ledger.begin_undo(UndoJournal("op", workspace.id, "/nowhere", "d", (write,), (undo,)))
    with pytest.raises(LedgerBusy):
        ledger.forget(workspace.id, PATH)


def test_a_file_of_the_same_name_elsewhere_is_another_file(ledger: Ledger, workspace: Workspace) -> None:
    other = ledger.add_workspace(None, "other")
    ledger.append(workspace.id, record("a", change(PATH, None, b"1")), contents=contents_of(b"1"))
    ledger.append(other.id, record("b", change(PATH, None, b"2")), contents=contents_of(b"2"))
    assert ledger.forget(workspace.id, PATH).shared == ()
    assert ledger.blobs.get(sha(b"2")) == b"2"
