"""What a hook told and what made no entry is remembered, so that a transcript does not tell it again."""

from pathlib import Path

from sulcus_panel.core.capture.heard import Heard, heard_calls
from sulcus_panel.core.capture.recorder import Recorder
from sulcus_panel.core.ledger.store import Ledger
from tests.support.hooks import Run


def test_a_call_that_changed_nothing_is_remembered_and_one_that_did_is_not(
    run: Run, recorder: Recorder, ledger: Ledger, project: Path
) -> None:
    run.write("a.txt", b"a\n")
    run.write("a.txt", b"a\n")
    run.read("a.txt")
    recorder.drain()
    (heard,) = heard_calls(ledger)
    assert heard == Heard(heard.at, "s1", "toolu_2", str(project / "a.txt"))


def test_a_tool_that_only_reads_is_not_remembered(run: Run, recorder: Recorder, ledger: Ledger) -> None:
    for tool in ("mcp__docs__search", "mcp__docs__list_pages"):
        run.tool("PostToolUse", tool, {"q": "x"}, tool_use_id=run.next_id(), tool_response={})
    recorder.drain()
    assert heard_calls(ledger) == ()


def test_nothing_is_remembered_while_recording_is_off(
    run: Run, recorder: Recorder, ledger: Ledger, project: Path
) -> None:
    ledger.set_setting(ledger.add_workspace(str(project)).id, "enabled", False)
    run.write("a.txt", b"a\n")
    recorder.drain()
    assert heard_calls(ledger) == ()
