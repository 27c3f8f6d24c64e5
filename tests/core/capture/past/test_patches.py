from sulcus_panel.core.capture.edits import NOT_UNICODE, Unknown
from sulcus_panel.core.capture.past.patches import (
    AT_THE_END,
    CRLF_FILE,
    NOT_THERE,
    TWO_PLACES,
    apply_chunks,
    apply_exact,
    read_unified,
)
from sulcus_panel.core.capture.past.records import PatchHunk
from sulcus_panel.core.capture.patch_text import Chunk

OLD = b"one\ntwo\nthree\nfour\nfive\n"
NEW = b"one\nzwei\nthree\nfour\nfive\nsix\n"
DIFF = "@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n@@ -5 +5,2 @@\n five\n+six\n"


def both_ways(old: bytes, new: bytes, diff: str) -> None:
    hunks = read_unified(diff)
    assert apply_exact(old, hunks) == new
    assert apply_exact(new, hunks, backward=True) == old


def test_an_exact_patch_goes_both_ways() -> None:
    both_ways(OLD, NEW, DIFF)


def test_headers_of_files_are_left_out() -> None:
    assert read_unified("--- a/x\n+++ b/x\n" + DIFF) == read_unified(DIFF)
    assert read_unified("no diff") == ()
    assert read_unified("") == ()


def test_a_missing_end_of_the_last_line_is_told_by_the_patch() -> None:
    both_ways(b"a\nb", b"a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n")
    both_ways(
        b"a\nb",
        b"x\nb",
        "@@ -1,2 +1,2 @@\n-a\n+x\n b\n\\ No newline at end of file\n",
    )


def test_carriage_returns_and_tabs_are_kept() -> None:
    both_ways(b"a\r\n\tb\r\n", b"a\r\n\tc\r\n", "@@ -1,2 +1,2 @@\n a\r\n-\tb\r\n+\tc\r\n")


def test_an_empty_side_names_the_line_above_it() -> None:
    both_ways(b"", b"a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n")
    both_ways(b"a\nb\n", b"a\nx\nb\n", "@@ -1,0 +2 @@\n+x\n")
    both_ways(b"a\nx\nb\n", b"a\nb\n", "@@ -2 +1,0 @@\n-x\n")


def test_lines_that_stand_elsewhere_are_not_searched_for() -> None:
    hunks = read_unified(DIFF)
    assert apply_exact(b"zero\n" + OLD, hunks) is NOT_THERE
    assert apply_exact(b"zero\n" + NEW, hunks, backward=True) is NOT_THERE
    assert apply_exact(b"", hunks) is NOT_THERE
    assert apply_exact(OLD, (*hunks, hunks[0])) is NOT_THERE


def test_half_a_surrogate_pair_stands_for_lost_bytes() -> None:
    assert apply_exact(b"a\n", (PatchHunk(1, 1, ("-a", "+\ud800")),)) is NOT_UNICODE
    assert apply_chunks(b"a\n", (Chunk(None, ("a",), ("\ud800",)),)) is NOT_UNICODE
    assert apply_chunks(b"\xff\n", (Chunk(None, ("a",), ("b",)),)) is NOT_UNICODE


def chunk(old: str, new: str, anchor: str | None = None, *, at_end: bool = False) -> Chunk:
    return Chunk(anchor, tuple(old.split()), tuple(new.split()), at_end)


def test_the_lines_of_a_patch_are_found_where_they_stand_once() -> None:
    assert apply_chunks(OLD, (chunk("two three", "zwei three"), chunk("five", "five six"))) == NEW


def test_an_anchor_tells_equal_places_apart_whatever_its_indentation() -> None:
    text = b"def f():\n x\n def g():\n x\n"
    assert apply_chunks(text, (Chunk("def g():", (" x",), (" y",)),)) == b"def f():\n x\n def g():\n y\n"
    assert apply_chunks(text, (Chunk("def h():", (" x",), (" y",)),)) is NOT_THERE


def test_equal_places_leave_the_place_open() -> None:
    assert apply_chunks(b"x\na\nx\n", (chunk("x", "y"),)) is TWO_PLACES


def test_the_end_of_the_file_is_a_place() -> None:
    assert apply_chunks(b"x\na\nx\n", (chunk("x", "y", at_end=True),)) == b"x\na\ny\n"


def test_chunks_stand_one_below_the_other() -> None:
    assert apply_chunks(b"a\nb\n", (chunk("b", "c"), chunk("a", "d"))) is NOT_THERE
    assert apply_chunks(b"x\na\nx\n", (chunk("x a", "y a"), chunk("x", "z"))) == b"y\na\nz\n"


def test_lines_that_only_fit_but_for_spaces_are_not_enough() -> None:
    assert apply_chunks(b"a \n", (chunk("a", "b"),)) is NOT_THERE


def test_the_tool_ends_the_last_line() -> None:
    assert apply_chunks(b"a\nb", (chunk("a", "c"),)) == b"c\nb\n"


def test_lines_without_a_place_go_to_the_end() -> None:
    assert apply_chunks(b"a\n", (chunk("", "b"),)) == b"a\nb\n"
    assert apply_chunks(b"a\n", (chunk("", "b", "a"),)) is AT_THE_END
    assert apply_chunks(b"a\n\n", (chunk("", "b"),)) is AT_THE_END


def test_an_empty_last_line_may_be_the_patchs_own() -> None:
    assert apply_chunks(b"a\nb\n", (Chunk(None, ("a", ""), ("c", "")),)) == b"c\nb\n"


def test_an_anchor_alone_moves_on_and_changes_nothing() -> None:
    assert apply_chunks(b"A\nx\nB\nx\n", (chunk("", "", "A"), chunk("x", "y", "B"))) == b"A\nx\nB\ny\n"


def test_line_ends_that_the_patch_cannot_tell_are_not_guessed() -> None:
    found = apply_chunks(b"a\r\nb\r\n", (chunk("a", "c"),))
    assert isinstance(found, Unknown)
    assert found is CRLF_FILE
