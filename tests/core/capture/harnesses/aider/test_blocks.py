"""A SEARCH/REPLACE block does to bytes what the tool does, forward and back, or nothing is said."""

import pytest

from sulcus_panel.core.capture.edits import NOT_UNICODE, Unknown
from sulcus_panel.core.capture.harnesses.aider.blocks import (
    NO_FILE_THERE,
    NO_TEXT,
    NOT_THERE,
    ODD_LINES,
    Block,
    apply_blocks,
    take_back,
)


def one(old: str | None, new: str, path: str = "a.py") -> tuple[Block, ...]:
    return (Block(path, old, new),)


@pytest.mark.parametrize(
    ("data", "old", "new", "after"),
    [
        (b"a\nb\nc\n", "b\n", "B\n", b"a\nB\nc\n"),
        (b"xb\nb\nb\n", "b\n", "B\n", b"xb\nB\nb\n"),
        (b"a\nb", "b\n", "B\n", b"a\nB\n"),
        (b"a\nb", "a\n", "A\n", b"A\nb\n"),
        (b"a\nb\n", "b\n", "", b"a\n"),
        (b"a\n", "", "b\n", b"a\nb\n"),
        (b"", "", "b\n", b"b\n"),
        (None, "", "b\n", b"b\n"),
        (None, "\n", "b\n", b"b\n"),
        (b"old\n", None, "new\n", b"new\n"),
        (b"a\n", "a.py\na\n", "# a.py\nb\n", b"b\n"),
        (b"a\n", "```\na\n```\n", "b\n", b"b\n"),
    ],
)
def test_a_block_gives_the_bytes_that_the_tool_writes(
    data: bytes | None, old: str | None, new: str, after: bytes
) -> None:
    assert apply_blocks(data, one(old, new)) == after


@pytest.mark.parametrize(
    ("data", "old", "new", "why"),
    [
        (b"a\n", "b\n", "c\n", NOT_THERE),
        (b"  a\n", "a\n", "b\n", NOT_THERE),
        (b"ab\n", "b\n", "c\n", NOT_THERE),
        (None, "a\n", "b\n", NO_FILE_THERE),
        (b"a\r\n", "a\n", "b\n", NO_TEXT),
        (b"\xff\n", "a\n", "b\n", NO_TEXT),
        (b"a\n", "a\n", "b\x0cc\n", ODD_LINES),
        (b"a\n", "a\n", "\udcff\n", NOT_UNICODE),
    ],
)
def test_what_the_tool_would_do_otherwise_is_unknown(
    data: bytes | None, old: str, new: str, why: Unknown
) -> None:
    assert apply_blocks(data, one(old, new)) is why


def test_blocks_of_one_reply_follow_each_other_and_each_begins_at_the_top() -> None:
    blocks = (Block("b.py", "c\n", "x\n"), Block("b.py", "a\n", "y\n"))
    assert apply_blocks(b"a\nb\nc\n", blocks) == b"y\nb\nx\n"
    assert take_back(b"y\nb\nx\n", blocks) == b"a\nb\nc\n"


@pytest.mark.parametrize(
    ("after", "old", "new", "before"),
    [
        (b"a\nB\nc\n", "b\n", "B\n", b"a\nb\nc\n"),
        (b"a\nb\n", "", "b\n", b"a\n"),
        (b"B\nB\n", "b\n", "B\n", None),
        (b"b\nB\n", "b\n", "B\n", None),
        (b"a\n", "b\n", "", None),
        (b"a\n", "b\n", "B\n", None),
        (b"b\n", "", "b\n", None),
        (b"B\r\n", "b\n", "B\n", None),
        (b"x\n", None, "x\n", None),
    ],
)
def test_a_block_goes_back_only_where_one_text_can_have_stood_there(
    after: bytes, old: str | None, new: str, before: bytes | None
) -> None:
    assert take_back(after, one(old, new)) == before
