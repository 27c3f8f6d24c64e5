"""A write that fails while something else is wrong too: the truth is told, and the very files come back."""

import errno
import os
import sqlite3
import tempfile
from pathlib import Path

import pytest

from sulcus_panel.core.errors import StalePlan
from sulcus_panel.core.model import EntryState, SeqId
from sulcus_panel.core.undo.fs import FileSystem
from sulcus_panel.core.undo.model import Outcome
from sulcus_panel.core.undo.recover import recover
from tests.support.bench import L10, Bench
from tests.support.children import give_away, holds_for_nobody, in_a_child
from tests.support.clock import counting_ids
from tests.support.whole_undos import (
    TWO,
    Acting,
    a_made_tree,
    an_edit,
    sight,
)


@pytest.mark.parametrize("goes_back", [True, False])
def test_a_ledger_that_is_locked_meanwhile_does_not_hide_what_became_of_the_files(
    tmp_path: Path, goes_back: bool
) -> None:
    bench = Bench(tmp_path, busy_ms=10)
    (seq,) = an_edit(bench)
    before = sight(bench)
    other = sqlite3.connect(bench.home.database, isolation_level=None)

    class Failing(FileSystem):
        failed = False

        def reach(self, call: str) -> None:
            if call == "exchange" and not other.in_transaction:
                other.execute("BEGIN IMMEDIATE")
            elif other.in_transaction and not (self.failed and goes_back):
                self.failed = True
                raise OSError(errno.EIO, os.strerror(errno.EIO))

    result = bench.apply(bench.plan(seq), Failing())
    assert result.outcome is Outcome.FAILED
    assert ("the next start puts back" in result.results[0].reason) is not goes_back
    assert "input/output error" in result.results[0].reason
    other.execute("ROLLBACK")
    other.close()
    (told,) = recover(bench.ledger)
    assert told.endswith("every file is as it was before it.")
    assert sight(bench) == before
    bench.close()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_what_cannot_be_seen_while_it_goes_back_waits_and_is_nobody_elses() -> None:
    with tempfile.TemporaryDirectory() as name:
        bench = Bench(Path(name))
        for path in ("d/a.txt", "e/b.txt"):
            bench.put(path, L10)
        seq = bench.turn({"d/a.txt": TWO, "e/b.txt": TWO})
        bench.close()
        give_away(Path(name))

        def shut() -> None:
            (bench.root / "d").chmod(0)
            raise OSError(errno.EIO, os.strerror(errno.EIO))

        def stopped() -> bool:
            own = Bench(Path(name), bench.clock)
            own.ids = counting_ids("own")
            counting = Acting()
            undo = own.apply(own.plan(seq), counting).results[0].undo_seq_id or SeqId(0)
            redo = own.undo(undo).results[0].undo_seq_id or SeqId(0)
            second = [at for at, call in enumerate(counting.calls, 1) if call == "exchange"][1]
            result = own.apply(own.plan(redo), Acting(second, shut))
            assert result.outcome is Outcome.FAILED
            assert "the next start puts back what was written" in result.results[0].reason
            assert own.entry(redo).state is EntryState.RECORDED
            (bench.root / "d").chmod(0o755)
            (told,) = recover(own.ledger)
            return told.endswith("every file is as it was before it.")

        assert holds_for_nobody(stopped)
        assert [os.listdir(bench.root / folder) for folder in ("d", "e")] == [["a.txt"], ["b.txt"]]
        assert (bench.read("d/a.txt"), bench.read("e/b.txt")) == (TWO, TWO)


def test_what_is_displaced_is_kept_although_the_ledger_s_old_copy_of_it_is_damaged(bench: Bench) -> None:
    (seq,) = an_edit(bench)
    bench.damage(TWO)
    before = sight(bench)
    undo = bench.undo(seq).results[0].undo_seq_id
    assert undo is not None
    assert bench.undo(undo).outcome is Outcome.UNDONE
    assert sight(bench) == before


@pytest.mark.parametrize("killed", [False, True])
def test_a_file_that_was_let_go_of_already_comes_back_as_the_very_file(bench: Bench, killed: bool) -> None:
    """Somebody puts a file into a folder right before it goes, when what was in it has been moved out."""
    (seq,) = a_made_tree(bench)
    places = [bench.root / path for path in ("d/e/f", "d/g")]
    for place in places:
        os.utime(place, ns=(10**18, 10**18))
    before = [place.stat() for place in places]
    gone: list[str] = []

    class Visited(FileSystem):
        def remove_folder(self, folder: int | None, name: str) -> None:
            if name == "d" and not gone:
                gone.append(name)
                (bench.root / "d/guest").write_bytes(b"guest")
                if killed:
                    os._exit(137)
            super().remove_folder(folder, name)

    if killed:
        bench.clock.advance(1)
        assert in_a_child(lambda: bench.apply(bench.plan(seq), Visited())) == 137
        assert len(recover(bench.ledger)) == 1
    else:
        with pytest.raises(StalePlan, match="has changed meanwhile"):
            bench.apply(bench.plan(seq), Visited())
    now = [place.stat() for place in places]
    told = ("st_ino", "st_mode", "st_uid", "st_mtime_ns")
    assert [[getattr(each, name) for name in told] for each in now] == [
        [getattr(each, name) for name in told] for each in before
    ]
    assert sorted(os.listdir(bench.root / "d")) == ["e", "g", "guest"]
    assert os.listdir(bench.home.trash) == []
