"""Names that are one file, folders, disks that cannot swap names: killed and failed at every call."""

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from sulcus_panel.core.model import EntryState, SeqId
from sulcus_panel.core.undo.model import Outcome
from sulcus_panel.core.undo.recover import recover
from tests.support.bench import Bench
from tests.support.children import in_a_child
from tests.support.whole_undos import (
    Acting,
    Picture,
    Scenario,
    WithoutSwap,
    a_folder_mode,
    a_linked_batch,
    a_removed_tree,
    an_edit,
    sight,
)

CASES = [
    pytest.param(scenario, kind, id=f"{scenario.__name__}-{kind.__name__}")
    for scenario, kind in (
        (a_linked_batch, Acting),
        (a_removed_tree, Acting),
        (a_folder_mode, Acting),
        (an_edit, WithoutSwap),
    )
]


@contextmanager
def stage(folder: Path, scenario: Scenario) -> Iterator[tuple[Bench, tuple[SeqId, ...], Picture]]:
    folder.mkdir()
    bench = Bench(folder)
    try:
        seq_ids = scenario(bench)
        yield bench, seq_ids, sight(bench)
    finally:
        bench.close()


def measure(folder: Path, scenario: Scenario, kind: type[Acting]) -> tuple[int, Picture]:
    with stage(folder, scenario) as (bench, seq_ids, _):
        fs = kind()
        result = bench.apply(bench.plan(*seq_ids), fs)
        assert result.outcome is Outcome.UNDONE, result
        return len(fs.calls), sight(bench)


def killed(bench: Bench, act: Callable[[Bench, Callable[[], object]], object]) -> int:
    """Let a child act on the same workspace and end where it says so; returns its exit code."""
    bench.ledger.close()

    def act_there() -> None:
        own = Bench(bench.root.parent, bench.clock)
        own.ids = bench.ids
        act(own, lambda: os._exit(137))

    code = in_a_child(act_there)
    bench.ledger = Bench(bench.root.parent, bench.clock).ledger
    return code


@pytest.mark.parametrize(("scenario", "kind"), CASES)
def test_a_kill_at_any_call_leaves_all_before_or_all_after(
    tmp_path: Path, scenario: Scenario, kind: type[Acting]
) -> None:
    calls, after = measure(tmp_path / "whole", scenario, kind)
    for call in range(1, calls + 1):
        with stage(tmp_path / f"killed-{call}", scenario) as (bench, seq_ids, before):
            inodes = {path: os.lstat(bench.root / path).st_ino for path in ("second",) if path in before}
            code = killed(bench, partial(applied, seq_ids, kind, call))
            assert code == 137
            messages = recover(bench.ledger, kind())
            assert len(messages) == 1
            now = sight(bench)
            assert now in (before, after), (call, messages)
            done = EntryState.UNDONE if now == after else EntryState.RECORDED
            assert {bench.entry(seq).state for seq in seq_ids} == {done}
            assert not bench.ledger.open_undos()
            for path, inode in inodes.items():
                assert os.lstat(bench.root / path).st_ino == inode
            bench.undo(*seq_ids)
            assert sight(bench) == after


def applied(
    seq_ids: tuple[SeqId, ...], kind: type[Acting], at: int, own: Bench, end: Callable[[], object]
) -> None:
    own.apply(own.plan(*seq_ids), kind(at, end))


def recovered(kind: type[Acting], at: int, own: Bench, end: Callable[[], object]) -> None:
    recover(own.ledger, kind(at, end))


@pytest.mark.parametrize("scenario", [a_linked_batch, a_removed_tree, an_edit])
@pytest.mark.parametrize("share", [0.5, 0.7, 0.85])
def test_a_recovery_that_is_killed_at_any_call_comes_to_the_same_end(
    tmp_path: Path, scenario: Scenario, share: float
) -> None:
    kind = WithoutSwap if scenario is an_edit else Acting
    calls, after = measure(tmp_path / "whole", scenario, kind)
    at = 0
    code = 137
    while code == 137:
        at += 1
        with stage(tmp_path / f"killed-{at}", scenario) as (bench, seq_ids, before):
            assert killed(bench, partial(applied, seq_ids, kind, int(calls * share))) == 137
            code = killed(bench, partial(recovered, kind, at))
            recover(bench.ledger, kind())
            assert sight(bench) in (before, after), at
            assert not bench.ledger.open_undos()
            assert recover(bench.ledger) == ()
            bench.undo(*seq_ids)
            assert sight(bench) == after


@pytest.mark.parametrize(("code", "for_good"), [(errno.ENOSPC, False), (errno.EIO, True)])
@pytest.mark.parametrize(("scenario", "kind"), CASES)
def test_a_failure_at_any_call_is_told_and_leaves_all_before_or_all_after(
    tmp_path: Path, scenario: Scenario, kind: type[Acting], code: int, for_good: bool
) -> None:
    calls, after = measure(tmp_path / "whole", scenario, kind)

    def fail() -> None:
        fs.at = len(fs.calls) + 1 if for_good else 0
        raise OSError(code, os.strerror(code))

    for call in range(1, calls + 1):
        with stage(tmp_path / f"failed-{call}", scenario) as (bench, seq_ids, before):
            fs = kind(call, fail)
            result = bench.apply(bench.plan(*seq_ids), fs)
            claims_done = result.outcome in {Outcome.UNDONE, Outcome.APPLIED_UNCONFIRMED}
            recover(bench.ledger, kind())
            now = sight(bench)
            assert now in (before, after), (call, result)
            assert now == (after if claims_done else before) or for_good, (call, result)
            assert not bench.ledger.open_undos()
            bench.undo(*seq_ids)
            assert sight(bench) == after
