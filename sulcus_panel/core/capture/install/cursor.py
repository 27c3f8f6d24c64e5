"""Cursor's hooks file. An event that Cursor does not know voids the whole file, so only needed ones stand there.

`sessionStart` is left out for that reason: it has been refused where documentation promised it.
"""

from collections.abc import Sequence
from pathlib import Path

from sulcus_panel.core.capture.install.hook_command import shell_line
from sulcus_panel.core.capture.install.hook_home import Machine, any_used
from sulcus_panel.core.capture.install.hooks_text import JsonObject
from sulcus_panel.core.capture.install.json_home import JsonHooks

TIMEOUT_SECONDS = 5
EVENTS = ("preToolUse", "postToolUse", "afterFileEdit", "beforeSubmitPrompt", "stop")
UNKNOWN = (
    "A Cursor that does not know `preToolUse` (hooks came with 1.7, this one later) ignores the whole file: "
    "look at Settings → Hooks after its next start"
)


def _place(machine: Machine, project: Path | None) -> Path:
    return (project or machine.home) / ".cursor" / "hooks.json"


def _hooks(machine: Machine, argv: Sequence[str]) -> dict[str, JsonObject]:
    hook = {"command": shell_line(argv, machine.platform), "timeout": TIMEOUT_SECONDS}
    return dict.fromkeys(EVENTS, hook)


def _notes(_machine: Machine, _config: JsonObject) -> tuple[str, ...]:
    return (UNKNOWN,)


CURSOR = JsonHooks(
    "cursor",
    "Cursor",
    "1.7",
    lambda machine: any_used((machine.home / ".cursor",)) or machine.has_program("cursor", "cursor-agent"),
    _place,
    _hooks,
    head={"version": 1},
    notes=_notes,
    reminders=_notes,
)
