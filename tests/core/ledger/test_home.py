import os
import stat
from pathlib import Path

import pytest

from sulcus_panel.core.errors import LedgerFull, UnsafePath
from sulcus_panel.core.ledger.home import DataHome, make_private


def test_every_folder_is_private_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        home = DataHome(tmp_path / "data")
        home.ensure()
        home.ensure()
    finally:
        os.umask(before)
    for folder in (home.root, home.spool, home.spool_new, home.spool_tmp, home.spool_bad, home.lock):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_folder_open_to_others_is_closed_to_them(tmp_path: Path) -> None:
    home = DataHome(tmp_path / "data")
    home.root.mkdir(mode=0o755)
    home.ensure()
    assert stat.S_IMODE(home.root.stat().st_mode) == 0o700


def test_files_that_others_could_read_are_closed_to_them(tmp_path: Path) -> None:
    home = DataHome(tmp_path / "data")
    home.ensure()
    outside = tmp_path / "mine"
    for path in (home.log, home.lock / "undo", home.root / "window.ini", outside):
        path.write_text("x")
        path.chmod(0o644)
    (home.root / "link").symlink_to(outside)

    home.tighten()

    assert {stat.S_IMODE(path.stat().st_mode) for path in (home.log, home.lock / "undo")} == {0o600}
    assert stat.S_IMODE((home.root / "window.ini").stat().st_mode) == 0o600
    assert stat.S_IMODE(outside.stat().st_mode) == 0o644


@pytest.mark.parametrize("umask", [0, 0o777])
def test_a_private_file_is_ours_alone_whatever_the_umask(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        make_private(tmp_path / "log")
        (tmp_path / "log").write_text("kept")
        make_private(tmp_path / "log")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "log").stat().st_mode) == 0o600
    assert (tmp_path / "log").read_text() == "kept"


def test_a_link_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "data").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UnsafePath):
        DataHome(tmp_path / "data").ensure()
    assert not list((tmp_path / "elsewhere").iterdir())


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("mine")
    with pytest.raises(UnsafePath):
        DataHome(tmp_path / "data").ensure()


def test_a_folder_that_cannot_be_made_says_where(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LedgerFull) as caught:
        DataHome(tmp_path / "file" / "data").ensure()
    assert str(tmp_path / "file" / "data") in caught.value.detail


def test_the_environment_names_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SULCUS_HOME", str(tmp_path / "mine"))
    assert DataHome.default().root == tmp_path / "mine"


def test_without_the_environment_it_is_the_users_state_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SULCUS_HOME", raising=False)
    assert DataHome.default().root.name == "sulcus-panel"
