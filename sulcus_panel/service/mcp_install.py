"""Our MCP server in the hosts' own config: what it would become, and doing it on a yes."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from sulcus_panel.core.capture.install.config_file import apply_edit
from sulcus_panel.core.capture.install.hook_home import ConfigEdit, Machine
from sulcus_panel.core.capture.install.server_homes import SERVER_HOMES, ServerHome
from sulcus_panel.core.errors import BadRequest, SulcusError
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.service.operations import Operations

HOSTS = tuple(SERVER_HOMES)
HOME_VARIABLE = "SULCUS_HOME"
SHARED = "A project's file may be shared with others, whose agents would then start a command of this machine"

__all__ = ["HOSTS", "ConfigEdit", "ServerEntry"]


@dataclass(frozen=True, slots=True)
class ServerEntry:
    """One host's entry for our server. `project`: in that folder's own file instead of the user's."""

    home: DataHome
    host: str
    project: Path | None = None

    def __post_init__(self) -> None:
        if self.host not in SERVER_HOMES:
            raise BadRequest(
                f"{self.host!r} is not a known host", f"Known: {', '.join(HOSTS)}.", field="host"
            )

    @property
    def command(self) -> tuple[str, ...]:
        """The argv that the host starts: an absolute interpreter, to which the host's folder offers no modules."""
        python = os.path.abspath(sys.executable)
        return (python, "-P", "-m", "sulcus_panel", "mcp", "--actor", self._home.actor)

    @property
    def notes(self) -> tuple[str, ...]:
        """What to know before a yes."""
        shared = SHARED if self.project is not None else ""
        note = self._home.note if self.project is None else ""
        return tuple(text for text in (note, shared) if text)

    def install_plan(self) -> ConfigEdit:
        """What puts our server in; it changes nothing where it stands already. SulcusError for a broken config."""
        named = os.environ.get(HOME_VARIABLE)
        variables = {HOME_VARIABLE: os.path.abspath(named)} if named else {}
        try:
            server = self._home.server(self.command, variables)
            return self._home.install(Machine.here(), self.project, server)
        except UnicodeEncodeError:
            raise SulcusError(
                "A path is not UTF-8, and no settings file can name it", self.command[0]
            ) from None

    def remove_plan(self) -> ConfigEdit:
        """What takes our server out."""
        return self._home.remove(Machine.here(), self.project)

    def apply(self, edit: ConfigEdit, operations: Operations, *, installing: bool) -> None:
        """Back up and write what was shown. Raises StalePlan, ApplyFailed."""
        apply_edit(edit)
        kind = "mcp.install" if installing else "mcp.remove"
        operations.record_governance(None, kind, f"{self.host}: {edit.path}")

    @property
    def _home(self) -> ServerHome:
        return SERVER_HOMES[self.host]
