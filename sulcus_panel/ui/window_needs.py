"""What a window is built on, handed to it whole."""

from dataclasses import dataclass

from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.model import Workspace
from sulcus_panel.core.safety import plain
from sulcus_panel.ui.bridge import ChangeSignals
from sulcus_panel.ui.jobs import Jobs
from sulcus_panel.ui.models.entry_pages import Rows
from sulcus_panel.ui.models.wording import decapitalised
from sulcus_panel.ui.theme import ThemeSwitch
from sulcus_panel.ui.window_state import WindowState

READ_ONLY = "{}, so it is open for reading only"


@dataclass(frozen=True, slots=True)
class WindowNeeds:
    """What a window is built on."""

    jobs: Jobs
    signals: ChangeSignals
    rows: Rows | None
    """None where rows come over a link."""
    workspace: Workspace
    themes: ThemeSwitch
    state: WindowState
    unwritable: SulcusError | None = None
    """Why the ledger is only read, where that is so."""
    machine: str = ""
    """Where the ledger is, if not here."""

    @property
    def title(self) -> str:
        """What the window is called."""
        where = f" on {plain(self.machine, 60)}" if self.machine else ""
        return f"{self.workspace.namespace}{where} — Sulcus Panel"

    @property
    def barred(self) -> str:
        """Why nothing can be undone in this window; empty where it can."""
        return "" if self.unwritable is None else READ_ONLY.format(decapitalised(self.unwritable.title))
