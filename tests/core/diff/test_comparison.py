"""Which line stands beside which, and what is told of a difference. The rows made of it: test_rows.py."""

from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.core.diff.comparison import MAX_WORD_PAIRS, PAIRING_BUDGET, DiffSide, compare
from sulcus_panel.core.diff.words import MAX_CELLS

lines = st.lists(st.sampled_from([b"one\n", b"two\n", b"two more\n", b"x\r\n", b"\n", b"end"]), max_size=9)
texts = lines.map(b"".join)


@given(texts, texts)
def test_every_line_of_a_difference_stands_in_one_pair_and_is_found_there(old: bytes, new: bytes) -> None:
    found = compare(old, new)
    for owner, hunk in enumerate(found.hunks):
        pairs = [found.pair(owner, offset) for offset in range(found.pair_count(owner))]
        lefts = [left for left, _ in pairs if left is not None]
        rights = [right for _, right in pairs if right is not None]
        assert lefts == list(range(hunk.before_start, hunk.before_start + hunk.before_lines))
        assert rights == list(range(hunk.after_start, hunk.after_start + hunk.after_lines))
        assert all(found.pair_of(owner, DiffSide.OLD, line) in pairs for line in lefts)
        assert all(found.pair_of(owner, DiffSide.NEW, line)[1] == line for line in rights)


@given(texts, texts)
def test_the_counts_are_those_of_the_lines(old: bytes, new: bytes) -> None:
    found = compare(old, new)
    plus, minus = found.counts
    assert len(found.side(DiffSide.NEW).lines) - len(found.side(DiffSide.OLD).lines) == plus - minus


def test_alike_lines_are_paired_where_their_places_differ() -> None:
    found = compare(b"timeout = 3\n", b"# seconds\ntimeout = 5\n")
    assert [found.pair(0, offset) for offset in range(found.pair_count(0))] == [(None, 0), (0, 1)]
    assert found.pair_of(0, DiffSide.NEW, 1) == (0, 1)


def test_beyond_the_budget_lines_are_paired_by_position() -> None:
    size = int(MAX_CELLS**0.5)
    olds = [b"".join(b"line %d of %d\n" % (n, part) for n in range(size)) for part in range(42)]
    news = [b"new\n" + old.replace(b"line", b"LINE").rsplit(b"LINE", 1)[0] for old in olds]
    found = compare(b"--\n".join(olds), b"--\n".join(news))
    assert len(found.hunks) == 42
    assert sorted(found.pairs) == list(range(PAIRING_BUDGET // MAX_CELLS))
    assert found.pair_of(41, DiffSide.NEW, found.hunks[41].after_start)[0] == found.hunks[41].before_start


def test_a_missing_final_newline_is_told_of_the_side_whose_difference_reaches_the_end() -> None:
    assert compare(b"a\nb", b"a\nc\n").lacks_newline(0) == (True, False)
    assert compare(b"a\n", b"a\nb").lacks_newline(0) == (False, True)
    assert compare(b"a\nz", b"b\nz").lacks_newline(0) == (False, False)


def test_a_line_without_a_partner_has_an_empty_text_beside_it() -> None:
    found = compare(b"", b"made\n")
    assert found.texts(found.pair(0, 0)) == ("", "made")
    assert found.word_marks(0, "", "made") == ((), ())


def test_words_are_marked_up_to_the_limit() -> None:
    old = b"".join(b"value %d = one\n" % n for n in range(MAX_WORD_PAIRS))
    fits = compare(old, old.replace(b"one", b"two"))
    assert fits.word_marks(0, "value 1 = one", "value 1 = two") == (((10, 13),), ((10, 13),))
    over = compare(old + b"last = one\n", (old + b"last = one\n").replace(b"one", b"two"))
    assert over.word_marks(0, "value 1 = one", "value 1 = two") == ((), ())


def test_a_file_that_is_not_there_has_no_lines() -> None:
    found = compare(None, b"a\n")
    assert (found.old.lines, found.counts) == ([], (1, 0))
    assert compare(None, None).hunks == ()
