"""A hooks file of our own for Copilot CLI, which reads every file of that folder.

It denies a tool call whose hook ends badly, so the command is one that cannot, even where the interpreter is gone.
PascalCase names make its payloads Claude-shaped. No matcher: what MCP tools are called there is not known.
"""

from collections.abc import Sequence
from pathlib import Path

from sulcus_panel.core.capture.install.hook_command import never_failing
from sulcus_panel.core.capture.install.hook_home import Machine, any_used
from sulcus_panel.core.capture.install.hooks_text import JsonObject
from sulcus_panel.core.capture.install.json_home import JsonHooks

TIMEOUT_SECONDS = 5
EVENTS = (
    *("PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit"),
    *("SessionStart", "SessionEnd", "Stop", "SubagentStop"),
)


def copilot_folder(machine: Machine) -> Path:
    """Copilot CLI's own folder."""
    return machine.folder("COPILOT_HOME", ".copilot")


def _place(machine: Machine, project: Path | None) -> Path:
    folder = project / ".github" if project is not None else copilot_folder(machine)
    return folder / "hooks" / "sulcus.json"


def _hooks(machine: Machine, argv: Sequence[str]) -> dict[str, JsonObject]:
    program, *words = never_failing(argv, machine.platform)
    hook = {"type": "command", "exec": program, "args": words, "timeoutSec": TIMEOUT_SECONDS}
    return dict.fromkeys(EVENTS, hook)


def _problems(_machine: Machine, config: JsonObject) -> tuple[str, ...]:
    return (
        ("all hooks of this file are switched off (disableAllHooks)",)
        if config.get("disableAllHooks")
        else ()
    )


COPILOT_CLI = JsonHooks(
    "copilot-cli",
    "Copilot CLI",
    "",
    lambda machine: any_used((copilot_folder(machine) / "session-state",)) or machine.has_program("copilot"),
    _place,
    _hooks,
    head={"version": 1},
    own_file=True,
    problems=_problems,
)
