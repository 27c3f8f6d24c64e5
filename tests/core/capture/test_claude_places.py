from datetime import UTC, datetime
from pathlib import Path

import pytest

from sulcus_panel.core.capture.claude_places import (
    comparable,
    config_of,
    find_transcripts,
    path_map,
    project_key,
    with_subagents,
)
from sulcus_panel.core.capture.import_ledger import SessionFacts
from tests.support.claude_transcripts import Transcript

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


def test_a_project_folder_is_named_by_its_letters() -> None:
    assert project_key("/home/dev/my_shop.io") == "-home-dev-my-shop-io"
    assert project_key("/ü/😀") == "-----"


def test_transcripts_are_found_by_folder_and_believed_by_their_cwd(tmp_path: Path) -> None:
    projects = tmp_path / "projects"
    own = Transcript(projects / "-home-dev-shop/s-1.jsonl")
    own.prompt("hello")
    below = Transcript(projects / "-home-dev-shop-api/s-2.jsonl", session="s-2", cwd="/home/dev/shop/api")
    below.prompt("hello")
    Transcript(projects / "-home-dev-shop-api/s-3.jsonl", session="s-3", cwd="/home/dev/shop-api").prompt(
        "no"
    )
    agent = Transcript(
        projects / "-home-dev-shop/s-1/subagents/agent-x.jsonl", agent="x", cwd="/tmp/worktree"
    )
    agent.prompt("look")
    found = find_transcripts(tmp_path, "/home/dev/shop")
    assert sorted(found) == sorted([own.path, agent.path, below.path])
    assert find_transcripts(tmp_path, "/home/dev/nothing") == ()
    assert find_transcripts(tmp_path / "none", "/home/dev/shop") == ()


def test_long_and_renamed_project_folders_are_found(tmp_path: Path) -> None:
    root = "/home/" + "long-name/" * 30 + "shop"
    cut = Transcript(tmp_path / "projects" / (project_key(root)[:200] + "-x1y2z3") / "s-1.jsonl", cwd=root)
    cut.prompt("hello")
    renamed = Transcript(tmp_path / "projects/chosen-name/s-2.jsonl", session="s-2", cwd="/srv/renamed")
    renamed.prompt("hello")
    assert find_transcripts(tmp_path, root) == (cut.path,)
    assert find_transcripts(tmp_path, "/srv/renamed") == (renamed.path,)


def test_a_folder_stands_for_its_transcripts_and_a_session_for_its_subagents(tmp_path: Path) -> None:
    main = Transcript(tmp_path / "projects/p/s-1.jsonl")
    main.prompt("hello")
    agent = Transcript(tmp_path / "projects/p/s-1/subagents/agent-x.jsonl", agent="x")
    agent.prompt("look")
    assert with_subagents([main.path]) == (main.path, agent.path)
    assert set(with_subagents([tmp_path])) == {main.path, agent.path}
    assert config_of([main.path]) == tmp_path
    assert config_of([tmp_path / "loose.jsonl"]) is None
