"""References of git that a real command moved: taken back, brought back, and left alone where they moved on."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from sulcus_panel.core.errors import StalePlan
from sulcus_panel.core.model import Entry, EntryState, Undoability
from sulcus_panel.core.undo.model import Outcome
from tests.support.commands import agent_runs, git_look, sh, tree_of
from tests.support.hooks import Run
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


def refused(scene: Scene, entry: Entry, word: str, outcome: Outcome = Outcome.CONFLICT) -> None:
    """What the plan says of an entry that cannot go back, and that nothing moves."""
    before = says(scene.folder)
    plan = scene.plan(entry)
    assert (plan.outcome, plan.can_apply, plan.consents) == (outcome, False, ())
    (effect,) = plan.effects
    assert word in effect.reason, effect
    result = scene.operations.apply(plan)
    assert result.outcome is outcome
    assert says(scene.folder) == before


MOVED_ON = {
    "branch": ("git branch topic", "git branch -f topic HEAD~1", "has moved since"),
    "branch gone": ("git tag v2", "git tag -d v2 && git tag v2 HEAD~1", "has moved since"),
    "deleted one made again": ("git branch -D ahead", "git branch ahead HEAD~1", "another branch ahead"),
    "checked out now": ("git branch topic", "git checkout -q topic", "is checked out"),
    "checked out elsewhere": ("git branch topic", "git worktree add -q ../w topic", "checked out in w"),
    "the old branch moved": (
        "git switch -q -c topic",
        "git update-ref refs/heads/main HEAD~1",
        "has moved on",
    ),
    "a commit on top": ("git commit -q -m x", "git commit -q --allow-empty -m y", "has moved since"),
    "pushed": (
        "git commit -q -m x",
        "git init -q --bare ../far && git push -q ../far main && git remote add far ../far && git fetch -q far",
        "was pushed",
    ),
}


@pytest.mark.parametrize("name", MOVED_ON)
def test_what_has_moved_on_since_is_a_conflict_in_words(scene: Scene, repo: Path, name: str) -> None:
    command, since, word = MOVED_ON[name]
    entry = agent_runs(scene, command)
    assert sh(repo, since) == 0
    refused(scene, entry, word)


def test_what_is_back_already_is_only_marked(scene: Scene, repo: Path) -> None:
    entry = agent_runs(scene, "git branch topic")
    sh(repo, "git branch -D topic")
    plan = scene.plan(entry)
    assert (plan.outcome, plan.consents) == (Outcome.ALREADY_UNDONE, ())
    scene.operations.apply(plan)
    assert scene.state(entry) is EntryState.UNDONE


def test_a_commit_that_is_no_longer_kept_does_not_come_back(scene: Scene, repo: Path) -> None:
    entry = agent_runs(scene, "git branch -D ahead")
    sh(repo, "git reflog expire --expire=now --all && git gc -q --prune=now")
    refused(scene, entry, "no longer in the repository", Outcome.UNAVAILABLE)


def test_head_that_went_elsewhere_stays_there(scene: Scene, repo: Path) -> None:
    before = says(repo)
    entry = agent_runs(scene, "git checkout -q -b topic")
    sh(repo, "git stash -q && git checkout -q old")
    taken_back(scene, entry)
    assert says(repo).replace("refs/heads/old\n", "", 1) != before
    assert "refs/heads/topic" not in says(repo)
    assert subprocess.check_output(["git", "symbolic-ref", "HEAD"], cwd=repo) == b"refs/heads/old\n"


NOT_TOLD = {
    "two at once": ("git branch topic && git tag v9", "more than one plain command"),
    "another branch than the words say": ('git branch "$(echo topic)"', "more than one plain command"),
    "a fetch": ("git fetch -q . main:refs/remotes/x/main", "stays"),
}


@pytest.mark.usefixtures("repo")
@pytest.mark.parametrize("name", NOT_TOLD)
def test_what_is_not_one_plain_known_command_is_left_and_says_why(scene: Scene, name: str) -> None:
    command, word = NOT_TOLD[name]
    entry = agent_runs(scene, command)
    assert entry.undoability is Undoability.NOT
    assert word in entry.undo_reason
    refused(scene, entry, word, Outcome.UNAVAILABLE)


def test_what_moved_while_a_command_failed_is_somebody_elses(scene: Scene, repo: Path) -> None:
    theirs = "git -c core.hooksPath=/dev/null commit -q --allow-empty -m theirs"
    entry = agent_runs(scene, f"{theirs}; git commit -q -m x; false")
    refused(scene, entry, "the command failed", Outcome.UNAVAILABLE)
    assert says(repo)


def test_of_a_command_that_was_stopped_nobody_knows_what_it_moved(scene: Scene, repo: Path) -> None:
    run, call, given = scene.agent, scene.agent.next_id(), {"command": "git branch topic"}
    run.tool("PreToolUse", "Bash", given, tool_use_id=call)
    sh(repo, "git branch topic")
    run.tool("PostToolUseFailure", "Bash", given, tool_use_id=call, error="interrupted", is_interrupt=True)
    entry = scene.newest()
    assert (entry.record.exit_code, entry.undoability) == (None, Undoability.NOT)
    assert entry.record.ran is not None
    assert any("somebody else's" in why for why in entry.record.ran.unseen)


def test_without_a_yes_of_its_own_nothing_moves(scene: Scene, repo: Path) -> None:
    entry = agent_runs(scene, "git branch topic")
    before = says(repo)
    result = scene.operations.apply(scene.plan(entry))
    assert result.outcome is Outcome.HELD
    assert [one.outcome for one in result.results] == [Outcome.HELD]
    assert says(repo) == before


def test_several_go_back_newest_first_on_one_picture(scene: Scene, repo: Path) -> None:
    before = says(repo)
    commands = ("git commit -q -m x", "git commit -q --allow-empty -m y", "git branch -m trunk", "git tag v3")
    entries = [agent_runs(scene, command) for command in commands]
    after = says(repo)
    plan = scene.plan(*entries)
    assert len(plan.consents) == 4
    keys = {consent.key for consent in plan.consents}
    assert len(keys) == 4
    assert scene.operations.apply(plan, keys).outcome is Outcome.UNDONE
    assert says(repo) == before
    again = scene.operations.plan_redo([entry.seq_id for entry in entries])
    assert (
        scene.operations.apply(again, {consent.key for consent in again.consents}).outcome is Outcome.UNDONE
    )
    assert says(repo) == after


def test_a_batch_with_files_leaves_references_where_they_are_and_says_so(scene: Scene, repo: Path) -> None:
    edit = scene.puts("a.txt", b"three\n")
    entry = agent_runs(scene, "git branch topic")
    moved = says(repo)
    plan = scene.plan(edit, entry)
    assert (plan.outcome, plan.consents) == (Outcome.UNDONE, ())
    assert any("take it back on its own" in warning.text for warning in plan.warnings)
    scene.operations.apply(plan)
    assert (scene.path("a.txt").read_bytes(), says(repo)) == (b"two\n", moved)
    assert scene.state(entry) is EntryState.RECORDED


def test_a_plan_that_is_stale_moves_nothing(scene: Scene, repo: Path) -> None:
    entry = agent_runs(scene, "git branch topic")
    plan = scene.plan(entry)
    sh(repo, "git branch -f topic HEAD~1")
    before = says(repo)
    with pytest.raises(StalePlan):
        scene.operations.apply(plan, {consent.key for consent in plan.consents})
    assert says(repo) == before


def test_a_linked_working_tree_moves_its_own_head_and_the_shared_references(scene: Scene, repo: Path) -> None:
    sh(repo, "git worktree add -q linked old")
    linked = Scene(
        scene.path("linked"), scene.home, scene.operations, Run(scene.path("linked"), scene.home.spool), repo
    )
    before, own = says(repo), says(linked.folder)
    entry = agent_runs(linked, "git switch -q -c topic")
    taken_back(linked, entry)
    assert (says(repo), says(linked.folder)) == (before, own)


ADDS = {
    "a new file": "git add loose.txt",
    "a file in a folder": "git add -- src",
    "what was staged before": "git add staged.txt",
    "a changed and a deleted file": "git add a.txt gone.txt",
    "all": "git add -A",
    "what git has": "git add -u",
}


def staged(repo: Path) -> bytes:
    """The index and what `git status` says of it."""
    shown = subprocess.check_output(["git", "ls-files", "-s"], cwd=repo)
    return shown + subprocess.check_output(["git", "status", "--porcelain", "-uall"], cwd=repo)


@pytest.fixture
def changed(scene: Scene, repo: Path) -> Path:
    """Something staged and changed again, something new, something deleted."""
    scene.person("gone.txt", b"gone\n")
    sh(repo, "git add gone.txt && git commit -qm gone gone.txt && rm gone.txt")
    scene.person("staged.txt", b"staged, and changed again\n")
    scene.person("a.txt", b"changed\n", 0o755)
    scene.person("src/deep/b.txt", b"b\n")
    return repo


@pytest.mark.parametrize("name", ADDS)
def test_what_was_staged_is_as_it_was_before_and_comes_again(scene: Scene, changed: Path, name: str) -> None:
    before, tree, refs = staged(changed), tree_of(changed), says(changed)
    entry = agent_runs(scene, ADDS[name])
    after = staged(changed)
    assert after != before
    assert (entry.undoability, entry.undo_reason) == (Undoability.FULLY, "")
    kept = {path: data for path, data in git_look(changed).items() if path != ".git/index"}

    undo = taken_back(scene, entry)
    assert (staged(changed), tree_of(changed), says(changed)) == (before, tree, refs)
    assert {path: data for path, data in git_look(changed).items() if path != ".git/index"} == kept
    taken_back(scene, undo)
    assert (staged(changed), tree_of(changed), says(changed)) == (after, tree, refs)
    assert sh(changed, "git fsck --strict") == 0


STAGED_SINCE = {
    "changed again": ("echo more >> loose.txt && git add loose.txt", "has changed since"),
    "committed": ("git commit -qm x", "HEAD stands on another commit"),
}


@pytest.mark.parametrize("name", STAGED_SINCE)
def test_what_was_staged_and_moved_on_is_a_conflict(scene: Scene, changed: Path, name: str) -> None:
    since, word = STAGED_SINCE[name]
    entry = agent_runs(scene, "git add loose.txt")
    assert sh(changed, since) == 0
    refused(scene, entry, word)


def test_an_index_with_conflicts_is_not_touched(scene: Scene, repo: Path) -> None:
    entry = agent_runs(scene, "git add loose.txt")
    sh(repo, "git update-index --index-info <<EOF\n100644 $(git rev-parse :a.txt) 1\tx\nEOF")
    sh(repo, "printf '100644 %s 2\\tx\\n' $(git rev-parse :a.txt) | git update-index --index-info")
    refused(scene, entry, "cannot be read", Outcome.UNAVAILABLE)


def test_a_commit_and_what_was_staged_for_it_go_back_together(scene: Scene, repo: Path) -> None:
    before, refs = staged(repo), says(repo)
    added = agent_runs(scene, "git add loose.txt")
    made = agent_runs(scene, "git commit -qm both")
    plan = scene.plan(added, made)
    result = scene.operations.apply(plan, {consent.key for consent in plan.consents})
    assert result.outcome is Outcome.UNDONE
    assert (staged(repo), says(repo)) == (before, refs)
