"""A file that is left out can be chosen again."""

from dataclasses import replace

from sulcus_panel.core.model import SeqId
from sulcus_panel.core.undo.model import Outcome, UndoRequest
from sulcus_panel.ui.dialogs.known_parts import KnownParts, parts_in
from tests.support import undo_plans


def test_the_parts_of_a_file_that_was_left_out_stay_known_and_are_not_chosen() -> None:
    known, plan = KnownParts(), undo_plans.clean_plan()
    assert known.complete(plan) == plan
    item = plan.entries[0]
    left = replace(item.paths[0], outcome=Outcome.NOTHING_TO_UNDO, hunks=())
    completed = known.complete(replace(plan, entries=(replace(item, paths=(left,)),)))
    assert [(hunk.index, hunk.chosen) for hunk in parts_in(completed)] == [(0, False)]


def test_another_request_has_other_parts() -> None:
    known, plan = KnownParts(), undo_plans.clean_plan()
    known.complete(plan)
    item = plan.entries[0]
    left = replace(item.paths[0], outcome=Outcome.NOTHING_TO_UNDO, hunks=())
    other = replace(plan, request=UndoRequest((SeqId(7),)), entries=(replace(item, paths=(left,)),))
    assert list(parts_in(known.complete(other))) == []
