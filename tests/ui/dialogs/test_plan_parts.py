"""What is said of each path of a plan, above its parts."""

from dataclasses import replace

from pytestqt.qtbot import QtBot

from sulcus_panel.core.model import CommandFacts, LedgerPath
from sulcus_panel.core.undo.model import HunkPlan, UndoPlan
from sulcus_panel.ui.dialogs.hunk_card import HunkCard
from sulcus_panel.ui.dialogs.plain_label import PlainLabel
from sulcus_panel.ui.dialogs.plan_parts import Makers, parts_of
from tests.support import undo_plans


def status_of_first(qtbot: QtBot, plan: UndoPlan) -> str:
    def make_hunk(hunk: HunkPlan) -> HunkCard:
        return HunkCard(hunk, redo=False)

    widget = next(parts_of(plan, Makers(make_hunk))).make()
    qtbot.addWidget(widget)
    label = widget.findChild(PlainLabel, "line_status")
    assert label is not None
    return label.text()


def test_a_file_that_may_be_somebody_elses_work_says_so_where_it_is_ticked(qtbot: QtBot) -> None:
    plan = undo_plans.clean_plan()
    [item] = plan.entries
    sure = status_of_first(qtbot, plan)
    facts = CommandFacts(unsure={LedgerPath(item.paths[0].path): "the person may have saved it"})
    record = replace(item.entry.record, command="make", ran=facts)
    unsure = replace(plan, entries=(replace(item, entry=replace(item.entry, record=record)),))
    assert status_of_first(qtbot, unsure) == f"may not be this command's work; {sure}"
