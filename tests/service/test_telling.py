"""Telling the agent of an undo: by real hooks, once, and only who is concerned."""

import json
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.model import PERSON, Actor, GovernanceRecord, SeqId
from sulcus_panel.core.undo.model import UndoRequest
from sulcus_panel.service.operations import LedgerQuery, Operations
from tests.support.hooks import Run, heard_from_hook


class Desk:
    """A project in which agents work with real hooks, and whose person undoes."""

    def __init__(self, folder: Path, actor: Actor = PERSON) -> None:
        self.home = DataHome(folder / "data")
        self.project = folder / "project"
        (self.project / ".git").mkdir(parents=True)
        self.operations = Operations.open(self.home, actor=actor)
        self.workspace = self.operations.register(self.project)
        self.run = Run(self.project, self.home.spool)
        self.notices = self.home.root / "notices"

    def undo(self, *seq_ids: int) -> tuple[SeqId, ...]:
        """Take back these entries, all that there are where none is named; the undos' own numbers."""
        self.operations.drain()
        newest = self.operations.find(LedgerQuery(workspace_id=self.workspace.id, limit=1))
        chosen = tuple(map(SeqId, seq_ids)) or (newest[0].seq_id,)
        result = self.operations.apply(self.operations.plan(UndoRequest(chosen)))
        return tuple(one.undo_seq_id for one in result.results if one.undo_seq_id is not None)

    def heard(self, name: str = "UserPromptSubmit", harness: str = "claude-code", **fields: object) -> bytes:
        """What the hook of one event says."""
        event = {"session_id": "s1", "cwd": str(self.project), "hook_event_name": name, **fields}
        return heard_from_hook(event, self.home.spool, harness=harness)

    def told(self) -> tuple[GovernanceRecord, ...]:
        """What the second timeline says of telling."""
        self.operations.drain()
        return self.operations.governance(self.workspace.id, kind_prefix="agent.told")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.operations.close()


def words(said: bytes, event: str = "UserPromptSubmit") -> str:
    """The sentence in what a hook said, which must be nothing else."""
    answer = json.loads(said)
    assert answer == {
        "hookSpecificOutput": {
            "hookEventName": event,
            "additionalContext": answer["hookSpecificOutput"]["additionalContext"],
        }
    }
    return str(answer["hookSpecificOutput"]["additionalContext"])


def test_the_session_that_worked_on_the_file_is_told_once_at_its_next_event(desk: Desk) -> None:
    desk.run.write("a.txt", b"one\n")
    desk.run.stop()
    assert desk.undo() == (2,)
    assert not (desk.project / "a.txt").exists()
    assert stat.S_IMODE(desk.notices.stat().st_mode) == 0o700
    assert [stat.S_IMODE(one.stat().st_mode) for one in desk.notices.iterdir()] == [0o600]
    assert words(desk.heard()) == (
        'Sulcus Panel: the undo of #1 (recorded as #2) changed the files with these names: "a.txt"; what you'
        " remember of their contents is out of date, so read them again before you use or change them."
    )
    assert desk.heard() == b""
    [record] = desk.told()
    assert record.summary == "Told claude-code, session s1: the undo of #1 changed 1 file"
    assert (record.seq_ids, record.detail["session_id"]) == ((1,), "s1")
    assert list(desk.notices.iterdir()) == []
    assert len(desk.told()) == 1
