"""Cline's hooks are scripts that say that nothing is cancelled, whatever happens. Files: test_own_files.py."""

import os
import subprocess
from pathlib import Path

import pytest

from sulcus_panel.core.capture.install.cline import CLINE, EVENTS
from sulcus_panel.core.capture.install.config_file import apply_plan
from sulcus_panel.core.capture.install.hook_command import hook_command
from sulcus_panel.core.capture.install.hook_home import Machine
from tests.support.hooks import spooled


@pytest.mark.parametrize("python", [None, "/nowhere/python"])
def test_a_script_answers_with_or_without_its_interpreter(tmp_path: Path, python: str | None) -> None:
    argv = hook_command("cline", tmp_path / "a spool", python)
    apply_plan(CLINE.plan_install(Machine({}, tmp_path, "linux"), tmp_path / "work", argv))
    script = tmp_path / "work" / ".clinerules" / "hooks" / "PreToolUse"
    environment = {key: value for key, value in os.environ.items() if key != "SULCUS_HOME"}
    done = subprocess.run([script], input=b"{}", capture_output=True, env=environment, check=False)
    assert (done.returncode, done.stdout) == (0, b'{"cancel":false}')
    assert len(spooled(tmp_path / "a spool")) == (python is None)


def test_every_edition_that_is_here_gets_its_own(tmp_path: Path) -> None:
    machine = Machine({}, tmp_path)
    extension, program = tmp_path / "Documents" / "Cline", tmp_path / ".cline"
    assert not CLINE.is_present(machine)
    assert {path.parent for path in CLINE.paths(machine, None)} == {extension / "Hooks"}
    program.mkdir()
    (program / "data").touch()
    assert CLINE.is_present(machine)
    assert {path.parent for path in CLINE.paths(machine, None)} == {program / "hooks"}
    extension.mkdir(parents=True)
    assert len(CLINE.paths(machine, None)) == 2 * len(EVENTS)
