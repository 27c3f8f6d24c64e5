"""Who really ran a hook is told by the payload, and what two hooks tell of one call is counted once."""

from pathlib import Path

import pytest

from sulcus_panel.core.capture.callers import OWN
from sulcus_panel.core.capture.harnesses.claude.live import ClaudeCode
from sulcus_panel.core.capture.hook_calls import caller_of, writes_late
from sulcus_panel.core.capture.recorder import Recorder
from sulcus_panel.core.ledger.encoding import utc_now
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import NewEntry
from tests.support.hooks import Payload, run_hook

STORED = "/home/x/.config/Code/User/workspaceStorage/1/GitHub.copilot-chat/transcripts/s.jsonl"


@pytest.mark.parametrize(
    ("harness", "payload", "caller"),
    [
        ("claude-code", {"transcript_path": "/home/x/.claude/projects/-w/s.jsonl"}, "claude-code"),
        ("claude-code", {"cursor_version": "2.4"}, "cursor"),
        ("claude-code", {"transcript_path": STORED}, "copilot-vscode"),
        ("claude-code", {"transcript_path": "C:\\x\\workspaceStorage\\1\\t.json"}, "copilot-vscode"),
        ("claude-code", {"hookEventName": "Stop"}, "copilot-vscode"),
        ("claude-code", {"transcriptPath": "/home/x/.copilot/session-state/1/events.jsonl"}, "copilot-cli"),
        ("claude-code", {"timestamp": "2026-01-01T00:00:00Z", "tool_name": "Write"}, "copilot-cli"),
        ("claude-code", {"timestamp": 1, "transcript_path": "/x/.claude/s.jsonl"}, "claude-code"),
        ("copilot-cli", {"transcript_path": STORED}, "copilot-vscode"),
        ("copilot-vscode", {"transcript_path": "/x/.copilot/s"}, "copilot-cli"),
        ("codex", {"cursor_version": "2.4"}, "codex"),
        ("claude-code", {"transcript_path": 7, "cursor_version": None}, "cursor"),
    ],
)
def test_the_caller_is_told_by_the_payload(harness: str, payload: Payload, caller: str) -> None:
    assert caller_of(harness, payload) == caller
    assert writes_late(payload, harness) == (caller == "copilot-vscode"), "the hook and the recorder agree"


class InCode(ClaudeCode):
    """Copilot in VS Code, as far as this needs it."""

    harness = "copilot-vscode"
    actor = "Copilot"


class Session:
    """A session in VS Code; every event is told by the hooks of `told_by`."""

    def __init__(self, folder: Path, home: DataHome, ledger: Ledger) -> None:
        self.folder, self.home, self.ledger = folder, home, ledger
        adapters = {"claude-code": ClaudeCode(), "copilot-vscode": InCode()}
        self.recorder = Recorder(ledger, home, utc_now, adapters)
        self.told_by: tuple[str, ...] = ("claude-code", "copilot-vscode")

    def tell(self, name: str, **fields: object) -> None:
        common = {"session_id": "s", "cwd": str(self.folder), "transcript_path": STORED}
        for harness in self.told_by:
            run_hook({**common, "hook_event_name": name, **fields}, self.home.spool, harness=harness)

    def command(self, text: str, call_id: str = "") -> None:
        fields = {"tool_name": "Bash", "tool_input": {"command": text}, "tool_use_id": call_id}
        self.tell("PreToolUse", **fields)
        self.tell("PostToolUse", **fields, tool_response={})

    def write(self, name: str, text: str, call_id: str = "") -> None:
        given = {"file_path": str(self.folder / name), "content": text}
        fields = {"tool_name": "Write", "tool_input": given, "tool_use_id": call_id}
        self.tell("PreToolUse", **fields)
        (self.folder / name).write_text(text)
        self.tell("PostToolUse", **fields, tool_response={})

    def rows(self) -> list[NewEntry]:
        report = self.recorder.drain()
        assert report.set_aside == 0
        found = self.ledger.find(LedgerQuery(limit=100, descending=False))
        return [entry.record for entry in found]


@pytest.fixture
def session(project: Path, data_home: DataHome, ledger: Ledger) -> Session:
    return Session(project, data_home, ledger)


def test_others_hooks_speak_for_their_caller_where_its_own_are_not_installed(session: Session) -> None:
    session.told_by = ("claude-code",)
    session.tell("UserPromptSubmit", prompt="do")
    session.command("make", "c1")
    (row,) = session.rows()
    assert (row.harness, row.actor.name, row.intent) == ("copilot-vscode", "Copilot", "do")
    assert row.uid == "copilot-vscode:s:c1"


@pytest.mark.parametrize("call_id", ["c1", ""])
def test_what_both_hooks_tell_is_counted_once(session: Session, call_id: str) -> None:
    session.tell("UserPromptSubmit", prompt="do")
    session.write("a", "1\n", call_id)
    session.command("make", call_id and "c2")
    session.command("make", call_id and "c3")
    rows = session.rows()
    assert [(row.action_type.value, row.turn_id, row.intent) for row in rows] == [
        ("file_create", "s#1", "do"),
        ("run_command", "s#1", "do"),
        ("run_command", "s#1", "do"),
    ]


def test_it_is_remembered_from_one_drain_to_the_next(session: Session, ledger: Ledger) -> None:
    session.tell("SessionStart")
    assert session.rows() == []
    session.told_by = ("claude-code",)
    session.command("make")
    assert session.rows() == []
    assert len(ledger.pending(OWN)) == 1
    session.told_by = ("copilot-vscode",)
    session.command("make")
    assert len(session.rows()) == 1


def test_where_the_callers_adapter_is_not_there_the_hooks_own_reads_and_names_it(
    session: Session, ledger: Ledger, data_home: DataHome
) -> None:
    session.recorder = Recorder(ledger, data_home, utc_now, {"claude-code": ClaudeCode()})
    session.told_by = ("claude-code",)
    session.command("make", "c1")
    (row,) = session.rows()
    assert (row.harness, row.actor.name) == ("copilot-vscode", "Claude Code")


@pytest.mark.parametrize(
    "hooks", [("copilot-vscode",), ("claude-code",), ("claude-code", "copilot-vscode")], ids=", ".join
)
def test_vs_codes_late_writes_are_its_own_entries_by_whichever_hooks(
    session: Session, ledger: Ledger, data_home: DataHome, hooks: tuple[str, ...]
) -> None:
    session.recorder, session.told_by = Recorder(ledger, data_home, utc_now), hooks
    made, kept = session.folder / "a.txt", session.folder / "b.py"
    kept.write_text("x = 1\n")
    create = {"tool_name": "create_file", "tool_input": {"filePath": str(made), "content": "one\n"}}
    given = {"filePath": str(kept), "oldString": "1", "newString": "2"}
    edit = {"tool_name": "replace_string_in_file", "tool_input": given}
    session.tell("UserPromptSubmit", prompt="do")
    for path, text, call, call_id in ((made, "one\n", create, "c1"), (kept, "x = 2\n", edit, "c2")):
        session.tell("PreToolUse", **call, tool_use_id=call_id)
        session.tell("PostToolUse", **call, tool_use_id=call_id, tool_response="ok")
        path.write_text(text)
    session.tell("Stop")
    kept.write_text("by somebody, before this was drained")
    assert [(row.uid, row.harness, row.intent, row.action_type.value) for row in session.rows()] == [
        ("copilot-vscode:s:c1", "copilot-vscode", "do", "file_create"),
        ("copilot-vscode:s:c2", "copilot-vscode", "do", "file_edit"),
    ]


def test_copilot_cli_behind_a_repositorys_claude_settings_is_read_as_itself(
    project: Path, data_home: DataHome, ledger: Ledger
) -> None:
    given = {"path": str(project / "a.txt"), "file_text": "one\n"}
    call = {"session_id": "g", "cwd": str(project), "timestamp": "2026-01-01T00:00:00Z", "tool_name": "Write"}
    run_hook({**call, "hook_event_name": "PreToolUse", "tool_input": given}, data_home.spool)
    (project / "a.txt").write_text("one\n")
    after = {"result_type": "success", "text_result_for_llm": "Created"}
    run_hook(
        {**call, "hook_event_name": "PostToolUse", "tool_input": given, "tool_result": after}, data_home.spool
    )
    Recorder(ledger, data_home, utc_now).drain()
    (entry,) = ledger.find(LedgerQuery(limit=10))
    assert (entry.record.harness, entry.record.target_path) == ("copilot-cli", "a.txt")
