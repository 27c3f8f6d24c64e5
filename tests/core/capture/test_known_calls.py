from datetime import UTC, datetime
from pathlib import Path

from sulcus_panel.core.capture.adapter import Scene, ToolCall, ToolKind
from sulcus_panel.core.capture.changes import ABSENT_SIDE, build_change, file_side
from sulcus_panel.core.capture.drafts import Context, file_entry
from sulcus_panel.core.capture.harnesses.claude.live import ClaudeCode
from sulcus_panel.core.capture.known_calls import unrecorded
from sulcus_panel.core.capture.turns import Turn
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import LedgerPath, Provenance, Settings, Workspace

AT = datetime.now(UTC)


def record(ledger: Ledger, workspace: Workspace, context: Context, call: ToolCall, name: str) -> None:
    change, contents = build_change(LedgerPath(name), ABSENT_SIDE, file_side(b"x"), Settings())
    entry = file_entry(context, call, change, Provenance.OBSERVED, ())
    with ledger.write():
        assert ledger.append(workspace.id, entry, contents=contents) is not None


def test_a_call_is_known_by_its_id_or_else_by_its_event_and_file(ledger: Ledger, project: Path) -> None:
    workspace = ledger.add_workspace(str(project))
    (project / "real").mkdir()
    (project / "link").symlink_to("real")
    scene = Scene("17-1", AT, "claude-code", "s", str(project))
    context = Context(ClaudeCode(), scene, Turn("s#1"))
    for call_id, others in (("c1", None), ("", 2)):
        call = ToolCall("Write", ToolKind.WRITE, call_id, str(project / "link" / "a"))
        other = ToolCall("Write", ToolKind.WRITE, call_id, "b")
        assert unrecorded(ledger, context, call, None) == context
        record(ledger, workspace, context, call, "real/a")
        assert unrecorded(ledger, context, call, None) is None
        found = unrecorded(ledger, context, other, None)
        assert (found.nth if found is not None else None) == others


def test_a_command_without_an_id_is_known_by_its_event(ledger: Ledger, project: Path) -> None:
    workspace = ledger.add_workspace(str(project))
    context = Context(ClaudeCode(), Scene("17-2", AT, "claude-code", "s", str(project)), Turn("s#1"))
    command = ToolCall("Bash", ToolKind.COMMAND, command="make")
    record(ledger, workspace, context, command, "a")
    assert unrecorded(ledger, context, command, None) is None
