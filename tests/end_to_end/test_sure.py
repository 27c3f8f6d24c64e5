"""Scenarios C20 to C22 and the rows F084 to F112: drift, stale plans, two at once, killed processes, full disks."""

import os
import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from sulcus_panel.core.errors import StalePlan
from sulcus_panel.core.model import DriftKind, Entry, EntryState, LedgerPath, Origin
from sulcus_panel.core.undo.model import Outcome
from tests.support.odd_disks import fill, immutable, small_disk
from tests.support.scene import L10, Scene, sight, sights, with_line

CHANGED = with_line(L10, 2, b"two")

DYING = """
import os, signal, sys
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.model import PERSON
from sulcus_panel.core.undo.apply import Hands, apply_undo
from sulcus_panel.core.undo.facts import gather_facts
from sulcus_panel.core.undo.fs import FileSystem
from sulcus_panel.core.undo.model import UndoRequest
from sulcus_panel.core.undo.plan import plan_undo
from sulcus_panel.service.operations import Operations

class Dying(FileSystem):
    left = int(sys.argv[2])
    def reach(self, call):
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

with Operations.open(DataHome(Path(sys.argv[1]))) as operations:
    ledger = operations.ledger
    request = UndoRequest(tuple(int(each) for each in sys.argv[3:]))
    workspace = ledger.workspace(ledger.entry(request.seq_ids[0]).workspace_id)
    now = lambda: datetime.now(UTC)
    plan = plan_undo(gather_facts(ledger, workspace, request, now()))
    apply_undo(ledger, workspace, plan, Hands(PERSON, lambda: uuid4().hex, now, Dying()))
"""


def die_at(scene: Scene, call: int, *entries: Entry) -> int:
    """Undo in a process of its own that is killed at its `call`th touch of the file system."""
    numbers = [str(entry.seq_id) for entry in entries]
    done = subprocess.run(
        [sys.executable, "-c", DYING, str(scene.home.root), str(call), *numbers],
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    return done.returncode


def three(scene: Scene) -> tuple[Entry, ...]:
    """One turn over three files; its entries newest first."""
    for name in "abc":
        scene.person(name, L10)
    return tuple(reversed([scene.puts(name, CHANGED) for name in "abc"]))


def texts(scene: Scene) -> list[bytes]:
    return [scene.path(name).read_bytes() for name in "abc"]


def test_c20_drift_is_seen_before_the_click_named_in_the_plan_and_kept(scene: Scene) -> None:
    scene.person("app.py", L10)
    turn = scene.puts("app.py", with_line(L10, 5, b"T1"))
    scene.person("app.py", with_line(with_line(L10, 5, b"T1"), 9, b"mine"))
    workspace = scene.operations.workspace_for(scene.folder, register=False)
    name = LedgerPath("app.py")

    assert scene.operations.refresh_drift(workspace.id) == {name: DriftKind.CHANGED}
    assert scene.now(turn).drift is DriftKind.CHANGED
    plan = scene.plan(turn)
    assert plan.drift == {name: DriftKind.CHANGED}
    assert [warning.code for warning in plan.warnings if warning.path == name] == ["drift"]
    answer = scene.terminal("ledger", "rollback", str(turn.seq_id), stdin="y\n")
    assert answer.code == 0
    assert "app.py was changed outside the agents" in answer.out
    assert scene.path("app.py").read_bytes() == with_line(L10, 9, b"mine")


def test_f125_an_undo_itself_is_no_drift(scene: Scene) -> None:
    scene.person("a", L10)
    turn = scene.puts("a", CHANGED)
    scene.undo(turn)
    workspace = scene.operations.workspace_for(scene.folder, register=False)
    assert scene.operations.refresh_drift(workspace.id) == {}


def test_c21_one_file_that_cannot_be_written_leaves_all_three_alone_and_is_named(scene: Scene) -> None:
    turns = three(scene)
    b, rows = sight(scene.path("b")), scene.rows()
    with immutable(scene.path("b")):
        result = scene.operations.apply(scene.plan(*turns))
    assert result.outcome in {Outcome.FAILED, Outcome.REFUSED}
    assert texts(scene) == [CHANGED] * 3
    assert sight(scene.path("b")) == b
    assert sorted(os.listdir(scene.folder)) == ["a", "b", "c"]
    assert scene.rows() == rows
    scene.undo(*turns)
    assert texts(scene) == [L10] * 3


def test_c21_the_message_names_the_file_that_could_not_be_written(scene: Scene) -> None:
    turns = three(scene)
    with immutable(scene.path("b")):
        result = scene.operations.apply(scene.plan(*turns))
    assert any(word.strip(".,:;") == "b" for each in result.results for word in each.reason.split())


def test_c21_f099_killed_anywhere_it_is_all_before_or_all_after_and_a_second_try_works(scene: Scene) -> None:
    turns = three(scene)
    call, fates = 0, set()
    while True:
        call += 4
        code = die_at(scene, call, *turns)
        if code == 0:
            break
        assert code == -signal.SIGKILL
        recovered = scene.terminal("ledger", "list", "--json")
        assert recovered.code == 0, recovered.err
        states = {scene.state(turn) for turn in turns}
        fates.add(tuple(texts(scene)))
        assert (texts(scene), states) in (
            ([CHANGED] * 3, {EntryState.RECORDED}),
            ([L10] * 3, {EntryState.UNDONE}),
        ), call
        assert sorted(os.listdir(scene.folder)) == ["a", "b", "c"]
        if texts(scene) == [L10] * 3:
            scene.redo(*reversed(turns))
    assert (CHANGED,) * 3 in fates
    assert texts(scene) == [L10] * 3
    assert {scene.state(turn) for turn in turns} == {EntryState.UNDONE}


def test_c21_the_next_start_says_what_became_of_a_killed_undo(scene: Scene) -> None:
    turns = three(scene)
    call = 10
    while len(set(texts(scene))) == 1 and texts(scene)[0] == CHANGED:
        call += 1
        assert die_at(scene, call, *turns) == -signal.SIGKILL
    answer = scene.terminal("ledger", "list")
    assert "interrupted" in answer.err


def test_c22_f084_a_save_between_preview_and_confirm_stops_the_write(scene: Scene) -> None:
    path = scene.person("f", L10)
    turn = scene.puts("f", CHANGED)
    plan = scene.plan(turn)
    scene.person("f", with_line(CHANGED, 7, b"mine"))
    before = sights(scene.around)

    with pytest.raises(StalePlan):
        scene.operations.apply(plan)

    assert sights(scene.around) == before
    scene.undo(turn)
    assert path.read_bytes() == with_line(L10, 7, b"mine")


def test_c22_the_terminal_stops_at_a_pinned_plan_that_is_another_one_now(scene: Scene) -> None:
    scene.person("f", L10)
    turn = scene.puts("f", CHANGED)
    digest = scene.terminal("ledger", "rollback", str(turn.seq_id), "--dry-run", "--json").json()[
        "plan_digest"
    ]
    scene.person("f", with_line(CHANGED, 7, b"mine"))
    answer = scene.terminal("ledger", "rollback", str(turn.seq_id), "--plan", digest, stdin="y\n")
    assert answer.code == 1
    assert "?" not in answer.err
    assert scene.path("f").read_bytes() == with_line(CHANGED, 7, b"mine")


def test_a_newer_record_of_the_path_makes_an_older_plan_stale_too(scene: Scene) -> None:
    scene.person("f", L10)
    turn = scene.puts("f", CHANGED)
    plan = scene.plan(turn)
    scene.puts("f", with_line(CHANGED, 7, b"T2"))
    with pytest.raises(StalePlan):
        scene.operations.apply(plan)


def test_f088_f093_two_terminals_at_once_undo_once(scene: Scene) -> None:
    path = scene.person("f", L10)
    turn = scene.puts("f", CHANGED)
    with ThreadPoolExecutor(3) as pool:
        answers = list(
            pool.map(
                lambda _: scene.terminal("ledger", "rollback", str(turn.seq_id), "--json", stdin="y\n"),
                range(3),
            )
        )
    assert path.read_bytes() == L10
    assert len([row for row in scene.rows() if row.record.origin is Origin.UNDO]) == 1
    assert [answer.json().get("outcome") for answer in answers].count("undone") == 1
    assert not any("Traceback" in answer.err for answer in answers)


def test_f090_two_changes_of_one_file_undone_at_once_both_go(scene: Scene) -> None:
    path = scene.person("f", L10)
    first = scene.puts("f", CHANGED)
    second = scene.puts("f", with_line(CHANGED, 8, b"eight"))
    with ThreadPoolExecutor(2) as pool:
        answers = list(
            pool.map(
                lambda turn: scene.terminal("ledger", "rollback", str(turn.seq_id), stdin="y\n"),
                (first, second),
            )
        )
    for turn, answer in zip((first, second), answers, strict=True):
        if answer.code:  # the other one was faster; its plan was stale, which is told
            scene.undo(turn)
    assert path.read_bytes() == L10
    assert {scene.state(turn) for turn in (first, second)} == {EntryState.UNDONE}


def test_f095_f096_doubles_count_once_and_any_order_is_newest_first(scene: Scene) -> None:
    scene.person("f", L10)
    first = scene.puts("f", CHANGED)
    second = scene.puts("f", with_line(CHANGED, 8, b"eight"))
    numbers = [str(entry.seq_id) for entry in (first, second, first)]
    answer = scene.terminal("ledger", "rollback", *numbers, "--json", stdin="y\n")
    assert answer.code == 0, answer.err
    assert [each["seq_id"] for each in answer.json()["results"]] == [second.seq_id, first.seq_id]
    assert scene.path("f").read_bytes() == L10


def test_f096_a_batch_over_several_files_may_be_named_oldest_first(scene: Scene) -> None:
    turns = three(scene)
    numbers = [str(entry.seq_id) for entry in reversed(turns)]
    answer = scene.terminal("ledger", "rollback", *numbers, stdin="y\n")
    assert answer.code == 0, answer.err
    assert texts(scene) == [L10] * 3


def test_f097_a_dry_run_changes_no_byte_row_or_state(scene: Scene) -> None:
    turns = three(scene)
    before, rows = sights(scene.around), scene.rows()
    numbers = [str(entry.seq_id) for entry in turns]
    dry = scene.terminal("ledger", "rollback", *numbers, "--dry-run", "--json").json()
    assert (sights(scene.around), scene.rows()) == (before, rows)
    real = scene.terminal("ledger", "rollback", *numbers, "--json", stdin="y\n").json()
    for one, other in zip(dry["results"], real["results"], strict=True):
        both = [(p["path"], p["before_sha256"], p["after_sha256"]) for p in one["paths"]]
        assert both == [(p["path"], p["before_sha256"], p["after_sha256"]) for p in other["paths"]]


@pytest.mark.parametrize("said", ["", "d\n"])
def test_no_and_later_change_nothing(scene: Scene, said: str) -> None:
    scene.person("f", L10)
    turn = scene.puts("f", CHANGED)
    before, rows = sights(scene.around), scene.rows()
    answer = scene.terminal("ledger", "rollback", str(turn.seq_id), stdin=said)
    assert answer.code == 0
    assert sights(scene.around) == before
    assert len(scene.rows()) == len(rows)
    assert scene.state(turn) is (EntryState.DEFERRED if said == "d\n" else EntryState.RECORDED)
    scene.undo(turn)


def test_f112_an_immutable_file_is_told_and_left(scene: Scene) -> None:
    path = scene.person("f", L10)
    turn = scene.puts("f", CHANGED)
    with immutable(path):
        answer = scene.terminal("ledger", "rollback", str(turn.seq_id), stdin="y\n")
        assert answer.code == 1
        assert "Traceback" not in answer.err
        assert path.read_bytes() == CHANGED
    assert os.listdir(scene.folder) == ["f"]
    scene.undo(turn)


def test_f086_f110_a_stranger_s_file_with_a_name_like_ours_is_left(scene: Scene) -> None:
    scene.person("f", L10)
    scene.person(".sulcus-old.tmp", b"somebody's\n")
    turn = scene.puts("f", CHANGED)
    scene.undo(turn)
    assert scene.path(".sulcus-old.tmp").read_bytes() == b"somebody's\n"


def test_f030_f101_f105_a_full_or_read_only_disk_is_named_and_nothing_is_lost(scene: Scene) -> None:
    folder = scene.path("mnt")
    with small_disk(folder):
        path = scene.person("mnt/f", L10 * 1000)
        turn = scene.puts("mnt/f", with_line(L10 * 1000, 2, b"two"))
        for prepare, outcome, said in (
            (lambda: fill(folder / "fill"), Outcome.FAILED, "no space left"),
            (
                lambda: subprocess.run(["mount", "-o", "remount,ro", folder], check=True),
                Outcome.REFUSED,
                "read-only",
            ),
        ):
            prepare()
            result = scene.operations.apply(scene.plan(turn))
            assert result.outcome is outcome
            assert said in result.results[0].reason
            assert path.read_bytes() == with_line(L10 * 1000, 2, b"two")
            assert sorted(os.listdir(folder)) == ["f", "fill"]
        subprocess.run(["mount", "-o", "remount,rw", folder], check=True)
        (folder / "fill").unlink()
        scene.undo(turn)
        assert path.read_bytes() == L10 * 1000


def test_f010_f114_a_full_disk_is_no_place_to_write_in(scene: Scene) -> None:
    folder = scene.path("mnt")
    with small_disk(folder):
        path = scene.person("mnt/f", L10 * 1000)
        turn = scene.puts("mnt/f", b"short\n")
        os.link(path, folder / "second")
        fill(folder / "fill")

        result = scene.operations.apply(scene.plan(turn))

        assert result.outcome is Outcome.FAILED
        assert "no space left" in result.results[0].reason
        assert (path.read_bytes(), (folder / "second").read_bytes()) == (b"short\n", b"short\n")
        (folder / "fill").unlink()
        assert scene.operations.apply(scene.plan(turn)).outcome is Outcome.UNDONE
        assert (folder / "second").read_bytes() == L10 * 1000
        assert (folder / "second").stat().st_ino == path.stat().st_ino


def test_a_newer_ledger_can_still_be_read_as_its_message_says(scene: Scene) -> None:
    scene.person("f", L10)
    turn = scene.puts("f", CHANGED)
    with closing(sqlite3.connect(scene.home.database)) as newer:
        version = newer.execute("PRAGMA user_version").fetchone()[0]
        newer.execute(f"PRAGMA user_version = {version + 1}")
        answer = scene.terminal("ledger", "list")
        newer.execute(f"PRAGMA user_version = {version}")
    assert "newer" in answer.err
    assert f"#{turn.seq_id}" in answer.out
