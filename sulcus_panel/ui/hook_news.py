"""What the window says of hooks: when each harness's fired last, and that they are silent until they fire again."""

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import QObject, Slot

from sulcus_panel.core.model import Workspace
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.hook_health import HookHealth
from sulcus_panel.ui.jobs import Jobs
from sulcus_panel.ui.models.wording import day_and_time, local_now
from sulcus_panel.ui.views.banner import Banner
from sulcus_panel.ui.views.status_line import StatusLine

DISMISS = "Dismiss"
MOST_NAMED = 2
"""More harnesses than these stand in the tooltip alone."""


class HookNews(QObject):
    """Asks on the reading lane; shows in the status line and in a banner of its own."""

    def __init__(
        self, jobs: Jobs, workspace: Workspace, status: StatusLine, banner: Banner, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._workspace = workspace
        self._status = status
        self._banner = banner
        self._shown: frozenset[tuple[str, datetime | None]] = frozenset()
        self._dismissed = self._shown
        banner.action_requested.connect(self._on_dismissed)

    def ask(self) -> None:
        """Find out how the hooks are."""
        self._jobs.spawn(self._read())

    @Slot(object)
    def follow(self, changes: Changes) -> None:
        """Ask again where something was heard of hooks."""
        if changes.hooks and changes.workspace_id in (None, self._workspace.id):
            self.ask()

    async def _read(self) -> None:
        now, workspace_id = local_now(), self._workspace.id
        found = await self._jobs.read(
            lambda operations: operations.hook_health(now, workspace_id), key="hooks"
        )
        self._show(found, now)

    def _show(self, found: Sequence[HookHealth], now: datetime) -> None:
        self._status.show_hooks(_words(found, now), "\n".join(_line(one, now) for one in found))
        silent = [one for one in found if one.missed]
        self._shown = frozenset((one.harness, one.since) for one in silent)
        self._dismissed &= self._shown
        if self._shown <= self._dismissed:
            self._banner.clear()
        elif len(silent) == 1:
            told = f"{silent[0].warning(now)} {silent[0].advice}"
            self._banner.tell(f"{silent[0].name}'s hooks are silent", told, DISMISS)
        else:
            told = " ".join(f"{one.name}: {one.warning(now)} {one.advice}" for one in silent)
            self._banner.tell("Hooks are silent", told, DISMISS)

    @Slot()
    def _on_dismissed(self) -> None:
        self._dismissed = self._shown
        self._banner.clear()


def _words(found: Sequence[HookHealth], now: datetime) -> str:
    """When the hooks of the last two fired; nothing where no harness is used here."""
    if not found:
        return ""
    fired = sorted(((one.fired, one.name) for one in found if one.fired is not None), reverse=True)
    if not fired:
        return "no hook has fired yet"
    named = [f"{name} {day_and_time(at, now).removeprefix('today ')}" for at, name in fired[:MOST_NAMED]]
    return f"last hook: {', '.join(named)}{', …' if len(fired) > MOST_NAMED else ''}"


def _line(one: HookHealth, now: datetime) -> str:
    if one.fired is not None:
        return f"{one.name}: a hook fired last {day_and_time(one.fired, now)}"
    if not one.status.installed and not one.status.elsewhere:
        return f"{one.name}: its hooks are not installed"
    return f"{one.name}: no hook has fired in the last 30 days"
