"""Real commands between real hooks: every file that they changed is in their entry, and goes back."""

import pytest

from sulcus_panel.core.model import Undoability
from tests.support.commands import agent_runs, sh, tree_of
from tests.support.scene import Scene

BUILD = "#!/bin/sh\nmkdir -p dist/js\nfor n in 1 2 3; do echo $n > dist/js/$n.js; done\nrm dist/old.js\n"
GITS = "echo x >> 1.txt; echo y >> src/app.py; git stash -q; git stash pop -q"
ODD = "echo 1 > 'a b'; echo 2 > \"$(printf 'n\\nl')\"; echo 3 > -- ; echo é > é"
LINKS = "ln -s src/app.py here; ln -sfn 2.txt link; ln -s nowhere src/dangling"
COMMANDS = {
    "sed in place": ("sed -i s/foo/bar/ 1.txt", {"1.txt"}),
    "a build script": ("sh build.sh", {"dist/js", "dist/js/1.js", "dist/js/2.js", "dist/js/3.js", "dist/old.js"}),
    "rm -r": ("rm -r src", {"src", "src/app.py", "src/deep", "src/deep/er", "src/deep/er/x.py"}),
    "rm of an ignored folder": ("rm -r dist notes", {"dist", "dist/old.js", "notes"}),
    "mv": ("mv src/app.py src/main.py", {"src/app.py", "src/main.py"}),
    "mv of a folder": (
        "mv src/deep deep",
        {"src/deep", "src/deep/er", "src/deep/er/x.py", "deep", "deep/er", "deep/er/x.py"},
    ),
    "rename over": ("cp 1.txt new; mv new 2.txt; mv notes 3.txt", {"2.txt", "3.txt", "notes"}),
    "chmod": ("chmod 600 1.txt; chmod +x notes; chmod 700 src", {"1.txt", "notes", "src"}),
    "links": (LINKS, {"here", "link", "src/dangling"}),
    "a link for a file": ("rm 1.txt; ln -s 2.txt 1.txt", {"1.txt"}),
    "an untracked file edited": ("echo more >> notes", {"notes"}),
    "git checkout": ("git checkout -q other", {"1.txt", "only-there", "src/app.py"}),
    "git stash": (GITS, {"1.txt", "src/app.py"}),
    "a touch": ("touch 2.txt; echo z > 3.txt", {"3.txt"}),
    "odd names": (ODD, {"a b", "n\nl", "--", "é"}),
    "empty ones": ("mkdir -p void/inner; : > empty; : > notes", {"void", "void/inner", "empty", "notes"}),
    "a subshell that fails": ("echo half > half; false", {"half"}),
    "a binary": ("head -c 3000 /dev/urandom > blob; printf 'a\\0b' > notes", {"blob", "notes"}),
}  # fmt: skip


def project(scene: Scene) -> None:
    for number in (1, 2, 3):
        scene.person(f"{number}.txt", b"one\nfoo\nthree\n" * number)
    scene.person("src/app.py", b"value = 1\n")
    scene.person("src/deep/er/x.py", b"x = 1\n", 0o755)
    scene.person(".gitignore", b"dist/\n.env\nnotes\n")
    scene.person("build.sh", BUILD.encode())
    git = "git init -q -b main && git add -A && git commit -qm one && git checkout -qb other"
    sh(
        scene.folder,
        f"{git} && echo other > 1.txt && echo v > src/app.py && echo t > only-there && git add -A",
    )
    sh(scene.folder, "git commit -qm two && git checkout -q main")
    scene.person("dist/old.js", b"old()\n", 0o640)
    scene.person("notes", b"mine\n")
    scene.path("link").symlink_to("1.txt")


@pytest.mark.parametrize("name", COMMANDS)
def test_all_that_a_command_did_to_files_is_its_entry_and_goes_back(scene: Scene, name: str) -> None:
    command, paths = COMMANDS[name]
    project(scene)
    before = tree_of(scene.folder)

    entry = agent_runs(scene, command)

    assert set(entry.paths) == paths
    assert (entry.undoability, entry.undo_reason) == (Undoability.FULLY, "")
    after = tree_of(scene.folder)
    assert {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)} == paths
    plan = scene.plan(entry)
    scene.carry_out(plan, {consent.key for consent in plan.consents})
    assert tree_of(scene.folder) == before


def test_a_second_name_of_a_file_goes_and_the_file_stays(scene: Scene) -> None:
    project(scene)
    before = tree_of(scene.folder)
    entry = agent_runs(scene, "ln 1.txt twin")
    assert entry.paths == ("twin",)
    scene.operations.apply(scene.plan(entry))
    assert tree_of(scene.folder) == before
