"""Rows F026 to F051, F117 to F120: where a path may lie and what it may be called; nothing outside is touched."""

import os
import tempfile
import unicodedata
from pathlib import Path

import pytest

from sulcus_panel.core.errors import NotFound, StalePlan
from sulcus_panel.core.model import EntryState
from sulcus_panel.core.undo.model import Outcome
from sulcus_panel.service.selection import Selection
from tests.support.hooks import Run, edit_answer, run_hook
from tests.support.scene import L10, Scene, sha, with_line

CHANGED = with_line(L10, 2, b"two")


@pytest.mark.parametrize(
    "name",
    ["../outside.txt", "../work2/x", "sub/../../x", "../a/../x", "{}/absolute.txt"],
    ids=["up", "prefix", "deep", "back", "absolute"],
)
def test_f032_f033_f034_f035_a_path_outside_is_recorded_by_name_and_never_undone(
    scene: Scene, name: str
) -> None:
    scene.path("sub").mkdir()
    (scene.around / "work2").mkdir()
    name = name.format(scene.around)
    outside = Path(os.path.normpath(scene.folder / name))
    outside.write_bytes(L10)
    turn = scene.puts(name, CHANGED)
    assert turn.record.target_path == str(outside)
    assert turn.undoability == "not"

    plan = scene.changes_nothing(turn)

    assert plan.outcome is Outcome.REFUSED
    assert outside.read_bytes() == CHANGED


def test_f035_dots_that_stay_inside_name_the_same_file(scene: Scene) -> None:
    scene.person("b.txt", L10)
    scene.path("sub").mkdir()
    turn = scene.puts("sub/../b.txt", CHANGED)
    assert turn.paths == ("b.txt",)
    scene.undo(turn)
    assert scene.path("b.txt").read_bytes() == L10


@pytest.mark.parametrize(
    "name",
    [
        ".git/hooks/pre-commit",
        ".GIT/config",
        ".git./x",
        "git~1/x",
        ".g\u200cit/x",
        ".git::$INDEX_ALLOCATION/x",
        "sub/.git/config",
    ],
)
def test_f036_what_belongs_to_git_is_never_written(scene: Scene, name: str) -> None:
    scene.person(name, L10)
    turn = scene.puts(name, CHANGED)

    plan = scene.changes_nothing(turn)

    assert plan.outcome is Outcome.REFUSED
    assert "protected" in plan.entries[0].reason
    assert scene.path(name).read_bytes() == CHANGED


@pytest.mark.parametrize(
    ("place", "name"), [("", ".ssh/authorized_keys"), ("", ".bashrc"), ("me", "me/.zshenv")]
)
def test_f037_a_log_in_s_own_files_are_never_written(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, place: str, name: str
) -> None:
    scene.person(name, L10)
    turn = scene.puts(name, CHANGED)
    for variable in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(variable, str(scene.path(place)))

    plan = scene.changes_nothing(turn)

    assert plan.outcome is Outcome.REFUSED
    assert plan.entries[0].reason.startswith("protected: ")
    assert scene.path(name).read_bytes() == CHANGED


def test_f026_what_belongs_to_the_system_is_never_undone(scene: Scene) -> None:
    memory = Path("/dev/shm")
    if not os.access(memory, os.W_OK):
        pytest.skip("there is no /dev/shm to write to")
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        path = Path(folder) / "a.txt"
        path.write_bytes(L10)
        turn = scene.puts(str(path), CHANGED)
        plan = scene.changes_nothing(turn)
        assert (plan.outcome, path.read_bytes()) == (Outcome.REFUSED, CHANGED)
    given = {"file_path": "/proc/self/comm", "content": "x"}
    for event in ("PreToolUse", "PostToolUse"):
        scene.agent.tool(event, "Write", given, tool_use_id="p1", tool_response={"type": "update"})
    for row in scene.rows():
        assert scene.plan(row).outcome in {Outcome.REFUSED, Outcome.UNAVAILABLE}


def test_f041_a_workspace_that_is_gone_is_not_written_and_one_that_is_back_is(scene: Scene) -> None:
    scene.person("a.txt", L10)
    turn = scene.puts("a.txt", CHANGED)
    scene.folder.rename(scene.around / "moved")
    assert not scene.plan(turn).can_apply
    (scene.around / "moved").rename(scene.folder)
    scene.undo(turn)
    assert scene.path("a.txt").read_bytes() == L10


def test_f041_another_folder_in_the_workspace_s_place_is_refused_until_the_person_says_it_is_the_same(
    scene: Scene,
) -> None:
    scene.person("a.txt", L10)
    turn = scene.puts("a.txt", CHANGED)
    shown = scene.plan(turn)
    scene.folder.rename(scene.around / "moved")
    scene.folder.mkdir()
    scene.person("a.txt", CHANGED)

    with pytest.raises(StalePlan):
        scene.operations.apply(shown)
    plan = scene.changes_nothing(turn)
    assert plan.outcome is Outcome.REFUSED
    assert plan.entries[0].reason.startswith("root changed: ")
    assert f"sulcus-panel --workspace {scene.folder}" in plan.entries[0].reason
    answer = scene.terminal("--workspace", str(scene.folder), "ledger", "rollback", "1", stdin="y\n")
    assert (answer.code, scene.path("a.txt").read_bytes()) == (1, CHANGED)

    said = scene.terminal("--workspace", str(scene.folder), "config", "set", "enabled", "true")

    assert said.code == 0, said.err
    scene.undo(turn)
    assert scene.path("a.txt").read_bytes() == L10
    kinds = [told.kind for told in scene.operations.governance(None)]
    assert kinds.count("workspace.accepted") == 1


NAMES = {
    "newline": b"new\nline",
    "escape": b"\x1b[31mred\x07",
    "dash": b"-rf",
    "dashes": b"--",
    "direction": "a\u202etxt".encode(),
    "zero width": "a\u200bb".encode(),
    "pile": ("a" + "\u0301" * 40).encode(),
    "not utf-8": b"\xff\xfe name",
    "longest": b"n" * 255,
    "windows": b"CON:a. ",
    "backslash": b"one\\two",
    "spaces": b" a b ",
    "glob": b"*?[x]{y}",
    "quote": b"a'b\"c`d$e",
    "percent": b"100%_sure",
}


def test_f044_f045_f046_f047_f049_f050_f051_every_name_is_kept_byte_for_byte_and_shown_as_text(
    scene: Scene,
) -> None:
    turns = []
    for raw in NAMES.values():
        scene.person(os.fsdecode(raw), L10)
        turns.append(scene.puts(os.fsdecode(raw), CHANGED))
    assert [turn.paths for turn in turns] == [(os.fsdecode(raw),) for raw in NAMES.values()]

    shown = scene.terminal("ledger", "list")
    assert shown.code == 0, shown.err
    answer = scene.terminal("ledger", "rollback", "--last", str(len(NAMES)), stdin="y\n")

    assert answer.code == 0, answer.err
    for said in (shown.out, shown.err, answer.out, answer.err):
        assert not {"\x1b", "\x07", "\u202e", "\u200b"} & set(said)
    assert len(shown.out.strip().split("\n")) == len(NAMES)
    assert {scene.path(os.fsdecode(raw)).read_bytes() for raw in NAMES.values()} == {L10}
    assert sorted(os.listdir(os.fsencode(scene.folder))) == sorted(NAMES.values())


@pytest.mark.parametrize("raw", [b"\xff\xfe name", b"new\nline", b"--"])
def test_f047_a_strange_name_goes_through_json_too(scene: Scene, raw: bytes) -> None:
    scene.person(os.fsdecode(raw), L10)
    turn = scene.puts(os.fsdecode(raw), CHANGED)
    answer = scene.terminal("ledger", "rollback", str(turn.seq_id), "--json", stdin="y\n")
    assert answer.code == 0, answer.err
    assert answer.json()["results"][0]["paths"][0]["after_sha256"] == sha(L10)


def test_a_root_reached_through_a_link_and_a_relative_path_name_the_same_files(scene: Scene) -> None:
    (scene.around / "alias").symlink_to("work")
    scene.person("sub/a.txt", L10)
    Run(scene.around / "alias", scene.home.spool, session="s2").edit("sub/a.txt", "line 2", "two")
    assert scene.newest().paths == ("sub/a.txt",)
    below = Run(scene.path("sub"), scene.home.spool, session="s3")
    given = {"file_path": "a.txt", "old_string": "two", "new_string": "zwei"}
    below.tool("PreToolUse", "Edit", given)
    scene.person("sub/a.txt", with_line(L10, 2, b"zwei"))
    below.tool("PostToolUse", "Edit", given, tool_response={"filePath": "a.txt"})
    turn = scene.newest()
    assert turn.paths == ("sub/a.txt",)
    scene.undo(turn)
    assert scene.path("sub/a.txt").read_bytes() == CHANGED


def test_f048_f119_names_that_look_alike_are_two_files(scene: Scene) -> None:
    names = [unicodedata.normalize(form, "é.txt") for form in ("NFC", "NFD")] + ["É.txt", "x.py", "X.py"]
    for name in names:
        scene.person(name, L10)
    turns = [scene.puts(name, CHANGED) for name in names]
    if len(os.listdir(scene.folder)) < len(names):
        pytest.skip("this file system takes them for one")
    scene.undo(turns[3], turns[0])
    left = [scene.path(name).read_bytes() for name in names]
    assert left == [L10, CHANGED, CHANGED, L10, CHANGED]


def test_f117_f120_where_a_folder_does_not_tell_letters_apart_the_name_on_disk_stays(scene: Scene) -> None:
    scene.person("Readme.md", L10)
    if not scene.path("README.md").exists():
        pytest.skip("this folder tells large letters from small ones")
    scene.puts("README.md", CHANGED)
    scene.undo(scene.rows()[-1])
    assert (os.listdir(scene.folder), scene.path("Readme.md").read_bytes()) == (["Readme.md"], L10)


@pytest.mark.parametrize("name", ["nul\0name", "", ".", "x" * 5000, "/".join("x" * 300)])
def test_f031_f039_f040_a_path_that_no_file_can_have_hurts_nobody(scene: Scene, name: str) -> None:
    given = {"file_path": name and f"{scene.folder}/{name}", "content": "x"}
    for event in ("PreToolUse", "PostToolUse"):
        scene.agent.tool(event, "Write", given, tool_use_id="p1", tool_response={"type": "update"})
    scene.person("a.txt", L10)
    for row in scene.rows():
        assert not scene.plan(row).can_apply


def test_f042_a_nested_workspace_s_file_belongs_to_the_nearest(scene: Scene) -> None:
    inner = scene.path("inner")
    inner.mkdir()
    scene.operations.register(inner)
    scene.person("inner/a.txt", L10)
    given = {"file_path": str(inner / "a.txt"), "old_string": "line 2", "new_string": "two"}
    scene.agent.tool("PreToolUse", "Edit", given, tool_use_id="n1")
    (inner / "a.txt").write_bytes(CHANGED)
    answer = edit_answer(inner / "a.txt", "line 2", "two")
    scene.agent.tool("PostToolUse", "Edit", given, tool_use_id="n1", tool_response=answer)

    assert scene.rows() == ()
    listed = scene.terminal("ledger", "list", "--json", cwd=inner).json()["entries"]
    assert [entry["target_path"] for entry in listed] == ["a.txt"]
    answer_text = scene.terminal("ledger", "rollback", "1", stdin="y\n", cwd=inner)
    assert (answer_text.code, (inner / "a.txt").read_bytes()) == (0, L10)


def test_f043_what_lies_in_another_workspace_by_now_is_not_undone_from_this_one(scene: Scene) -> None:
    scene.person("inner/a.txt", L10)
    turn = scene.puts("inner/a.txt", CHANGED)
    scene.operations.register(scene.path("inner"))

    plan = scene.changes_nothing(turn)

    assert plan.outcome is Outcome.REFUSED
    assert "belongs to the workspace inner" in plan.entries[0].reason


def test_f042_f043_a_number_of_another_workspace_is_not_in_this_one(scene: Scene) -> None:
    scene.person("a.txt", L10)
    turn = scene.puts("a.txt", CHANGED)
    other = scene.operations.register(scene.around / "other")
    with pytest.raises(NotFound):
        scene.operations.plan_selection(other.id, Selection((turn.seq_id,)))
    assert scene.path("a.txt").read_bytes() == CHANGED


@pytest.mark.parametrize("payload", [b"", b"not json", b"[1]", b'{"a": ', b"\xff\xfe\x00", b"{}", b"null"])
def test_an_event_that_cannot_be_read_is_set_aside_and_said(scene: Scene, payload: bytes) -> None:
    run_hook(payload, scene.home.spool)
    scene.person("a.txt", L10)
    turn = scene.puts("a.txt", CHANGED)
    assert turn.paths == ("a.txt",)
    assert scene.state(turn) is EntryState.RECORDED
    assert len(list((scene.home.spool / "bad").iterdir())) == 1
