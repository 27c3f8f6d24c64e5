"""A file outside the workspace is named where a command plainly writes to it, and nowhere else."""

from pathlib import Path

import pytest

from sulcus_panel.core.capture.shell.beyond import named_beyond
from sulcus_panel.core.model import Namespace, Workspace

AWAY = "outside the workspace, so not kept"


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "project").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "project")
    return Workspace(1, Namespace("project"), str(tmp_path / "project"))


@pytest.mark.parametrize(
    ("command", "named"),
    [
        ("sed -i s/a/b/ ~/.bashrc", ["~/.bashrc"]),
        ("make > /srv/log/x", ["/srv/log/x"]),
        ("cp a ~/bin/a && rm -f /srv/old", ["~/bin/a", "/srv/old"]),
        ("mv /srv/a b", ["/srv/a"]),
        ("cp /srv/a b", []),
        ("cat /etc/passwd > x", []),
        ("make > /dev/null 2> /dev/stderr", []),
        ("echo x > ~/project/a; echo x > ~/link/b", []),
        ("rm -rf ~/project", []),
        ("echo x > '~/a'", []),
        ("echo x > $HOME/a", []),
        ("echo x > ~other/a", []),
        ("python tool.py --out /srv/x", []),
        ("echo x > ../a", []),
    ],
)
def test_only_what_is_plainly_written_outside_is_named(
    workspace: Workspace, command: str, named: list[str]
) -> None:
    assert named_beyond(command, workspace, "") == tuple(f"{path} is {AWAY}" for path in named)


def test_the_tree_around_a_workspace_counts_as_looked_at(workspace: Workspace, tmp_path: Path) -> None:
    assert named_beyond("echo x > ~/beside", workspace, str(tmp_path)) == ()


def test_of_many_the_first_are_named_and_the_rest_counted(workspace: Workspace) -> None:
    command = "touch " + " ".join(f"/srv/{number}" for number in range(8))
    told = named_beyond(command, workspace, "")
    assert len(told) == 6
    assert told[-1] == f"3 more files are {AWAY}"
