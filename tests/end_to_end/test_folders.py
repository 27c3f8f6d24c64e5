"""Scenario C11 and the rows F024, F025, F079: folders come back with their permissions, and go only when empty."""

import os
import stat
from pathlib import Path

from sulcus_panel.core.model import EntryState
from sulcus_panel.core.undo.model import Outcome
from tests.support.scene import Scene, Sights

EVERY_BYTE = bytes(range(256)) * 16


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def data_folder(scene: Scene) -> None:
    scene.person("data/sub/a.bin", EVERY_BYTE, 0o600)
    scene.person("data/sub/b.txt", b"b\n", 0o640)
    scene.path("data/empty").mkdir(mode=0o755)
    scene.path("data/sub").chmod(0o750)
    scene.path("data").chmod(0o700)


def shape(folder: Path) -> Sights:
    """Kind, mode and content of everything below a folder."""
    return {
        str(path.relative_to(folder)): (path.lstat().st_mode, path.read_bytes() if path.is_file() else None)
        for path in sorted(folder.rglob("*"))
    }


def test_c11_a_folder_that_a_command_removed_comes_back_with_all_that_was_in_it(scene: Scene) -> None:
    data_folder(scene)
    scene.person("beside.txt", b"beside\n")
    before = shape(scene.folder)
    turn = scene.runs("rm -r data")
    assert set(turn.paths) == {"data", "data/empty", "data/sub", "data/sub/a.bin", "data/sub/b.txt"}
    assert (turn.undoability, turn.undo_reason) == ("fully", "")
    assert not scene.path("data").exists()

    plan = scene.plan(turn)
    assert [write.path for write in plan.writes] == list(turn.paths)[:3] + list(turn.paths)[3:]
    scene.carry_out(plan)

    assert shape(scene.folder) == before
    assert [mode(scene.path(name)) for name in ("data", "data/sub/b.txt")] == [0o700, 0o640]
    assert scene.state(turn) is EntryState.UNDONE
    scene.redo(turn)
    assert os.listdir(scene.folder) == ["beside.txt"]


def test_c11_a_file_in_the_folder_s_place_is_a_conflict_and_stays(scene: Scene) -> None:
    data_folder(scene)
    turn = scene.runs("rm -r data")
    scene.person("data", b"now a file\n")

    conflict = scene.conflict(turn)

    assert (conflict.path, conflict.outside) == ("data", True)
    assert scene.path("data").read_bytes() == b"now a file\n"


def test_c11_a_link_in_the_folder_s_place_is_a_conflict_and_leads_nowhere(scene: Scene) -> None:
    data_folder(scene)
    turn = scene.runs("rm -r data")
    (scene.around / "elsewhere").mkdir()
    scene.path("data").symlink_to(scene.around / "elsewhere")
    assert scene.conflict(turn).path == "data"


def test_c11_the_folder_made_again_by_the_person_is_filled_and_keeps_what_is_in_it(scene: Scene) -> None:
    data_folder(scene)
    turn = scene.runs("rm -r data")
    scene.person("data/mine.txt", b"mine\n")
    scene.path("data").chmod(0o755)

    scene.undo(turn)

    assert scene.path("data/mine.txt").read_bytes() == b"mine\n"
    assert scene.path("data/sub/a.bin").read_bytes() == EVERY_BYTE
    assert mode(scene.path("data")) == 0o755


def test_f079_folders_made_by_a_command_go_deepest_first_when_nothing_else_is_in_them(scene: Scene) -> None:
    turn = scene.runs("mkdir -p new/deep/er other && echo a > new/deep/er/a && echo b > new/b")

    result = scene.undo(turn)

    assert os.listdir(scene.folder) == []
    assert result.results[0].reason == ""
    scene.redo(turn)
    assert scene.path("new/deep/er/a").read_bytes() == b"a\n"
    assert scene.path("other").is_dir()


def test_f025_f079_a_folder_stays_with_what_somebody_else_put_into_it(scene: Scene) -> None:
    turn = scene.runs("mkdir -p new/deep && echo a > new/deep/a")
    scene.person("new/mine.txt", b"mine\n")

    plan = scene.plan(turn)
    kept = {path.path: path.reason for path in plan.entries[0].paths if path.outcome != Outcome.UNDONE}
    assert kept == {"new": "not empty, so it is kept"}
    scene.carry_out(plan)

    assert sorted(shape(scene.folder)) == ["new", "new/mine.txt"]
    assert scene.state(turn) is EntryState.UNDONE


def test_f024_a_folder_in_a_created_file_s_place_is_never_removed(scene: Scene) -> None:
    turn = scene.runs("echo a > name")
    scene.path("name").unlink()
    scene.path("name").mkdir()
    scene.conflict(turn)
    assert scene.path("name").is_dir()


def test_folders_of_two_commands_go_together_newest_first(scene: Scene) -> None:
    first = scene.runs("mkdir a && echo 1 > a/1")
    second = scene.runs("mkdir a/b && echo 2 > a/b/2")
    plan = scene.plan(first)
    assert [path.path for path in plan.entries[0].paths if path.outcome is Outcome.NOTHING_TO_UNDO] == ["a"]

    scene.undo(first, second)

    assert os.listdir(scene.folder) == []


def test_a_folder_s_permissions_go_back_alone_and_not_over_the_person_s(scene: Scene) -> None:
    scene.path("private").mkdir(mode=0o700)
    scene.path("private").chmod(0o700)
    turn = scene.runs("chmod 755 private")
    scene.undo(turn)
    assert mode(scene.path("private")) == 0o700
    scene.redo(turn)
    assert mode(scene.path("private")) == 0o755
    scene.path("private").chmod(0o770)
    assert scene.conflict(turn).reason == "its permissions were changed again"


def test_a_file_that_gave_way_to_a_folder_is_refused_and_said_so_before(scene: Scene) -> None:
    scene.person("lib", b"a file\n")
    turn = scene.runs("rm lib && mkdir lib && echo x > lib/x.py")
    assert turn.undoability == "partly"
    assert "took each other's place" in turn.undo_reason

    plan = scene.changes_nothing(turn)

    assert plan.outcome is Outcome.REFUSED
    assert "took each other's place" in plan.entries[0].reason


def test_a_folder_that_only_the_owner_may_read_and_nobody_may_write_comes_back(scene: Scene) -> None:
    scene.person("closed/a", b"a\n")
    scene.path("closed").chmod(0o500)
    turn = scene.runs("chmod 700 closed && rm -r closed")
    assert turn.record.changes[0].before.mode == 0o500

    scene.undo(turn)

    assert (mode(scene.path("closed")), scene.path("closed/a").read_bytes()) == (0o500, b"a\n")
