"""Our hooks as a plugin of Claude Code: a folder for `claude --plugin-dir`, or for a marketplace of one's own.

It is for those whose settings are managed by somebody else; everybody else's hooks stand in the settings.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from sulcus_panel.core.capture.install.claude import CLAUDE, claude_groups, users_settings_have_ours
from sulcus_panel.core.capture.install.hook_home import Machine
from sulcus_panel.core.capture.install.own_files import OwnFiles

NAME = "sulcus-panel"
TWICE = "The same hooks stand in the user's settings: take those out, for each event would start two"


def plugin_folder(machine: Machine, chosen: Path | None) -> Path:
    """The plugin's folder: the one chosen, else one that lies where nothing loads it by itself."""
    return chosen or machine.home / ".claude" / NAME


def _texts(machine: Machine, chosen: Path | None, argv: Sequence[str]) -> Mapping[Path, str]:
    folder = plugin_folder(machine, chosen)
    about = {
        "name": NAME,
        "description": "Records what the agent does to files, so that any of it can be taken back",
        "version": "1.0.0",
    }
    hooks = {"description": NAME, "hooks": claude_groups(machine, argv)}
    return {
        folder / ".claude-plugin" / "plugin.json": json.dumps(about, indent=2) + "\n",
        folder / "hooks" / "hooks.json": json.dumps(hooks, indent=2) + "\n",
    }


def _notes(machine: Machine, chosen: Path | None) -> tuple[str, ...]:
    start = (
        f"Start Claude Code with --plugin-dir {plugin_folder(machine, chosen)}, or offer it in a marketplace"
    )
    return (start, TWICE) if users_settings_have_ours(machine) else (start,)


CLAUDE_PLUGIN = OwnFiles(
    "claude-code", "Claude Code (plugin)", CLAUDE.floor, CLAUDE.is_present, _texts, notes=_notes, mark=NAME
)
