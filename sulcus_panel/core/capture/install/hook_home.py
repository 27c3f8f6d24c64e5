"""What is asked of every harness's config: where it is, what our hooks would make of it, and where they stand.

A home plans; config_file.py writes what was shown. Nothing here starts a program: what is installed, and in which
version, is known by files alone.
"""

import os
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path
from typing import Protocol

from sulcus_panel.core.capture.plain_file import open_plain
from sulcus_panel.core.errors import SulcusError

BACKUP_SUFFIX = ".before-sulcus-panel"


@dataclass(frozen=True, slots=True)
class Machine:
    """Where harnesses keep their things on this machine."""

    environment: Mapping[str, str]
    home: Path
    platform: str = sys.platform

    @classmethod
    def here(cls) -> "Machine":
        """This machine, for this user."""
        return cls(os.environ, Path(os.path.expanduser("~")))

    def folder(self, variable: str, *below_home: str) -> Path:
        """The folder that a variable of the environment names, else one below the home folder."""
        named = self.environment.get(variable)
        return Path(named) if named else self.home.joinpath(*below_home)

    def has_program(self, *names: str) -> bool:
        """Whether one of these can be started by its name."""
        path = self.environment.get("PATH", "")
        return bool(path) and any(shutil.which(name, path=path) for name in names)

    def code_folders(self) -> tuple[Path, ...]:
        """Where Visual Studio Code keeps a user's extensions, of each of its editions."""
        return tuple(
            self.home / name / "extensions" for name in (".vscode", ".vscode-insiders", ".vscode-server")
        )


@dataclass(frozen=True, slots=True)
class ConfigEdit:
    """What would be done to one file. None as bytes: no file. `backup_path` only where one is made."""

    path: Path
    before: bytes | None
    after: bytes | None
    diff: str
    backup_path: Path | None
    mode: int | None = None
    """The permissions of a file that is made anew; None: for its owner alone."""

    @property
    def changes(self) -> bool:
        """Whether there is anything to do."""
        return self.before != self.after


@dataclass(frozen=True, slots=True)
class HooksPlan:
    """All that would be done for one harness, and what the person should know before a yes."""

    edits: tuple[ConfigEdit, ...]
    notes: tuple[str, ...] = ()

    @property
    def changes(self) -> bool:
        """Whether there is anything to do."""
        return any(edit.changes for edit in self.edits)


@dataclass(frozen=True, slots=True)
class HooksStatus:
    """Where our hooks stand. `current`: all of them, as this installation would write them."""

    path: Path
    installed: tuple[str, ...]
    missing: tuple[str, ...]
    current: bool
    problem: str = ""
    notes: tuple[str, ...] = ()
    elsewhere: bool = False
    """The harness runs our hooks from another's config: nothing is missing."""


class HookHome(Protocol):
    """One harness's config. `project`: that folder's own instead of the user's."""

    @property
    def harness(self) -> str:
        """The name given to the hook on its command line."""

    @property
    def title(self) -> str:
        """The product's name."""

    @property
    def floor(self) -> str:
        """The oldest version that understands our hooks, empty where none is known."""

    def is_present(self, machine: Machine) -> bool:
        """Whether the harness is used here, as far as files tell."""

    def paths(self, machine: Machine, project: Path | None) -> tuple[Path, ...]:
        """The files, or the one file, that would be written."""

    def plan_install(self, machine: Machine, project: Path | None, argv: Sequence[str]) -> HooksPlan:
        """What makes all our hooks stand exactly once; SulcusError where a config is not what it should be."""

    def plan_uninstall(self, machine: Machine, project: Path | None) -> HooksPlan:
        """What takes them out; where nothing else has changed, files are what they were before them."""

    def status(self, machine: Machine, project: Path | None, argv: Sequence[str]) -> HooksStatus:
        """Which of them stand."""


def config_edit(path: Path, before: bytes | None, after: str | None, backup: Path | None) -> ConfigEdit:
    """The edit that leads from these bytes to this text, with its diff."""
    data = None if after is None else after.encode("utf-8")
    old = [] if before is None else before.decode("utf-8", "replace").split("\n")
    new = [] if after is None else after.split("\n")
    diff = "\n".join(unified_diff(old, new, str(path), str(path), lineterm=""))
    return ConfigEdit(path, before, data, diff + "\n" if diff else "", backup if before != data else None)


def read_config(path: Path) -> bytes | None:
    """A config's bytes, None where there is none; SulcusError where it cannot be read."""
    try:
        with open_plain(path) as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SulcusError("The settings file cannot be read", f"{path}: {error.strerror}") from error


def decode_config(path: Path, data: bytes | None) -> str | None:
    """A config's text; SulcusError where it is none."""
    try:
        return None if data is None else data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise SulcusError("The settings file is not JSON", f"{path} is not UTF-8") from error


def any_used(folders: Iterable[Path]) -> bool:
    """Whether one of these folders holds a file: an empty one may be what is left of our own hooks."""
    return any(files for folder in folders for _, _, files in os.walk(folder))
