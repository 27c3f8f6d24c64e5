"""Our hooks in the harnesses' own config: what each would become, where it stands, and doing it on a yes."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from sulcus_panel.core.capture.install.claude_plugin import CLAUDE_PLUGIN
from sulcus_panel.core.capture.install.config_file import apply_plan
from sulcus_panel.core.capture.install.homes import HOMES
from sulcus_panel.core.capture.install.hook_command import hook_command
from sulcus_panel.core.capture.install.hook_home import ConfigEdit, HookHome, HooksPlan, HooksStatus, Machine
from sulcus_panel.core.errors import BadRequest
from sulcus_panel.core.ledger.home import DataHome

HARNESSES = tuple(HOMES)
SHARED = "A project's file may be shared with others, whose agents would then start a command of this machine"

__all__ = ["HARNESSES", "ConfigEdit", "Hooks", "HooksPlan", "HooksStatus", "found_here"]


class Governs(Protocol):
    """Who can put an event on governance: Operations."""

    def record_governance(self, workspace_id: int | None, kind: str, summary: str) -> None:
        """See Operations."""
        ...


def found_here() -> tuple[str, ...]:
    """The harnesses that are used on this machine, as far as files tell."""
    machine = Machine.here()
    return tuple(name for name, home in HOMES.items() if home.is_present(machine))


@dataclass(frozen=True, slots=True)
class Hooks:
    """One harness's hooks. `project`: its settings file in that folder instead of the user's own.

    `plugin`: Claude Code's hooks as a plugin in that folder, instead of in its settings.
    """

    home: DataHome
    harness: str
    project: Path | None = None
    plugin: Path | None = None

    def __post_init__(self) -> None:
        if self.harness not in HOMES:
            raise BadRequest(
                f"There are no hooks for {self.harness!r}", f"Known: {', '.join(HARNESSES)}.", field="harness"
            )
        if self.plugin is not None and (self.harness != CLAUDE_PLUGIN.harness or self.project is not None):
            raise BadRequest(
                f"{self.title} has no such plugin",
                "Only Claude Code's hooks can be a plugin, in one folder of your choice.",
                field="plugin",
            )

    @property
    def title(self) -> str:
        """The product's name."""
        return HOMES[self.harness].title

    @property
    def command(self) -> tuple[str, ...]:
        """The argv that the harness starts at every event: an absolute interpreter, no shell."""
        return hook_command(self.harness, self.home.spool)

    @property
    def path(self) -> Path:
        """The config file meant, the first where there are several."""
        return self._config.paths(Machine.here(), self._folder)[0]

    @property
    def is_present(self) -> bool:
        """Whether the harness is used on this machine."""
        return self._config.is_present(Machine.here())

    def install_plan(self) -> HooksPlan:
        """What puts our hooks in; it changes nothing where they stand already. SulcusError for a broken config."""
        plan = self._config.plan_install(Machine.here(), self._folder, self.command)
        return replace(plan, notes=(*plan.notes, SHARED)) if self.project and plan.changes else plan

    def uninstall_plan(self) -> HooksPlan:
        """What takes our hooks out."""
        return self._config.plan_uninstall(Machine.here(), self._folder)

    def status(self) -> HooksStatus:
        """Which of our hooks stand."""
        return self._config.status(Machine.here(), self._folder, self.command)

    def apply(self, plan: HooksPlan, operations: Governs, *, installing: bool) -> None:
        """Back up and write what was shown, all of it or nothing. Raises StalePlan, ApplyFailed."""
        apply_plan(plan)
        kind = "hooks.install" if installing else "hooks.uninstall"
        written = ", ".join(str(edit.path) for edit in plan.edits if edit.changes)
        operations.record_governance(None, kind, f"{self.harness}: {written or self.path}")

    @property
    def _config(self) -> HookHome:
        return HOMES[self.harness] if self.plugin is None else CLAUDE_PLUGIN

    @property
    def _folder(self) -> Path | None:
        return self.project if self.plugin is None else self.plugin
