"""Codex's hooks: what keeps them from running is read from its files and said, and none of it is written."""

from pathlib import Path

import pytest

from sulcus_panel.core.capture.install.codex import CODE_MODE, CODEX, TRUST, newest_codex
from sulcus_panel.core.capture.install.config_file import apply_plan
from sulcus_panel.core.capture.install.hook_command import hook_command
from sulcus_panel.core.capture.install.hook_home import Machine

ARGV = hook_command("codex", Path("/data/spool"), "/opt/python")


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    (tmp_path / "codex").mkdir()
    return Machine({"CODEX_HOME": str(tmp_path / "codex")}, tmp_path)


def ran(machine: Machine, day: str, version: str, line: str = '{{"cli_version": "{}"}}') -> None:
    folder = machine.folder("CODEX_HOME") / "sessions" / day
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"rollout-{day.replace('/', '-')}.jsonl").write_text(line.format(version) + "\n{}\n")


def test_the_trust_step_is_explained_and_the_config_is_never_written(machine: Machine) -> None:
    config = machine.folder("CODEX_HOME") / "config.toml"
    config.write_text('model = "x"\n')
    plan = CODEX.plan_install(machine, None, ARGV)
    assert plan.notes == (TRUST, CODE_MODE)
    apply_plan(plan)
    assert config.read_text() == 'model = "x"\n'
    assert CODEX.paths(machine, None) == (config.with_name("hooks.json"),)
    assert CODEX.status(machine, None, ARGV).notes == (TRUST,)
    config.write_text('[hooks.state."/x/hooks.json:PreToolUse:0:0"]\ntrusted_hash = "sha256:00"\n')
    assert CODEX.status(machine, None, ARGV).notes == ()


@pytest.mark.parametrize("text", ["[features]\nhooks = false\n", "[features]\ncodex_hooks = false\n"])
def test_switched_off_hooks_are_told(machine: Machine, text: str) -> None:
    apply_plan(CODEX.plan_install(machine, None, ARGV))
    config = machine.folder("CODEX_HOME") / "config.toml"
    config.write_text(text)
    assert "switched off" in CODEX.status(machine, None, ARGV).problem
    for broken in ("[features\n", "features = 1\n", "hooks = 1\n"):
        config.write_text(broken)
        assert CODEX.status(machine, None, ARGV).problem == ""


def test_the_version_of_the_newest_session_counts(machine: Machine) -> None:
    assert newest_codex(machine) == ""
    ran(machine, "2026/01/09", "0.147.0")
    ran(machine, "2025/12/31", "0.100.0")
    ran(machine, "2026/01/10", "", line="no json at all {}")
    assert newest_codex(machine) == "0.147.0"
    ran(machine, "2026/02/01", "0.104.0")
    apply_plan(CODEX.plan_install(machine, None, ARGV))
    assert (
        CODEX.status(machine, None, ARGV).problem == "Codex 0.104.0 ran here last; hooks are on from 0.124.0"
    )


def test_the_command_line_is_the_same_from_one_installation_to_the_next(machine: Machine) -> None:
    apply_plan(CODEX.plan_install(machine, None, ARGV))
    before = CODEX.paths(machine, None)[0].read_bytes()
    apply_plan(CODEX.plan_uninstall(machine, None))
    apply_plan(CODEX.plan_install(machine, None, ARGV))
    assert CODEX.paths(machine, None)[0].read_bytes() == before
