"""A process killed around each call that moves a reference or writes the ledger: the next start tells the truth."""

import os
import shutil
import signal
import sys
from pathlib import Path
from types import FrameType

import pytest

from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import EntryState, SeqId
from sulcus_panel.core.undo.recover import recover
from tests.support.repo_bench import RepoBench

MOVING = {"delete", "set_target", "create_reference_direct", "rename", "replace", "execute", "commit"}
"""Functions in C after or before which the process is killed."""
COMMANDS = (
    "git tag v1",
    "git commit -q --allow-empty -m three",
    "git branch -m old older",
    "git branch topic older",
)
PARTS = ("data", "project/.git")
"""What is put back for the next time; the workspace's folder itself stays the same one."""

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="a process is killed that was forked")


def killed_at(bench: RepoBench, seq_ids: list[SeqId], moment: int) -> bool:
    """Undo in another process that is killed at its `moment`-th call; whether it was."""
    child = os.fork()
    if child == 0:
        try:
            _undo(bench, seq_ids, moment)
        finally:
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def _undo(bench: RepoBench, seq_ids: list[SeqId], moment: int) -> None:
    bench.ledger = Ledger.open(bench.home, clock=bench.clock)
    plan = bench.plan(*seq_ids)
    left = [moment]

    def count(_frame: FrameType, event: str, argument: object) -> None:
        if event in {"c_call", "c_return"} and getattr(argument, "__name__", "") in MOVING:
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.setprofile(count)
    bench.agrees(plan)
    sys.setprofile(None)


def test_each_entry_is_undone_or_not_whenever_the_process_is_killed(tmp_path: Path) -> None:
    stage = tmp_path / "stage"
    stage.mkdir()
    bench = RepoBench(stage)
    pictures = [bench.says()]
    entries = []
    for command in COMMANDS:
        entries.append(bench.runs(command).seq_id)
        pictures.append(bench.says())
    bench.close()
    shutil.copytree(stage, tmp_path / "kept")
    moment, ends = 1, set()
    while killed_at(bench, entries, moment):
        with Ledger.open(bench.home, clock=bench.clock) as ledger:
            told = recover(ledger)
            states = [ledger.entry(seq_id).state for seq_id in entries]
            undone = states.count(EntryState.UNDONE)
            order = [EntryState.RECORDED] * (len(entries) - undone) + [EntryState.UNDONE] * undone
            assert states == order, (moment, states, told)
            assert bench.says() == pictures[len(entries) - undone], (moment, told)
            assert (ledger.open_undos(), recover(ledger)) == ((), ())
        ends.add(undone)
        for part in PARTS:
            shutil.rmtree(stage / part)
            shutil.copytree(tmp_path / "kept" / part, stage / part)
        moment += 1
    assert ends == set(range(len(entries) + 1))
    assert moment > 40
