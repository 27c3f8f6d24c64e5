"""A settings file is written whole or not at all, and nothing is left beside it. See test_hooks_config.py too."""

import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from sulcus_panel.core.capture.install.config_file import apply_edit
from sulcus_panel.core.capture.install.hook_home import ConfigEdit
from sulcus_panel.core.errors import ApplyFailed, StalePlan


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    path = tmp_path / "claude" / "settings.json"
    path.parent.mkdir()
    path.write_bytes(b"old")
    return path


def edit(path: Path, before: bytes | None = b"old", after: bytes | None = b"new") -> ConfigEdit:
    return ConfigEdit(path, before, after, "", path.with_name("backup"))


def test_the_old_bytes_are_kept_beside_with_the_same_permissions(settings: Path) -> None:
    settings.chmod(0o640)
    apply_edit(edit(settings))
    backup = settings.with_name("backup")
    assert (settings.read_bytes(), backup.read_bytes()) == (b"new", b"old")
    assert [stat.S_IMODE(path.stat().st_mode) for path in (settings, backup)] == [0o640, 0o640]
    assert sorted(os.listdir(settings.parent)) == ["backup", "settings.json"]


def test_an_edit_that_changes_nothing_touches_nothing(settings: Path) -> None:
    before = settings.stat()
    apply_edit(edit(settings, after=b"old"))
    assert settings.stat().st_ino == before.st_ino
    assert os.listdir(settings.parent) == ["settings.json"]


def test_a_new_file_and_its_folders_are_private(tmp_path: Path) -> None:
    path = tmp_path / "new" / "settings.json"
    apply_edit(edit(path, before=None))
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert os.listdir(path.parent) == ["settings.json"]


def test_a_link_whose_target_is_gone_gets_its_target_back(settings: Path, tmp_path: Path) -> None:
    settings.unlink()
    settings.symlink_to(tmp_path / "dotfiles.json")
    apply_edit(edit(settings, before=None))
    assert settings.is_symlink()
    assert (tmp_path / "dotfiles.json").read_bytes() == b"new"


@pytest.mark.parametrize(("shown", "now"), [(None, b"old"), (b"old", None), (b"old", b"other")])
def test_what_is_not_as_it_was_shown_stays(settings: Path, shown: bytes | None, now: bytes | None) -> None:
    settings.unlink()
    if now is not None:
        settings.write_bytes(now)
    with pytest.raises(StalePlan):
        apply_edit(edit(settings, before=shown))
    assert (settings.read_bytes() if settings.exists() else None) == now
    assert "backup" not in os.listdir(settings.parent)


def test_where_no_backup_can_be_made_the_file_stays(settings: Path) -> None:
    settings.with_name("backup").mkdir()
    with pytest.raises(ApplyFailed, match=r"settings\.json"):
        apply_edit(edit(settings))
    assert settings.read_bytes() == b"old"
    assert sorted(os.listdir(settings.parent)) == ["backup", "settings.json"]


def test_a_folder_that_is_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "claude").write_text("no folder")
    with pytest.raises(ApplyFailed):
        apply_edit(edit(tmp_path / "claude" / "settings.json", before=None))
    with pytest.raises(ApplyFailed):
        apply_edit(replace(edit(tmp_path), after=None))
