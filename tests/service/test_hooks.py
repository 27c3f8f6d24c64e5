"""Our hooks in and out of a real settings file, each time on the second timeline."""

import json
import subprocess
from pathlib import Path

import pytest

from sulcus_panel.core.capture.install.hook_command import shell_line
from sulcus_panel.core.errors import BadRequest, StalePlan
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.hooks import SHARED, Hooks, found_here
from sulcus_panel.service.operations import LedgerQuery, Operations
from tests.support.ledger_builder import LedgerBuilder

THEIRS = """{
  "model": "opus", // mine
  "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}
}
"""


@pytest.fixture
def hooks(build: LedgerBuilder) -> Hooks:
    return Hooks(build.home, "claude-code")


def kinds(operations: Operations) -> list[str]:
    return [record.kind for record in operations.governance(None, kind_prefix="hooks.")]


def test_a_harness_that_we_do_not_know_is_refused_by_name(build: LedgerBuilder) -> None:
    with pytest.raises(BadRequest, match="'nano'") as caught:
        Hooks(build.home, "nano")
    assert caught.value.field == "harness"


def test_the_users_settings_are_meant_or_a_projects(hooks: Hooks, build: LedgerBuilder, home: Path) -> None:
    assert hooks.path == home / ".claude" / "settings.json"
    assert Hooks(build.home, "claude-code", build.root).path == build.root / ".claude" / "settings.json"


def test_they_are_installed_once_and_taken_out_without_a_trace(hooks: Hooks, operations: Operations) -> None:
    hooks.path.parent.mkdir()
    hooks.path.write_text(THEIRS)

    hooks.apply(hooks.install_plan(), operations, installing=True)
    assert hooks.status().current
    assert not hooks.install_plan().changes
    hooks.apply(hooks.uninstall_plan(), operations, installing=False)

    assert hooks.path.read_text() == THEIRS
    assert not hooks.status().installed
    assert not hooks.uninstall_plan().changes
    assert kinds(operations) == ["hooks.uninstall", "hooks.install"]


def test_a_projects_file_leaves_the_users_alone(build: LedgerBuilder, operations: Operations) -> None:
    project = Hooks(build.home, "claude-code", build.root)
    plan = project.install_plan()
    assert plan.notes[-1] == SHARED
    project.apply(plan, operations, installing=True)
    assert project.status().current
    assert not Hooks(build.home, "claude-code").path.exists()


def test_a_file_that_changed_since_it_was_shown_is_not_written_and_nothing_is_told(
    hooks: Hooks, operations: Operations
) -> None:
    edit = hooks.install_plan()
    hooks.path.parent.mkdir()
    hooks.path.write_text(THEIRS)
    with pytest.raises(StalePlan):
        hooks.apply(edit, operations, installing=True)
    assert hooks.path.read_text() == THEIRS
    assert kinds(operations) == []


def test_doing_it_is_published(hooks: Hooks, operations: Operations) -> None:
    heard: list[Changes] = []
    operations.bus.subscribe(heard.append)
    hooks.apply(hooks.install_plan(), operations, installing=True)
    assert heard == [Changes(governance=True)]


def test_the_installed_command_records_what_it_is_told(
    hooks: Hooks, build: LedgerBuilder, operations: Operations, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SULCUS_HOME")
    hooks.apply(hooks.install_plan(), operations, installing=True)
    (group,) = json.loads(hooks.path.read_text())["hooks"]["PostToolUse"]
    (hook,) = group["hooks"]
    event = {
        "session_id": "s1",
        "cwd": str(build.root),
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "make"},
        "tool_response": {"stdout": ""},
    }

    subprocess.run(hook["command"], shell=True, input=json.dumps(event).encode(), check=True)
    operations.drain()

    (entry,) = operations.find(LedgerQuery(workspace_id=build.workspace.id))
    assert entry.record.command == "make"
    assert hook["command"] == shell_line(hooks.command)


def test_a_plugin_is_claude_codes_alone_and_lies_where_it_was_asked_for(
    build: LedgerBuilder, operations: Operations, tmp_path: Path
) -> None:
    plugin = Hooks(build.home, "claude-code", plugin=tmp_path / "plugin")
    plugin.apply(plugin.install_plan(), operations, installing=True)
    assert plugin.status().current
    assert not Hooks(build.home, "claude-code").status().installed
    with pytest.raises(BadRequest):
        Hooks(build.home, "codex", plugin=tmp_path)
    with pytest.raises(BadRequest):
        Hooks(build.home, "claude-code", tmp_path, tmp_path)


def test_every_file_that_was_written_stands_on_governance(
    build: LedgerBuilder, operations: Operations, home: Path
) -> None:
    cline = Hooks(build.home, "cline")
    cline.apply(cline.install_plan(), operations, installing=True)
    (record,) = operations.governance(None, kind_prefix="hooks.")
    assert record.summary.startswith(f"cline: {home / 'Documents' / 'Cline' / 'Hooks' / 'PreToolUse'}, ")
    assert record.summary.count(", ") == 5


def test_what_is_here_is_found_by_files(home: Path) -> None:
    assert "gemini" not in found_here()
    (home / ".gemini").mkdir()
    (home / ".gemini" / "state.json").touch()
    assert "gemini" in found_here()
