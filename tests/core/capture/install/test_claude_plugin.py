"""The plugin's folder holds what Claude Code loads, and goes without a trace."""

import json
from pathlib import Path

from sulcus_panel.core.capture.install.claude import CLAUDE, EVENTS
from sulcus_panel.core.capture.install.claude_plugin import CLAUDE_PLUGIN, TWICE
from sulcus_panel.core.capture.install.config_file import apply_plan
from sulcus_panel.core.capture.install.hook_command import hook_command
from sulcus_panel.core.capture.install.hook_home import Machine

ARGV = hook_command("claude-code", Path("/data/spool"), "/opt/python")


def test_a_plugin_is_its_manifest_and_the_hooks_of_the_settings(tmp_path: Path) -> None:
    machine, folder = Machine({}, tmp_path), tmp_path / "plugin"
    plan = CLAUDE_PLUGIN.plan_install(machine, folder, ARGV)
    assert f"--plugin-dir {folder}" in plan.notes[0]
    apply_plan(plan)
    assert json.loads((folder / ".claude-plugin" / "plugin.json").read_text())["name"] == "sulcus-panel"
    hooks = json.loads((folder / "hooks" / "hooks.json").read_text())["hooks"]
    assert set(hooks) == set(EVENTS)
    assert CLAUDE_PLUGIN.status(machine, folder, ARGV).current
    apply_plan(CLAUDE_PLUGIN.plan_uninstall(machine, folder))
    assert not [path for path in folder.rglob("*") if path.is_file()]


def test_hooks_that_stand_in_the_settings_too_are_told(tmp_path: Path) -> None:
    machine = Machine({}, tmp_path)
    apply_plan(CLAUDE.plan_install(machine, None, ARGV))
    assert CLAUDE_PLUGIN.plan_install(machine, None, ARGV).notes[-1] == TWICE
