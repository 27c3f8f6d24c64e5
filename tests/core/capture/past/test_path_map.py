from datetime import UTC, datetime
from pathlib import Path

import pytest

from sulcus_panel.core.capture.past.path_map import comparable, is_among, names_of, path_map
from sulcus_panel.core.capture.past.records import SessionFacts

NOW = datetime(2026, 5, 4, tzinfo=UTC)


def ran(*cwds: str) -> SessionFacts:
    return SessionFacts("s", None, "s.jsonl", NOW, NOW, cwds)


def test_a_workspace_stands_for_the_root_that_the_run_had() -> None:
    places = path_map([ran("/Users/dev/shop", "/Users/dev/shop/api")], "/elsewhere/ws", None)
    assert places.name(places.locate("/Users/dev/shop/api/a.py", "")) == "api/a.py"
    assert places.name(places.locate("a.py", "/Users/dev/shop/api")) == "api/a.py"
    assert places.name(places.locate("/Users/dev/shop2/a.py", "")) == "/Users/dev/shop2/a.py"
    assert places.name(places.locate("/Users/dev/shop/../x.py", "")) == "/Users/dev/x.py"


def test_a_run_below_the_workspace_keeps_the_workspace_as_its_root() -> None:
    places = path_map([ran("/home/dev/shop/api")], "/home/dev/shop", None)
    assert places.name(places.locate("a.py", "/home/dev/shop/api")) == "api/a.py"


def test_most_sessions_decide_and_a_start_above_them_wins() -> None:
    places = path_map([ran("/p/shop/api"), ran("/p/shop/api"), ran("/p/shop")], "/ws", None)
    assert places.name("/p/shop/readme.md") == "readme.md"


def test_a_given_root_wins() -> None:
    places = path_map([ran("/p/shop/api")], "/ws", "/p/shop")
    assert places.name("/p/shop/readme.md") == "readme.md"


def test_the_git_top_above_the_cwd_counts_where_it_still_exists(tmp_path: Path) -> None:
    (tmp_path / "repo/.git").mkdir(parents=True)
    (tmp_path / "repo/api").mkdir()
    places = path_map([ran(str(tmp_path / "repo/api"))], "/ws", None)
    assert places.name(str(tmp_path / "repo/readme.md")) == "readme.md"


@pytest.mark.parametrize(
    ("path", "same"),
    [
        ("C:\\Users\\dev\\shop\\a.py", "C:/Users/dev/shop/a.py"),
        ("c:/Users/dev/shop/./a.py", "C:/Users/dev/shop/a.py"),
        ("/private/var/folders/x", "/var/folders/x"),
        ("/private/notes", "/private/notes"),
        ("//home/a/../b", "/home/b"),
        ("/home/a\\b", "/home/a\\b"),
    ],
)
def test_spellings_of_one_path_compare_equal(path: str, same: str) -> None:
    assert comparable(path) == same


def test_windows_paths_become_relative_posix_paths() -> None:
    places = path_map([ran("C:\\Users\\dev\\shop")], "/ws", None)
    assert places.name(places.locate("c:\\Users\\dev\\shop\\src\\a.py", "")) == "src/a.py"
    assert places.name(places.locate("src\\a.py", "C:\\Users\\dev\\shop")) == "src/a.py"
    assert places.name(places.locate("D:\\x.py", "")) == "D:/x.py"


def test_a_run_is_of_a_folder_by_either_of_its_names(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "shop")
    names = names_of(str(tmp_path / "link"))
    assert len(names) == 2
    assert is_among(f"{tmp_path}/shop/api", names)
    assert is_among(f"{tmp_path}/link/", names)
    assert not is_among(f"{tmp_path}/shop2", names)
    assert not is_among("", names), "of which nothing is known"
