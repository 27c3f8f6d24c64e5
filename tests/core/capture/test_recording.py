"""Events made by hand, for what no hook in test_recorder.py brings about at will."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from sulcus_panel.core.capture.adapter import (
    CaptureEvent,
    FileRead,
    Scene,
    SessionEnded,
    SessionStarted,
    TextEdit,
    ToolCall,
    ToolFinished,
    ToolKind,
    ToolStarted,
    TurnEnded,
)
from sulcus_panel.core.capture.changes import ABSENT_SIDE, file_side
from sulcus_panel.core.capture.draining import STARTED
from sulcus_panel.core.capture.harnesses.claude.live import ClaudeCode
from sulcus_panel.core.capture.pairing import Pairs
from sulcus_panel.core.capture.recording import Recording
from sulcus_panel.core.capture.spool import Sighting
from sulcus_panel.core.errors import BadPayload
from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import DiskFile, Entry, Origin, Undoability

NOW = datetime.now(UTC) - timedelta(hours=1)


class Events:
    """One session's events in `folder`, a second apart, each taken in a transaction of its own."""

    def __init__(self, ledger: Ledger, folder: Path) -> None:
        self.ledger = ledger
        self.folder = folder
        self.home = folder.parent / "data"
        self.count = 0
        self.messages: list[str] = []

    def scene(self, agent: str = "") -> Scene:
        self.count += 1
        at = NOW + timedelta(seconds=self.count)
        return Scene(f"{self.count:03}", at, "claude-code", "s1", str(self.folder), agent_id=agent)

    def take(self, *events: CaptureEvent) -> None:
        with self.ledger.write():
            pairs = Pairs(self.ledger, NOW)
            recording = Recording(self.ledger, {"claude-code": ClaudeCode()}, pairs, self.home)
            for event in events:
                recording.take(event)
            pairs.keep()
        self.messages += recording.messages

    def call(self, name: str, content: str = "") -> ToolCall:
        return ToolCall("Write", ToolKind.WRITE, f"c{name}", str(self.folder / name), content=content)

    def sight(self, name: str, side: DiskFile) -> Sighting:
        return Sighting(str(self.folder / name), side)

    def starts(self, name: str, content: str, before: DiskFile = ABSENT_SIDE, agent: str = "") -> ToolStarted:
        return ToolStarted(self.scene(agent), self.call(name, content), self.sight(name, before))

    def ends(self, name: str, content: bytes) -> ToolFinished:
        return ToolFinished(self.scene(), self.call(name), self.sight(name, file_side(content)))

    def rows(self) -> tuple[Entry, ...]:
        return self.ledger.find(LedgerQuery(limit=100, descending=False))


@pytest.fixture
def events(ledger: Ledger, project: Path) -> Events:
    return Events(ledger, project)


def test_a_command_without_a_folder_belongs_nowhere(events: Events) -> None:
    command = ToolCall("Bash", ToolKind.COMMAND, "c", command="make")
    with pytest.raises(BadPayload, match="without a folder"):
        events.take(ToolFinished(replace(events.scene(), cwd=""), command, None))


def test_a_session_that_only_read_is_a_run_with_an_end(events: Events) -> None:
    events.take(SessionStarted(events.scene()), FileRead(events.scene(), str(events.folder / "a")))
    (workspace,) = events.ledger.workspaces()
    (run,) = events.ledger.runs(workspace.id)
    assert (run.session_id, run.ended, run.entries) == ("s1", False, 0)
    events.take(SessionEnded(events.scene()))
    assert events.ledger.runs(workspace.id)[0].ended


@pytest.mark.parametrize("spoil", ["DELETE FROM snapshot", "UPDATE snapshot SET data = zeroblob(9)"])
def test_a_chain_goes_on_where_the_snapshot_before_it_is_gone_or_damaged(
    events: Events, ledger: Ledger, spoil: str
) -> None:
    events.take(events.starts("a", "1"), events.ends("a", b"1"))
    with ledger.write():
        ledger._db.run(spoil)
    again = replace(events.call("a"), call_id="c2")
    events.take(
        ToolStarted(events.scene(), again, events.sight("a", file_side(b"2"))),
        ToolFinished(events.scene(), again, events.sight("a", file_side(b"3"))),
    )
    first, outside, last = events.rows()
    assert [row.record.origin for row in (first, outside, last)] == [
        Origin.AGENT,
        Origin.OUTSIDE,
        Origin.AGENT,
    ]
    assert outside.record.changes[0].before.sha256 == first.record.changes[0].after.sha256
    assert outside.record.changes[0].after == last.record.changes[0].before
    assert last.undoability is Undoability.FULLY


def test_the_end_of_a_turn_closes_its_own_agents_calls_only(events: Events, ledger: Ledger) -> None:
    events.take(events.starts("main", "1"), events.starts("sub", "1", agent="a7"))
    for name in ("main", "sub"):
        (events.folder / name).write_bytes(b"1")
    events.take(TurnEnded(events.scene()))
    assert [row.record.target_path for row in events.rows()] == ["main"]
    assert len(ledger.pending(STARTED)) == 1
    events.take(SessionEnded(events.scene()))
    assert [row.record.session_id for row in events.rows()] == ["s1", "a7"]


def test_a_call_whose_end_nobody_told_is_recorded_at_the_time_it_was_found(events: Events) -> None:
    events.take(events.starts("a", "1"))
    (events.folder / "a").write_bytes(b"1")
    end = TurnEnded(events.scene())
    events.take(end)
    (row,) = events.rows()
    assert row.record.at == end.scene.at


def test_of_a_secret_no_contents_wait_for_the_end_of_its_call(events: Events, ledger: Ledger) -> None:
    events.take(events.starts(".env", "SECRET", file_side(b"SECRET=1")), events.starts("a", "OPEN"))
    secret, open_ = ledger.pending(STARTED)
    assert b"SECRET" not in secret.payload
    assert b"OPEN" in open_.payload


def test_two_calls_at_once_with_one_result_are_one_entry_and_it_is_told(events: Events) -> None:
    one = events.starts("a", "1")
    two = replace(events.starts("a", "1"), call=replace(events.call("a", "1"), call_id="c2"))
    first, second = events.ends("a", b"1"), events.ends("a", b"1")
    events.take(one, two, first, replace(second, call=replace(second.call, call_id="c2")))
    (row,) = events.rows()
    assert events.messages == [f"a: two calls at once, recorded together as #{row.seq_id}"]


def test_an_edit_is_recorded_where_the_agent_made_it_and_a_write_as_comparing_finds_it(
    events: Events,
) -> None:
    block = b"try:\n    step()\n"
    before, after = block * 3 + b"end\n", block * 2 + b"# last\n" + block + b"end\n"
    edit = ToolCall(
        "Edit",
        ToolKind.EDIT,
        "edit",
        str(events.folder / "a.py"),
        edits=(TextEdit("try:\n    step()\nend", "# last\ntry:\n    step()\nend"),),
    )
    twice = replace(edit, edits=(TextEdit("# last\n", "# last\n# last\n"),), call_id="twice")
    write = replace(edit, tool="Write", kind=ToolKind.WRITE, edits=(), call_id="write", content="")
    more = after.replace(b"# last\n", b"# last\n# last\n")
    states = [before, after, more, more + b"more\n", more + b"more\n" * 2]
    calls = [edit, twice, write, replace(write, call_id="again")]
    for call, (old, new) in zip(calls, pairwise(states), strict=True):
        path = call.path
        events.take(
            ToolStarted(events.scene(), call, Sighting(path, file_side(old))),
            ToolFinished(events.scene(), call, Sighting(path, file_side(new))),
        )
    found = [entry.record.changes[0].hunks for entry in events.rows()]
    assert [[hunk.exact for hunk in hunks] for hunks in found] == [[True], [False], [True], [False]]
    assert (found[0][0].after_start, found[0][0].after_lines) == (4, 1)
