"""Codex CLI's own hooks file, beside its config, which stays untouched.

Codex skips hooks that its person has not approved, and asks again whenever the command line changes. That approval
is a hash in config.toml which only Codex should write, so it is explained, and read to tell how things stand.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sulcus_panel.core.capture.install.hook_command import shell_line
from sulcus_panel.core.capture.install.hook_home import Machine, any_used, read_config
from sulcus_panel.core.capture.install.hooks_text import JsonObject, hook_groups
from sulcus_panel.core.capture.install.json_home import JsonHooks
from sulcus_panel.core.capture.install.versions import is_older
from sulcus_panel.core.capture.plain_file import open_plain
from sulcus_panel.core.errors import SulcusError

FLOOR = "0.124.0"
TIMEOUT_SECONDS = 5
FILES_AND_COMMANDS = "^(Bash|apply_patch|Write|Edit|mcp__.*)$"
EVENTS: Mapping[str, str | None] = {
    "PreToolUse": FILES_AND_COMMANDS,
    "PostToolUse": FILES_AND_COMMANDS,
    "UserPromptSubmit": None,
    "SessionStart": None,
    "Stop": None,
}
TRUST = (
    "Codex skips new hooks until you approve them: start codex, type /hooks, look at them and approve them. "
    "It asks again after every change of their command line"
)
CODE_MODE = "Calls inside Codex's Code Mode fire no hooks; its session files tell them, and are read too"

_VERSION = re.compile(rb'"cli_version"\s*:\s*"(\d{1,6}(?:\.\d{1,6}){1,3})')
MOST_SESSIONS = 5
MAX_HEAD = 1 << 16


def codex_folder(machine: Machine) -> Path:
    """Codex's own folder."""
    return machine.folder("CODEX_HOME", ".codex")


def _place(machine: Machine, project: Path | None) -> Path:
    return (project / ".codex" if project is not None else codex_folder(machine)) / "hooks.json"


def _groups(machine: Machine, argv: Sequence[str]) -> dict[str, JsonObject]:
    hook = {"type": "command", "command": shell_line(argv, machine.platform), "timeout": TIMEOUT_SECONDS}
    return hook_groups(EVENTS, hook)


def _notes(_machine: Machine, _config: JsonObject) -> tuple[str, ...]:
    return (TRUST, CODE_MODE)


def _reminders(machine: Machine, _config: JsonObject) -> tuple[str, ...]:
    """Which hooks were approved the keys of that table do not tell for sure, only whether any were."""
    state = _table(_config_of(machine), "hooks", "state")
    approved = any(isinstance(one, dict) and "trusted_hash" in one for one in state.values())
    return () if approved else (TRUST,)


def _problems(machine: Machine, _config: JsonObject) -> tuple[str, ...]:
    found = []
    version = newest_codex(machine)
    if version and is_older(version, FLOOR):
        found.append(f"Codex {version} ran here last; hooks are on from {FLOOR}")
    features = _table(_config_of(machine), "features")
    if features.get("hooks") is False or features.get("codex_hooks") is False:
        found.append("hooks are switched off in config.toml ([features] hooks)")
    return tuple(found)


def newest_codex(machine: Machine) -> str:
    """The version that ran last, as its newest session files tell, empty where none does."""
    for path in _newest_sessions(codex_folder(machine) / "sessions"):
        try:
            with open_plain(path) as file:
                found = _VERSION.search(file.read(MAX_HEAD))
        except OSError:
            continue
        if found:
            return found[1].decode("ascii")
    return ""


def _newest_sessions(folder: Path) -> Iterator[Path]:
    """Their names begin with the time, and so do their folders'."""
    days = sorted(folder.glob("*/*/*"), reverse=True)
    files = (path for day in days for path in sorted(day.glob("rollout-*.jsonl"), reverse=True))
    for _, path in zip(range(MOST_SESSIONS), files, strict=False):
        yield path


def _config_of(machine: Machine) -> Mapping[str, Any]:
    try:
        data = read_config(codex_folder(machine) / "config.toml") or b""
        return tomllib.loads(data.decode("utf-8"))
    except (SulcusError, ValueError):
        return {}


def _table(config: Mapping[str, Any], *names: str) -> Mapping[str, Any]:
    for name in names:
        inner = config.get(name)
        config = inner if isinstance(inner, dict) else {}
    return config


CODEX = JsonHooks(
    "codex",
    "Codex CLI",
    FLOOR,
    lambda machine: any_used((codex_folder(machine),)) or machine.has_program("codex"),
    _place,
    _groups,
    notes=_notes,
    reminders=_reminders,
    problems=_problems,
)
