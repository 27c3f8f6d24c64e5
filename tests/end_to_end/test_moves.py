"""Scenario C12 and the rows F083, F118: a file that was moved goes back as it is now, or stays where it is."""

import os
import stat
import unicodedata
from shlex import quote

import pytest

from sulcus_panel.core.undo.model import Outcome, Strategy
from tests.support.scene import L10, Scene, with_line

EDITED = with_line(L10, 2, b"x")


def names(scene: Scene) -> list[str]:
    return sorted(str(path.relative_to(scene.folder)) for path in scene.folder.rglob("*") if path.is_file())


def moved(scene: Scene) -> None:
    scene.person("src/a.py", L10, 0o755)


def test_c12_a_the_file_goes_back_with_the_later_turn_s_edit(scene: Scene) -> None:
    moved(scene)
    turn = scene.runs("mv src/a.py src/b.py")
    later = scene.puts("src/b.py", EDITED)

    plan = scene.plan(turn)
    assert [(w.code, w.seq_ids) for w in plan.warnings if w.code == "later_kept"] == [
        ("later_kept", (later.seq_id,))
    ]
    scene.carry_out(plan)

    assert names(scene) == ["src/a.py"]
    assert scene.path("src/a.py").read_bytes() == EDITED
    assert stat.S_IMODE(scene.path("src/a.py").stat().st_mode) == 0o755
    scene.redo(turn)
    assert (names(scene), scene.path("src/b.py").read_bytes()) == (["src/b.py"], EDITED)
    scene.undo(later)
    assert scene.path("src/b.py").read_bytes() == L10


def test_c12_a_an_edit_outside_the_agents_goes_along_too(scene: Scene) -> None:
    moved(scene)
    turn = scene.runs("mv src/a.py src/b.py")
    scene.person("src/b.py", EDITED, 0o755)
    scene.undo(turn)
    assert (names(scene), scene.path("src/a.py").read_bytes()) == (["src/a.py"], EDITED)


def test_c12_b_a_new_file_at_the_old_path_is_a_conflict_and_both_are_kept(scene: Scene) -> None:
    moved(scene)
    turn = scene.runs("mv src/a.py src/b.py")
    scene.puts("src/b.py", EDITED)
    scene.person("src/a.py", b"mine\n")

    conflict = scene.conflict(turn)

    assert (conflict.path, conflict.outside) == ("src/a.py", True)
    assert scene.path("src/a.py").read_bytes() == b"mine\n"
    assert scene.path("src/b.py").read_bytes() == EDITED


def test_c12_b_a_later_turn_s_file_at_the_old_path_is_named(scene: Scene) -> None:
    moved(scene)
    turn = scene.runs("mv src/a.py src/b.py")
    later = scene.puts("src/a.py", b"new\n", tool="Write")
    assert scene.conflict(turn).with_seq_ids == (later.seq_id,)
    scene.undo(later, turn)
    assert (names(scene), scene.path("src/a.py").read_bytes()) == (["src/a.py"], L10)


def test_c12_c_f118_the_old_case_comes_back_where_case_counts(scene: Scene) -> None:
    """On a disk where both names are one file, the plan is the same; test_facts.py holds what is seen there."""
    scene.person("Readme.md", L10)
    turn = scene.runs("mv Readme.md README.md")
    scene.undo(turn)
    assert (os.listdir(scene.folder), scene.path("Readme.md").read_bytes()) == (["Readme.md"], L10)


ODD = ["two words", "-dash", "line\nend", unicodedata.normalize("NFD", "é"), "tab\t'quote\"", "\udcff\udcfe"]


@pytest.mark.parametrize("name", ODD)
def test_c12_d_any_name_comes_back_exactly(scene: Scene, name: str) -> None:
    scene.person(name, L10)
    scene.person("plain", b"plain\n")
    there = quote(os.fsencode(name).decode("utf-8", "surrogateescape"))
    turn = scene.runs(f"mv -- {there} plain2 && mv plain -- {there}2")
    scene.undo(turn)
    assert sorted(os.listdir(os.fsencode(scene.folder))) == sorted([os.fsencode(name), b"plain"])
    assert scene.path(name).read_bytes() == L10


def test_f083_an_edit_by_the_old_path_names_the_move_and_where_the_file_went(scene: Scene) -> None:
    moved(scene)
    edit = scene.puts("src/a.py", EDITED)
    turn = scene.runs("mv src/a.py lib.py && rmdir src")
    scene.puts("lib.py", with_line(EDITED, 9, b"y"))

    conflict = scene.conflict(edit)

    assert (conflict.with_seq_ids, conflict.outside) == ((turn.seq_id,), False)
    assert conflict.reason == "the file was moved to lib.py since"
    assert not scene.path("src").exists()


def test_a_file_that_was_moved_twice_goes_back_in_two_steps(scene: Scene) -> None:
    moved(scene)
    first = scene.runs("mv src/a.py b.py")
    second = scene.runs("mv b.py c.py")
    scene.person("c.py", EDITED, 0o755)
    conflict = scene.conflict(first)
    assert (conflict.with_seq_ids, conflict.reason) == ((second.seq_id,), "the file was moved to c.py since")

    scene.undo(first, second)

    assert (names(scene), scene.path("src/a.py").read_bytes()) == (["src/a.py"], EDITED)
    scene.redo(first, second)
    assert (names(scene), scene.path("c.py").read_bytes()) == (["c.py"], EDITED)


def test_a_moved_file_that_was_deleted_does_not_come_back_by_itself(scene: Scene) -> None:
    moved(scene)
    turn = scene.runs("mv src/a.py b.py")
    gone = scene.removes("b.py")
    assert scene.conflict(turn).with_seq_ids == (gone.seq_id,)
    scene.undo(gone, turn)
    assert (names(scene), scene.path("src/a.py").read_bytes()) == (["src/a.py"], L10)


def test_another_file_at_the_new_path_is_not_the_moved_one(scene: Scene) -> None:
    moved(scene)
    turn = scene.runs("mv src/a.py b.py")
    scene.removes("b.py")
    other = scene.puts("b.py", b"another\n", tool="Write")

    assert other.seq_id in scene.conflict(turn).with_seq_ids

    assert (names(scene), scene.path("b.py").read_bytes()) == (["b.py"], b"another\n")


def test_a_move_that_the_person_took_back_needs_nothing(scene: Scene) -> None:
    moved(scene)
    turn = scene.runs("mv src/a.py b.py")
    scene.path("b.py").rename(scene.path("src/a.py"))
    scene.already_so(turn)


def test_a_copy_put_back_by_the_person_leaves_only_the_moved_file_to_go(scene: Scene) -> None:
    moved(scene)
    turn = scene.runs("mv src/a.py b.py")
    scene.person("src/a.py", L10, 0o755)
    scene.undo(turn)
    assert names(scene) == ["src/a.py"]


def test_a_folder_that_was_moved_goes_back_with_every_file_as_it_is_now(scene: Scene) -> None:
    for number in range(5):
        scene.person(f"pkg/sub/{number}.py", b"%d\n" % number, 0o600)
        scene.person(f"pkg/{number}.py", b"%d top\n" % number)
    scene.path("pkg/__init__.py").touch()
    scene.path("pkg/sub/__init__.py").touch()
    scene.path("pkg/none").mkdir()
    scene.path("pkg").chmod(0o700)
    before = names(scene)
    turn = scene.runs("mv pkg lib")
    scene.puts("lib/sub/3.py", b"3\nmore\n")

    scene.undo(turn)

    assert names(scene) == before
    assert sorted(os.listdir(scene.folder)) == ["pkg"]
    assert scene.path("pkg/sub/3.py").read_bytes() == b"3\nmore\n"
    assert stat.S_IMODE(scene.path("pkg").stat().st_mode) == 0o700
    assert scene.path("pkg/none").is_dir()


def test_a_move_with_new_permissions_gives_the_old_ones_back(scene: Scene) -> None:
    moved(scene)
    turn = scene.runs("mv src/a.py b.py && chmod 600 b.py")
    scene.person("b.py", EDITED, 0o600)
    scene.undo(turn)
    assert stat.S_IMODE(scene.path("src/a.py").stat().st_mode) == 0o755


def test_permissions_that_the_person_gave_since_go_along(scene: Scene) -> None:
    moved(scene)
    turn = scene.runs("mv src/a.py b.py")
    scene.path("b.py").chmod(0o700)
    scene.undo(turn)
    assert stat.S_IMODE(scene.path("src/a.py").stat().st_mode) == 0o700


def test_a_moved_link_stays_a_link(scene: Scene) -> None:
    scene.path("link").symlink_to("nowhere")
    turn = scene.runs("mv link other")
    result = scene.undo(turn)
    assert os.readlink(scene.path("link")) == "nowhere"
    assert result.results[0].strategy in {Strategy.PRE_IMAGE_RESTORE, Strategy.DELETE_CREATED_FILE}


def test_equal_files_that_were_moved_unedited_all_go_back(scene: Scene) -> None:
    for name in ("a/1", "a/2", "b/3"):
        scene.person(name, b"same\n")
    turn = scene.runs("mkdir c && mv a/1 c/4 && mv a/2 c/5 && mv b/3 c/6")
    scene.undo(turn)
    assert names(scene) == ["a/1", "a/2", "b/3"]
    assert not scene.path("c").exists()


def test_a_change_from_before_a_move_goes_back_after_the_move_did_and_work_at_the_other_path_stays(
    scene: Scene,
) -> None:
    moved(scene)
    edit = scene.puts("src/a.py", EDITED)
    turn = scene.runs("mv src/a.py b.py")
    later = scene.puts("b.py", with_line(EDITED, 9, b"y"))
    scene.undo(turn)

    plan = scene.plan(edit)
    assert [w.seq_ids for w in plan.warnings if w.code == "later_kept"] == [(later.seq_id,)]
    scene.carry_out(plan)

    assert scene.path("src/a.py").read_bytes() == with_line(L10, 9, b"y")
    scene.redo(edit)
    scene.undo(edit)
    assert scene.path("src/a.py").read_bytes() == with_line(L10, 9, b"y")


def test_a_move_and_the_edit_before_it_go_back_together_and_later_work_stays(scene: Scene) -> None:
    moved(scene)
    edit = scene.puts("src/a.py", EDITED)
    turn = scene.runs("mv src/a.py b.py")
    scene.puts("b.py", with_line(EDITED, 9, b"y"))
    scene.undo(edit, turn)
    assert (names(scene), scene.path("src/a.py").read_bytes()) == (["src/a.py"], with_line(L10, 9, b"y"))


def test_who_changed_the_same_line_at_the_other_path_is_named(scene: Scene) -> None:
    moved(scene)
    edit = scene.puts("src/a.py", EDITED)
    turn = scene.runs("mv src/a.py b.py")
    later = scene.puts("b.py", with_line(L10, 2, b"other"))
    scene.undo(turn)
    assert scene.conflict(edit).with_seq_ids == (later.seq_id,)


def test_a_move_that_is_undone_stays_undone_whatever_was_edited_along_the_way(scene: Scene) -> None:
    moved(scene)
    turn = scene.runs("mv src/a.py b.py")
    scene.puts("b.py", EDITED)
    scene.undo(turn)
    assert scene.changes_nothing(turn).outcome is Outcome.ALREADY_UNDONE
    scene.puts("src/a.py", with_line(EDITED, 5, b"more"))
    assert scene.changes_nothing(turn).outcome is Outcome.ALREADY_UNDONE
    scene.removes("src/a.py")
    assert scene.changes_nothing(turn).outcome is Outcome.ALREADY_UNDONE


def test_a_move_that_an_agent_took_back_itself_is_already_so(scene: Scene) -> None:
    moved(scene)
    turn = scene.runs("mv src/a.py b.py")
    scene.puts("b.py", EDITED)
    back = scene.runs("mv b.py src/a.py")
    scene.already_so(turn)
    scene.undo(back)
    assert (names(scene), scene.path("b.py").read_bytes()) == (["b.py"], EDITED)


def test_a_created_file_that_was_moved_is_not_gone(scene: Scene) -> None:
    made = scene.puts("new.py", L10)
    move = scene.runs("mv new.py other.py")
    found = scene.conflict(made)
    assert (found.with_seq_ids, found.reason) == ((move.seq_id,), "the file was moved to other.py since")
    assert scene.plan(made).safe_set == (move.seq_id,)
    scene.undo(made, move)
    assert names(scene) == []


def test_a_created_file_that_was_moved_and_then_deleted_is_gone(scene: Scene) -> None:
    made = scene.puts("new.py", L10)
    scene.runs("mv new.py other.py")
    scene.removes("other.py")
    scene.already_so(made)


def test_a_created_file_whose_move_was_taken_back_and_that_was_deleted_then_is_gone(scene: Scene) -> None:
    made = scene.puts("new.py", L10)
    move = scene.runs("mv new.py other.py")
    scene.undo(move)
    scene.path("new.py").unlink()
    scene.already_so(made)


def test_a_created_file_that_was_moved_twice_is_not_gone_and_all_three_go_together(scene: Scene) -> None:
    made = scene.puts("new.py", L10)
    first, second = scene.runs("mv new.py b.py"), scene.runs("mv b.py c.py")
    assert scene.conflict(made).with_seq_ids == (first.seq_id,)
    assert scene.plan(made).safe_set == (second.seq_id, first.seq_id)
    scene.undo(made, first, second)
    assert names(scene) == []


def test_a_created_file_that_was_moved_twice_and_then_deleted_is_gone(scene: Scene) -> None:
    made = scene.puts("new.py", L10)
    scene.runs("mv new.py b.py")
    scene.runs("mv b.py c.py && rm c.py")
    scene.already_so(made)
