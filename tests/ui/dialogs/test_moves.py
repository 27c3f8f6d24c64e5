"""Two paths are told as one move only where there is no other reading."""

from dataclasses import replace

from sulcus_panel.core.model import LedgerPath
from sulcus_panel.core.undo.model import Outcome
from sulcus_panel.ui.dialogs.moves import Move, moves_among, moves_of_entry, written_moves
from tests.support import hard_plans

OLD, NEW = LedgerPath("lib/legacy/hmac.rb"), LedgerPath("lib/support/crypto/hmac_sha256.rb")


def test_a_file_that_goes_back_to_its_old_name_is_one_move() -> None:
    plan = hard_plans.move_plan()
    paths = plan.entries[0].paths
    assert written_moves(plan) == (Move(OLD, NEW),)
    assert moves_of_entry(plan, paths) == (Move(OLD, NEW),)
    assert moves_of_entry(replace(plan, writes=()), paths) == (Move(OLD, NEW),)


def test_a_move_belongs_to_the_entry_that_made_it() -> None:
    plan = hard_plans.move_plan()
    assert moves_of_entry(plan, plan.entries[0].paths[:1]) == ()


def test_two_files_with_the_same_bytes_are_no_move() -> None:
    paths = hard_plans.move_plan().entries[0].paths
    twin = replace(paths[0], path=LedgerPath("lib/legacy/twin.rb"))
    assert moves_among((*paths, twin)) == ()


def test_a_path_that_is_not_written_does_not_move() -> None:
    paths = hard_plans.move_plan().entries[0].paths
    assert moves_among((replace(paths[0], outcome=Outcome.CONFLICT), *paths[1:])) == ()
