from pathlib import Path

from sulcus_panel.core.capture.harnesses.claude.places import (
    config_of,
    find_transcripts,
    project_key,
    with_subagents,
)
from tests.support.claude_transcripts import Transcript


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


def test_what_is_not_wanted_is_not_opened_and_nothing_is_looked_for_elsewhere_for_it(tmp_path: Path) -> None:
    own = Transcript(tmp_path / "projects/-home-dev-shop/s-1.jsonl")
    own.prompt("hello")
    other = tmp_path / "projects/other/s-2.jsonl"
    other.parent.mkdir()
    other.write_text("{}\n", encoding="utf-8")
    asked: list[Path] = []

    def wanted(path: Path) -> bool:
        asked.append(path)
        return False

    assert find_transcripts(tmp_path, "/home/dev/shop", wanted) == ()
    assert asked == [own.path]


def test_a_folder_stands_for_its_transcripts_and_a_session_for_its_subagents(tmp_path: Path) -> None:
    main = Transcript(tmp_path / "projects/p/s-1.jsonl")
    main.prompt("hello")
    agent = Transcript(tmp_path / "projects/p/s-1/subagents/agent-x.jsonl", agent="x")
    agent.prompt("look")
    assert with_subagents([main.path]) == (main.path, agent.path)
    assert set(with_subagents([tmp_path])) == {main.path, agent.path}
    assert config_of([main.path]) == tmp_path
    assert config_of([tmp_path / "loose.jsonl"]) is None
