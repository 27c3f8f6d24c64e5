import os
import stat
import subprocess
import sys
from pathlib import Path

import filelock
import pytest

from sulcus_panel.core.errors import LedgerFull
from sulcus_panel.core.ledger import locks
from sulcus_panel.core.ledger.home import DataHome


@pytest.fixture
def home(tmp_path: Path) -> DataHome:
    made = DataHome(tmp_path / "data")
    made.ensure()
    return made


def test_one_holder_at_a_time_and_the_next_after_it(home: DataHome) -> None:
    with locks.holding(home, "undo", 0) as held:
        assert held
        with locks.holding(home, "undo", 0) as again, locks.holding(home, "drain", 0) as other:
            assert not again
            assert other
    with locks.holding(home, "undo", 0) as held:
        assert held


def test_a_lock_is_let_go_of_by_an_error_and_by_the_end_of_its_process(home: DataHome) -> None:
    with pytest.raises(KeyError), locks.holding(home, "undo", 0):
        raise KeyError
    script = (
        "import os, sys\nfrom pathlib import Path\n"
        "from sulcus_panel.core.ledger.home import DataHome\n"
        "from sulcus_panel.core.ledger.locks import holding\n"
        "with holding(DataHome(Path(sys.argv[1])), 'undo', 0) as held:\n"
        "    os._exit(0 if held else 1)\n"
    )
    assert subprocess.run([sys.executable, "-c", script, str(home.root)], check=False).returncode == 0
    with locks.holding(home, "undo", 0) as held:
        assert held


def test_an_older_version_that_locks_with_the_package_is_kept_out_and_keeps_out(home: DataHome) -> None:
    path = str(home.lock / "undo")
    with filelock.FileLock(path, timeout=0), locks.holding(home, "undo", 0.02) as held:
        assert not held
    with locks.holding(home, "undo", 0), pytest.raises(filelock.Timeout):
        filelock.FileLock(path, timeout=0).acquire()


def test_where_there_is_no_flock_the_package_locks(home: DataHome, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "HAS_FLOCK", False)
    with locks.holding(home, "undo", 0) as held:
        assert held
        with pytest.raises(filelock.Timeout):
            filelock.FileLock(str(home.lock / "undo"), timeout=0).acquire()


@pytest.mark.skipif(not locks.HAS_FLOCK, reason="there is no flock")
def test_a_lock_file_is_private_whatever_the_umask_and_no_link_is_followed(home: DataHome) -> None:
    before = os.umask(0)
    try:
        with locks.holding(home, "undo", 0):
            assert stat.S_IMODE((home.lock / "undo").stat().st_mode) == 0o600
    finally:
        os.umask(before)
    (home.lock / "open").symlink_to(home.root / "elsewhere")
    with pytest.raises(LedgerFull), locks.holding(home, "open", 0):
        pass
    assert not (home.root / "elsewhere").exists()
