"""Our hooks in somebody's settings: merged without touching theirs, taken out without a trace."""

import json
import os
import re
import stat
from collections.abc import Sequence
from pathlib import Path

import pytest

from sulcus_panel.core.capture.install.claude import (
    CLAUDE,
    EVENTS,
    claude_groups,
    settings_path,
    users_settings_have_ours,
)
from sulcus_panel.core.capture.install.config_file import apply_edit
from sulcus_panel.core.capture.install.hook_command import hook_command, shell_line
from sulcus_panel.core.capture.install.hook_home import ConfigEdit, HooksStatus, Machine
from sulcus_panel.core.capture.install.hooks_text import install_text as merged
from sulcus_panel.core.capture.install.hooks_text import uninstall_text
from sulcus_panel.core.capture.install.jsonc import parse
from sulcus_panel.core.errors import StalePlan, SulcusError

ARGV = hook_command("claude-code", Path("/data/spool"), "/opt/python")
NOWHERE = Machine({}, Path("/nowhere"))
THEIRS = """{
  // mine: do not touch
  "model": "opus",
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "guard" }] }, // first
    ],
    "Notification": []
  },
  "permissions": { "allow": ["Bash(ls:*)"] } /* last */
}
"""
COMMENTS = ("// mine: do not touch", "// first", "/* last */", "// nothing yet")
FILES = {
    "none of it": "{}",
    "empty": "",
    "blank": " \n",
    "with a comment inside": "{\n  // nothing yet\n}\n",
    "one line": '{"model":"opus"}',
    "tabs and CRLF": '{\r\n\t"model": "opus",\r\n\t"hooks": {\r\n\t\t"Stop": []\r\n\t}\r\n}\r\n',
    "four blanks": '{\n    "a": {\n        "b": [1, 2]\n    }\n}',
    "theirs": THEIRS,
    "trailing commas": '{\n  "hooks": {\n    "Stop": [\n      {"hooks": [{"command": 1},]},\n    ],\n  },\n}',
    "byte order mark": '\ufeff{\n  "model": "é"\n}\n',
}


def install_text(text: str | None, argv: Sequence[str]) -> str:
    return merged(text, claude_groups(NOWHERE, argv))


def machine_of(settings: Path) -> Machine:
    """A machine whose Claude Code keeps these settings."""
    return Machine({"CLAUDE_CONFIG_DIR": str(settings.parent)}, settings.parent)


def plan_install(settings: Path, argv: Sequence[str]) -> ConfigEdit:
    (edit,) = CLAUDE.plan_install(machine_of(settings), None, argv).edits
    return edit


def notes(settings: Path) -> tuple[str, ...]:
    return CLAUDE.plan_install(machine_of(settings), None, ARGV).notes


def plan_uninstall(settings: Path) -> ConfigEdit:
    (edit,) = CLAUDE.plan_uninstall(machine_of(settings), None).edits
    return edit


def status(settings: Path, argv: Sequence[str]) -> HooksStatus:
    return CLAUDE.status(machine_of(settings), None, argv)


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    return tmp_path / "settings.json"


@pytest.mark.parametrize("text", FILES.values(), ids=FILES.keys())
def test_install_adds_every_event_keeps_the_rest_and_is_idempotent(text: str) -> None:
    installed = install_text(text, ARGV)
    before = parse(text.strip().removeprefix("\ufeff") or "{}").value
    after = parse(installed.removeprefix("\ufeff")).value
    assert isinstance(before, dict)
    assert isinstance(after, dict)
    assert {**after, "hooks": 0} == {**before, "hooks": 0}
    assert set(after["hooks"]) == {*EVENTS, *before.get("hooks", {})}
    for event, groups in before.get("hooks", {}).items():
        assert after["hooks"][event][: len(groups)] == groups
    assert install_text(installed, ARGV) == installed
    assert all(comment in installed for comment in COMMENTS if comment in text)
    assert ("\r\n" in text) == ("\r\n" in installed)
    assert "\r\n" not in text or installed.count("\n") == installed.count("\r\n")


@pytest.mark.parametrize("text", FILES.values(), ids=FILES.keys())
def test_install_then_uninstall_restores_every_byte(settings: Path, text: str) -> None:
    settings.write_bytes(text.encode())
    settings.chmod(0o640)
    edit = plan_install(settings, ARGV)
    apply_edit(edit)
    assert edit.backup_path is not None
    assert edit.backup_path.read_bytes() == text.encode()
    assert status(settings, ARGV).current
    apply_edit(plan_uninstall(settings))
    assert settings.read_bytes() == text.encode()
    assert stat.S_IMODE(settings.stat().st_mode) == 0o640


def test_a_file_that_only_we_made_is_gone_after_uninstall(tmp_path: Path) -> None:
    path = settings_path(Machine({"CLAUDE_CONFIG_DIR": str(tmp_path / "claude")}, tmp_path), None)
    edit = plan_install(path, ARGV)
    assert (edit.before, edit.backup_path) == (None, None)
    apply_edit(edit)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    apply_edit(plan_uninstall(path))
    assert not path.exists()
    assert not plan_uninstall(path).changes


@pytest.mark.parametrize("text", FILES.values(), ids=FILES.keys())
def test_uninstall_after_other_changes_removes_only_ours(settings: Path, text: str) -> None:
    settings.write_bytes(text.encode())
    apply_edit(plan_install(settings, ARGV))
    changed = settings.read_text().replace("opus", "haiku") + "\n"
    settings.write_text(changed)
    apply_edit(plan_uninstall(settings))
    left = parse(settings.read_text().removeprefix("\ufeff")).value
    before = parse(text.strip().removeprefix("\ufeff").replace("opus", "haiku") or "{}").value
    assert isinstance(before, dict)
    assert isinstance(left, dict)
    kept = {event: groups for event, groups in before.get("hooks", {}).items() if groups}
    assert {key: value for key, value in left.items() if key != "hooks"} == {
        key: value for key, value in before.items() if key != "hooks"
    }
    assert {event: groups for event, groups in left.get("hooks", {}).items() if groups} == kept
    assert "sulcus" not in settings.read_text()
    for comment in COMMENTS:
        assert (comment in settings.read_text()) == (comment in text)


def test_a_second_installation_replaces_the_first_wherever_the_package_has_moved(settings: Path) -> None:
    settings.write_text(THEIRS)
    old = [word.replace("/sulcus_panel/", "/old/site-packages/sulcus_panel/") for word in ARGV]
    apply_edit(plan_install(settings, old))
    assert not status(settings, ARGV).current
    edit = plan_install(settings, ARGV)
    assert edit.backup_path is None
    apply_edit(edit)
    assert settings.read_text() == install_text(THEIRS, ARGV)
    apply_edit(plan_uninstall(settings))
    assert settings.read_text() == THEIRS


def test_our_hook_in_somebody_elses_group_is_taken_out_alone() -> None:
    ours = {"type": "command", "command": "python3", "args": ["/x/sulcus_panel/core/capture/hook.py"]}
    theirs = {"type": "command", "command": "make -C ~/sulcus-panel lint"}
    for hooks in ([ours, theirs], [theirs, ours]):
        left = parse(uninstall_text(json.dumps({"hooks": {"Stop": [{"hooks": hooks}]}}))).value
        assert left == {"hooks": {"Stop": [{"hooks": [theirs]}]}}


@pytest.mark.parametrize(
    "text",
    ["{", "nope", "[]", '{"a" 1}', '{"a": 1,, "b": 2}', '{"hooks": []}', '{"hooks": {"Stop": {}}}', "{} {}"],
)
def test_what_is_no_settings_file_is_refused_and_left_alone(settings: Path, text: str) -> None:
    settings.write_text(text)
    with pytest.raises(SulcusError, match="settings file"):
        plan_install(settings, ARGV)
    assert status(settings, ARGV).problem
    assert settings.read_text() == text


def test_bytes_that_are_no_text_are_refused(settings: Path) -> None:
    settings.write_bytes(b"\xff\xfe{}")
    with pytest.raises(SulcusError, match="not JSON"):
        plan_install(settings, ARGV)


def test_the_diff_shows_what_will_be_written_and_nothing_is_written_before(settings: Path) -> None:
    settings.write_text(THEIRS)
    edit = plan_install(settings, ARGV)
    assert settings.read_text() == THEIRS
    removed = [line for line in edit.diff.split("\n") if line.startswith("-") and not line.startswith("---")]
    assert removed == ['-    "Notification": []']
    assert '+    "Notification": [],' in edit.diff


def test_a_file_changed_after_the_diff_was_shown_is_not_written(settings: Path) -> None:
    settings.write_text("{}")
    edit = plan_install(settings, ARGV)
    settings.write_text('{"new": 1}')
    with pytest.raises(StalePlan):
        apply_edit(edit)
    assert settings.read_text() == '{"new": 1}'


def test_a_linked_settings_file_stays_a_link(settings: Path, tmp_path: Path) -> None:
    (tmp_path / "dotfiles.json").write_text("{}")
    settings.symlink_to("dotfiles.json")
    apply_edit(plan_install(settings, ARGV))
    assert settings.is_symlink()
    assert status(settings, ARGV).installed == tuple(EVENTS)


def test_switched_off_hooks_are_told(settings: Path) -> None:
    settings.write_text(install_text('{"disableAllHooks": true}', ARGV))
    assert "switched off" in status(settings, ARGV).problem


def test_matchers_and_exec_form_are_what_the_harness_expects() -> None:
    hooks = json.loads(install_text(None, ARGV))["hooks"]
    matchers = {event: groups[0].get("matcher") for event, groups in hooks.items()}
    before, after = re.compile(matchers["PreToolUse"]), re.compile(matchers["PostToolUse"])
    for tool in ("Write", "Edit", "MultiEdit", "NotebookEdit", "Bash", "PowerShell", "mcp__files__write"):
        assert before.search(tool)
        assert after.search(tool)
    for tool in ("Read", "TodoWrite", "BashOutput", "Glob", "xmcp__y"):
        assert not before.search(tool)
    assert after.search("Read")
    assert matchers["Stop"] is None
    [hook] = hooks["SessionEnd"][0]["hooks"]
    assert hook == {"type": "command", "command": shell_line(ARGV), "timeout": 5}


def test_on_windows_the_command_is_argv_and_needs_a_later_version() -> None:
    windows = Machine({}, Path("/nowhere"), "win32")
    groups = claude_groups(windows, ARGV)
    hook = {"type": "command", "command": "/opt/python", "args": list(ARGV[1:]), "timeout": 5}
    assert groups["Stop"] == {"hooks": [hook]}
    assert CLAUDE.plan_install(windows, None, ARGV).notes == (
        "These hooks need Claude Code 2.1.139 or later",
    )


def test_whether_others_that_read_these_settings_find_our_hooks(tmp_path: Path) -> None:
    machine = Machine({}, tmp_path)
    path = tmp_path / ".claude" / "settings.json"
    path.parent.mkdir()
    for text, ours in ((THEIRS, False), ("{", False), (install_text(THEIRS, ARGV), True)):
        path.write_text(text)
        assert users_settings_have_ours(machine) is ours


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFOs")
def test_settings_that_are_no_file_are_refused_and_never_waited_for(settings: Path) -> None:
    settings.unlink(missing_ok=True)
    os.mkfifo(settings)
    with pytest.raises(SulcusError, match="cannot be read") as caught:
        plan_install(settings, ARGV)
    assert "not a regular file" in caught.value.detail


def test_the_version_that_hooks_need_is_said_before_and_after(settings: Path) -> None:
    assert notes(settings) == ("These hooks need Claude Code 2.1.122 or later",)
    transcript = settings.parent / "projects" / "-w" / "s.jsonl"
    transcript.parent.mkdir(parents=True)
    too_old = "Claude Code 2.1.98 ran here last; our hooks need 2.1.122 or later"
    transcript.write_text('{"version": "2.1.98"}\n')
    assert (notes(settings), status(settings, ARGV).problem) == ((too_old,), "")
    apply_edit(plan_install(settings, ARGV))
    assert status(settings, ARGV).problem == too_old
    transcript.write_text('{"version": "2.1.122"}\n')
    assert (notes(settings), status(settings, ARGV).problem) == ((), "")


def test_a_projects_settings_tell_the_version_of_the_users_own_folder(tmp_path: Path) -> None:
    transcript = tmp_path / "config" / "projects" / "-w" / "s.jsonl"
    transcript.parent.mkdir(parents=True)
    transcript.write_text('{"version": "2.1.98"}\n')
    machine = Machine({"CLAUDE_CONFIG_DIR": str(tmp_path / "config")}, tmp_path)
    project = tmp_path / "project"
    plan = CLAUDE.plan_install(machine, project, ARGV)
    assert "2.1.98" in plan.notes[0]
    apply_edit(plan.edits[0])
    state = CLAUDE.status(machine, project, ARGV)
    assert "2.1.98" in state.problem
    assert state.path == project / ".claude" / "settings.json"


def test_claude_code_is_found_by_its_folder_or_its_program(tmp_path: Path) -> None:
    program = tmp_path / "bin" / "claude"
    program.parent.mkdir()
    program.write_text("")
    program.chmod(0o755)
    assert not CLAUDE.is_present(Machine({}, tmp_path / "home"))
    assert CLAUDE.is_present(Machine({"PATH": str(program.parent)}, tmp_path / "home"))
    (tmp_path / "home" / ".claude").mkdir(parents=True)
    (tmp_path / "home" / ".claude" / "history.jsonl").touch()
    assert CLAUDE.is_present(Machine({}, tmp_path / "home"))
