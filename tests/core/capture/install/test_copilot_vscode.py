"""VS Code: a file that Copilot CLI does not run, and none where our hooks run already."""

import json
from pathlib import Path

import pytest

from sulcus_panel.core.capture.install.claude import CLAUDE
from sulcus_panel.core.capture.install.config_file import apply_plan
from sulcus_panel.core.capture.install.copilot_cli import COPILOT_CLI
from sulcus_panel.core.capture.install.copilot_vscode import COPILOT_VSCODE, ENOUGH
from sulcus_panel.core.capture.install.hook_command import hook_command
from sulcus_panel.core.capture.install.hook_home import Machine

ARGV = hook_command("copilot-vscode", Path("/data/spool"), "/opt/python")


@pytest.mark.parametrize(("platform", "key"), [("linux", "linux"), ("darwin", "osx"), ("win32", "windows")])
def test_the_command_stands_under_a_key_that_copilot_cli_does_not_know(
    tmp_path: Path, platform: str, key: str
) -> None:
    machine = Machine({}, tmp_path, platform)
    apply_plan(COPILOT_VSCODE.plan_install(machine, None, ARGV))
    (path,) = COPILOT_VSCODE.paths(machine, None)
    [hook] = json.loads(path.read_text())["hooks"]["Stop"]
    assert set(hook) == {"type", key, "timeout"}
    assert path.parent == COPILOT_CLI.paths(machine, None)[0].parent
    assert path not in COPILOT_CLI.paths(machine, None)


def test_nothing_is_installed_twice_where_it_runs_claude_codes_hooks(tmp_path: Path) -> None:
    machine = Machine({}, tmp_path, "linux")
    apply_plan(CLAUDE.plan_install(machine, None, hook_command("claude-code", Path("/data/spool"))))
    plan = COPILOT_VSCODE.plan_install(machine, None, ARGV)
    assert (plan.changes, plan.notes) == (False, (ENOUGH,))
    state = COPILOT_VSCODE.status(machine, None, ARGV)
    assert (state.elsewhere, state.installed, state.notes) == (True, (), (ENOUGH,))


def test_what_was_installed_before_claude_codes_hooks_came_stays_and_can_go(tmp_path: Path) -> None:
    machine = Machine({}, tmp_path, "linux")
    apply_plan(COPILOT_VSCODE.plan_install(machine, None, ARGV))
    apply_plan(CLAUDE.plan_install(machine, None, hook_command("claude-code", Path("/data/spool"))))
    assert COPILOT_VSCODE.status(machine, None, ARGV).current
    apply_plan(COPILOT_VSCODE.plan_uninstall(machine, None))
    assert not COPILOT_VSCODE.paths(machine, None)[0].exists()
