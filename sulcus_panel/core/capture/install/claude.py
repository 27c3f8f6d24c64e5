"""Claude Code's settings. See claude_plugin.py for the same hooks in a plugin's folder.

VS Code, Cursor and Copilot CLI run the hooks of these settings too and know no `args`, so the command is one line
for the shell wherever there is a plain one; on Windows, where Claude Code's shell may be any of three, it is argv.
Before 2.1.122 Claude Code drops a whole settings file for an entry that it does not understand.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from sulcus_panel.core.capture.harnesses.claude.version import newest_version
from sulcus_panel.core.capture.install.hook_command import shell_line
from sulcus_panel.core.capture.install.hook_home import Machine, any_used, read_config
from sulcus_panel.core.capture.install.hooks_text import JsonObject, hook_groups, our_places, parse_settings
from sulcus_panel.core.capture.install.json_home import JsonHooks
from sulcus_panel.core.capture.install.versions import is_older
from sulcus_panel.core.errors import SulcusError

TIMEOUT_SECONDS = 5
FILES_AND_COMMANDS = "Write|Edit|MultiEdit|NotebookEdit|Bash|PowerShell|mcp__.*"
EVENTS: Mapping[str, str | None] = {
    "PreToolUse": f"^({FILES_AND_COMMANDS})$",
    "PostToolUse": f"^({FILES_AND_COMMANDS}|Read)$",
    "PostToolUseFailure": f"^({FILES_AND_COMMANDS})$",
    "UserPromptSubmit": None,
    "SessionStart": None,
    "Stop": None,
    "SubagentStop": None,
    "SessionEnd": None,
}
"""Every event that we hook, and its matcher: an anchored expression, for an open one would match TodoWrite."""


def settings_path(machine: Machine, project: Path | None) -> Path:
    """The user's settings file, or a project's."""
    folder = project / ".claude" if project is not None else config_folder(machine)
    return folder / "settings.json"


def config_folder(machine: Machine) -> Path:
    """Claude Code's own folder, whose transcripts tell its version."""
    return machine.folder("CLAUDE_CONFIG_DIR", ".claude")


def claude_groups(machine: Machine, argv: Sequence[str]) -> dict[str, JsonObject]:
    """A group with one hook for every event."""
    hook: dict[str, object] = {"type": "command", "command": shell_line(argv, machine.platform)}
    if machine.platform == "win32":
        hook |= {"command": argv[0], "args": list(argv[1:])}
    hook["timeout"] = TIMEOUT_SECONDS
    return hook_groups(EVENTS, hook)


def floor_of(machine: Machine) -> str:
    """The oldest Claude Code that understands them."""
    return "2.1.139" if machine.platform == "win32" else "2.1.122"


def _present(machine: Machine) -> bool:
    return any_used((config_folder(machine),)) or machine.has_program("claude")


def _notes(machine: Machine, _config: JsonObject) -> tuple[str, ...]:
    if newest_version(config_folder(machine)):
        return ()
    return (f"These hooks need Claude Code {floor_of(machine)} or later",)


def _problems(machine: Machine, config: JsonObject) -> tuple[str, ...]:
    version, floor = newest_version(config_folder(machine)), floor_of(machine)
    found = []
    if version and is_older(version, floor):
        found.append(f"Claude Code {version} ran here last; our hooks need {floor} or later")
    if config.get("disableAllHooks") is True:
        found.append("all hooks are switched off (disableAllHooks)")
    return tuple(found)


CLAUDE = JsonHooks(
    "claude-code",
    "Claude Code",
    "2.1.122",
    _present,
    settings_path,
    claude_groups,
    notes=_notes,
    problems=_problems,
)


def users_settings_have_ours(machine: Machine) -> bool:
    """Whether our hooks stand where other products read Claude Code's settings: in the home folder."""
    path = machine.home / ".claude" / "settings.json"
    try:
        text = (read_config(path) or b"").decode("utf-8")
        return bool(our_places(parse_settings(text)))
    except (SulcusError, UnicodeDecodeError):
        return False
