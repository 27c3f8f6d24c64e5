"""What would make the looks at a command miss a file, keep a wrong byte, wait, or read what is not theirs."""

import marshal
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sulcus_panel.core.model import Entry, FileKind, LedgerPath
from sulcus_panel.service.operations import LedgerQuery
from tests.support.commands import agent_runs, sh, tree_of
from tests.support.hooks import Run, spooled
from tests.support.scene import Scene

PATCH = "cat > /dev/null <<'EOF'\n*** Begin Patch\n*** Update File: f0.txt\n*** End Patch\nEOF\n"


def repository(scene: Scene) -> None:
    for number in range(3):
        scene.person(f"f{number}.txt", b"number %d\n" % number * 5)
    sh(scene.folder, "git init -q -b main && git add -A && git commit -qm one")


def goes_back(scene: Scene, entry: Entry) -> None:
    plan = scene.plan(entry)
    scene.carry_out(plan, {consent.key for consent in plan.consents})


def until(fact: Callable[[], object]) -> None:
    for _ in range(400):
        if fact():
            return
        threading.Event().wait(0.02)
    raise AssertionError("it never came")


def last_look(scene: Scene) -> Path | None:
    return next((scene.home.root / "baselines").glob("*/last"), None)


def around(run: Run, command: str, act: Callable[[], object], cwd: Path | None = None) -> None:
    """Pre, what the command does, Post from the folder that it ended in."""
    run.tool("PreToolUse", "Bash", {"command": command}, tool_use_id="c1")
    act()
    run.extra = {"cwd": str(cwd)} if cwd else {}
    answer = {"stdout": "", "stderr": ""}
    run.tool("PostToolUse", "Bash", {"command": command}, tool_use_id="c1", tool_response=answer)


def test_a_command_that_ends_in_another_folder(scene: Scene) -> None:
    """Claude Code's Post tells the folder that a `cd` led to; without git that is another root."""
    scene.person("a.txt", b"one\n")
    scene.person("sub/b.txt", b"two\n")
    before = tree_of(scene.folder)
    command = "cd sub && echo x >> b.txt && echo y >> ../a.txt"
    around(scene.agent, command, lambda: sh(scene.folder, command), scene.path("sub"))
    entry = scene.newest()
    assert set(entry.paths) == {"a.txt", "sub/b.txt"}
    assert entry.record.cwd == str(scene.folder)
    goes_back(scene, entry)
    assert tree_of(scene.folder) == before


def test_a_command_that_takes_the_repository_away(scene: Scene) -> None:
    repository(scene)
    scene.person("sub/x", b"q\n")
    scene.agent.extra = {"cwd": str(scene.path("sub"))}
    entry = agent_runs(scene, "rm -rf .git; rm sub/x")
    assert entry.paths == ("sub/x",)


def test_a_command_that_takes_its_own_folder_away(scene: Scene) -> None:
    scene.person("a.txt", b"one\n")
    scene.person("d/b.txt", b"two\n")
    around(scene.agent, "rm -rf $PWD", lambda: sh(scene.around, "rm -rf work"))
    scene.operations.drain(wait=10)
    [entry] = scene.operations.find(LedgerQuery())
    assert set(entry.paths) == {"a.txt", "d", "d/b.txt"}
    assert all(change.before.kept for change in entry.record.changes if change.path != "d")


def test_a_patch_in_a_commands_text_does_not_hide_what_the_command_did(scene: Scene) -> None:
    repository(scene)
    entry = agent_runs(scene, PATCH + "rm f1.txt; echo x > f2.txt")
    assert set(entry.paths) == {"f1.txt", "f2.txt"}


@pytest.mark.parametrize("named", ["f0.txt", "."])
def test_a_file_that_another_servers_tool_names_is_not_all_that_it_may_change(
    scene: Scene, named: str
) -> None:
    repository(scene)
    given = {"path": named}
    scene.agent.tool("PreToolUse", "mcp__fs__merge", given, tool_use_id="c1")
    sh(scene.folder, "echo y > f0.txt; echo x > f2.txt")
    scene.agent.tool("PostToolUse", "mcp__fs__merge", given, tool_use_id="c1", tool_response={"ok": True})
    assert set(scene.newest().paths) == {"f0.txt", "f2.txt"}


@pytest.mark.parametrize(
    "junk", [b"x", marshal.dumps([1]), marshal.dumps({"": b"\xff\xffjunk"}), marshal.dumps({"": 3})]
)
def test_a_damaged_listing_is_taken_anew(scene: Scene, junk: bytes) -> None:
    scene.person("a.txt", b"one\n")
    agent_runs(scene, "echo x > c")
    until(lambda: last_look(scene))
    last = last_look(scene)
    assert last
    last.write_bytes(junk)
    assert agent_runs(scene, "echo y >> c").paths == ("c",)


def test_a_damaged_mark_of_too_large_a_tree_is_no_mark(scene: Scene) -> None:
    scene.person("a.txt", b"one\n")
    agent_runs(scene, "echo x > c")
    folder = next((scene.home.root / "baselines").iterdir())
    for mark in (b"junk", b"%d" % (time.time_ns() + 10**15)):  # or made before the clock was set back
        (folder / "too-much").write_bytes(mark)
        assert agent_runs(scene, "echo y >> c").paths == ("c",)


def test_the_data_folder_under_another_name_is_left_out(scene: Scene) -> None:
    scene.person("a.txt", b"one\n")
    (scene.around / "link").symlink_to(scene.folder)
    spool = scene.path("state/spool")
    spool.parent.mkdir()
    run = Run(scene.folder, scene.around / "link/state/spool")
    around(run, "make", lambda: scene.person("a.txt", b"two\n"))
    assert b"state/" not in spooled(spool)[-1].read_bytes().partition(b"\n\n")[2].replace(b"link/state/", b"")


def test_files_that_git_changes_on_the_way_are_copied(scene: Scene) -> None:
    repository(scene)
    scene.person(".gitattributes", b"*.bat text eol=crlf\n*.id ident\n")
    scene.person("deep/.gitattributes", b"*.z filter=f\n")
    scene.person("x.bat", b"a\r\nb\r\n")
    scene.person("x.id", b"$Id$\n")
    scene.person("deep/q.z", b"zz\n")
    sh(scene.folder, "git add -A && git commit -qm two && rm x.id && git checkout x.id")
    before = tree_of(scene.folder)
    entry = agent_runs(scene, "echo x > x.bat; echo y > x.id; echo z > deep/q.z")
    assert set(entry.paths) == {"x.bat", "x.id", "deep/q.z"}
    goes_back(scene, entry)
    assert tree_of(scene.folder) == before


def test_a_file_written_to_in_the_second_of_gits_own_look_is_not_taken_for_gits(scene: Scene) -> None:
    """Same size, its mtime put back: only the parts of a second of its ctime tell."""
    repository(scene)
    path = scene.person("f1.txt", b"aaaa\n")
    until(lambda: time.time() % 1 < 0.3)
    path.chmod(0o644)
    stood = path.stat().st_mtime_ns
    sh(scene.folder, "git add f1.txt")
    path.write_bytes(b"bbbb\n")
    os.utime(path, ns=(stood, stood))
    before = tree_of(scene.folder)
    entry = agent_runs(scene, "echo cc > f1.txt")
    goes_back(scene, entry)
    assert tree_of(scene.folder) == before


def test_one_start_of_a_session_is_one_event_whatever_becomes_of_its_look(scene: Scene) -> None:
    scene.agent.event("SessionStart", source="startup")
    until(lambda: last_look(scene))
    last = last_look(scene)
    assert last
    last.write_bytes(marshal.dumps({"": b"\xff\xffjunk"}))
    scene.agent.event("SessionStart", source="startup")
    until(lambda: not last.exists())
    assert len(spooled(scene.agent.spool)) == 2


@pytest.mark.parametrize("name", [".git/index", ".gitattributes", ".git/HEAD", "untracked"])
def test_a_file_made_to_keep_the_hook_busy_does_not(scene: Scene, name: str) -> None:
    repository(scene)
    with scene.path(name).open("ab") as file:
        file.truncate(3 << 30)
    began = time.monotonic()
    entry = agent_runs(scene, "echo x > f1.txt")
    assert time.monotonic() - began < 5
    [change] = entry.record.changes
    assert (change.path, change.before.kind) == ("f1.txt", FileKind.FILE)
    assert sum(path.stat().st_size for path in scene.home.root.rglob("*") if path.is_file()) < 64 << 20


def test_forgetting_a_file_takes_its_copies_too(scene: Scene) -> None:
    for number in (1, 2):
        scene.person("mine.txt", b"very-private-%d\n" % number)
        scene.person("keep.txt", b"keep\n")
        agent_runs(scene, f"echo {number} > y")
        until(lambda: any(b"very-private" in path.read_bytes() for path in copies(scene)))
    until(lambda: len(copies(scene)) >= 5)
    workspace = scene.operations.workspace_for(scene.folder, register=False)
    scene.operations.forget(workspace.id, LedgerPath("mine.txt"))
    left = [path.read_bytes() for path in copies(scene)]
    assert b"keep\n" in left
    assert not any(b"very-private" in data for data in left)


def copies(scene: Scene) -> list[Path]:
    found = (scene.home.root / "baselines").glob("*/copies/*")
    return [path for path in found if path.is_file() and path.suffix != ".tmp"]


def test_no_copy_is_made_of_a_file_that_holds_a_key(scene: Scene) -> None:
    key = b"AKIA" + b"ABCDEFGHIJKLMNOP"
    scene.person("conf", b"key = " + key + b"\n")
    entry = agent_runs(scene, "echo x > conf")
    until(lambda: last_look(scene))
    assert [change.before.sha256 is not None for change in entry.record.changes] == [True]
    assert not any(key in path.read_bytes() for path in scene.home.root.rglob("*") if path.is_file())
