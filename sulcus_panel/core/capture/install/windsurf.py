"""Windsurf's hooks file: a list of commands for each of Cascade's actions."""

from collections.abc import Sequence
from pathlib import Path

from sulcus_panel.core.capture.install.hook_command import shell_line
from sulcus_panel.core.capture.install.hook_home import Machine, any_used
from sulcus_panel.core.capture.install.hooks_text import JsonObject
from sulcus_panel.core.capture.install.json_home import JsonHooks

EVENTS = (
    *("pre_write_code", "post_write_code", "pre_run_command", "post_run_command"),
    *("pre_mcp_tool_use", "post_mcp_tool_use", "pre_user_prompt", "post_cascade_response"),
)


def _place(machine: Machine, project: Path | None) -> Path:
    folder = project / ".windsurf" if project is not None else machine.home / ".codeium" / "windsurf"
    return folder / "hooks.json"


def _hooks(machine: Machine, argv: Sequence[str]) -> dict[str, JsonObject]:
    hook = {"command": shell_line(argv, machine.platform), "show_output": False}
    return dict.fromkeys(EVENTS, hook)


WINDSURF = JsonHooks(
    "windsurf",
    "Windsurf",
    "",
    lambda machine: (
        any_used((machine.home / ".codeium" / "windsurf", machine.home / ".windsurf"))
        or machine.has_program("windsurf")
    ),
    _place,
    _hooks,
)
