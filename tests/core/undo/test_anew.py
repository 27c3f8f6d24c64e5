"""Comparing anew is quick where nothing is in doubt, and always gives alignments that hold."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sulcus_panel.core.diff import split_lines
from sulcus_panel.core.diff.alignments import Edit, holds
from sulcus_panel.core.undo import anew
from sulcus_panel.core.undo.anew import compared_anew
from sulcus_panel.core.undo.lines import edits_between

LONG = [b"line %d of a long text, as it stands in every file of some length\n" % n for n in range(400)]

_BLOCK = st.lists(st.sampled_from([b"a\n", b"b\n", b"\n", b"  c\n", b"d\r\n"]), max_size=7)
_TAIL = st.sampled_from([b"", b"end", b"a"])


def both(old: bytes, new: bytes) -> tuple[tuple[Edit, ...], tuple[Edit, ...], tuple[Edit, ...]]:
    edits = edits_between(old, new)
    return edits, *compared_anew(old, new, edits)


def test_lines_that_stand_nowhere_else_have_no_other_reading() -> None:
    new = b"".join([*LONG[:50], b"mine\n", *LONG[51:200], b"too\n", *LONG[200:]])
    edits, patience, below = both(b"".join(LONG), new)
    assert edits == (Edit(50, 51, 50, 51), Edit(200, 200, 200, 201))
    assert patience is edits
    assert below is edits


def test_a_line_put_in_beside_an_equal_one_may_be_either_and_all_else_stays() -> None:
    old = [*LONG[:30], b"same\n", *LONG[30:300], b"}\n", *LONG[300:]]
    new = [*LONG[:30], b"same\n", b"same\n", *LONG[30:300], b"}\n", b"x\n", *LONG[300:]]
    _, patience, below = both(b"".join(old), b"".join(new))
    assert {patience[0], below[0]} == {Edit(30, 30, 30, 31), Edit(31, 31, 31, 32)}
    assert patience[1] == below[1]


def test_only_what_may_matter_to_the_lines_in_question_is_compared() -> None:
    old = [*LONG[:30], b"same\n", *LONG[30:300], b"twice\n", *LONG[300:]]
    new = [*LONG[:30], b"same\n", b"same\n", *LONG[30:300], b"twice\n", b"twice\n", *LONG[300:]]
    texts = b"".join(old), b"".join(new)
    edits, *both_ways = both(*texts)
    ways = {runs: compared_anew(*texts, edits, runs) for runs in (((29, 31),), ((301, 301),), ((150, 160),))}
    open_above, open_below, closed = ({way[0] for way in both_ways}, {way[1] for way in both_ways}, {edits})
    assert {way[0] for way in ways[((29, 31),)]} == open_above == {Edit(30, 30, 30, 31), Edit(31, 31, 31, 32)}
    assert {way[1] for way in ways[((301, 301),)]} == open_below != {edits[1]}
    assert {way[1] for way in ways[((29, 31),)]} == {edits[1]}
    assert {way[0] for way in ways[((301, 301),)]} == {edits[0]}
    assert set(ways[((150, 160),)]) == closed


def test_a_line_that_stands_once_may_be_a_copy_where_the_step_changed_the_original() -> None:
    old = [*LONG[:9], b"\n", b"a = b\n", b"else:\n", b"c = d\n", b"e = f\n", *LONG[9:]]
    new = [
        *(*LONG[:9], b"a = b\n", b"else:\n", b"c = d\n", b"e = f\n"),
        *(b"\n", b"a = b\n", b"else:\n", b"pass\n", b"\n", b"e = f\n", *LONG[9:]),
    ]
    _, patience, below = both(b"".join(old), b"".join(new))
    assert Edit(9, 9, 9, 13) in {patience[0], below[0]}
    assert Edit(9, 10, 9, 9) in {patience[0], below[0]}


def test_a_line_that_has_moved_past_others_leaves_their_place_open() -> None:
    old = [*LONG[:100], b"moved\n", *LONG[100:102], *LONG[102:]]
    new = [*LONG[:100], *LONG[100:102], b"moved\n", b"}\n", *LONG[102:]]
    for way in both(b"".join(old), b"".join(new)):
        assert holds(way, old, new)


def test_a_last_line_that_lost_its_newline_is_not_taken_for_a_landmark() -> None:
    old, new = (
        b"".join([*LONG, b"\n", b"end\n"]),
        b"".join([*LONG[:9], b"x\n", *LONG[10:], b"\n", b"\n", b"end"]),
    )
    for way in both(old, new):
        assert holds(way, split_lines(old), split_lines(new))


def _text(blocks: list[list[bytes]], tail: bytes) -> bytes:
    """Set blocks apart by lines that stand once, some of them far."""
    parts = [part for at, block in enumerate(blocks) for part in (*LONG[at * 8 : at * 8 + 7], *block)]
    return b"".join([*parts, tail])


@given(st.lists(st.tuples(_BLOCK, _BLOCK), min_size=1, max_size=6), _TAIL, _TAIL)
@settings(max_examples=300)
def test_both_ways_hold_where_only_doubtful_parts_are_compared(
    blocks: list[tuple[list[bytes], list[bytes]]], end: bytes, other: bytes
) -> None:
    old, new = _text([one for one, _ in blocks], end), _text([two for _, two in blocks], other)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(anew, "WORTH", 0)
        _, patience, below = both(old, new)
    assert holds(patience, split_lines(old), split_lines(new))
    assert holds(below, split_lines(old), split_lines(new))


@given(st.permutations(range(8)), st.lists(_BLOCK, min_size=8, max_size=8))
@settings(max_examples=200)
def test_both_ways_hold_where_blocks_have_changed_their_order(
    order: list[int], blocks: list[list[bytes]]
) -> None:
    parts = [[*LONG[at * 8 : at * 8 + 7], *blocks[at]] for at in range(8)]
    old, new = (b"".join(line for at in way for line in parts[at]) for way in (range(8), order))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(anew, "WORTH", 0)
        for way in both(old, new):
            assert holds(way, split_lines(old), split_lines(new))
