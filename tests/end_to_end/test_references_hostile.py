"""A repository made to run things or to lead out: taking a reference back runs nothing and writes nowhere else."""

from pathlib import Path

import pytest

from sulcus_panel.core.model import Entry
from sulcus_panel.core.undo.model import Outcome
from tests.support.commands import agent_runs, sh
from tests.support.scene import Scene, sights

HOOKS = (
    "reference-transaction",
    "post-checkout",
    "pre-commit",
    "post-commit",
    "post-rewrite",
    "pre-auto-gc",
    "post-index-change",
    "fsmonitor-watchman",
    "update",
    "post-update",
)
COMMANDS = (
    "git branch topic",
    "git switch -q -c topic",
    "git branch -m old new",
    "git tag -d v1",
    "git commit -qm x",
)


@pytest.fixture
def trap(scene: Scene) -> Path:
    """A repository in which nearly everything that git does writes a file; the file."""
    scene.person("a.txt", b"one\n")
    sh(
        scene.folder,
        "git init -q -b main && git add -A && git commit -qm one && git branch old && git tag -am x v1",
    )
    scene.person("b.txt", b"two\n")
    sh(scene.folder, "git add b.txt")
    return scene.around / "sprung"


def armed(scene: Scene, trap: Path) -> None:
    """Plant programs wherever git would run them."""
    program = scene.path(".git/run")
    program.write_text(f"#!/bin/sh\ntouch '{trap}'\ncat\n")
    program.chmod(0o755)
    for name in HOOKS:
        hook = scene.path(f".git/hooks/{name}")
        hook.parent.mkdir(exist_ok=True)
        hook.write_bytes(program.read_bytes())
        hook.chmod(0o755)
    settings = {
        "core.fsmonitor": program,
        "core.pager": program,
        "core.editor": program,
        "core.sshCommand": program,
        "core.askPass": program,
        "diff.external": program,
        "filter.x.clean": program,
        "filter.x.smudge": program,
        "filter.x.process": program,
        "gpg.program": program,
        "credential.helper": program,
        "alias.update-ref": f"!{program}",
        "alias.branch": f"!{program}",
    }
    with scene.path(".git/config").open("a") as config:
        for name, value in settings.items():
            section, _, key = name.rpartition(".")
            group, _, rest = section.partition(".")
            config.write(f'[{group}{f" {chr(34)}{rest}{chr(34)}" if rest else ""}]\n\t{key} = "{value}"\n')
    scene.path(".git/info").mkdir(exist_ok=True)
    scene.path(".git/info/attributes").write_text("* filter=x diff=x\n")


def goes_back(scene: Scene, entry: Entry) -> None:
    plan = scene.plan(entry)
    result = scene.operations.apply(plan, {consent.key for consent in plan.consents})
    assert result.outcome is Outcome.UNDONE


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_that_is_planted_in_a_repository_runs(scene: Scene, trap: Path, command: str) -> None:
    entry = agent_runs(scene, command)
    armed(scene, trap)
    goes_back(scene, entry)
    (undo,) = [row for row in scene.rows() if row.record.reverses == entry.seq_id]
    goes_back(scene, undo)
    assert not trap.exists()
    sh(scene.folder, "git status; git commit --allow-empty -m y")
    assert trap.exists(), "the trap is one"


@pytest.mark.parametrize(
    "place", ["refs", "refs/heads", "logs", "logs/refs/heads", "logs/HEAD", "packed-refs"]
)
def test_nothing_is_written_through_a_link_in_a_git_folder(scene: Scene, trap: Path, place: str) -> None:
    entry = agent_runs(scene, "git switch -q -c topic")
    sh(scene.folder, "git pack-refs --all && git branch loose")
    outside = scene.around / "outside"
    scene.path(f".git/{place}").rename(outside)
    scene.path(f".git/{place}").symlink_to(outside)
    before = sights(scene.around)
    plan = scene.plan(entry)
    assert (plan.outcome, plan.can_apply) == (Outcome.UNAVAILABLE, False)
    scene.operations.apply(plan)
    assert sights(scene.around) == before
    assert not trap.exists()


def test_a_configuration_that_names_another_tree_moves_nothing_there(scene: Scene, trap: Path) -> None:
    entry = agent_runs(scene, "git branch topic")
    other = scene.around / "other"
    other.mkdir()
    sh(other, "git init -q -b main && git commit -q --allow-empty -m x && git branch topic")
    with scene.path(".git/config").open("a") as config:
        config.write(f"[core]\n\tworktree = {other}\n[include]\n\tpath = {other}/.git/config\n")
    before = sights(other)
    goes_back(scene, entry)
    assert sights(other) == before
    assert not trap.exists()
