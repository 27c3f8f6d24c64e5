"""A document is two texts compared, or one plain sentence why not."""

import pytest

from sulcus_panel.core.diff import DiffSide
from sulcus_panel.ui.views.diff_document import EMPTY, MAX_SHOWN_BYTES, DiffDocument, build_document


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (None, b"", "An empty file was created."),
        (b"", None, "An empty file was deleted."),
        (b"a\n", b"a\n", "Both sides are the same."),
        (None, None, "There is no file on either side."),
        (b"\0" * 1500, None, "A binary file: 1,500 bytes before, no file after."),
        (b"", b"x" * (MAX_SHOWN_BYTES + 1), "Too large to show: 0 bytes before, 16,777,217 bytes after."),
    ],
)
def test_what_cannot_be_compared_is_said_in_one_sentence(
    old: bytes | None, new: bytes | None, message: str
) -> None:
    document = build_document("a.txt", old, new)
    assert document.comparison is None
    assert document.message == document.describe() == message
    assert document.text(DiffSide.NEW) == ""


def test_white_space_that_is_ignored_is_named() -> None:
    document = build_document("a.py", b"x = 1\n", b"x  =  1\n", ignore_whitespace=True)
    assert document.message == "Only white space differs."


def test_a_comparison_describes_itself_in_numbers() -> None:
    document = build_document("a.py", b"a\nb\nc\n", b"A\nb\nc\nd\ne\n", labels=("before #1", "after #1"))
    assert document.describe() == "2 differences, 3 lines added, 1 removed."
    assert (document.old_label, document.new_label) == ("before #1", "after #1")
    assert document.text(DiffSide.OLD) == "a\nb\nc\n"


def test_one_difference_is_not_plural() -> None:
    assert build_document("a", b"", b"x\n").describe() == "1 difference, 1 line added, 0 removed."


def test_a_message_of_the_caller_is_shown_as_it_is() -> None:
    kept = DiffDocument("a.py", message="The contents are no longer kept (limit 1,000 changes).")
    assert kept.describe() == kept.message
    assert EMPTY.message
