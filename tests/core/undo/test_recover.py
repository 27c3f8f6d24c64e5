"""An open journal is settled once, under the lock, and nobody's bytes are lost. Every kill: test_crash.py."""

import errno
import os
import shutil
from dataclasses import replace
from datetime import timedelta

import pytest

from sulcus_panel.core.ledger.journal import JournalWrite, UndoJournal
from sulcus_panel.core.model import ABSENT, EntryState, FileState, LedgerPath, NewEntry, Origin, SeqId
from sulcus_panel.core.undo.fs import FileSystem
from sulcus_panel.core.undo.lock import undo_lock
from sulcus_panel.core.undo.recover import recover
from sulcus_panel.core.undo.trash import purge_trash
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


@pytest.mark.parametrize("is_recorded", [False, True])
def test_a_displaced_file_waits_its_day_also_after_a_kill_and_a_late_write_to_it_is_told(
    bench: Bench, changed: SeqId, is_recorded: bool
) -> None:
    (journal,) = bench.ledger.open_undos()
    if is_recorded:
        bench.ledger.append(bench.workspace.id, journal.entries[0])
    (bench.root / "a.txt").rename(bench.root / SPARE)
    bench.put("a.txt", L10)
    with (bench.root / SPARE).open("ab", buffering=0) as held:
        assert len(recover(bench.ledger)) == 1
        held.write(b"late\n")
    assert os.listdir(bench.root) == ["a.txt"]
    assert bench.entry(changed).state is EntryState.UNDONE
    assert purge_trash(bench.ledger, bench.clock() + timedelta(hours=23)) == ()
    (told,) = purge_trash(bench.ledger, bench.clock() + timedelta(hours=25))
    assert "a.txt" in told
    (kept,) = (bench.home.root / "trash").iterdir()
    assert kept.read_bytes() == AFTER + b"late\n"


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
@pytest.mark.parametrize("in_its_place", [None, AFTER])
def test_f041_an_undo_waits_for_its_own_folder_and_touches_no_other(
    bench: Bench, in_its_place: bytes | None
) -> None:
    bench.put("a.txt", L10)
    bench.put(SPARE, AFTER)
    bench.root.rename(bench.root.parent / "moved")
    if in_its_place is not None:
        bench.put("a.txt", in_its_place)
        bench.put(SPARE, L10)
    for _ in range(2):
        (message,) = recover(bench.ledger)
        assert message.endswith("it is settled when that folder is back.")
    if in_its_place is not None:
        assert (bench.read("a.txt"), bench.read(SPARE)) == (in_its_place, L10)
        shutil.rmtree(bench.root)
    (bench.root.parent / "moved").rename(bench.root)

    (message,) = recover(bench.ledger)

    assert message.endswith("it is complete and recorded.")
    assert os.listdir(bench.root) == ["a.txt"]
    assert bench.read("a.txt") == L10


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


def test_a_folder_made_anew_and_taken_for_the_same_asks_for_attention(bench: Bench, changed: SeqId) -> None:
    shutil.rmtree(bench.root)
    bench.root.mkdir()
    bench.ledger.add_workspace(str(bench.root), anew=True)
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


class Stuck(FileSystem):
    """A disk that lets nothing be written."""

    def reach(self, call: str) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), call)


def test_a_strangers_file_that_was_taken_aside_comes_back_to_its_free_name(bench: Bench) -> None:
    """The undo of a creation moved it aside, and was killed before it saw that it is not the planned one."""
    seq_id = bench.agent(AFTER)
    undo = record("the-undo", change("a.txt", AFTER, None), origin=Origin.UNDO, reverses=seq_id)
    begin(bench, undo, JournalWrite(A, mode_of(bench, AFTER), ABSENT, SPARE))
    (bench.root / "a.txt").rename(bench.root / SPARE)
    bench.put(SPARE, b"a stranger's\n")
    (message,) = recover(bench.ledger)
    assert bench.read("a.txt") == b"a stranger's\n"
    assert os.listdir(bench.root) == ["a.txt"]
    assert "somebody else has changed a.txt" in message
    assert bench.entry(seq_id).state is EntryState.ATTENTION


def test_what_the_disk_does_not_let_go_back_stays_open_and_is_said(bench: Bench, changed: SeqId) -> None:
    other = LedgerPath("b.txt")
    bench.put("b.txt", L10)
    (journal,) = bench.ledger.open_undos()
    bench.ledger.finish_undo("op")
    writes = (*journal.writes, replace(journal.writes[0], path=other))
    bench.ledger.begin_undo(replace(journal, writes=writes), contents_of(L10, AFTER))
    bench.put("a.txt", AFTER)
    (message,) = recover(bench.ledger, Stuck())
    assert message.endswith("does not let b.txt go back yet; this is tried again at every start.")
    assert len(bench.ledger.open_undos()) == 1
    assert bench.entry(changed).state is EntryState.RECORDED
    assert governed(bench) == []
    (message,) = recover(bench.ledger)
    assert message.endswith("every file is as it was before it.")
    assert bench.read("b.txt") == AFTER


def test_a_spare_file_that_cannot_be_removed_keeps_the_journal_open(bench: Bench, changed: SeqId) -> None:
    bench.put(SPARE, L10)
    (message,) = recover(bench.ledger, Stuck())
    assert "cannot be removed yet" in message
    assert len(bench.ledger.open_undos()) == 1
    assert len(recover(bench.ledger)) == 1
    assert os.listdir(bench.root) == ["a.txt"]
    bench.ledger.begin_undo(one_more(bench, changed), contents_of(L10, AFTER))
    bench.put("a.txt", L10)
    bench.put(SPARE, AFTER)
    (message,) = recover(bench.ledger, Stuck())
    assert bench.entry(changed).state is EntryState.UNDONE
    assert len(bench.ledger.open_undos()) == 1
    (message,) = recover(bench.ledger, Stuck())
    assert message.endswith("had left spare files behind, and they cannot be removed yet.")
    (message,) = recover(bench.ledger)
    assert message.endswith("they are removed.")
    assert os.listdir(bench.root) == ["a.txt"]


def one_more(bench: Bench, seq_id: SeqId) -> UndoJournal:
    undo = record("again", change("a.txt", AFTER, L10), origin=Origin.UNDO, reverses=seq_id)
    write = JournalWrite(A, mode_of(bench, AFTER), mode_of(bench, L10), SPARE)
    return UndoJournal("op", bench.workspace.id, str(bench.root), "digest", (write,), (undo,))


def test_what_a_stranger_wrote_to_a_displaced_file_of_a_recorded_undo_is_kept_and_named(
    bench: Bench, changed: SeqId
) -> None:
    (journal,) = bench.ledger.open_undos()
    bench.ledger.append(bench.workspace.id, journal.entries[0])
    bench.put("a.txt", L10)
    bench.put(SPARE, AFTER + b"late\n")
    (message,) = recover(bench.ledger)
    told = "had left spare files behind; what others wrote is kept as a.txt.sulcus-conflict-op."
    assert message == f"The undo of #{changed} {told}"
    assert bench.read("a.txt") == L10
    assert bench.read("a.txt.sulcus-conflict-op") == AFTER + b"late\n"


def in_place(bench: Bench, found: bytes) -> SeqId:
    """A file with two names, whose undo in place was killed when it held these bytes."""
    bench.put("a.txt", L10)
    seq_id = bench.agent(AFTER)
    os.link(bench.root / "a.txt", bench.root / "second")
    undo = record("the-undo", change("a.txt", AFTER, L10), origin=Origin.UNDO, reverses=seq_id)
    begin(bench, undo, JournalWrite(A, mode_of(bench, AFTER), mode_of(bench, L10), SPARE, in_place=True))
    bench.put("second", found)
    return seq_id


@pytest.mark.parametrize("done", [0, 1, 9, 40])
def test_a_half_written_file_with_two_names_goes_back_in_place(bench: Bench, done: int) -> None:
    seq_id = in_place(bench, L10[:done] + AFTER[done:])
    inode = (bench.root / "a.txt").stat().st_ino
    (message,) = recover(bench.ledger)
    assert message.endswith("every file is as it was before it.")
    assert (bench.read("second"), (bench.root / "a.txt").stat().st_ino) == (AFTER, inode)
    assert bench.entry(seq_id).state is EntryState.RECORDED


def test_a_half_written_file_whose_old_bytes_are_damaged_is_not_emptied(bench: Bench) -> None:
    in_place(bench, L10[:9] + AFTER[9:])
    bench.damage(AFTER)
    (message,) = recover(bench.ledger)
    assert "a.txt" in message
    assert bench.read("a.txt") == L10[:9] + AFTER[9:]


def test_a_whole_one_is_complete_and_a_strange_one_asks_for_attention(bench: Bench) -> None:
    seq_id = in_place(bench, L10)
    recover(bench.ledger)
    assert bench.entry(seq_id).state is EntryState.UNDONE
    (bench.root / "second").unlink()
    strange = L10[:9] + b"mine\n" + AFTER[14:]
    seq_id = bench.agent(AFTER)
    os.link(bench.root / "a.txt", bench.root / "second")
    write = JournalWrite(A, mode_of(bench, AFTER), mode_of(bench, L10), SPARE, in_place=True)
    begin(bench, record("2", change("a.txt", AFTER, L10), origin=Origin.UNDO, reverses=seq_id), write)
    bench.put("second", strange)
    (message,) = recover(bench.ledger)
    assert "a.txt" in message
    assert bench.read("a.txt") == strange
    assert bench.entry(seq_id).state is EntryState.ATTENTION
