"""References of git that a real command moved: taken back, brought back, and left alone where they moved on."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from sulcus_panel.core.model import Entry, EntryState, Undoability
from sulcus_panel.core.undo.model import Outcome
from tests.support.commands import agent_runs, git_look, sh, tree_of
from tests.support.scene import Scene

FORMS = {
    "branch": "git branch topic",
    "branch at an older commit": "git branch topic HEAD~1",
    "checkout -b": "git checkout -q -b topic",
    "switch -c": "git switch -q -c topic",
    "branch -m": "git branch -m old new",
    "branch -m of the one that is checked out": "git branch -m trunk",
    "branch -d": "git branch -d old",
    "branch -D": "git branch -D ahead",
    "tag": "git tag v2",
    "tag -a": "git tag -a v2 -m 'two words'",
    "tag -d": "git tag -d v1",
    "tag -d of a light one": "git tag -d light",
    "commit": "git commit -q -m 'staged before'",
    "commit --amend": "git commit -q --amend -m 'other words'",
}


@pytest.fixture
def repo(scene: Scene) -> Path:
    """Two commits, two further branches, two tags; something staged, something not."""
    scene.person("a.txt", b"one\n")
    sh(
        scene.folder,
        "git init -q -b main && git add -A && git commit -qm one && git branch old && git tag light",
    )
    scene.person("a.txt", b"two\n")
    sh(scene.folder, "git commit -qam two && git tag -a v1 -m first && git checkout -qb ahead")
    sh(scene.folder, "git commit -q --allow-empty -m three && git checkout -q main")
    scene.person("staged.txt", b"staged\n")
    sh(scene.folder, "git add staged.txt")
    scene.person("loose.txt", b"loose\n")
    return scene.folder


def says(repo: Path) -> str:
    """Every reference and HEAD, as git itself says."""
    shown = subprocess.check_output(["git", "show-ref"], cwd=repo, text=True)
    return shown + subprocess.check_output(["git", "symbolic-ref", "HEAD"], cwd=repo, text=True)


def others(repo: Path) -> Mapping[str, bytes]:
    """All of git's own files but references, what is logged of them, objects, and the last commit's message."""
    moving = (
        ".git/refs",
        ".git/logs",
        ".git/packed-refs",
        ".git/HEAD",
        ".git/objects",
        ".git/COMMIT_EDITMSG",
    )
    return {path: data for path, data in git_look(repo).items() if not path.startswith(moving)}


def taken_back(scene: Scene, entry: Entry) -> Entry:
    """The entry of its undo, with a yes to each thing that is asked."""
    plan = scene.plan(entry)
    assert [consent.code for consent in plan.consents] == ["effect"], plan
    result = scene.operations.apply(plan, {consent.key for consent in plan.consents})
    assert result.outcome is Outcome.UNDONE, result
    return scene.rows()[-1]


@pytest.mark.parametrize("packed", [False, True], ids=["loose", "packed"])
@pytest.mark.parametrize("form", FORMS)
def test_what_a_command_moved_goes_back_and_comes_again(
    scene: Scene, repo: Path, form: str, packed: bool
) -> None:
    if packed:
        sh(repo, "git pack-refs --all")
    before, tree = says(repo), tree_of(repo)
    entry = agent_runs(scene, FORMS[form])
    after, index = says(repo), others(repo)
    assert after != before
    assert (entry.undoability, entry.undo_reason) == (Undoability.FULLY, "")

    undo = taken_back(scene, entry)
    assert says(repo) == before
    assert (tree_of(repo), others(repo)) == (tree, index)
    assert scene.operations.entry(entry.seq_id).state is EntryState.UNDONE
    assert undo.record.reverses == entry.seq_id
    assert sh(repo, "git fsck --strict") == 0

    taken_back(scene, undo)
    assert says(repo) == after
    assert (tree_of(repo), others(repo)) == (tree, index)
    assert scene.operations.entry(entry.seq_id).state is EntryState.RECORDED
