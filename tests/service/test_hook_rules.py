"""The file that tells hooks of the settings: written when they change, private, none where all is as usual."""

import stat
from pathlib import Path

from sulcus_panel.core.capture.shell.rules import RULES, read_rules
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.service.operations import Operations


def test_a_setting_stands_in_the_file_and_goes_with_it(tmp_path: Path) -> None:
    home = DataHome(tmp_path / "data")
    (tmp_path / "a").mkdir()
    with Operations.open(home) as operations:
        workspace = operations.register(tmp_path / "a")
        assert not (home.root / RULES).exists()
        operations.set_setting(workspace.id, "exclude", "*.db, build")
        root = str((tmp_path / "a").resolve())
        assert read_rules(str(home.root)) == [(root, True, ("*.db", "build"))]
        assert stat.S_IMODE((home.root / RULES).stat().st_mode) == 0o600
        operations.set_setting(workspace.id, "enabled", False)
        assert read_rules(str(home.root)) == [(root, False, ("*.db", "build"))]
        (tmp_path / "a/b").mkdir()
        operations.register(tmp_path / "a/b")
        assert read_rules(str(home.root))[0] == (root + "/b", True, ())
        operations.set_setting(workspace.id, "enabled", True)
        operations.set_setting(workspace.id, "exclude", "")
        assert not (home.root / RULES).exists()


def test_a_start_mends_the_file(tmp_path: Path) -> None:
    home = DataHome(tmp_path / "data")
    with Operations.open(home) as operations:
        workspace = operations.register(tmp_path)
        operations.set_setting(workspace.id, "exclude", "x")
    whole = (home.root / RULES).read_bytes()
    (home.root / RULES).write_bytes(whole[:-1])
    with Operations.open(home):
        assert (home.root / RULES).read_bytes() == whole
    assert [path.name for path in home.root.iterdir() if path.name.startswith(RULES)] == [RULES]


def test_where_it_cannot_be_written_the_setting_holds_all_the_same(tmp_path: Path) -> None:
    home = DataHome(tmp_path / "data")
    with Operations.open(home) as operations:
        (home.root / RULES).mkdir()
        (home.root / RULES / "x").mkdir()
        workspace = operations.register(tmp_path)
        assert operations.set_setting(workspace.id, "exclude", "x").exclude == ("x",)
