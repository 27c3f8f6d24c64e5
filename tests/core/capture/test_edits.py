"""A call's strings against a file's bytes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.core.capture.adapter import TextEdit, ToolCall, ToolKind
from sulcus_panel.core.capture.edits import (
    CRLF,
    LF,
    NOT_UNICODE,
    SPELLINGS,
    Unknown,
    apply_edits,
    rebuild_before,
    results,
)


def edit(*edits: TextEdit) -> ToolCall:
    return ToolCall("Edit", ToolKind.EDIT, edits=edits)


@pytest.mark.parametrize(
    ("before", "edits", "after"),
    [
        (b"a b", [TextEdit("a", "x")], b"x b"),
        (b"a a", [TextEdit("a", "x")], None),
        (b"a a", [TextEdit("a", "x", every=True)], b"x x"),
        (b"a", [TextEdit("b", "x")], None),
        (b"a", [TextEdit("a", "b"), TextEdit("b", "c")], b"c"),
        (b"", [TextEdit("", "new")], b"new"),
        (b"a", [TextEdit("", "new")], None),
    ],
)
def test_edits_apply_exactly_or_not_at_all(before: bytes, edits: list[TextEdit], after: bytes | None) -> None:
    result = apply_edits(before, edits, LF)
    assert result == after if after is not None else isinstance(result, Unknown)


@pytest.mark.parametrize("spelling", SPELLINGS, ids=str)
def test_the_bytes_before_are_found_in_every_spelling(spelling: object) -> None:
    assert spelling in SPELLINGS
    chosen = next(one for one in SPELLINGS if one == spelling)
    before, after = chosen.encode_file("one\ntwo ä\n"), chosen.encode_file("one\nTWO ä\n")
    assert rebuild_before(edit(TextEdit("two", "TWO")), "one\ntwo ä\n", after) == before


def test_a_word_that_does_not_fit_the_bytes_seen_is_not_believed() -> None:
    call = edit(TextEdit("1", "2"))
    assert rebuild_before(call, "x = 1\n", b"x = 2\n# more\n") is None
    assert rebuild_before(call, "x = \ud800", b"x = 2\n") is None


def test_no_line_end_is_doubled_where_the_text_has_them_already() -> None:
    assert apply_edits(b"a\r\nb\r\n", [TextEdit("a\r\nb", "x\ny")], CRLF) == b"x\r\ny\r\n"


def test_each_deletion_takes_its_own_line_end_where_there_is_one() -> None:
    edits = [TextEdit("a", ""), TextEdit("b", ""), TextEdit("c\n", "")]
    assert apply_edits(b"a\nb-\nc\nd\n", edits, LF, whole_lines=True) == b"-\nd\n"


def test_text_that_is_no_text_is_unknown() -> None:
    assert apply_edits(b"a", [TextEdit("a", "\ud83d")], LF) == NOT_UNICODE
    assert not list(results(ToolCall("Write", ToolKind.WRITE, content="\ud83d"), b""))


def test_a_deletion_may_take_the_line_end_along() -> None:
    assert b"one\nthree\n" in results(edit(TextEdit("two", "")), b"one\ntwo\nthree\n")


@given(st.text(max_size=40), st.text(min_size=1, max_size=5), st.text(max_size=5))
def test_what_an_edit_makes_leads_back_to_what_it_was_made_of(text: str, old: str, new: str) -> None:
    call = edit(TextEdit(old, new))
    after = apply_edits(LF.encode_file(text), call.edits, LF)
    if isinstance(after, bytes):
        assert rebuild_before(call, text, after) == text.encode()
