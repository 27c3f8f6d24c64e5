"""Which workspace an event belongs to, and what its path is called there."""

from pathlib import Path

from sulcus_panel.core.capture.place import locate, place_folder, place_path
from sulcus_panel.core.ledger.store import Ledger


def test_a_registered_workspace_comes_before_the_git_top(ledger: Ledger, project: Path) -> None:
    inner = project / "packages" / "one"
    inner.mkdir(parents=True)
    assert place_path(ledger, str(inner / "a"), str(project)).path == "packages/one/a"
    registered = ledger.add_workspace(str(inner))
    place = place_path(ledger, str(inner / "a"), str(project))
    assert (place.workspace, place.path) == (registered, "a")


def test_the_git_top_comes_before_the_cwd_and_is_registered(ledger: Ledger, project: Path) -> None:
    (project / "sub").mkdir()
    assert place_folder(ledger, str(project / "sub")).root == str(project)
    assert [one.root for one in ledger.workspaces()] == [str(project)]


def test_a_worktrees_git_file_counts(ledger: Ledger, tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / ".git").write_text("gitdir: elsewhere")
    assert place_path(ledger, "a", str(tmp_path / "tree")).workspace.root == str(tmp_path / "tree")


def test_without_git_it_is_the_cwd_and_a_path_elsewhere_is_absolute(ledger: Ledger, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    place = place_path(ledger, str(tmp_path / "far" / "a"), str(tmp_path / "plain"))
    assert (place.workspace.root, place.path) == (str(tmp_path / "plain"), str(tmp_path / "far" / "a"))


def test_a_name_that_only_begins_like_the_root_is_outside(ledger: Ledger, project: Path) -> None:
    ledger.add_workspace(str(project))
    beside = str(project) + "2/a"
    assert place_path(ledger, beside, str(project)).path == beside


def test_folders_are_resolved_and_the_last_name_is_not(ledger: Ledger, project: Path, tmp_path: Path) -> None:
    (project / "real").mkdir()
    (project / "real" / "link").symlink_to("target")
    (tmp_path / "way").symlink_to(project / "real")
    place = place_path(ledger, str(tmp_path / "way" / "link"), str(tmp_path))
    assert place.path == "real/link"
    assert place_path(ledger, str(tmp_path / "way" / "link"), "", link="target").path == "real/target"


def test_a_climbing_path_is_named_by_where_it_leads(ledger: Ledger, project: Path) -> None:
    assert place_path(ledger, "x/../../project/./a", str(project)).path == "a"
    assert locate("..", str(project)) == str(project.parent)


def test_names_that_no_file_can_have_are_spelled_out(ledger: Ledger, project: Path) -> None:
    assert place_path(ledger, "a\0b", str(project)).path == "a\\0b"
    assert place_path(ledger, "a\ud800", str(project)).path == "a\\ud800"


def test_windows_paths_stay_out_of_this_systems_folders(ledger: Ledger) -> None:
    place = place_path(ledger, "C:\\work\\app\\src\\a.txt", "C:\\work\\app")
    assert (place.workspace.root, place.workspace.namespace, place.path) == (None, "app-windows", "src/a.txt")
    assert place_path(ledger, "D:\\x", "C:\\work\\app").path == "D:/x"
