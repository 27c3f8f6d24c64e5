"""Several changes of one path in one turn, which go back as one: C09 b, C30, and the like."""

from collections.abc import Callable
from functools import partial

import pytest

from sulcus_panel.core.model import Entry, EntryState
from sulcus_panel.core.undo.model import Outcome
from tests.support.scene import L10, Scene, with_line

START = b"a = 'x'\nb = 1\nc = 2\n"


def turn_of(scene: Scene, *acts: Callable[[], Entry]) -> tuple[Entry, ...]:
    """Let all this happen in one turn."""
    scene.agent.prompt("Do it", prompt_id="turn-1")
    scene.agent.extra["prompt_id"] = "turn-1"
    entries = tuple(act() for act in acts)
    del scene.agent.extra["prompt_id"]
    assert len({entry.record.turn_id for entry in entries}) == 1
    return entries


def test_c30_a_formatter_that_ran_within_the_turn_goes_back_with_it(scene: Scene) -> None:
    scene.person("a.py", START)
    turn = turn_of(
        scene,
        lambda: scene.puts("a.py", b"a = 'x'\nb = 'new'\nc = 2\n"),
        lambda: scene.runs("sed -i s/\\'/\\\"/g a.py"),
    )
    assert scene.path("a.py").read_bytes() == b'a = "x"\nb = "new"\nc = 2\n'

    scene.undo(*turn)

    assert scene.path("a.py").read_bytes() == START


def test_c30_a_formatter_within_the_tool_call_is_part_of_its_entry(scene: Scene) -> None:
    scene.person("a.py", START)
    turn = scene.puts("a.py", b'a = "x"\nb = "new"\nc = 2\n')
    scene.undo(turn)
    assert scene.path("a.py").read_bytes() == START


def test_c30_a_formatter_of_a_later_turn_is_named(scene: Scene) -> None:
    scene.person("a.py", START)
    turn = scene.puts("a.py", b"a = 'x'\nb = 'new'\nc = 2\n")
    formatter = scene.runs("sed -i s/\\'/\\\"/g a.py")

    conflict = scene.conflict(turn)

    assert (conflict.with_seq_ids, conflict.outside) == ((formatter.seq_id,), False)


def test_c09_b_a_turn_that_deletes_and_creates_again_leaves_no_moment_without_the_file(scene: Scene) -> None:
    path = scene.person("cfg.ini", b"a=1\n", 0o640)
    turn = turn_of(
        scene, lambda: scene.removes("cfg.ini"), lambda: scene.puts("cfg.ini", b"b=2\n", tool="Write")
    )

    plan = scene.plan(*turn)
    assert [(write.disk.kind, write.result.kind) for write in plan.writes] == [("file", "file")]
    scene.carry_out(plan)

    assert (path.read_bytes(), path.stat().st_mode & 0o7777) == (b"a=1\n", 0o640)
    scene.redo(*turn)
    assert path.read_bytes() == b"b=2\n"


def test_many_edits_of_one_file_in_one_turn_go_back_as_one_and_later_work_stays(scene: Scene) -> None:
    path = scene.person("a.txt", L10)
    data = L10
    acts: list[Callable[[], Entry]] = []
    for line in (2, 3, 2, 9, 3):
        data = with_line(data, line, b"%d of %d" % (line, len(acts)))
        acts.append(partial(scene.puts, "a.txt", data))
    turn = turn_of(scene, *acts)
    scene.person("a.txt", with_line(data, 6, b"mine"))

    plan = scene.plan(*turn)
    assert len(plan.writes) == 1
    scene.carry_out(plan)

    assert path.read_bytes() == with_line(L10, 6, b"mine")
    assert {scene.state(entry) for entry in turn} == {EntryState.UNDONE}


def test_a_file_that_a_turn_made_edited_moved_and_removed_leaves_nothing_to_write(scene: Scene) -> None:
    turn = turn_of(
        scene,
        lambda: scene.puts("a.txt", b"one\n", tool="Write"),
        lambda: scene.puts("a.txt", b"two\n"),
        lambda: scene.runs("mv a.txt b.txt"),
        lambda: scene.removes("b.txt"),
    )
    plan = scene.plan(*turn)
    assert (plan.writes, plan.outcome) == ((), Outcome.UNDONE)
    result = scene.operations.apply(plan)
    assert all(each.undo_seq_id is not None for each in result.results)
    assert {scene.state(entry) for entry in turn} == {EntryState.UNDONE}
    assert list(scene.folder.iterdir()) == []


@pytest.mark.parametrize("name", ["a.txt", "sub/b.txt"])
def test_a_turn_that_made_moved_and_edited_a_file_goes_back_to_nothing(scene: Scene, name: str) -> None:
    turn = turn_of(
        scene,
        lambda: scene.runs(f"mkdir -p sub; echo one > {name}"),
        lambda: scene.runs(f"mkdir d && mv {name} d/c.txt"),
        lambda: scene.puts("d/c.txt", b"two\n"),
    )
    scene.undo(*turn)
    assert list(scene.folder.iterdir()) == []
