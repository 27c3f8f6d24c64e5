"""A repository that wants to run something: commands are recorded and undone in it, and nothing of it ever runs."""

from pathlib import Path

import pytest

from sulcus_panel.core.model import Undoability
from tests.support.commands import agent_runs, git_look, sh, tree_of
from tests.support.scene import Scene

_MODULES = (
    "sqlite3 json os sys posix marshal struct _struct hashlib _sha2 _sha256 pygit2 time typing sulcus_panel scan"
    " keeping sitecustomize usercustomize encodings codecs re io"
)
_HOOKS = "pre-commit post-checkout post-index-change fsmonitor-watchman post-merge reference-transaction"
MODULES, HOOKS = _MODULES.split(), _HOOKS.split()


@pytest.fixture
def canary(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that whatever of the repository runs would make."""
    canary = scene.around / "canary"
    scene.person("a.txt", b"one\ntwo\n")
    scene.person("b.bin", b"\x00\x01")
    scene.person(".gitignore", b"ignored\n")
    sh(scene.folder, "git init -q -b main && git add -A && git commit -qm one")
    scene.person(".gitattributes", b"* filter=evil diff=evil merge=evil\n")
    trap = f"touch '{canary}'"
    for name in HOOKS:
        scene.person(f".git/hooks/{name}", f"#!/bin/sh\n{trap}\n".encode(), 0o755)
    scene.person("trap.sh", f"#!/bin/sh\n{trap}\ncat\n".encode(), 0o755)
    run = f"{scene.folder}/trap.sh"
    planted = f"""
[core]
\tfsmonitor = {run}
\tpager = {run}
\teditor = {run}
\tsshCommand = {run}
\talternateRefsCommand = {run}
[filter "evil"]
\tclean = {run}
\tsmudge = {run}
\tprocess = {run}
[diff]
\texternal = {run}
[diff "evil"]
\ttextconv = {run}
\tcommand = {run}
[include]
\tpath = {scene.folder}/more
[credential]
\thelper = !{run}
"""
    config = scene.path(".git/config")
    config.write_text(config.read_text() + planted)
    for name in MODULES:
        scene.person(f"{name}.py", f"open({str(canary)!r}, 'w')\n".encode())
    monkeypatch.chdir(scene.folder)
    monkeypatch.setenv("PYTHONPATH", str(scene.folder))
    monkeypatch.setenv("PYTHONSTARTUP", str(scene.path("os.py")))
    return canary


def test_nothing_of_a_hostile_repository_runs(scene: Scene, canary: Path) -> None:
    scene.person("ignored", b"mine\n")
    before, git = tree_of(scene.folder), git_look(scene.folder)
    scene.agent.event("SessionStart", source="startup")
    entry = agent_runs(scene, "sed -i s/two/2/ a.txt; printf x >> b.bin; echo more >> ignored; rm trap.sh")
    assert set(entry.paths) == {"a.txt", "b.bin", "ignored", "trap.sh"}
    assert entry.undoability is Undoability.FULLY
    plan = scene.plan(entry)
    scene.carry_out(plan, {consent.key for consent in plan.consents})
    assert tree_of(scene.folder) == before
    assert git_look(scene.folder) == git
    assert not canary.exists()


def test_the_trap_works(scene: Scene, canary: Path) -> None:
    """The test above proves something only if what is planted would run."""
    sh(scene.folder, "git status")
    assert canary.exists()
