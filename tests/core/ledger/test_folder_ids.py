"""Whether another directory stands at a root, from numbers made up and from real ones."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from sulcus_panel.core.ledger.folder_ids import (
    decode_folder,
    encode_folder,
    folder_id,
    is_replaced,
    is_same,
    told_replaced,
)
from sulcus_panel.core.model import FolderId, Namespace, Workspace

KNOWN = FolderId(device=8, number=100, serial=7)


@pytest.mark.parametrize(
    ("now", "same"),
    [
        (KNOWN, True),
        (replace(KNOWN, device=9), True),  # mounted again
        (replace(KNOWN, serial=0), True),  # not told this time
        (replace(KNOWN, number=101, serial=3), False),
        (replace(KNOWN, serial=3), False),  # made anew under the freed number
        (FolderId(9, 101, 3), False),  # restored to another disk
        (FolderId(8, 101, 0), False),
        (FolderId(9, 101, 0), True),  # a mount without lasting numbers: nothing is certain
    ],
)
def test_f041_only_a_sure_difference_is_another_folder(now: FolderId, same: bool) -> None:
    assert is_same(KNOWN, now) is same


def test_f041_a_folder_stays_itself_when_it_is_renamed_and_filled(tmp_path: Path) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    known = folder_id(str(folder))
    assert known is not None
    (folder / "file").write_text("x")
    folder.rename(tmp_path / "moved")
    assert folder_id(str(tmp_path / "moved")) == known
    assert folder_id(str(folder)) is None


def test_f041_another_folder_in_its_place_is_another(tmp_path: Path) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    workspace = Workspace(1, Namespace("work"), str(folder), folder_id(str(folder)))
    assert not is_replaced(workspace)
    folder.rename(tmp_path / "moved")
    assert not is_replaced(workspace)  # it is not there at all, which is said elsewhere
    folder.mkdir()
    assert is_replaced(workspace)


def test_f041_a_folder_made_anew_under_the_freed_number_is_another(tmp_path: Path) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    first = folder_id(str(folder))
    assert first is not None
    if not first.serial:
        pytest.skip("this file system does not tell one use of a number from the next")
    for _ in range(50):
        os.rmdir(folder)
        folder.mkdir()
        now = folder_id(str(folder))
        assert now is not None
        assert not is_same(first, now)


def test_what_nobody_looked_at_is_not_replaced(tmp_path: Path) -> None:
    assert not is_replaced(Workspace(1, Namespace("work"), str(tmp_path)))
    assert not is_replaced(Workspace(1, Namespace("work"), None))
    assert folder_id(str(tmp_path / "nowhere")) is None


def test_the_column_reads_as_it_was_written() -> None:
    large = FolderId(2**64 - 1, 2**127, 0)
    assert decode_folder(encode_folder(large)) == large
    assert encode_folder(None) is None
    assert decode_folder(None) is None


def test_the_person_is_told_the_way_out_in_plain_text() -> None:
    told = told_replaced("/w/\x1b[31mx")
    assert told.isprintable()
    assert told.endswith("sulcus-panel --workspace /w/\\x1b[31mx")
