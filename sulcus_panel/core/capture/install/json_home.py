"""A harness whose hooks stand in a JSON file: all but Cline and OpenCode. What differs between them is data."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sulcus_panel.core.capture.install.hook_home import (
    BACKUP_SUFFIX,
    ConfigEdit,
    HooksPlan,
    HooksStatus,
    Machine,
    config_edit,
    decode_config,
    read_config,
)
from sulcus_panel.core.capture.install.hooks_text import (
    JsonObject,
    install_text,
    our_places,
    parse_settings,
    stand_already,
    uninstall_text,
)
from sulcus_panel.core.errors import SulcusError

Elements = Callable[[Machine, Sequence[str]], Mapping[str, JsonObject]]
"""What stands in each event's list, for the argv of our hook."""


def nothing_to_say(_machine: Machine, _config: JsonObject) -> tuple[str, ...]:
    """No notes, no problems."""
    return ()


@dataclass(frozen=True, slots=True)
class JsonHooks:
    """One harness's JSON config: where it is, what our hooks look like in it, what may be in their way."""

    harness: str
    title: str
    floor: str
    presence: Callable[[Machine], bool]
    place: Callable[[Machine, Path | None], Path]
    elements: Elements
    head: JsonObject | None = None
    own_file: bool = False
    """Whether the file is ours alone, so that it goes with our hooks."""
    notes: Callable[[Machine, JsonObject], tuple[str, ...]] = nothing_to_say
    """What to know before a yes."""
    reminders: Callable[[Machine, JsonObject], tuple[str, ...]] = nothing_to_say
    """What may keep hooks that stand there from running, as far as files tell."""
    problems: Callable[[Machine, JsonObject], tuple[str, ...]] = nothing_to_say
    """Why hooks that stand there would not run."""
    enough: Callable[[Machine, Path | None], str] | None = None
    """Says where this harness runs our hooks already, empty where it does not."""

    def is_present(self, machine: Machine) -> bool:
        """See HookHome."""
        return self.presence(machine)

    def paths(self, machine: Machine, project: Path | None) -> tuple[Path, ...]:
        """See HookHome."""
        return (self.place(machine, project),)

    def plan_install(self, machine: Machine, project: Path | None, argv: Sequence[str]) -> HooksPlan:
        """See HookHome."""
        path = self.place(machine, project)
        before = read_config(path)
        text = decode_config(path, before)
        root = parse_settings(text if text is not None else "{}")
        reason = self.enough(machine, project) if self.enough and not our_places(root) else ""
        if reason:
            return HooksPlan((config_edit(path, before, text, None),), (reason,))
        after = install_text(text, self.elements(machine, argv), self.head)
        backup = None if before is None or our_places(root) else Path(str(path) + BACKUP_SUFFIX)
        config = root.value if isinstance(root.value, dict) else {}
        notes = (*self.problems(machine, config), *self.notes(machine, config))
        return HooksPlan((config_edit(path, before, after, backup),), notes)

    def plan_uninstall(self, machine: Machine, project: Path | None) -> HooksPlan:
        """See HookHome."""
        return HooksPlan((self._without(self.place(machine, project)),))

    def status(self, machine: Machine, project: Path | None, argv: Sequence[str]) -> HooksStatus:
        """See HookHome."""
        path = self.place(machine, project)
        wanted = self.elements(machine, argv)
        none = HooksStatus(path, (), tuple(wanted), current=False)
        try:
            text = decode_config(path, read_config(path))
            root = parse_settings(text if text is not None else "{}")
        except SulcusError as error:
            return replace(none, problem=str(error))
        installed = {event for event, _ in our_places(root)}
        if not installed:
            reason = self.enough(machine, project) if self.enough else ""
            return replace(none, notes=(reason,), elsewhere=True) if reason else none
        config = root.value if isinstance(root.value, dict) else {}
        return HooksStatus(
            path,
            tuple(event for event in wanted if event in installed),
            tuple(event for event in wanted if event not in installed),
            text is not None and stand_already(text, wanted, self.head),
            "; ".join(self.problems(machine, config)),
            self.reminders(machine, config),
        )

    def _without(self, path: Path) -> ConfigEdit:
        before = read_config(path)
        text = decode_config(path, before)
        if text is None:
            return config_edit(path, None, None, None)
        found = our_places(parse_settings(text))
        if not found:
            return config_edit(path, before, text, None)
        wanted = dict(found)
        backup = Path(str(path) + BACKUP_SUFFIX)
        kept = read_config(backup)
        try:
            original = decode_config(backup, kept)
            if original is not None and install_text(original, wanted, self.head) == text:
                return config_edit(path, before, original, None)
        except SulcusError:
            pass  # not what we had installed into
        left = uninstall_text(text)
        made_by_us = kept is None and text == install_text(None, wanted, self.head)
        if made_by_us or (self.own_file and parse_settings(left).value in ({}, self.head)):
            return config_edit(path, before, None, None)
        return config_edit(path, before, left, None)
