"""An edit call against a file's bytes: the lines that it replaced, exactly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.core.capture.adapter import TextEdit, ToolCall, ToolKind
from sulcus_panel.core.capture.edits import SPELLINGS, apply_edits
from sulcus_panel.core.capture.exact import told_hunks
from sulcus_panel.core.diff import apply_hunks, carry_texts
from sulcus_panel.core.model import Hunk

LINES = b"".join(b"line %d\n" % at for at in range(1, 9))
FUNCTION = b"def f():\n    return 1\n\n"

Told = list[tuple[int, int, int, int, bool]]


def edit(*edits: TextEdit) -> ToolCall:
    return ToolCall("MultiEdit", ToolKind.EDIT, edits=edits)


def told(before: bytes, after: bytes, *edits: TextEdit) -> Told:
    hunks = told_hunks(edit(*edits), before, after)
    assert hunks is not None
    assert apply_hunks(before, carry_texts(hunks, before, after)) == after
    return [(h.before_start, h.before_lines, h.after_start, h.after_lines, h.exact) for h in hunks]


def test_an_edit_within_a_line_is_that_line() -> None:
    assert told(LINES, LINES.replace(b"ne 3", b"NE"), TextEdit("ne 3", "NE")) == [(2, 1, 2, 1, True)]


def test_lines_around_the_change_are_left_out() -> None:
    after = LINES.replace(b"line 3\n", b"line 3\nnew\n")
    call = TextEdit("line 2\nline 3\nline 4\n", "line 2\nline 3\nnew\nline 4\n")
    assert told(LINES, after, call) == [(3, 0, 3, 1, True)]
    call = TextEdit("line 2\nline 3\nline 4", "line 2\nline 4")
    assert told(LINES, LINES.replace(b"line 3\n", b""), call) == [(2, 1, 2, 0, True)]


def test_the_place_of_a_copied_block_is_known_whichever_copy_was_meant() -> None:
    before = FUNCTION * 4 + b"end\n"
    after = FUNCTION * 3 + b"# the last\n" + FUNCTION + b"end\n"
    call = TextEdit(f"{FUNCTION.decode()}end", f"# the last\n{FUNCTION.decode()}end")
    assert told(before, after, call) == [(9, 0, 9, 1, True)]
    after = FUNCTION * 5 + b"end\n"
    assert told(before, after, TextEdit("end", f"{FUNCTION.decode()}end")) == [(12, 0, 12, 3, True)]


def test_a_copy_put_beside_its_original_within_the_edit_can_be_read_both_ways_and_is_not_exact() -> None:
    before, after = b"a\n" + FUNCTION + b"z\n", b"a\n" + FUNCTION * 2 + b"z\n"
    text = FUNCTION.decode()
    assert [exact for *_, exact in told(before, after, TextEdit(text, text * 2))] == [False]


def test_a_change_among_equal_lines_is_the_one_line_that_is_no_longer_equal() -> None:
    before, after = b"x\nx\nx\ny\n", b"x\nX\nx\ny\n"
    assert told(before, after, TextEdit("x\nx\nx\n", "x\nX\nx\n")) == [(1, 1, 1, 1, True)]


def test_every_occurrence_is_a_hunk_of_its_own_and_two_in_one_line_are_one() -> None:
    before = b"a b a\nc\na\n"
    assert told(before, b"x b x\nc\nx\n", TextEdit("a", "x", every=True)) == [
        (0, 1, 0, 1, True),
        (2, 1, 2, 1, True),
    ]


def test_the_edits_of_one_call_are_composed_in_order() -> None:
    after = LINES.replace(b"line 2\n", b"").replace(b"line 7\n", b"7\n7\n")
    edits = TextEdit("line 7\n", "seven\n"), TextEdit("line 2\n", ""), TextEdit("seven", "7\n7")
    assert told(LINES, after, *edits) == [(1, 1, 1, 0, True), (6, 1, 5, 2, True)]


def test_what_a_later_edit_takes_back_is_no_change() -> None:
    edits = TextEdit("line 2", "two"), TextEdit("line 4", "four"), TextEdit("two", "line 2")
    assert told(LINES, LINES.replace(b"line 4", b"four"), *edits) == [(3, 1, 3, 1, True)]


@pytest.mark.parametrize(
    ("before", "after", "one"),
    [
        (b"", b"new\n", TextEdit("", "new\n")),
        (b"a\nb", b"a", TextEdit("\nb", "")),
        (b"a", b"a\nb", TextEdit("a", "a\nb")),
        (b"a\nb\n", b"a b\n", TextEdit("a\nb", "a b")),
        (b"a\r\nb\r\n", b"a\r\nB\r\n", TextEdit("a\nb", "a\nB")),
        (b"one\ntwo\nthree\n", b"one\nthree\n", TextEdit("two", "")),
    ],
)
def test_ends_of_lines_and_files_hold(before: bytes, after: bytes, one: TextEdit) -> None:
    assert all(exact for *_, exact in told(before, after, one))


def test_a_call_that_does_not_lead_there_says_nothing() -> None:
    assert told_hunks(edit(TextEdit("line 3", "x")), LINES, LINES.replace(b"line 4", b"x")) is None
    assert told_hunks(edit(TextEdit("absent", "x")), LINES, LINES) is None
    assert told_hunks(edit(TextEdit("line 3", "x")), None, LINES) is None
    write = ToolCall("Write", ToolKind.WRITE, content="x")
    assert told_hunks(write, LINES, b"x") is None


@pytest.mark.parametrize(("old", "new"), [("\n", "a"), ("\n", ""), ("\n", "abcdef"), ("t\n", "\nt")])
def test_lines_that_are_joined_are_counted_where_the_last_of_them_ends(old: str, new: str) -> None:
    for each in SPELLINGS[:4]:
        before = each.encode_file("first\na\nlast\n")
        after = apply_edits(before, [TextEdit(old, new, every=True)], each)
        assert isinstance(after, bytes)
        assert told_hunks(edit(TextEdit(old, new, every=True)), before, after) is not None


TEXT = st.lists(st.sampled_from(["a", "b", "\n", "c\n", "a\n", "\r\n"]), max_size=12).map("".join)
PART = st.lists(st.sampled_from(["a", "b", "\n", "c\n", "a\n"]), max_size=4).map("".join)
EDITS = st.lists(st.builds(TextEdit, PART, PART, st.booleans()), min_size=1, max_size=3)


@given(text=TEXT, edits=EDITS, whole_lines=st.booleans())
def test_hunks_that_are_told_always_lead_from_the_one_text_to_the_other(
    text: str, edits: list[TextEdit], whole_lines: bool
) -> None:
    for each in SPELLINGS[:4]:
        before = each.encode_file(text)
        after = apply_edits(before, edits, each, whole_lines=whole_lines)
        if isinstance(after, bytes) and after != before:
            hunks = told_hunks(edit(*edits), before, after)
            if hunks is not None:
                assert apply_hunks(before, carry_texts(hunks, before, after)) == after


@given(text=st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=12), edits=EDITS)
def test_hunks_are_the_same_in_whichever_spelling_the_file_is(text: list[str], edits: list[TextEdit]) -> None:
    found: set[tuple[Hunk, ...] | None] = set()
    for spelling in SPELLINGS[:4]:
        before = spelling.encode_file("".join(line + "\n" for line in ("first", *text)))
        after = apply_edits(before, edits, spelling)
        if not isinstance(after, bytes) or after == before or not all(one.old for one in edits):
            return
        if spelling.crlf and b"\r\n" not in before:
            continue
        found.add(told_hunks(edit(*edits), before, after))
    assert len(found) == 1
