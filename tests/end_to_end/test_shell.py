"""Real commands between real hooks: every file that they changed is in their entry, and goes back."""

from sulcus_panel.core.model import Undoability
from tests.support.commands import agent_runs, sh, tree_of
from tests.support.scene import Scene


def project(scene: Scene) -> None:
    for number in (1, 2, 3):
        scene.person(f"{number}.txt", b"one\nfoo\nthree\n")
    scene.person("src/app.py", b"value = 1\n")
    scene.person("src/deep/er/x.py", b"x = 1\n", 0o755)
    scene.person(".gitignore", b"dist/\n.env\nnotes\n")
    sh(scene.folder, "git init -q -b main && git add -A && git commit -qm one")
    scene.person("dist/old.js", b"old()\n", 0o640)
    scene.person("notes", b"mine\n")
    scene.path("link").symlink_to("1.txt")
    scene.operations.register(scene.folder)


def test_sed_in_place_is_one_change_with_its_bytes_from_before_and_goes_back(scene: Scene) -> None:
    project(scene)
    before = tree_of(scene.folder)
    entry = agent_runs(scene, "sed -i s/foo/bar/ 1.txt")
    assert entry.paths == ("1.txt",)
    assert entry.undoability is Undoability.FULLY
    assert scene.path("1.txt").read_bytes() == b"one\nbar\nthree\n"
    scene.undo(entry)
    assert tree_of(scene.folder) == before
