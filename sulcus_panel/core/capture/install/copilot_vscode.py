"""A hooks file of our own for agents in VS Code, unless it runs our hooks from Claude Code's settings already.

It reads `~/.copilot/hooks` as Copilot CLI does. The command stands under the key of one operating system, which VS
Code prefers and Copilot CLI does not know: that drops such a hook, and so each has its own file and runs it alone.
"""

from collections.abc import Sequence
from pathlib import Path

from sulcus_panel.core.capture.install.claude import users_settings_have_ours
from sulcus_panel.core.capture.install.hook_command import shell_line
from sulcus_panel.core.capture.install.hook_home import Machine, any_used
from sulcus_panel.core.capture.install.hooks_text import JsonObject
from sulcus_panel.core.capture.install.json_home import JsonHooks

TIMEOUT_SECONDS = 5
EVENTS = ("PreToolUse", "PostToolUse", "UserPromptSubmit", "SessionStart", "Stop", "SubagentStop")
KEYS = {"win32": "windows", "darwin": "osx"}
ENOUGH = (
    "VS Code also runs the hooks in ~/.claude/settings.json, and ours stand there: nothing is installed twice. "
    "If chat.hookFilesLocations leaves that file out, allow it again"
)


def _place(machine: Machine, project: Path | None) -> Path:
    folder = project / ".github" if project is not None else machine.home / ".copilot"
    return folder / "hooks" / "sulcus-vscode.json"


def _hooks(machine: Machine, argv: Sequence[str]) -> dict[str, JsonObject]:
    key = KEYS.get(machine.platform, "linux")
    hook = {"type": "command", key: shell_line(argv, machine.platform), "timeout": TIMEOUT_SECONDS}
    return dict.fromkeys(EVENTS, hook)


def _present(machine: Machine) -> bool:
    return any_used(machine.code_folders()) or machine.has_program("code", "code-insiders")


def _enough(machine: Machine, _project: Path | None) -> str:
    """Not on Windows: there Claude Code's hooks are argv, of which VS Code starts the first word alone."""
    return ENOUGH if machine.platform != "win32" and users_settings_have_ours(machine) else ""


COPILOT_VSCODE = JsonHooks(
    "copilot-vscode",
    "Copilot in VS Code",
    "",
    _present,
    _place,
    _hooks,
    own_file=True,
    enough=_enough,
)
