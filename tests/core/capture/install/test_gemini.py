"""Gemini CLI's settings: its own event names and milliseconds, and switches that keep hooks from running."""

import json
from pathlib import Path

import pytest

from sulcus_panel.core.capture.install.config_file import apply_plan
from sulcus_panel.core.capture.install.gemini import GEMINI
from sulcus_panel.core.capture.install.hook_command import hook_command
from sulcus_panel.core.capture.install.hook_home import Machine

ARGV = hook_command("gemini", Path("/data/spool"), "/opt/python")


def test_groups_under_its_own_names_with_times_in_milliseconds(tmp_path: Path) -> None:
    apply_plan(GEMINI.plan_install(Machine({}, tmp_path, "linux"), None, ARGV))
    hooks = json.loads((tmp_path / ".gemini" / "settings.json").read_text())["hooks"]
    assert set(hooks) == {
        "BeforeTool",
        "AfterTool",
        "BeforeAgent",
        "AfterAgent",
        "SessionStart",
        "SessionEnd",
    }
    [group] = hooks["BeforeTool"]
    [hook] = group["hooks"]
    assert (hook["type"], hook["timeout"], hook["name"]) == ("command", 5000, "sulcus-panel")


@pytest.mark.parametrize("text", ['{"hooksConfig": {"enabled": false}}', '{"tools": {"enableHooks": false}}'])
def test_switched_off_hooks_are_told(tmp_path: Path, text: str) -> None:
    machine = Machine({}, tmp_path)
    path = tmp_path / ".gemini" / "settings.json"
    path.parent.mkdir()
    path.write_text(text)
    plan = GEMINI.plan_install(machine, None, ARGV)
    assert "switched off" in plan.notes[0]
    apply_plan(plan)
    assert "switched off" in GEMINI.status(machine, None, ARGV).problem
