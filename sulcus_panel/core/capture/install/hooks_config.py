"""Our hooks in Claude Code's settings: planned as a diff, applied on a yes, taken out without a trace.

hooks_text.py decides what the file would say; here it is read, compared and shown. Claude Code before 2.1.122
drops a whole settings file for an entry it does not understand; exec form (`args`) needs MINIMUM_VERSION.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import unified_diff
from pathlib import Path

from sulcus_panel.core.capture.harnesses.claude.version import is_older, newest_version
from sulcus_panel.core.capture.install.hooks_text import (
    EVENTS,
    MARK,
    argv_of,
    install_text,
    our_hooks,
    our_places,
    parse_settings,
    uninstall_text,
)
from sulcus_panel.core.capture.plain_file import open_plain
from sulcus_panel.core.errors import SulcusError

MINIMUM_VERSION = "2.1.139"
BACKUP_SUFFIX = ".before-sulcus-panel"
LAUNCHER = f"""{MARK}
import sys
sys.argv = sys.argv[1:]
try:
    from _frozen_importlib_external import SourceFileLoader
    script = sys.argv[0]
    exec(SourceFileLoader(script, script).get_code(script), dict(__name__=__name__, __file__=script))
except BaseException:
    pass
"""
"""Runs hook.py from its cached byte code, and ends well even where hook.py is gone: `python MISSING.py` exits
2, which a harness takes for "block this call"."""


@dataclass(frozen=True, slots=True)
class ConfigEdit:
    """What would be done to one file. None as bytes: no file. `backup_path` only where one is made."""

    path: Path
    before: bytes | None
    after: bytes | None
    diff: str
    backup_path: Path | None
    note: str = ""
    """What the person should know before a yes, empty where there is nothing."""

    @property
    def changes(self) -> bool:
        """Whether there is anything to do."""
        return self.before != self.after


@dataclass(frozen=True, slots=True)
class HooksStatus:
    """Where our hooks stand. `current`: all of them, as this installation would write them."""

    path: Path
    installed: tuple[str, ...]
    missing: tuple[str, ...]
    current: bool
    problem: str = ""


def hook_command(harness: str, spool: Path, python: str | None = None) -> tuple[str, ...]:
    """The argv that a harness starts at every event; no shell, an absolute interpreter."""
    hook = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "hook.py")
    interpreter = os.path.abspath(python or sys.executable)
    return (interpreter, "-I", "-S", "-E", "-c", LAUNCHER, hook, harness, str(spool))


def settings_path(environment: Mapping[str, str], project: Path | None = None) -> Path:
    """The user's settings file, or a project's."""
    if project is not None:
        return project / ".claude" / "settings.json"
    config = environment.get("CLAUDE_CONFIG_DIR")
    return (Path(config) if config else Path(os.path.expanduser("~")) / ".claude") / "settings.json"


def plan_install(path: Path, argv: Sequence[str], config_dir: Path | None = None) -> ConfigEdit:
    """The edit that makes all our hooks stand in this file exactly once.

    `config_dir` is Claude Code's own folder, whose transcripts tell its version (None: the file's folder).

    Raises:
        SulcusError: the file is not JSON, or its hooks are not what they should be.
    """
    before = _read(path)
    text = _decode(path, before)
    after = install_text(text, argv) if text is not None else install_text(None, argv)
    had_ours = text is not None and any(True for _ in our_hooks(parse_settings(text)))
    backup = None if before is None or had_ours else Path(str(path) + BACKUP_SUFFIX)
    version = newest_version(config_dir or path.parent)
    note = _too_old(version) if version else f"These hooks need Claude Code {MINIMUM_VERSION} or later"
    return replace(_edit(path, before, after, backup), note=note)


def plan_uninstall(path: Path) -> ConfigEdit:
    """The edit that takes our hooks out; where nothing else has changed, the file is what it was before them.

    Raises:
        SulcusError: as for plan_install.
    """
    before = _read(path)
    text = _decode(path, before)
    if text is None:
        return _edit(path, None, None, None)
    ours = next(our_hooks(parse_settings(text)), None)
    if ours is None:
        return _edit(path, before, text, None)
    original = _original(path, text, argv_of(ours))
    return _edit(path, before, uninstall_text(text) if original is _UNKNOWN else original, None)


def status(path: Path, argv: Sequence[str], config_dir: Path | None = None) -> HooksStatus:
    """Which of our hooks stand in the file. `config_dir` as for plan_install."""
    try:
        text = _decode(path, _read(path))
        root = parse_settings(text if text is not None else "{}")
        installed = {event for event, _ in our_places(root)}
        current = text is not None and install_text(text, argv) == text
    except SulcusError as error:
        return HooksStatus(path, (), tuple(EVENTS), current=False, problem=str(error))
    settings = root.value if isinstance(root.value, dict) else {}
    problem = _too_old(newest_version(config_dir or path.parent)) if installed else ""
    if settings.get("disableAllHooks") is True:
        problem = "all hooks are switched off (disableAllHooks)"
    return HooksStatus(
        path,
        tuple(event for event in EVENTS if event in installed),
        tuple(event for event in EVENTS if event not in installed),
        current,
        problem,
    )


def _too_old(version: str) -> str:
    """The sentence for a version that does not understand our hooks, empty for others and an unknown one."""
    if not version or not is_older(version, MINIMUM_VERSION):
        return ""
    return f"Claude Code {version} ran here last; our hooks need {MINIMUM_VERSION} or later"


_UNKNOWN = "\0"


def _original(path: Path, text: str, argv: Sequence[str]) -> str | None:
    """The file before our hooks: None for no file, _UNKNOWN where it has changed otherwise since."""
    backup = Path(str(path) + BACKUP_SUFFIX)
    kept = _read(backup)
    try:
        original = _decode(backup, kept)
        if original is not None and install_text(original, argv) == text:
            return original
    except SulcusError:
        pass  # not what we had installed into
    return None if kept is None and text == install_text(None, argv) else _UNKNOWN


def _edit(path: Path, before: bytes | None, after: str | None, backup: Path | None) -> ConfigEdit:
    data = None if after is None else after.encode("utf-8")
    old = [] if before is None else before.decode("utf-8").split("\n")
    new = [] if after is None else after.split("\n")
    diff = "\n".join(unified_diff(old, new, str(path), str(path), lineterm=""))
    return ConfigEdit(path, before, data, diff + "\n" if diff else "", backup if before != data else None)


def _read(path: Path) -> bytes | None:
    try:
        with open_plain(path) as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SulcusError("The settings file cannot be read", f"{path}: {error.strerror}") from error


def _decode(path: Path, data: bytes | None) -> str | None:
    try:
        return None if data is None else data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise SulcusError("The settings file is not JSON", f"{path} is not UTF-8") from error
