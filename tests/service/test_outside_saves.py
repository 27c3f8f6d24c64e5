"""A person's save becomes an entry of origin outside: once, when it is quiet, and never an agent's or an undo's."""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sulcus_panel.core.capture.shell.keeping import RACY_NS
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.sessions import SessionSeen
from sulcus_panel.core.model import ActionType, DriftKind, Entry, LedgerPath, Origin, SeqId
from sulcus_panel.core.undo.lock import undo_lock
from sulcus_panel.core.undo.model import UndoRequest
from sulcus_panel.service.operations import LedgerQuery, utc_now
from sulcus_panel.service.outside_saves import LATE_TOLD_SECONDS, QUIET_SECONDS, OutsideSaves
from tests.support.commands import agent_runs
from tests.support.scene import L10, Scene, with_line

A, B = LedgerPath("a.txt"), LedgerPath("b.txt")


class Time:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


class Panel:
    """What the watcher does in its rounds, with time at hand."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.time = Time()
        self.workspace = scene.operations.workspace_for(scene.folder, register=False)
        self.saves = OutsideSaves(self.workspace, self.time)

    def round(self, after: float = 0.0) -> tuple[SeqId, ...]:
        self.time.seconds += after
        self.scene.operations.drain(wait=10)
        drift = self.scene.operations.refresh_drift(self.workspace.id)
        return self.saves.record(self.scene.operations, drift)

    def settle(self) -> tuple[SeqId, ...]:
        """A round that sees the save, and one after it has been quiet."""
        return self.round() + self.round(QUIET_SECONDS)

    def outside(self) -> list[Entry]:
        rows = self.scene.operations.find(LedgerQuery(origin=Origin.OUTSIDE, descending=False))
        return list(rows)


@pytest.fixture
def scene(tmp_path: Path, home: Path) -> Iterator[Scene]:
    made = Scene.make(tmp_path, DataHome(home / "sulcus"))
    yield made
    made.operations.close()


@pytest.fixture
def panel(scene: Scene) -> Panel:
    scene.puts("a.txt", L10)
    scene.puts("b.txt", b"b\n")
    return Panel(scene)


def test_a_save_is_an_entry_with_its_hunk_once_it_has_been_quiet(panel: Panel, scene: Scene) -> None:
    scene.person("a.txt", with_line(L10, 3, b"mine"))
    assert panel.round() == ()
    assert panel.round(QUIET_SECONDS - 0.1) == ()
    [seq_id] = panel.round(0.2)
    entry = scene.operations.entry(seq_id)
    assert (entry.record.origin, entry.paths) == (Origin.OUTSIDE, (A,))
    assert entry.record.action_type is ActionType.FILE_EDIT
    [change] = entry.record.changes
    assert (change.plus, change.minus, change.before.kept, change.after.kept) == (1, 1, True, True)
    assert abs(entry.record.at.timestamp() - scene.path("a.txt").stat().st_ctime) < 0.001
    assert scene.operations.refresh_drift(panel.workspace.id) == {}
    assert panel.settle() == ()
    assert len(panel.outside()) == 1


def test_a_file_that_is_still_written_to_is_waited_for(panel: Panel, scene: Scene) -> None:
    for number in range(4):
        scene.person("a.txt", b"draft %d\n" % number)
        assert panel.round(QUIET_SECONDS - 1) == ()
    assert len(panel.round(QUIET_SECONDS)) == 1


def test_saves_of_a_file_that_went_and_one_that_came_back_are_told_as_such(
    panel: Panel, scene: Scene
) -> None:
    scene.path("a.txt").unlink()
    panel.settle()
    scene.person("a.txt", b"again\n")
    panel.settle()
    scene.path("a.txt").unlink()
    panel.settle()
    actions = [entry.record.action_type for entry in panel.outside()]
    assert actions == [ActionType.FILE_DELETE, ActionType.FILE_CREATE, ActionType.FILE_DELETE]


def test_an_undo_keeps_the_saved_lines_and_the_save_itself_can_be_taken_back(
    panel: Panel, scene: Scene
) -> None:
    edited = scene.puts("a.txt", with_line(L10, 8, b"the agent's"))
    scene.person("a.txt", with_line(with_line(L10, 8, b"the agent's"), 2, b"mine"))
    [seq_id] = panel.settle()
    scene.undo(edited)
    assert scene.path("a.txt").read_bytes() == with_line(L10, 2, b"mine")
    scene.undo(scene.operations.entry(seq_id))
    assert scene.path("a.txt").read_bytes() == L10
    assert panel.settle() == ()


def test_two_panels_record_a_save_once(panel: Panel, scene: Scene) -> None:
    other = Panel(scene)
    scene.person("a.txt", b"mine\n")
    for each in (panel, other):
        assert each.round() == ()
    for each in (panel, other):
        each.time.seconds += QUIET_SECONDS
    drift = scene.operations.refresh_drift(panel.workspace.id)
    assert len(panel.saves.record(scene.operations, drift)) == 1
    assert other.saves.record(scene.operations, drift) == ()


def test_while_a_command_is_open_nothing_is_recorded_and_then_it_is_the_commands(
    panel: Panel, scene: Scene
) -> None:
    given = {"command": "sed -i s/b/c/ b.txt"}
    scene.agent.tool("PreToolUse", "Bash", given, tool_use_id="c1")
    scene.person("b.txt", b"c\n")
    assert panel.settle() == ()
    scene.agent.tool("PostToolUse", "Bash", given, tool_use_id="c1", tool_response={"stdout": ""})
    assert panel.settle() == ()
    assert scene.newest().paths == (B,)
    assert panel.outside() == []


def test_a_command_of_another_folder_holds_nothing_back(panel: Panel, scene: Scene) -> None:
    elsewhere = scene.around / "elsewhere"
    elsewhere.mkdir()
    scene.agent.extra["cwd"] = str(elsewhere)
    scene.agent.tool("PreToolUse", "Bash", {"command": "make"}, tool_use_id="c1")
    scene.person("b.txt", b"c\n")
    assert len(panel.settle()) == 1


def test_an_open_call_keeps_its_own_path_alone(panel: Panel, scene: Scene) -> None:
    given = {"file_path": str(scene.path("a.txt")), "content": "x"}
    scene.agent.tool("PreToolUse", "Write", given, tool_use_id="c1")
    panel.round()
    panel.scene.operations.ledger.set_drift(panel.workspace.id, {A: DriftKind.CHANGED})
    scene.person("a.txt", b"x")
    scene.person("b.txt", b"mine\n")
    panel.settle()
    assert [entry.paths for entry in panel.outside()] == [(B,)]


def test_an_event_that_waits_in_the_spool_comes_first(panel: Panel, scene: Scene) -> None:
    scene.person("b.txt", b"c\n")
    panel.round()
    drift = scene.operations.refresh_drift(panel.workspace.id)
    panel.time.seconds += QUIET_SECONDS
    given = {"command": "make"}
    scene.agent.tool("PreToolUse", "Bash", given, tool_use_id="c1")
    assert panel.saves.record(scene.operations, drift) == ()
    assert panel.outside() == []


def test_while_an_undo_is_at_work_nothing_is_recorded(panel: Panel, scene: Scene) -> None:
    scene.person("a.txt", b"mine\n")
    panel.round()
    drift = scene.operations.refresh_drift(panel.workspace.id)
    panel.time.seconds += QUIET_SECONDS
    with undo_lock(scene.operations.ledger, 0):
        assert panel.saves.record(scene.operations, drift) == ()
    assert len(panel.saves.record(scene.operations, drift)) == 1


def test_the_panels_own_undo_is_never_an_outside_save(panel: Panel, scene: Scene) -> None:
    entry = scene.puts("a.txt", with_line(L10, 1, b"the agent's"))
    scene.operations.apply(scene.operations.plan(UndoRequest((entry.seq_id,))))
    assert panel.settle() == ()


def test_with_recording_off_the_drift_stays_a_mark(panel: Panel, scene: Scene) -> None:
    scene.set("enabled", value=False)
    scene.person("a.txt", b"mine\n")
    assert panel.settle() == ()
    assert scene.operations.ledger.drift(panel.workspace.id) == {A: DriftKind.CHANGED}
    scene.set("enabled", value=True)
    assert len(panel.round()) == 1


@pytest.mark.parametrize("put", [Path.mkdir, os.mkfifo])
def test_what_is_no_file_any_more_stays_drift(
    panel: Panel, scene: Scene, put: Callable[[Path], None]
) -> None:
    scene.path("a.txt").unlink()
    put(scene.path("a.txt"))
    assert panel.settle() == ()
    assert panel.round(QUIET_SECONDS) == ()
    assert set(scene.operations.ledger.drift(panel.workspace.id)) == {A}


def test_a_checkout_of_many_files_is_one_entry(panel: Panel, scene: Scene) -> None:
    for number in range(25):
        scene.puts(f"many/{number}", b"one\n")
    for number in range(25):
        scene.person(f"many/{number}", b"two\n")
    [seq_id] = panel.settle()
    entry = scene.operations.entry(seq_id)
    assert len(entry.paths) == 25
    assert entry.record.summary == "25 files changed outside the agents"
    scene.undo(entry)
    assert scene.path("many/7").read_bytes() == b"one\n"


def test_a_secret_is_named_and_its_bytes_are_not_kept(panel: Panel, scene: Scene) -> None:
    scene.puts(".env", b"KEY=one\n")
    scene.person(".env", b"KEY=private-two\n")
    [seq_id] = panel.settle()
    [change] = scene.operations.entry(seq_id).record.changes
    assert (change.before.kept, change.after.kept) == (False, False)


def test_a_recorded_save_is_in_the_baseline_before_the_next_command_looks(panel: Panel, scene: Scene) -> None:
    agent_runs(scene, "echo x > made")
    scene.person("a.txt", b"a save of the person's\n")
    saved = scene.path("a.txt").stat().st_ctime_ns
    while (
        time.time_ns() - saved < RACY_NS
    ):  # in life, a file has been quiet for seconds before it is recorded
        pass
    assert len(panel.settle()) == 1
    copies = (scene.home.root / "baselines").glob("*/copies/*")
    assert any(copy.read_bytes() == b"a save of the person's\n" for copy in copies)


def test_where_deeds_are_told_afterwards_the_file_is_quiet_for_longer(panel: Panel, scene: Scene) -> None:
    seen = SessionSeen("aider", "x1", utc_now())
    scene.operations.ledger.touch_session(panel.workspace.id, seen)
    scene.person("a.txt", b"mine\n")
    assert panel.settle() == ()
    assert len(panel.round(LATE_TOLD_SECONDS)) == 1
