"""A folder is opened once while it is in use, and no more are open than a process may have."""

import os
import resource
from pathlib import Path

import pytest

from sulcus_panel.core.disk import Unreachable
from sulcus_panel.core.model import LedgerPath
from sulcus_panel.core.undo.model import Outcome
from sulcus_panel.core.undo.open_folders import MOST_OPEN, OpenFolders
from sulcus_panel.core.undo.task import Task
from tests.support.bench import L10, Bench, edited
from tests.support.children import in_a_child
from tests.support.ledgers import state


def task(path: str) -> Task:
    return Task(LedgerPath(path), state(b""), state(b"1"), b"1", ".sulcus-op.tmp")


def test_the_last_used_folders_stay_open_and_the_others_are_walked_to_again(tmp_path: Path) -> None:
    names = [f"d{number}" for number in range(MOST_OPEN + 1)]
    for name in names:
        (tmp_path / name).mkdir()
    opened = OpenFolders(str(tmp_path))
    first = opened.place(task("d0/a")).folder
    assert opened.place(task("d0/b")).folder == first
    for name in names[1:]:
        assert opened.place(task(f"{name}/a")).folder is not None
        assert opened.place(task("d0/a")).folder == first
    (tmp_path / "d1").rename(tmp_path / "moved")
    with pytest.raises(Unreachable):
        opened.place(task("d1/a"))
    opened.close()


def test_an_undo_in_more_folders_than_a_process_may_have_open_is_done(bench: Bench) -> None:
    paths = [f"d{number}/f" for number in range(300)]
    for path in paths:
        bench.put(path, L10)
    seq_id = bench.turn(dict.fromkeys(paths, edited(L10, _2="two")))

    def undo() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
        own = Bench(bench.root.parent, bench.clock)
        result = own.undo(seq_id)
        assert result.outcome is Outcome.UNDONE, result.results[0].reason

    assert in_a_child(undo) == 0
    assert {bench.read(path) for path in paths} == {L10}
    assert {len(os.listdir(bench.root / f"d{number}")) for number in range(300)} == {1}
