"""Cline's hooks: an executable file for each event, called exactly as the event.

The extension looks into `~/Documents/Cline/Hooks`, the command line's Cline into `~/.cline/hooks`; each file that
is another's stays. Cline waits for JSON, so a script whose interpreter is gone says that nothing is cancelled.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from sulcus_panel.core.capture.install.hook_command import MARK, shell_line
from sulcus_panel.core.capture.install.hook_home import Machine, any_used
from sulcus_panel.core.capture.install.own_files import OwnFiles

EVENTS = ("PreToolUse", "PostToolUse", "UserPromptSubmit", "TaskStart", "TaskComplete", "TaskCancel")
ENABLE = "Cline runs hooks only where they are enabled in its settings"
WINDOWS = "On Windows Cline's hooks have not been tried; these are scripts for sh"


def _folders(machine: Machine, project: Path | None) -> tuple[Path, ...]:
    """Where the editions of Cline that are here look; where none is, the extension's folder."""
    extension, program = machine.home / "Documents" / "Cline", machine.home / ".cline"
    if project is not None:
        return (project / ".clinerules" / "hooks",)
    found = [
        folder
        for folder, base in ((extension / "Hooks", extension), (program / "hooks", program))
        if base.is_dir()
    ]
    return tuple(found) or (extension / "Hooks",)


def _texts(machine: Machine, project: Path | None, argv: Sequence[str]) -> Mapping[Path, str]:
    text = f"#!/bin/sh\n{MARK}\n{shell_line(argv, 'linux')} || printf '%s' '{{\"cancel\":false}}'\nexit 0\n"
    return {folder / event: text for folder in _folders(machine, project) for event in EVENTS}


def _notes(machine: Machine, _project: Path | None) -> tuple[str, ...]:
    return (ENABLE, WINDOWS) if machine.platform == "win32" else (ENABLE,)


def _present(machine: Machine) -> bool:
    extensions = [one for folder in machine.code_folders() for one in folder.glob("saoudrizwan.claude-dev-*")]
    return any_used((*extensions, machine.home / "Documents" / "Cline", machine.home / ".cline"))


CLINE = OwnFiles("cline", "Cline", "", _present, _texts, mode=0o755, notes=_notes)
