"""Past runs of Copilot's agents in VS Code, from its chat sessions. They keep no state of any file: weak."""

import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from sulcus_panel.core.capture.harnesses.copilot_vscode.chats import read_chats
from sulcus_panel.core.capture.harnesses.copilot_vscode.live import CopilotInVsCode
from sulcus_panel.core.capture.harnesses.copilot_vscode.places import (
    chats_in,
    find_chats,
    folder_of,
    user_folder,
)
from sulcus_panel.core.capture.past.changed_files import ChangedFiles
from sulcus_panel.core.capture.past.entries import Importing, NoBackups, imported_run
from sulcus_panel.core.capture.past.importer import Wanted, every_file
from sulcus_panel.core.capture.past.into_ledger import ImportedRun


class CopilotInVsCodeRuns:
    """The importer for `copilot-vscode`."""

    harness = CopilotInVsCode.harness
    files = "chat session files (.json or .jsonl) or their folder"

    def home(self, environment: Mapping[str, str]) -> Path:
        """VS Code's folder of this person; its other editions are looked for beside it."""
        return user_folder(environment, sys.platform)

    def find(self, home: Path, root: str, wanted: Wanted = every_file) -> tuple[Path, ...]:
        """The sessions of workspaces at or below `root`, oldest file first."""
        return tuple(filter(wanted, find_chats(home, root)))

    def growth(self, home: Path, root: str, since: datetime) -> ChangedFiles:
        """Watch these files, each once it is at rest."""
        return ChangedFiles(partial(self.find, home, root), since, at_rest=True)

    def read(self, paths: Sequence[Path], importing: Importing, home: Path | None) -> ImportedRun:  # noqa: ARG002 - it keeps nothing else
        """Read these sessions."""
        files = chats_in(paths)
        transcript = read_chats(files, [folder_of(path.parent) for path in files])
        return imported_run(transcript, importing, NoBackups())
