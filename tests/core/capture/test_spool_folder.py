"""The spool folder: every event in order, whatever cannot be used kept aside with a reason."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.core.capture.hook import spool_data
from sulcus_panel.core.capture.spool_folder import Spool
from sulcus_panel.core.errors import UnsafePath

WHOLE = spool_data(
    {"at": "1796039698852348472", "harness": "claude-code", "kind": "file"},
    {"payload": b'{"a": 1}', "path": b"/x\n\xff", "content": b"\n\n\0"},
)


def test_every_event_set_aside_says_why(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    (tmp_path / "new").mkdir()
    for name, data in (("2", b"x"), ("1", WHOLE[:-1]), ("3", WHOLE)):
        (tmp_path / "new" / name).write_bytes(data)
    assert spool.names() == ("1", "2", "3")
    for name in spool.names():
        spool.set_aside(name, f"reason {name}\nof two lines")
    assert [complaint.detail for complaint in spool.bad()] == [
        f"{name}: reason {name}\\nof two lines" for name in "123"
    ]
    assert spool.names() == ()
    assert Spool(tmp_path / "none").bad() == ()
    assert Spool(tmp_path / "none").dropped() == 0


def test_what_is_set_aside_twice_under_one_name_is_kept_twice(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    (tmp_path / "new").mkdir()
    for _ in range(2):
        (tmp_path / "new" / "1").write_bytes(WHOLE)
        spool.set_aside("1", "why")
    (tmp_path / "new" / "1").mkdir()
    spool.set_aside("1", "why")
    assert sorted(path.name for path in (tmp_path / "bad").iterdir()) == ["1", "1-2", "1-3"]


@given(st.integers(0, len(WHOLE)), st.binary(max_size=40))
def test_of_any_damage_something_is_left_that_can_be_read(length: int, junk: bytes) -> None:
    with TemporaryDirectory() as named:
        folder = Path(named)
        (folder / "new").mkdir()
        (folder / "new" / "n").write_bytes(WHOLE[:length] + junk)
        Spool(folder).set_aside("n", "damaged")
        assert [complaint.detail for complaint in Spool(folder).bad()] == ["n: damaged"]


def test_a_file_where_the_spool_should_be_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "new").write_bytes(b"")
    for folder in (tmp_path / "file", tmp_path / "home"):
        with pytest.raises(UnsafePath, match="not a folder"):
            Spool(folder).names()


def test_the_memory_of_a_turn_that_nobody_ended_goes_after_a_week(tmp_path: Path) -> None:
    (tmp_path / "late").mkdir()
    now = datetime.now(UTC)
    for name, days in (("old", 8), ("new", 6)):
        (tmp_path / "late" / name).write_bytes(b"/a\0")
        moment = (now - timedelta(days=days)).timestamp()
        os.utime(tmp_path / "late" / name, (moment, moment))
    assert Spool(tmp_path).expire(now) == 0
    assert os.listdir(tmp_path / "late") == ["new"]
