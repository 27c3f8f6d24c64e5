"""A harness whose hooks are files of ours alone, not entries in somebody's config. What is another's stays.

Ours are known by the launcher's mark in them. A file of the same name that has none is never replaced, and said.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sulcus_panel.core.capture.install.hook_command import MARK
from sulcus_panel.core.capture.install.hook_home import (
    HooksPlan,
    HooksStatus,
    Machine,
    config_edit,
    read_config,
)
from sulcus_panel.core.errors import SulcusError


def _no_notes(_machine: Machine, _project: Path | None) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class OwnFiles:
    """The files of one harness, and what they would say."""

    harness: str
    title: str
    floor: str
    presence: Callable[[Machine], bool]
    texts: Callable[[Machine, Path | None, Sequence[str]], Mapping[Path, str]]
    """What each file would say, for the argv of our hook."""
    mode: int | None = None
    notes: Callable[[Machine, Path | None], tuple[str, ...]] = _no_notes
    mark: str = MARK

    def is_present(self, machine: Machine) -> bool:
        """See HookHome."""
        return self.presence(machine)

    def paths(self, machine: Machine, project: Path | None) -> tuple[Path, ...]:
        """See HookHome."""
        return tuple(self.texts(machine, project, ("",)))

    def plan_install(self, machine: Machine, project: Path | None, argv: Sequence[str]) -> HooksPlan:
        """See HookHome."""
        edits, notes = [], list(self.notes(machine, project))
        for path, text in self.texts(machine, project, argv).items():
            before = read_config(path)
            if before is not None and not self._is_ours(before):
                notes.append(f"{path} is not ours and stays: what it would tell is not recorded")
            else:
                edits.append(replace(config_edit(path, before, text, None), mode=self.mode))
        return HooksPlan(tuple(edits), tuple(notes))

    def plan_uninstall(self, machine: Machine, project: Path | None) -> HooksPlan:
        """See HookHome."""
        found = [(path, read_config(path)) for path in self.paths(machine, project)]
        ours = [(path, data) for path, data in found if data is not None and self._is_ours(data)]
        return HooksPlan(tuple(config_edit(path, data, None, None) for path, data in ours))

    def status(self, machine: Machine, project: Path | None, argv: Sequence[str]) -> HooksStatus:
        """See HookHome. Hooks are called by their files' names."""
        wanted = self.texts(machine, project, argv)
        first = next(iter(wanted))
        folder = first if len(wanted) == 1 else first.parent
        installed: list[str] = []
        missing: list[str] = []
        problems: list[str] = []
        current = True
        for path, text in wanted.items():
            try:
                data = read_config(path)
            except SulcusError as error:
                problems.append(str(error))
                data = None
            ours = data is not None and self._is_ours(data)
            (installed if ours else missing).append(path.name)
            current = current and ours and data == text.encode("utf-8")
            if data is not None and not ours:
                problems.append(f"{path} is not ours and stays")
        told = "; ".join(problems) if installed else ""
        notes = () if installed else tuple(problems)
        return HooksStatus(folder, tuple(installed), tuple(missing), current, told, notes)

    def _is_ours(self, data: bytes) -> bool:
        return self.mark.encode("ascii") in data
