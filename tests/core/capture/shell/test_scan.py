"""The walk over a real tree: what is listed, what is different, and that many processes see what one does."""

import os
from pathlib import Path

import pytest

from sulcus_panel.core.capture.shell import scan
from sulcus_panel.core.capture.shell.scan import TooMuch, Walk, differences, items_of, near
from tests.support.children import in_a_child


def planted(root: Path, folders: int = 4, files: int = 3) -> Path:
    for folder in range(folders):
        (root / f"d{folder}/deep").mkdir(parents=True)
        for number in range(files):
            (root / f"d{folder}/f{number}").write_bytes(b"x" * number)
    (root / ".git").mkdir()
    (root / ".git/HEAD").write_bytes(b"ref: refs/heads/main\n")
    (root / "link").symlink_to("d0")
    os.mkfifo(root / "pipe")
    return root


def walked(root: Path, base: scan.Listings | None = None) -> Walk:
    walk = Walk(str(root), base or {})
    walk.whole()
    return walk


def test_everything_is_listed_but_what_git_keeps_and_links_are_not_followed(tmp_path: Path) -> None:
    walk = walked(planted(tmp_path))
    assert set(walk.changed) == {"", *(f"d{n}" for n in range(4)), *(f"d{n}/deep" for n in range(4))}
    top = items_of(walk.changed[""])
    assert set(top) == {"d0", "d1", "d2", "d3", "link", "pipe"}
    assert top["link"][6] == "d0"
    assert walk.repos == [""]
    assert sorted(path for _, path, _ in walk.loose)[:3] == ["d0/f0", "d0/f1", "d0/f2"]


def test_only_what_is_different_comes_back(tmp_path: Path) -> None:
    base = walked(planted(tmp_path)).changed
    assert walked(tmp_path, base).changed == {}
    (tmp_path / "d0/f1").write_bytes(b"other")
    (tmp_path / "d1/f0").rename(tmp_path / "d2/moved")
    (tmp_path / "d3/f0").chmod(0o600)
    os.utime(tmp_path / "d3")
    (tmp_path / "d0/deep").rmdir()
    (tmp_path / "d0/deep").write_bytes(b"a file now")
    walk = walked(tmp_path, base)
    found, gone, unseen = differences(base, walk.changed)
    assert set(found) == {"d0/f1", "d1/f0", "d2/moved", "d3/f0", "d0/deep"}
    assert (found["d1/f0"][1], found["d2/moved"][0]) == (None, None)
    assert (gone, unseen) == (["d0/deep"], [])


def test_all_below_a_folder_that_went_is_told(tmp_path: Path) -> None:
    base = walked(planted(tmp_path)).changed
    (tmp_path / "d0").rename(tmp_path / "new")
    found, gone, _ = differences(base, walked(tmp_path, base).changed)
    names = {"", "/deep", "/f0", "/f1", "/f2"}
    assert set(found) == {f"d0{name}" for name in names} | {f"new{name}" for name in names}
    assert set(gone) == {"d0", "d0/deep"}


def test_many_processes_see_what_one_sees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planted(tmp_path, folders=300, files=6)
    alone = walked(tmp_path)
    monkeypatch.setattr(scan, "ALONE_UP_TO", 50)
    monkeypatch.setattr(scan, "_processors", lambda: 3)
    shared = walked(tmp_path)
    assert shared.changed == alone.changed
    assert sorted(shared.loose) == sorted(alone.loose)
    assert (shared.items, shared.repos) == (alone.items, alone.repos)


def test_a_tree_that_is_too_large_or_too_slow_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planted(tmp_path)
    monkeypatch.setattr(scan, "MAX_ITEMS", 10)
    with pytest.raises(TooMuch):
        walked(tmp_path)
    monkeypatch.setattr(scan, "MAX_ITEMS", 10_000)
    monkeypatch.setattr(scan, "MAX_SECONDS", -1.0)
    with pytest.raises(TooMuch):
        walked(tmp_path)


def test_our_own_data_is_not_looked_at(tmp_path: Path) -> None:
    planted(tmp_path)
    walk = Walk(str(tmp_path), {}, str(tmp_path / "d0"))
    walk.whole()
    assert "d0" not in walk.changed
    assert "d0" in items_of(walk.changed[""])


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may list everything")
def test_a_folder_that_cannot_be_listed_loses_nothing(tmp_path: Path) -> None:
    base = walked(planted(tmp_path)).changed
    (tmp_path / "d0").chmod(0)
    walk = walked(tmp_path, base)
    (tmp_path / "d0").chmod(0o755)
    found, gone, unseen = differences(base, walk.changed)
    assert (set(found), gone, unseen) == ({"d0"}, [], ["d0"])


def test_from_inside_a_tree_the_same_is_seen_and_without_a_whole_name_nobody_goes_there(
    tmp_path: Path,
) -> None:
    root = planted(tmp_path / "tree")
    listed = walked(root).changed

    def seen_from_inside() -> None:
        here = os.getcwd()
        for whole, home in ((str(root), "home"), ("tree", "/home"), (str(tmp_path / "none"), "/home")):
            assert (near(whole, home), os.getcwd()) == (whole, here)
        assert (near(str(root), "/home"), os.getcwd()) == (".", str(root.resolve()))
        walk = Walk(".", {})
        walk.whole()
        assert walk.changed == listed

    assert in_a_child(seen_from_inside) == 0
