"""Our hooks in the harnesses' own config: what each would become, where it stands, and doing it on a yes."""

import os
from dataclasses import dataclass
from pathlib import Path

from sulcus_panel.core.capture.install.config_file import apply_edit
from sulcus_panel.core.capture.install.hooks_config import (
    ConfigEdit,
    HooksStatus,
    hook_command,
    plan_install,
    plan_uninstall,
    settings_path,
    status,
)
from sulcus_panel.core.errors import BadRequest
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.service.operations import Operations

HARNESSES = ("claude-code",)

__all__ = ["HARNESSES", "ConfigEdit", "Hooks", "HooksStatus"]


@dataclass(frozen=True, slots=True)
class Hooks:
    """One harness's hooks. `project`: its settings file in that folder instead of the user's own."""

    home: DataHome
    harness: str
    project: Path | None = None

    def __post_init__(self) -> None:
        if self.harness not in HARNESSES:
            raise BadRequest(
                f"There are no hooks for {self.harness!r}", f"Known: {', '.join(HARNESSES)}.", field="harness"
            )

    @property
    def command(self) -> tuple[str, ...]:
        """The argv that the harness starts at every event: an absolute interpreter, no shell."""
        return hook_command(self.harness, self.home.spool)

    @property
    def path(self) -> Path:
        """The config file meant."""
        return settings_path(os.environ, self.project)

    def install_plan(self) -> ConfigEdit:
        """The edit that puts our hooks in, or one that changes nothing where they stand already."""
        return plan_install(self.path, self.command, config_dir=self._config_dir)

    def uninstall_plan(self) -> ConfigEdit:
        """The edit that takes our hooks out."""
        return plan_uninstall(self.path)

    def status(self) -> HooksStatus:
        """Which of our hooks stand."""
        return status(self.path, self.command, config_dir=self._config_dir)

    @property
    def _config_dir(self) -> Path:
        """Where the harness keeps its own files, which tell its version."""
        return settings_path(os.environ).parent

    def apply(self, edit: ConfigEdit, operations: Operations, *, installing: bool) -> None:
        """Back up and write what was shown. Raises StalePlan, ApplyFailed."""
        apply_edit(edit)
        kind = "hooks.install" if installing else "hooks.uninstall"
        operations.record_governance(None, kind, f"{self.harness}: {edit.path}")
