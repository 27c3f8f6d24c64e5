"""What is sound is called fine, what is not is named with what to do, and nothing raises."""

import os
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from sulcus_panel.core.ledger.encoding import utc_now
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.service.doctor import Finding, Verdict, examine
from sulcus_panel.service.hooks import Hooks
from sulcus_panel.service.operations import LedgerQuery, Operations
from tests.support.claude_transcripts import Transcript
from tests.support.clock import FakeClock
from tests.support.hooks import Run
from tests.support.ledger_builder import LedgerBuilder
from tests.support.ledgers import record


@pytest.fixture
def data_home(tmp_path: Path) -> DataHome:
    return DataHome(tmp_path / "data")


def found(home: DataHome, name: str) -> list[Finding]:
    return [finding for finding in examine(home) if finding.name == name]


def the(home: DataHome, name: str) -> Finding:
    (finding,) = found(home, name)
    return finding


def test_a_fresh_home_is_fine_and_the_hooks_are_offered(data_home: DataHome) -> None:
    findings = {finding.name: finding for finding in examine(data_home)}
    assert list(findings) == ["program", "sqlite", "ledger", "spool", "hooks claude-code"]
    for name in ("program", "ledger", "spool"):
        assert findings[name].verdict is Verdict.FINE
    assert findings["spool"].text.endswith(": empty")
    hooks = findings["hooks claude-code"]
    assert (hooks.verdict, hooks.text) == (Verdict.NOTE, "not installed")
    assert hooks.hint == "sulcus-panel hooks install claude-code"


def test_what_waits_in_the_spool_is_recorded_and_not_complained_of(
    data_home: DataHome, tmp_path: Path
) -> None:
    data_home.ensure()
    (tmp_path / "work").mkdir()
    Run(tmp_path / "work", data_home.spool).write("a.txt", b"1\n")
    assert the(data_home, "spool").verdict is Verdict.FINE
    assert "1 workspace(s)" in the(data_home, "ledger").text


def test_an_event_that_cannot_be_read_is_wrong_and_says_where_it_lies(data_home: DataHome) -> None:
    data_home.ensure()
    (data_home.spool / "new").mkdir(exist_ok=True)
    (data_home.spool_new / "1-1").write_bytes(b"no spool file")
    spool = the(data_home, "spool")
    assert spool.verdict is Verdict.WRONG
    assert "1 event(s)" in spool.text
    assert "1-1" in spool.text
    assert str(data_home.spool_bad) in spool.hint


def test_events_that_found_no_room_are_wrong(data_home: DataHome) -> None:
    data_home.ensure()
    (data_home.spool / "dropped").write_bytes(b"xx")
    spool = the(data_home, "spool")
    assert (spool.verdict, spool.text[:10]) == (Verdict.WRONG, "2 event(s)")


def test_a_ledger_that_was_damaged_is_told_with_where_it_is_kept(data_home: DataHome) -> None:
    data_home.ensure()
    data_home.database.write_bytes(b"not a database, for sure" * 400)
    ledger = the(data_home, "ledger")
    assert ledger.verdict is Verdict.NOTE
    assert "was damaged" in ledger.text
    (kept,) = data_home.root.glob("ledger.corrupt-*")
    assert str(kept) in ledger.text


def test_damage_deep_inside_a_ledger_is_wrong(tmp_path: Path) -> None:
    build = LedgerBuilder.make(tmp_path, FakeClock(utc_now()))
    build.write("a.txt", "1\n")
    build.ledger.close()
    with closing(sqlite3.connect(build.home.database)) as database:
        (page,) = database.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'change_path'").fetchone()
        (size,) = database.execute("PRAGMA page_size").fetchone()
    with build.home.database.open("r+b") as file:
        file.seek((page - 1) * size + 3)
        file.write(b"\0\0")  # an index page that says it has no rows
    ledger = the(build.home, "ledger")
    assert ledger.verdict is Verdict.WRONG
    assert "index change_path" in ledger.text


def test_a_ledger_of_a_newer_version_is_wrong_and_the_rest_is_looked_at(data_home: DataHome) -> None:
    Ledger.open(data_home).close()
    with closing(sqlite3.connect(data_home.database)) as database:
        database.execute("PRAGMA user_version = 999")
    ledger = the(data_home, "ledger")
    assert ledger.verdict is Verdict.WRONG
    assert "newer version" in ledger.text
    assert "Update" in ledger.hint
    assert the(data_home, "spool").verdict is Verdict.FINE


def test_what_was_not_recorded_is_noted(tmp_path: Path) -> None:
    build = LedgerBuilder.make(tmp_path, FakeClock(utc_now()))
    build.ledger.set_setting(build.workspace.id, "enabled", False)
    build.ledger.append(build.workspace.id, record("one"))
    build.ledger.close()
    gap = the(build.home, "gap")
    assert (gap.verdict, gap.text) == (Verdict.NOTE, "work: 1 event(s) not recorded: recording was off")


def test_installed_hooks_are_fine_and_those_of_another_place_are_not(
    data_home: DataHome, tmp_path: Path
) -> None:
    with Operations.open(data_home) as operations:
        hooks = Hooks(data_home, "claude-code")
        hooks.apply(hooks.install_plan(), operations, installing=True)
    here = the(data_home, "hooks claude-code")
    elsewhere = the(DataHome(tmp_path / "other"), "hooks claude-code")
    assert here.verdict is Verdict.FINE
    assert here.text.startswith(f"installed in {hooks.path}")
    assert elsewhere.verdict is Verdict.NOTE
    assert elsewhere.text.startswith("installed, but not as this version would")


def test_a_settings_file_that_cannot_be_read_is_wrong(data_home: DataHome) -> None:
    path = Hooks(data_home, "claude-code").path
    path.parent.mkdir(parents=True)
    path.write_text("{")
    assert the(data_home, "hooks claude-code").verdict is Verdict.WRONG


def test_f041_another_folder_in_a_workspace_s_place_is_told_with_the_way_out(
    data_home: DataHome, tmp_path: Path
) -> None:
    work = tmp_path / "work"
    work.mkdir()
    with Operations.open(data_home) as operations:
        operations.register(work)
    assert found(data_home, "folder") == []
    work.rename(tmp_path / "moved")
    work.mkdir()
    folder = the(data_home, "folder")
    assert folder.verdict is Verdict.NOTE
    assert folder.text.startswith("work: root changed: ")
    assert folder.text.endswith(f"sulcus-panel --workspace {work}")
    with Operations.open(data_home) as operations:
        operations.register(work, anew=True)
    assert found(data_home, "folder") == []


def test_each_harness_that_is_here_has_a_row_with_what_may_keep_its_hooks_quiet(
    data_home: DataHome, home: Path
) -> None:
    (home / ".codex").mkdir()
    (home / ".codex" / "history.jsonl").touch()
    assert the(data_home, "hooks codex").text == "not installed"
    assert found(data_home, "hooks gemini") == []
    hooks = Hooks(data_home, "codex")
    with Operations.open(data_home) as operations:
        hooks.apply(hooks.install_plan(), operations, installing=True)
    quiet = the(data_home, "hooks codex")
    assert (quiet.verdict, quiet.text) == (
        Verdict.NOTE,
        f"installed in {hooks.path}; none has fired in the last 30 days",
    )
    assert "/hooks" in quiet.hint
    (home / ".codex" / "config.toml").write_text("[features]\nhooks = false\n")
    assert the(data_home, "hooks codex").verdict is Verdict.WRONG


def test_the_last_hook_is_told_by_its_time(data_home: DataHome, tmp_path: Path) -> None:
    with Operations.open(data_home) as operations:
        hooks = Hooks(data_home, "claude-code")
        hooks.apply(hooks.install_plan(), operations, installing=True)
    assert the(data_home, "hooks claude-code").text.endswith("; none has fired in the last 30 days")
    (tmp_path / "work").mkdir()
    Run(tmp_path / "work", data_home.spool).event("SessionStart")
    assert "; the last fired at 20" in the(data_home, "hooks claude-code").text


def test_vs_code_that_runs_claude_codes_hooks_is_fine(data_home: DataHome, home: Path) -> None:
    (home / ".vscode" / "extensions").mkdir(parents=True)
    (home / ".vscode" / "extensions" / "extensions.json").touch()
    with Operations.open(data_home) as operations:
        hooks = Hooks(data_home, "claude-code")
        hooks.apply(hooks.install_plan(), operations, installing=True)
    row = the(data_home, "hooks copilot-vscode")
    assert (row.verdict, row.text.split(";")[0]) == (Verdict.FINE, "runs those of another harness")


def test_what_no_hook_reported_is_recorded_and_said_with_what_to_do(
    data_home: DataHome, tmp_path: Path
) -> None:
    work = tmp_path / "work"
    work.mkdir()
    with Operations.open(data_home) as operations:
        operations.register(work)
    path = Path(os.environ["CLAUDE_CONFIG_DIR"]) / "projects" / "x" / "s-1.jsonl"
    Transcript(path, cwd=str(work), start=utc_now() - timedelta(minutes=5)).bash("make")
    silent = the(data_home, "silent claude-code")
    assert silent.verdict is Verdict.NOTE
    assert silent.text.startswith("1 change was found in its transcript that no hook reported, and")
    assert "sulcus-panel hooks install claude-code" in silent.hint
    with Operations.open(data_home) as operations:
        assert operations.count(LedgerQuery()) == 1
    Run(work, data_home.spool).event("Notification")
    assert found(data_home, "silent claude-code") == []
