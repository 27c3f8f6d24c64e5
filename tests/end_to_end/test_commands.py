"""Scenarios C25 and C26: what a shell command did to files is one entry, and all of it goes back.

Which files a command changed is for the recorder of commands to see; here its entry is made by hand.
"""

from pathlib import Path

from sulcus_panel.core.model import EntryState, Undoability
from tests.support.scene import Scene, sights
from tests.support.shell import sh


def project(scene: Scene) -> None:
    for number in (1, 2, 3):
        scene.person(f"{number}.txt", b"one\nfoo\nthree\n")
    scene.person("gen/old.js", b"old()\n", 0o640)
    scene.person(".gitignore", b"gen/\n.env\n")
    scene.person("settings", b"A=1\n", 0o600)


COMMAND = "sed -i s/foo/bar/ *.txt; echo a > gen/a.js; echo b > gen/b.js; rm gen/old.js; echo A=2 > settings"
PATHS = {"1.txt", "2.txt", "3.txt", "gen/a.js", "gen/b.js", "gen/old.js", "settings"}


def test_c25_all_that_a_command_did_goes_back_ignored_files_too(scene: Scene) -> None:
    project(scene)
    before = contents(scene.folder)
    turn = scene.runs(COMMAND)
    assert set(turn.paths) == PATHS
    assert turn.undoability is Undoability.FULLY
    plan = scene.plan(turn)
    (told,) = [warning.text for warning in plan.warnings if warning.code == "command"]
    assert all(path in told for path in PATHS)

    scene.carry_out(plan)

    assert contents(scene.folder) == before
    scene.redo(turn)
    assert scene.path("gen/a.js").read_bytes() == b"a\n"
    assert not scene.path("gen/old.js").exists()


def test_c25_a_path_that_may_not_be_kept_is_said_before_and_holds_the_others_back(scene: Scene) -> None:
    """The person can still take the other paths back by their parts; the secret stays as the command left it."""
    project(scene)
    scene.person(".env", b"KEY=one\n")
    turn = scene.runs(f"{COMMAND}; echo KEY=two > .env")
    assert len(turn.paths) == 8
    assert turn.undoability is Undoability.PARTLY
    assert turn.undo_reason == "1 of 8 files cannot be undone: may hold a secret"

    plan = scene.changes_nothing(turn)

    assert {path.path for path in plan.entries[0].paths if path.reason} == {".env"}
    assert scene.path(".env").read_bytes() == b"KEY=two\n"


def test_c25_later_work_on_one_of_the_files_stays(scene: Scene) -> None:
    project(scene)
    turn = scene.runs(COMMAND)
    scene.puts("2.txt", b"ONE\nbar\nthree\n")
    scene.undo(turn)
    assert scene.path("2.txt").read_bytes() == b"ONE\nfoo\nthree\n"
    assert scene.path("settings").read_bytes() == b"A=1\n"


def test_c26_the_file_comes_back_and_what_the_push_did_stays_and_is_said(scene: Scene) -> None:
    """That a push needs its own tick, and why it cannot go back, is for the rules about commands to tell."""
    remote = scene.around / "remote.git"
    git = "git -c user.name=x -c user.email=x@example.org -c init.defaultBranch=main"
    sh(scene.around, f"{git} init -q --bare remote.git")()
    sh(scene.folder, f"{git} init -q && {git} remote add origin ../remote.git")()
    sh(scene.folder, f"{git} commit -q --allow-empty -m one && {git} push -q origin HEAD:main")()
    scene.person("tmp.log", b"log\n")
    sh(scene.folder, f"{git} commit -q --allow-empty --amend -m two")()
    turn = scene.runs(f"{git} push -q --force origin HEAD:main && rm tmp.log")
    assert turn.paths == ("tmp.log",)
    pushed = sights(remote)

    plan = scene.plan(turn)
    (told,) = [warning.text for warning in plan.warnings if warning.code == "command"]
    assert told.endswith("tmp.log goes back, whatever else it did stays")
    scene.carry_out(plan)

    assert scene.path("tmp.log").read_bytes() == b"log\n"
    assert sights(remote) == pushed
    assert scene.state(turn) is EntryState.UNDONE


def contents(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {
        str(path.relative_to(folder)): (path.stat().st_mode, path.read_bytes())
        for path in folder.rglob("*")
        if path.is_file()
    }
