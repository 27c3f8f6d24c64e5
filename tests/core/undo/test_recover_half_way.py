"""An undo that was killed between two files, and a disk that forgets or hides one of them."""

import os
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sulcus_panel.core.ledger.journal import JournalWrite, UndoJournal
from sulcus_panel.core.model import EntryState, LedgerPath, Origin, SeqId
from sulcus_panel.core.undo.recover import recover
from tests.support.bench import L10, Bench, edited
from tests.support.children import give_away, holds_for_nobody
from tests.support.ledgers import change, contents_of, record, state

AFTER = edited(L10, _2="two")


def half_way(bench: Bench, folder: str = "") -> SeqId:
    """An undo of two files that was killed between them; the first lies beside its path."""
    first, second = f"{folder}a.txt", "b.txt"
    for name in (first, second):
        bench.put(name, L10)
    seq_id = bench.turn({first: AFTER + b"first\n", second: AFTER})
    sides = ((first, AFTER + b"first\n"), (second, AFTER))
    undo = record(
        "half", *(change(name, data, L10) for name, data in sides), origin=Origin.UNDO, reverses=seq_id
    )
    writes = tuple(
        JournalWrite(LedgerPath(name), now, replace(now, **of(L10)), f".sulcus-half-{number}.tmp")
        for number, (name, now) in enumerate((name, bench.look(name).state) for name, _ in sides)
    )
    journal = UndoJournal("half", bench.workspace.id, str(bench.root), "digest", writes, (undo,))
    bench.ledger.begin_undo(journal, contents_of(L10, *(data for _, data in sides)))
    (bench.root / first).rename((bench.root / first).with_name(".sulcus-half-0.tmp"))
    bench.put(first, L10)
    return seq_id


def of(data: bytes) -> dict[str, Any]:
    return {"sha256": state(data).sha256, "size_bytes": len(data)}


@pytest.mark.parametrize("data", [L10, AFTER, AFTER + b"first\n"])
def test_a_damaged_snapshot_hinders_nobody_where_the_file_itself_is_there(bench: Bench, data: bytes) -> None:
    half_way(bench)
    bench.damage(data)
    (message,) = recover(bench.ledger)
    assert message.endswith("every file is as it was before it.")
    assert (bench.read("a.txt"), bench.read("b.txt")) == (AFTER + b"first\n", AFTER)
    assert sorted(os.listdir(bench.root)) == ["a.txt", "b.txt"]
    assert not bench.ledger.open_undos()


def test_what_only_a_damaged_snapshot_holds_stays_as_it_is_and_asks_for_attention(bench: Bench) -> None:
    seq_id = half_way(bench)
    bench.damage(AFTER + b"first\n")
    (bench.root / ".sulcus-half-0.tmp").unlink()
    (message,) = recover(bench.ledger)
    assert "the ledger's copy of what stood there is damaged" in message
    assert (bench.read("a.txt"), bench.read("b.txt")) == (L10, AFTER)
    assert (bench.entry(seq_id).state, bench.ledger.open_undos()) == (EntryState.ATTENTION, ())
    assert recover(bench.ledger) == ()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_what_cannot_be_seen_at_one_start_goes_back_at_a_later_one() -> None:
    with tempfile.TemporaryDirectory() as name:
        bench = Bench(Path(name))
        seq_id = half_way(bench, "d/")
        bench.close()
        give_away(Path(name))
        (bench.root / "d").chmod(0)

        def look_again(message: str, is_open: bool) -> bool:
            own = Bench(Path(name), bench.clock)
            (told,) = recover(own.ledger)
            assert told.endswith(message), told
            return bool(own.ledger.open_undos()) is is_open and own.entry(seq_id).state is EntryState.RECORDED

        again = "the disk does not let d/a.txt go back yet; this is tried again at every start."
        assert holds_for_nobody(lambda: look_again(again, is_open=True))
        (bench.root / "d").chmod(0o755)
        assert holds_for_nobody(lambda: look_again("every file is as it was before it.", is_open=False))
        assert os.listdir(bench.root / "d") == ["a.txt"]
        assert (bench.read("d/a.txt"), bench.read("b.txt")) == (AFTER + b"first\n", AFTER)


def test_an_undo_is_settled_where_its_folder_was_moved_to(bench: Bench, tmp_path: Path) -> None:
    seq_id = half_way(bench)
    moved = tmp_path / "moved"
    bench.root.rename(moved)
    (message,) = recover(bench.ledger)
    assert message.endswith("it is settled when that folder is back.")
    place = bench.ledger.add_workspace(str(moved))
    if place.folder is None or not place.folder.serial:
        pytest.skip("this file system does not tell a folder from another one made later")
    (message,) = recover(bench.ledger)
    assert message == f"The undo of #{seq_id} was interrupted; every file is as it was before it."
    assert sorted(os.listdir(moved)) == ["a.txt", "b.txt"]
    assert (moved / "a.txt").read_bytes() == AFTER + b"first\n"


def test_a_copy_of_its_folder_is_not_where_an_undo_is_settled(bench: Bench, tmp_path: Path) -> None:
    half_way(bench)
    copy = tmp_path / "copy"
    shutil.copytree(bench.root, copy)
    bench.root.rename(tmp_path / "away")
    bench.ledger.add_workspace(str(copy))
    (message,) = recover(bench.ledger)
    assert message.endswith("it is settled when that folder is back.")
    assert (copy / "a.txt").read_bytes() == L10
