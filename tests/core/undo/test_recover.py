"""An open journal is settled once, under the lock, and nobody's bytes are lost. Every kill: test_crash.py."""

import os
import shutil

import pytest

from sulcus_panel.core.ledger.journal import JournalWrite, UndoJournal
from sulcus_panel.core.model import EntryState, FileState, LedgerPath, NewEntry, Origin, SeqId
from sulcus_panel.core.undo.lock import undo_lock
from sulcus_panel.core.undo.recover import recover
from tests.support.bench import L10, Bench, edited
from tests.support.ledgers import change, contents_of, record, state

AFTER = edited(L10, _2="two")
A = LedgerPath("a.txt")
SPARE = ".sulcus-op.tmp"


@pytest.fixture
def changed(bench: Bench) -> SeqId:
    """An agent's change, whose undo a killed process was about to carry out."""
    bench.put("a.txt", L10)
    seq_id = bench.agent(AFTER)
    undo = record(
        "the-undo", change("a.txt", AFTER, L10), at=bench.clock(), origin=Origin.UNDO, reverses=seq_id
    )
    begin(bench, undo, JournalWrite(A, mode_of(bench, AFTER), mode_of(bench, L10), SPARE))
    return seq_id


def mode_of(bench: Bench, data: bytes) -> FileState:
    return state(data, mode=bench.look("a.txt").state.mode or 0)


def begin(bench: Bench, entry: NewEntry, *writes: JournalWrite) -> None:
    journal = UndoJournal("op", bench.workspace.id, str(bench.root), "digest", writes, (entry,))
    bench.ledger.begin_undo(journal, contents_of(L10, AFTER))


def governed(bench: Bench) -> list[str]:
    return [one.kind for one in bench.ledger.governance(bench.workspace.id, kind_prefix="undo")]


@pytest.mark.usefixtures("changed")
def test_while_an_undo_is_at_work_its_journal_is_left_alone(bench: Bench) -> None:
    with undo_lock(bench.ledger, 0) as held:
        assert held
        assert recover(bench.ledger) == ()
        assert len(bench.ledger.open_undos()) == 1
    assert len(recover(bench.ledger)) == 1


def test_before_the_first_write_everything_is_as_it_was(bench: Bench, changed: SeqId) -> None:
    (message,) = recover(bench.ledger)
    assert message == f"The undo of #{changed} was interrupted; every file is as it was before it."
    assert bench.read("a.txt") == AFTER
    assert bench.entry(changed).state is EntryState.RECORDED
    assert governed(bench) == ["undo.failed"]
    assert recover(bench.ledger) == ()


def test_after_the_last_write_it_is_complete_and_recorded(bench: Bench, changed: SeqId) -> None:
    bench.put("a.txt", L10)
    (message,) = recover(bench.ledger)
    assert message.endswith("it is complete and recorded.")
    assert bench.entry(changed).state is EntryState.UNDONE
    assert governed(bench) == ["undo.applied"]


def test_of_an_undo_that_is_recorded_only_the_spare_file_was_left(bench: Bench, changed: SeqId) -> None:
    (journal,) = bench.ledger.open_undos()
    bench.ledger.append(bench.workspace.id, journal.entries[0])
    bench.put("a.txt", edited(L10, _9="mine since"))
    bench.put(SPARE, AFTER)
    (message,) = recover(bench.ledger)
    assert "spare files" in message
    assert bench.read("a.txt") == edited(L10, _9="mine since")
    assert os.listdir(bench.root) == ["a.txt"]
    assert bench.entry(changed).state is EntryState.UNDONE
    assert governed(bench) == []


@pytest.mark.usefixtures("changed")
@pytest.mark.parametrize("spare", [L10, AFTER, L10[:20], b""])
def test_a_spare_file_of_ours_is_removed_even_half_written(bench: Bench, spare: bytes) -> None:
    bench.put(SPARE, spare)
    recover(bench.ledger)
    assert os.listdir(bench.root) == ["a.txt"]
    assert bench.read("a.txt") == AFTER


@pytest.mark.usefixtures("changed")
def test_a_strangers_bytes_in_the_spare_place_go_back_where_they_were_displaced(bench: Bench) -> None:
    """They were written to the path right before the switch, and the kill came right after it."""
    bench.put("a.txt", L10)
    bench.put(SPARE, b"a stranger's\n")
    (message,) = recover(bench.ledger)
    assert bench.read("a.txt") == b"a stranger's\n"
    assert os.listdir(bench.root) == ["a.txt"]
    assert "somebody else has changed a.txt" in message


def test_a_strangers_bytes_beside_other_strange_bytes_are_kept_under_another_name(
    bench: Bench, changed: SeqId
) -> None:
    bench.put("a.txt", b"somebody's\n")
    bench.put(SPARE, b"a stranger's\n")
    recover(bench.ledger)
    assert bench.read("a.txt") == b"somebody's\n"
    assert bench.read("a.txt.sulcus-conflict-op") == b"a stranger's\n"
    assert bench.entry(changed).state is EntryState.ATTENTION


def test_a_folder_that_is_gone_since_asks_for_attention(bench: Bench, changed: SeqId) -> None:
    shutil.rmtree(bench.root)
    (message,) = recover(bench.ledger)
    assert "a.txt" in message
    assert bench.entry(changed).state is EntryState.ATTENTION
    assert not bench.ledger.open_undos()


def test_several_files_go_back_together(bench: Bench) -> None:
    for name in ("a.txt", "b.txt"):
        bench.put(name, L10)
    seq_id = bench.turn({"a.txt": AFTER, "b.txt": AFTER})
    undo = record(
        "the-undo",
        *(change(name, AFTER, L10) for name in ("a.txt", "b.txt")),
        at=bench.clock(),
        origin=Origin.UNDO,
        reverses=seq_id,
    )
    writes = [
        JournalWrite(LedgerPath(name), mode_of(bench, AFTER), mode_of(bench, L10), SPARE)
        for name in ("a.txt", "b.txt")
    ]
    begin(bench, undo, *writes)
    bench.put("b.txt", L10)
    recover(bench.ledger)
    assert (bench.read("a.txt"), bench.read("b.txt")) == (AFTER, AFTER)
    assert bench.entry(seq_id).state is EntryState.RECORDED
