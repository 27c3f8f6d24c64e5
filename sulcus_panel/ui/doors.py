"""What the window shows of the other doors: undos that wait, rules that watch, keys, and marks."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from sulcus_panel.service.changes import Changes
from sulcus_panel.ui.actions import Actions, Verb
from sulcus_panel.ui.holds_flow import HoldsFlow
from sulcus_panel.ui.marks_flow import MarksFlow
from sulcus_panel.ui.tokens_flow import TokensFlow
from sulcus_panel.ui.triggers_flow import TriggersFlow
from sulcus_panel.ui.undo_flow import UndoFlow
from sulcus_panel.ui.window_needs import WindowNeeds
from sulcus_panel.ui.window_parts import WindowParts


class Doors(QObject):
    """Wires the flows that belong to it; the window passes changes and verbs on."""

    noted = Signal(str)
    """A sentence for the window."""

    def __init__(
        self,
        needs: WindowNeeds,
        parts: WindowParts,
        actions: Actions,
        undo_flow: UndoFlow,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._table = parts.table
        self._actions = actions
        self.holds = HoldsFlow(needs.jobs, needs.workspace, parts.holds, undo_flow, window)
        self.holds.can_answer = not needs.barred
        self.triggers = TriggersFlow(needs.jobs, needs.workspace, parts.triggers, window)
        parts.triggers.setEnabled(not needs.barred)
        self.tokens = TokensFlow(needs.jobs, window)
        parts.triggers.keys_requested.connect(self.tokens.open)
        self.marks = MarksFlow(needs.jobs, window)
        for flow in (self.holds, self.triggers, self.tokens, self.marks):
            flow.noted.connect(self.noted)
        self.verbs: Mapping[Verb, Callable[[], object]] = {
            Verb.HOLDS: self.holds.show_list,
            Verb.PIN: self._pin,
            Verb.LABEL: self._label,
            Verb.LOOKED: self._looked,
        }

    def start(self) -> None:
        """Ask for everything that is seen, for the first time or anew."""
        self.holds.ask()
        self.triggers.look_again()

    def follow(self, changes: Changes) -> None:
        """Read again what a write may have changed."""
        self.holds.follow(changes)
        self.triggers.follow(changes)
        self.tokens.follow(changes)

    def close(self) -> None:
        """Close what is open."""
        self.holds.close()
        self.triggers.close()
        self.tokens.close()
        self.marks.close()

    def _pin(self) -> None:
        self.marks.pin(self._table.selected_seq_ids(), pinned=self._actions[Verb.PIN].isChecked())

    def _label(self) -> None:
        self.marks.label(self._table.selected_seq_ids())

    def _looked(self) -> None:
        self.marks.looked(self._table.selected_seq_ids())
