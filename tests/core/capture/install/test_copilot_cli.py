"""Copilot CLI's hooks never end badly, for that would deny every call."""

import json
import subprocess
from pathlib import Path

import pytest

from sulcus_panel.core.capture.install.config_file import apply_plan
from sulcus_panel.core.capture.install.copilot_cli import COPILOT_CLI
from sulcus_panel.core.capture.install.hook_command import hook_command
from sulcus_panel.core.capture.install.hook_home import Machine


@pytest.mark.parametrize("python", ["/nowhere/python", "/bin/false"])
def test_a_hook_whose_interpreter_is_gone_denies_nothing(tmp_path: Path, python: str) -> None:
    machine = Machine({"COPILOT_HOME": str(tmp_path / "copilot")}, tmp_path, "linux")
    argv = hook_command("copilot-cli", tmp_path / "spool", python)
    apply_plan(COPILOT_CLI.plan_install(machine, None, argv))
    config = json.loads((tmp_path / "copilot" / "hooks" / "sulcus.json").read_text())
    assert config["version"] == 1
    [hook] = config["hooks"]["PreToolUse"]
    assert not {"bash", "powershell", "command"} & set(hook)
    done = subprocess.run([hook["exec"], *hook["args"]], input=b"{}", capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"")


def test_a_file_of_which_nothing_else_is_left_goes_too(tmp_path: Path) -> None:
    machine = Machine({}, tmp_path, "linux")
    apply_plan(COPILOT_CLI.plan_install(machine, None, hook_command("copilot-cli", tmp_path)))
    (path,) = COPILOT_CLI.paths(machine, None)
    path.write_text(json.dumps(json.loads(path.read_text())))  # laid out anew by somebody
    apply_plan(COPILOT_CLI.plan_uninstall(machine, None))
    assert not path.exists()
