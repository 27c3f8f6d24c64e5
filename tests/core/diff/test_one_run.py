import pygit2
from hypothesis import given, settings
from hypothesis import strategies as st
from pygit2.enums import DiffOption

from sulcus_panel.core.diff.hunks import diff_hunks
from sulcus_panel.core.diff.one_run import one_run
from sulcus_panel.core.model import Hunk

TEXT = b"".join(b"line %d\n" % n for n in range(9))


def by_git(old: bytes, new: bytes) -> list[tuple[int, int, int, int]]:
    flags = DiffOption.FORCE_TEXT | DiffOption.INDENT_HEURISTIC
    patch = pygit2.Patch.create_from(old, new, flag=flags, context_lines=0, interhunk_lines=0)
    return [
        (
            hunk.old_start - bool(hunk.old_lines),
            hunk.old_lines,
            hunk.new_start - bool(hunk.new_lines),
            hunk.new_lines,
        )
        for hunk in patch.hunks
    ]


def test_one_run_in_place_of_another_is_found_without_a_differ() -> None:
    assert one_run(TEXT, TEXT.replace(b"line 4", b"four")) == Hunk(4, 1, 4, 1)
    assert one_run(TEXT, TEXT.replace(b"line 4\n", b"")) == Hunk(4, 1, 4, 0)
    assert one_run(TEXT, TEXT.replace(b"line 4\n", b"line 4\nnew\n")) == Hunk(5, 0, 5, 1)
    assert one_run(b"", TEXT) == Hunk(0, 0, 0, 9)
    assert one_run(TEXT, TEXT[:-1]) == Hunk(8, 1, 8, 1)


def test_a_run_that_could_stand_elsewhere_or_holds_an_equal_line_is_left_to_the_differ() -> None:
    assert one_run(b"a\nb\n", b"a\na\nb\n") is None
    assert one_run(b"a\nx\ny\nb\n", b"a\ny\nz\nb\n") is None
    assert one_run(TEXT, TEXT.replace(b"line 2", b"2").replace(b"line 5", b"5")) is None


_LINES = st.lists(st.sampled_from([b"a\n", b"b\n", b"\n", b"  c\n", b"d\r\n", b"e\n"]), max_size=9)
_TEXTS = st.builds(lambda lines, tail: b"".join(lines) + tail, _LINES, st.sampled_from([b"", b"a", b"f"]))


def check(old: bytes, new: bytes) -> None:
    hunk = None if old == new else one_run(old, new)
    if hunk is not None:
        place = (hunk.before_start, hunk.before_lines, hunk.after_start, hunk.after_lines)
        assert [place] == by_git(old, new)
        assert diff_hunks(old, new) == (hunk,)


@given(_TEXTS, _TEXTS)
@settings(max_examples=400)
def test_where_there_is_an_answer_it_is_libgit2s(old: bytes, new: bytes) -> None:
    check(old, new)


@given(_TEXTS, _TEXTS, _TEXTS, _TEXTS)
@settings(max_examples=400)
def test_the_same_holds_where_most_of_the_text_is_equal(
    head: bytes, old: bytes, new: bytes, tail: bytes
) -> None:
    check(head + old + tail, head + new + tail)
