"""SEARCH/REPLACE blocks are read as asked, or not at all."""

import pytest

from sulcus_panel.core.capture.adapter import TextEdit
from sulcus_panel.core.capture.harnesses.cline.blocks import read_blocks

ONE = "------- SEARCH\na\nb\n=======\nc\n+++++++ REPLACE"


def test_a_block_is_a_replacement_of_whole_lines() -> None:
    assert read_blocks(ONE) == (TextEdit("a\nb\n", "c\n"),)


def test_blocks_come_in_order_with_blank_lines_between_them() -> None:
    other = "<<<<<<< SEARCH\nx\n=======\n>>>>>>> REPLACE\n"
    assert read_blocks(f"{ONE}\n\n{other}") == (TextEdit("a\nb\n", "c\n"), TextEdit("x\n", ""))


def test_line_ends_of_windows_are_no_part_of_a_line() -> None:
    assert read_blocks(ONE.replace("\n", "\r\n")) == read_blocks(ONE)


@pytest.mark.parametrize("text", ["", "a", ONE + "\nmore", ONE[:-8], "=======\n" + ONE])
def test_what_is_no_whole_list_of_blocks_is_none(text: str) -> None:
    assert read_blocks(text) == ()
