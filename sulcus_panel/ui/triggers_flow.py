"""The rules of the page "Ledger & Triggers": read, made, changed, tried and let go of."""

from functools import partial

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.model import Workspace
from sulcus_panel.core.safety import plain
from sulcus_panel.core.triggers import Rule, Trigger
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.interface import Verbs
from sulcus_panel.ui.dialogs.sure_box import SureBox
from sulcus_panel.ui.dialogs.trigger_form import MOST_TRIED, TriggerForm
from sulcus_panel.ui.jobs import Jobs
from sulcus_panel.ui.pages.triggers_page import TriggersPage, TriggersSeen

MOST_SHOWN = 200


class TriggersFlow(QObject):
    """Keeps the page up to date while it is looked at, and does what it asks for."""

    noted = Signal(str)
    """A sentence for the window."""

    def __init__(self, jobs: Jobs, workspace: Workspace, page: TriggersPage, window: QWidget) -> None:
        super().__init__(window)
        self._jobs = jobs
        self._workspace = workspace
        self._page = page
        self._window = window
        self._form: TriggerForm | None = None
        self._box: SureBox | None = None
        self._is_saving = False
        page.add_requested.connect(self._on_add)
        page.change_requested.connect(self._on_change)
        page.switch_requested.connect(self._on_switch)
        page.try_requested.connect(self._on_try)
        page.drop_requested.connect(self._on_drop)
        page.choice_moved.connect(self.ask)

    @property
    def form(self) -> TriggerForm | None:
        """The form that was opened last, until it is closed."""
        return self._form

    @property
    def box(self) -> SureBox | None:
        """The question that was asked last."""
        return self._box

    @Slot()
    def ask(self) -> None:
        """Read the rules and what became of them."""
        self._jobs.spawn(self._read())

    def look_again(self) -> None:
        """Read again where the page is looked at."""
        if self._page.isVisible():
            self.ask()

    def follow(self, changes: Changes) -> None:
        """Read again where a write may have changed what is looked at."""
        if changes.rules or changes.touched is None:
            self.look_again()

    def close(self) -> None:
        """Close the form with the window; nothing is saved."""
        if self._form is not None:
            self._form.reject()

    async def _read(self) -> None:
        chosen = self._page.chosen
        look = partial(_look, trigger_id=None if chosen is None else chosen.id)
        seen = await self._jobs.read(look, key="triggers")
        self._page.show_seen(seen)

    async def _save(self, form: TriggerForm, rule: Rule) -> None:
        work = partial(_save, trigger=form.trigger, workspace_id=form.workspace_id, rule=rule)
        try:
            saved = await self._jobs.write(work)
        except SulcusError as error:
            form.show_error(error)
            return
        finally:
            self._is_saving = False
        form.accept()
        self.noted.emit(f"Saved: {plain(rule.name, 100)}. It sees what happens from now on.")
        await self._read()
        self._page.table.choose(saved.id)

    async def _try(self, form: TriggerForm, rule: Rule) -> None:
        workspace_id = form.workspace_id
        try:
            events = await self._jobs.read(
                lambda operations: operations.triggers.dry_run(workspace_id, rule, limit=MOST_TRIED),
                key="trigger-trial",
            )
        except SulcusError as error:
            form.show_error(error)
        else:
            form.show_events(rule, events)

    async def _switch(self, trigger: Trigger) -> None:
        wanted = not trigger.rule.enabled
        await self._jobs.write(lambda operations: operations.triggers.switch(trigger.id, enabled=wanted))
        await self._read()

    async def _drop(self, trigger_id: int) -> None:
        await self._jobs.write(lambda operations: operations.triggers.drop(trigger_id))
        self.noted.emit("The trigger and its history are gone.")
        await self._read()

    def _open(self, trigger: Trigger | None) -> TriggerForm:
        self.close()
        form = TriggerForm(self._workspace, trigger, self._window)
        form.saved.connect(self._on_saved)
        form.tried.connect(self._on_tried)
        form.finished.connect(self._on_form_finished)
        self._form = form
        form.show()
        return form

    @Slot()
    def _on_add(self) -> None:
        self._open(None)

    @Slot(int)
    def _on_change(self, _trigger_id: int) -> None:
        self._open(self._page.chosen)

    @Slot(int)
    def _on_try(self, _trigger_id: int) -> None:
        self._open(self._page.chosen).try_it()

    @Slot(int)
    def _on_switch(self, _trigger_id: int) -> None:
        if (chosen := self._page.chosen) is not None:
            self._jobs.spawn(self._switch(chosen))

    @Slot(int)
    def _on_drop(self, trigger_id: int) -> None:
        chosen = self._page.chosen
        if chosen is None:
            return
        self._box = SureBox(
            f"Drop the trigger “{plain(chosen.rule.name, 100)}”?",
            "It no longer watches, and its history is let go of. What it did to changes stays.",
            "&Drop it",
            self._window,
        )
        self._box.setProperty("trigger_id", trigger_id)
        self._box.agreed.connect(self._on_drop_agreed)
        self._box.open()

    @Slot()
    def _on_drop_agreed(self) -> None:
        if self._box is not None:
            self._jobs.spawn(self._drop(int(self._box.property("trigger_id"))))

    @Slot(object)
    def _on_saved(self, rule: Rule) -> None:
        if self._form is not None and not self._is_saving:
            self._is_saving = True
            self._jobs.spawn(self._save(self._form, rule))

    @Slot(object)
    def _on_tried(self, rule: Rule) -> None:
        if self._form is not None:
            self._jobs.spawn(self._try(self._form, rule))

    @Slot()
    def _on_form_finished(self) -> None:
        if self._form is not None and self.sender() is self._form:
            self._form.deleteLater()
            self._form = None


def _look(operations: Verbs, trigger_id: int | None) -> TriggersSeen:
    triggers = operations.triggers
    firings = () if trigger_id is None else triggers.firings(trigger_id, limit=MOST_SHOWN)
    return TriggersSeen(triggers.all(), firings, triggers.dead(limit=MOST_SHOWN))


def _save(operations: Verbs, trigger: Trigger | None, workspace_id: int | None, rule: Rule) -> Trigger:
    if trigger is None:
        return operations.triggers.add(workspace_id, rule)
    moves = workspace_id != trigger.workspace_id
    return operations.triggers.change(trigger.id, rule, moves=moves, workspace_id=workspace_id)
