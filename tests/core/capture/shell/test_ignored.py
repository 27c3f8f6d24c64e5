"""What is ignored is what git itself says of the same files."""

import subprocess
import time
from pathlib import Path

import pytest

from sulcus_panel.core.capture.shell.ignored import Ignored
from tests.support.commands import GIT, sh

RULES = {
    ".gitignore": "# no pattern\n\n*.log\n!keep.log\n/top\nbuild/\ndoc/*.txt\na/**/z\n**/deep/x\nend/**\n"
    "sp ace\ntrail   \nback\\ \n\\#hash\n\\!bang\n[ab]?c\n[!x]y\n[^q]w\n\\*star\n*/mid\n!/\n/\nlong\\\n",
    "sub/.gitignore": "!*.log\nown\n/anchored\n!build/\n",
    "out/.gitignore": "*\n!kept\n",
}
FILES = (
    *("x.log", "keep.log", "sub/x.log", "sub/deeper/y.log", "top", "sub/top", "build/a", "sub/build/a"),
    *("doc/a.txt", "doc/b/a.txt", "a/z", "a/b/z", "a/b/c/z", "z", "deep/x", "1/2/deep/x", "end/a/b", "end2"),
    *("sp ace", "trail", "trail   ", "back ", "#hash", "!bang", "abc", "bbc", "cbc", "ay", "xy", "aw", "qw"),
    *("*star", "xstar", "m/mid", "m/n/mid", "mid", "sub/own", "own", "sub/q/own", "sub/anchored"),
    *("sub/q/anchored", "out/kept", "out/lost", "out/in/kept", "excluded", "sub/excluded", "é.log", "long"),
)


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    folder.mkdir()
    sh(folder, "git init -q")
    for name, text in RULES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    (folder / ".git/info/exclude").write_text("excluded\n*.log\n")
    for name in FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")
    return folder


def test_a_file_is_ignored_where_git_says_so(repo: Path) -> None:
    names = "\0".join(FILES).encode()
    asked = subprocess.run(
        ["git", "check-ignore", "-z", "--stdin"],
        cwd=repo,
        input=names,
        capture_output=True,
        env=GIT,
        check=False,
    )
    by_git = set(asked.stdout.decode().split("\0")[:-1])
    ignored = Ignored(str(repo), str(repo / ".git"))
    assert {name for name in FILES if ignored.ignores(name)} == by_git
    assert len(by_git) > 20


def test_what_cannot_be_read_ignores_nothing(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").mkdir()
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/.gitignore").write_bytes(b"\xff\n\0\n")
    assert not Ignored(str(tmp_path), str(tmp_path / ".git")).ignores("sub/a")


def test_a_pattern_that_is_made_to_take_long_does_not(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text(("a*" * 100 + "b\n" + "**/a/" * 100 + "x\n") * 99)
    began = time.monotonic()
    assert not Ignored(str(tmp_path), "").ignores("a" * 250)
    assert not Ignored(str(tmp_path), "").ignores("a/" * 90 + "a")
    assert not Ignored(str(tmp_path), "").ignores("a/" * 1000 + "a")
    assert time.monotonic() - began < 10
