"""A program that still writes to a displaced file loses nothing: the file waits a day, and is looked at again."""

import os
import stat
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from sulcus_panel.core.undo import trash
from sulcus_panel.core.undo.fs import FileSystem
from sulcus_panel.core.undo.lock import undo_lock
from sulcus_panel.core.undo.model import Outcome
from sulcus_panel.core.undo.spare import place_of
from sulcus_panel.core.undo.task import Task
from sulcus_panel.core.undo.trash import purge_trash, trash_of
from tests.support.bench import L10, Bench, edited
from tests.support.ledgers import state

TWO = edited(L10, _2="two")
DAY = timedelta(hours=25)


def undone(bench: Bench, path: str = "a.txt") -> None:
    bench.put(path, L10)
    assert bench.undo(bench.agent(TWO, path)).outcome is Outcome.UNDONE


def held(bench: Bench) -> list[str]:
    folder = str(bench.home.trash)
    return sorted(os.listdir(folder)) if os.path.isdir(folder) else []


def told(bench: Bench) -> list[str]:
    return [row.summary for row in bench.ledger.governance(None, kind_prefix="undo.late_write")]


def test_a_displaced_file_waits_in_private_and_goes_after_a_day(bench: Bench) -> None:
    undone(bench)
    (name,) = held(bench)
    folder = bench.home.trash
    assert (folder / name).read_bytes() == TWO
    assert [stat.S_IMODE(each.stat().st_mode) for each in (folder, folder / name)] == [0o700, 0o600]
    assert purge_trash(bench.ledger, bench.clock()) == ()
    assert held(bench) == [name]
    assert purge_trash(bench.ledger, bench.clock() + DAY) == ()
    assert held(bench) == []
    assert told(bench) == []


@pytest.mark.skipif(sys.platform != "linux", reason="only there it can be told who has a file open")
def test_a_displaced_file_stays_as_long_as_a_program_may_write_to_it(bench: Bench) -> None:
    bench.put("a.txt", L10)
    seq_id = bench.agent(TWO, "a.txt")
    with (bench.root / "a.txt").open("ab") as held_open:
        assert bench.undo(seq_id).outcome is Outcome.UNDONE
        assert purge_trash(bench.ledger, bench.clock() + 2 * DAY) == ()
        assert len(held(bench)) == 1
        held_open.write(b"late\n")
    (sentence,) = purge_trash(bench.ledger, bench.clock() + 3 * DAY)
    assert "what it wrote is kept for 30 days" in sentence
    (name,) = held(bench)
    assert (bench.home.trash / name).read_bytes() == TWO + b"late\n"


def test_what_is_written_to_it_meanwhile_is_kept_and_told_once(bench: Bench) -> None:
    bench.put("sub/a-b.txt", L10)
    seq = bench.agent(TWO, "sub/a-b.txt")
    with (bench.root / "sub/a-b.txt").open("ab") as held_open:
        assert bench.undo(seq).outcome is Outcome.UNDONE
        held_open.write(b"late work\n")
    assert bench.read("sub/a-b.txt") == L10
    (sentence,) = purge_trash(bench.ledger, bench.clock() + DAY)
    (name,) = held(bench)
    kept = bench.home.trash / name
    assert kept.read_bytes() == TWO + b"late work\n"
    assert "a-b.txt" in sentence
    assert str(kept) in sentence
    assert told(bench) == [sentence]
    assert purge_trash(bench.ledger, bench.clock() + DAY) == ()
    purge_trash(bench.ledger, bench.clock() + timedelta(days=31))
    assert held(bench) == []


def test_the_oldest_goes_before_its_day_where_there_is_too_much(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trash, "MOST_BYTES", len(TWO))
    undone(bench)
    (first,) = held(bench)
    bench.clock.advance(10)
    undone(bench, "b.txt")
    purge_trash(bench.ledger, bench.clock())
    (left,) = held(bench)
    assert left != first


def test_while_an_undo_is_at_work_nothing_is_let_go_of(bench: Bench) -> None:
    undone(bench)
    with undo_lock(bench.ledger, 0):
        purge_trash(bench.ledger, bench.clock() + DAY)
        assert len(held(bench)) == 1


def test_what_is_not_ours_in_the_folder_is_left(bench: Bench) -> None:
    undone(bench)
    folder = bench.home.trash
    (folder / "note").write_bytes(b"")
    (folder / "1-2-3-4-link").symlink_to("note")
    (folder / "x-2-3-4-odd").write_bytes(b"")
    purge_trash(bench.ledger, bench.clock() + DAY)
    assert held(bench) == ["1-2-3-4-link", "note", "x-2-3-4-odd"]


def test_without_a_trash_there_is_nothing_to_purge(bench: Bench) -> None:
    assert purge_trash(bench.ledger, bench.clock()) == ()
    assert held(bench) == []


def test_a_file_with_another_name_or_no_file_at_all_is_not_taken(bench: Bench) -> None:
    task = Task(
        bench.entry(bench.agent(b"x", "a.txt")).paths[0], state(b"x"), state(b"y"), b"y", ".sulcus-1.tmp"
    )
    spare = bench.root / ".sulcus-1.tmp"
    taker = trash_of(bench.home, bench.workspace.id, bench.clock())
    with place_of(str(bench.root), task) as place:
        assert not taker.take(FileSystem(), place, state(b"x"))  # nothing is there
        spare.write_bytes(b"x")
        os.link(spare, bench.root / "second")
        assert not taker.take(FileSystem(), place, state(b"x"))
        (bench.root / "second").unlink()
        assert taker.take(FileSystem(), place, state(b"x"))
    assert not spare.exists()


def test_on_another_file_system_a_displaced_file_is_removed_at_once(tmp_path: Path) -> None:
    elsewhere = Path("/dev/shm")
    if not elsewhere.is_dir() or elsewhere.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("there is only one file system here")
    bench = Bench(tmp_path)
    own = elsewhere / f"sulcus-test-{os.getpid()}"
    bench.root = own / "project"
    bench.root.mkdir(parents=True)
    try:
        bench.workspace = bench.ledger.add_workspace(str(bench.root))
        undone(bench)
        assert held(bench) == []
        assert os.listdir(bench.root) == ["a.txt"]
    finally:
        bench.clear()
        bench.root.rmdir()
        own.rmdir()
        bench.close()
