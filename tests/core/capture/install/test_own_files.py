"""Files that are ours alone: made, replaced and removed as such, and never in another's place. Of Cline's here."""

import os
import stat
from pathlib import Path

import pytest

from sulcus_panel.core.capture.install.cline import CLINE, ENABLE
from sulcus_panel.core.capture.install.config_file import apply_plan
from sulcus_panel.core.capture.install.hook_command import hook_command
from sulcus_panel.core.capture.install.hook_home import Machine
from sulcus_panel.core.errors import ApplyFailed

ARGV = hook_command("cline", Path("/data/spool"), "/opt/python")


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine({}, tmp_path, "linux")


@pytest.fixture
def hooks(tmp_path: Path) -> Path:
    folder = tmp_path / "Documents" / "Cline" / "Hooks"
    folder.mkdir(parents=True)
    return folder


def test_they_are_made_once_executable_and_gone_again(machine: Machine, hooks: Path) -> None:
    plan = CLINE.plan_install(machine, None, ARGV)
    assert plan.notes == (ENABLE,)
    assert "+# sulcus-panel hook" in plan.edits[0].diff
    apply_plan(plan)
    assert stat.S_IMODE((hooks / "PreToolUse").stat().st_mode) == 0o755
    assert CLINE.status(machine, None, ARGV).current
    assert not CLINE.plan_install(machine, None, ARGV).changes
    assert not CLINE.status(machine, None, hook_command("cline", Path("/other"))).current
    apply_plan(CLINE.plan_uninstall(machine, None))
    assert os.listdir(hooks) == []
    assert not CLINE.plan_uninstall(machine, None).changes


def test_anothers_file_stays_and_it_is_said(machine: Machine, hooks: Path) -> None:
    theirs = hooks / "PreToolUse"
    theirs.write_bytes(b"#!/bin/sh\n\xff\n")
    plan = CLINE.plan_install(machine, None, ARGV)
    assert f"{theirs} is not ours" in plan.notes[-1]
    apply_plan(plan)
    assert theirs.read_bytes() == b"#!/bin/sh\n\xff\n"
    state = CLINE.status(machine, None, ARGV)
    assert (state.missing, state.current) == (("PreToolUse",), False)
    assert "not ours" in state.problem
    apply_plan(CLINE.plan_uninstall(machine, None))
    assert os.listdir(hooks) == ["PreToolUse"]


def test_where_one_cannot_be_written_none_is(machine: Machine, hooks: Path) -> None:
    plan = CLINE.plan_install(machine, None, ARGV)
    (hooks / f"TaskCancel.{os.getpid()}.tmp").mkdir()
    with pytest.raises(ApplyFailed):
        apply_plan(plan)
    assert os.listdir(hooks) == [f"TaskCancel.{os.getpid()}.tmp"]
