"""Gemini CLI's settings: groups as Claude Code has them, under its own event names, with times in milliseconds."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from sulcus_panel.core.capture.install.hook_command import shell_line
from sulcus_panel.core.capture.install.hook_home import Machine, any_used
from sulcus_panel.core.capture.install.hooks_text import JsonObject, hook_groups
from sulcus_panel.core.capture.install.json_home import JsonHooks

TIMEOUT_MILLISECONDS = 5000
FILES_AND_COMMANDS = "write_file|replace|run_shell_command|mcp_.*"
EVENTS: Mapping[str, str | None] = {
    "BeforeTool": f"^({FILES_AND_COMMANDS})$",
    "AfterTool": f"^({FILES_AND_COMMANDS}|read_file)$",
    "BeforeAgent": None,
    "AfterAgent": None,
    "SessionStart": None,
    "SessionEnd": None,
}
WINDOWS = "On Windows Gemini CLI starts hooks by PowerShell, which has not been tried"


def _place(machine: Machine, project: Path | None) -> Path:
    return (project or machine.home) / ".gemini" / "settings.json"


def _groups(machine: Machine, argv: Sequence[str]) -> dict[str, JsonObject]:
    hook = {
        "type": "command",
        "name": "sulcus-panel",
        "command": shell_line(argv, machine.platform),
        "timeout": TIMEOUT_MILLISECONDS,
    }
    return hook_groups(EVENTS, hook)


def _notes(machine: Machine, _config: JsonObject) -> tuple[str, ...]:
    return (WINDOWS,) if machine.platform == "win32" else ()


def _problems(_machine: Machine, config: JsonObject) -> tuple[str, ...]:
    for name, key in (("hooksConfig", "enabled"), ("tools", "enableHooks")):
        part = config.get(name)
        if isinstance(part, dict) and part.get(key) is False:
            return (f"hooks are switched off ({name}.{key})",)
    return ()


GEMINI = JsonHooks(
    "gemini",
    "Gemini CLI",
    "",
    lambda machine: any_used((machine.home / ".gemini",)) or machine.has_program("gemini"),
    _place,
    _groups,
    notes=_notes,
    problems=_problems,
)
