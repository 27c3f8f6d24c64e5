"""The command line records what it is told through every shell in between, and ends well whatever is gone."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from sulcus_panel.core.capture.install.hook_command import (
    LAUNCHER,
    MARK,
    hook_command,
    is_ours,
    never_failing,
    shell_line,
)
from tests.support.hooks import spooled

SHELLS = [shell for shell in ("sh", "bash", "dash", "zsh", "fish") if shutil.which(shell)]
ENVIRONMENT = {key: value for key, value in os.environ.items() if key != "SULCUS_HOME"}


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("name", ["spool", 'it\'s a $HOME `x` "y" \\n spool'])
def test_one_line_says_the_same_to_every_shell(tmp_path: Path, shell: str, name: str) -> None:
    line = shell_line(hook_command("codex", tmp_path / name), "linux")
    assert "\n" not in line
    done = subprocess.run(
        [shell, "-c", line], input=b'{"a": 1}', capture_output=True, env=ENVIRONMENT, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    [left] = spooled(tmp_path / name)
    assert b'{"a": 1}' in left.read_bytes()


def test_the_line_for_windows_has_double_quotes_around_what_needs_them_alone() -> None:
    line = shell_line(("C:\\Program Files\\python.exe", "-c", LAUNCHER, "C:\\hook.py", "codex"), "win32")
    assert line.startswith('"C:\\Program Files\\python.exe" -c "exec(\'# sulcus-panel hook\\nimport sys')
    assert line.endswith(')" C:\\hook.py codex')
    assert line.count('"') == 4


def test_a_launcher_without_quotes_is_the_same_in_one_line(tmp_path: Path) -> None:
    assert not set(LAUNCHER) & set("\"'`$\\%!")
    code = shell_line(("x", LAUNCHER, "y"), "win32").split('"')[1]
    done = subprocess.run(
        [*hook_command("codex", tmp_path)[:5], code, *hook_command("codex", tmp_path / "spool")[6:]],
        input=b"{}",
        env=ENVIRONMENT,
        check=True,
    )
    assert done.returncode == 0
    assert spooled(tmp_path / "spool")


def test_what_may_not_fail_ends_well_without_its_interpreter(tmp_path: Path) -> None:
    argv = never_failing(hook_command("copilot-cli", tmp_path / "spool", "/nowhere/python"))
    done = subprocess.run(argv, input=b"{}", capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"")
    argv = never_failing(hook_command("copilot-cli", tmp_path / "it's $a spool"))
    done = subprocess.run(argv, input=json.dumps({}).encode(), env=ENVIRONMENT, check=False)
    assert done.returncode == 0
    assert spooled(tmp_path / "it's $a spool")
    assert never_failing(("a", "b"), "win32") == ("a", "b")


def test_ours_are_known_in_each_form() -> None:
    argv = hook_command("codex", Path("/s"))
    for words in (argv, (shell_line(argv),), never_failing(argv), (shell_line(argv, "win32"),)):
        assert is_ours(words)
    assert is_ours((MARK,))
    assert not is_ours(("python", "hook.py"))
