"""What lies out of bounds for an undo: by name, by place, by whose workspace it is, by what stands at the root."""

import pytest

from sulcus_panel.core.model import LedgerPath, Workspace
from sulcus_panel.core.undo.bounds import out_of_bounds
from tests.support.bench import Bench

A = LedgerPath("a.txt")


def why(bench: Bench, path: str, workspace: Workspace | None = None) -> str:
    name = LedgerPath(path)
    return out_of_bounds(bench.ledger, workspace or bench.workspace, [name, A]).get(name, "")


def test_an_ordinary_path_is_not(bench: Bench) -> None:
    assert why(bench, "src/app.py") == ""


def test_git_s_own_and_what_climbs_out_are(bench: Bench) -> None:
    assert why(bench, ".git/config").startswith("protected: ")
    assert why(bench, "../x").startswith("outside the workspace: ")
    assert why(bench, "/etc/passwd").startswith("outside the workspace: ")


def test_f037_in_the_home_folder_a_shell_s_start_up_file_is(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert why(bench, ".bashrc") == ""
    monkeypatch.setenv("HOME", str(bench.root))
    monkeypatch.setenv("USERPROFILE", str(bench.root))
    assert why(bench, ".bashrc").startswith("protected: .bashrc")


def test_the_ledger_s_own_folder_is(bench: Bench) -> None:
    above = bench.ledger.add_workspace(str(bench.root.parent))
    assert why(bench, "data/ledger.db", above).startswith("protected: ")


def test_f043_a_path_of_a_workspace_inside_this_one_is(bench: Bench) -> None:
    bench.ledger.add_workspace(str(bench.root / "sub" / "inner"))
    bench.ledger.add_workspace(str(bench.root.parent / "project2"))
    assert "belongs to the workspace inner" in why(bench, "sub/inner/a.txt")
    assert "belongs to the workspace inner" in why(bench, "sub/inner")
    assert why(bench, "sub/inner2/a.txt") == why(bench, "sub/a.txt") == ""


def test_f041_everything_is_where_another_folder_stands_at_the_root(bench: Bench) -> None:
    bench.root.rename(bench.root.parent / "moved")
    bench.root.mkdir()
    assert why(bench, "a.txt").startswith("root changed: ")
    accepted = bench.ledger.add_workspace(str(bench.root), anew=True)
    assert why(bench, "a.txt", accepted) == ""


def test_without_a_root_only_the_name_counts(bench: Bench) -> None:
    nowhere = bench.ledger.add_workspace(None, "over the wire")
    assert why(bench, "a.txt", nowhere) == ""
    assert why(bench, ".git/x", nowhere).startswith("protected: ")
