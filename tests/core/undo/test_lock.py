"""One undo at a time for one ledger, and a killed one holds nobody up."""

import os
import stat
from pathlib import Path

import pytest

from sulcus_panel.core.undo.lock import undo_lock
from tests.support.bench import Bench
from tests.support.children import in_a_child


def test_a_second_holder_is_told_and_may_come_afterwards(bench: Bench) -> None:
    with undo_lock(bench.ledger, 0) as first:
        assert first
        with undo_lock(bench.ledger, 0) as second:
            assert not second
        with undo_lock(bench.ledger, 0) as third:
            assert not third
    with undo_lock(bench.ledger, 0) as later:
        assert later


def test_nobody_else_may_read_its_file(bench: Bench) -> None:
    with undo_lock(bench.ledger, 0):
        assert stat.S_IMODE((bench.home.lock / "undo").stat().st_mode) == 0o600


def test_an_error_inside_lets_go(bench: Bench) -> None:
    def fail() -> None:
        with undo_lock(bench.ledger, 0):
            raise ValueError("inside")

    with pytest.raises(ValueError, match="inside"):
        fail()
    with undo_lock(bench.ledger, 0) as held:
        assert held


def test_another_ledger_is_not_held_up(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = Bench(tmp_path / "other")
    with undo_lock(bench.ledger, 0), undo_lock(other.ledger, 0) as held:
        assert held
    other.close()


def test_a_killed_holder_holds_nobody_up(bench: Bench) -> None:
    def hold_and_end() -> None:
        with undo_lock(bench.ledger, 0) as held:
            os._exit(0 if held else 1)

    assert in_a_child(hold_and_end) == 0
    with undo_lock(bench.ledger, 0) as held:
        assert held
