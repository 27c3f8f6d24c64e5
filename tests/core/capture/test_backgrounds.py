"""What was left running is named for as long as it may still run, and never before it began."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from sulcus_panel.core.capture.backgrounds import STILL_RUNNING_FOR, left_running, may_be_by
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import ActionType, CommandFacts, Workspace
from tests.support.clock import NOON
from tests.support.ledgers import appended, record


def command(
    ledger: Ledger, workspace: Workspace, words: str, hours: float, *, background: bool = True
) -> None:
    entry = replace(
        record(words),
        at=NOON + timedelta(hours=hours),
        action_type=ActionType.RUN_COMMAND,
        command=words,
        ran=CommandFacts(in_background=background),
    )
    appended(ledger, workspace.id, entry)


def test_who_may_still_run_is_named(ledger: Ledger, project: Path) -> None:
    workspace = ledger.add_workspace(str(project))
    command(ledger, workspace, "npm run dev", 0)
    command(ledger, workspace, "make", 1, background=False)
    command(ledger, workspace, "TOKEN=hunter2hunter2 serve &", 2)
    running = left_running(ledger, workspace.id)
    assert [entry.record.command for entry in running] == ["TOKEN=hunter2hunter2 serve &", "npm run dev"]
    assert may_be_by(running, NOON - timedelta(seconds=1)) == ("", "")
    few, told = may_be_by(running, NOON + timedelta(hours=1))
    assert few == ", perhaps by #1"
    assert told == "It may be the work of what was left running in the background: #1 (npm run dev)."
    few, told = may_be_by(running, NOON + timedelta(hours=3))
    assert few == ", perhaps by #3 or #1"
    assert "hunter2" not in told
    assert may_be_by(running, NOON + STILL_RUNNING_FOR + timedelta(hours=2)) == ("", "")
