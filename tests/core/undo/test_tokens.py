"""Words of one line edited by two: merged where an untouched word stands between, else shown or refused."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.core.undo.tokens import merge_tokens


def merged(base: bytes, ours: bytes, theirs: bytes) -> tuple[bytes, bool] | None:
    found = merge_tokens([base], [ours], [theirs])
    return None if found is None else (b"".join(found.lines), found.sure)


def test_two_words_of_a_line_apart_are_merged() -> None:
    assert merged(b"a = call(one, two)\n", b"b = call(one, two)\n", b"a = call(one, three)\n") == (
        b"b = call(one, three)\n",
        True,
    )


def test_words_side_by_side_are_merged_for_a_person_to_look_at() -> None:
    assert merged(
        b"let me say some words here\n", b"let you say some words here\n", b"let me tell some words here\n"
    ) == (
        b"let you tell some words here\n",
        False,
    )


def test_one_word_changed_by_both_is_not_merged() -> None:
    assert merged(b"call(one)\n", b"call(two)\n", b"call(three)\n") is None


def test_a_new_indent_does_not_touch_the_word_behind_it() -> None:
    assert merged(b"  run(first, second)\n", b"      run(first, second)\n", b"  go(first, second)\n") == (
        b"      go(first, second)\n",
        True,
    )


def test_a_line_that_kept_hardly_a_word_is_another_line() -> None:
    found = merged(b"x = first(second)\n", b"y = other[thing, more]\n", b"x = first(2)\n")
    assert found is None or not found[1]


@pytest.mark.parametrize("size", [20_000])
def test_a_line_of_a_megabyte_is_merged_in_no_time(size: int) -> None:
    values = [b'"key%d": "value number %d"' % (at, at) for at in range(size)]
    ours, theirs = list(values), list(values)
    ours[7] = b'"key7": "ours"'
    theirs[-7] = b'"key": "theirs"'
    both = list(ours)
    both[-7] = theirs[-7]
    start = time.process_time()
    assert merged(*(b", ".join(each) for each in (values, ours, theirs))) == (b", ".join(both), True)
    assert time.process_time() - start < 2


WORDS = st.lists(
    st.sampled_from([b"one", b"two", b"three", b"four", b"(", b",", b" "]), min_size=1, max_size=10
)


@given(WORDS, WORDS)
def test_what_only_one_side_changed_is_taken_from_it(base: list[bytes], changed: list[bytes]) -> None:
    one, other = b"".join(base), b"".join(changed)
    if one.strip() and other.strip():
        for found in (merged(one, other, one), merged(one, one, other)):
            assert found is None or found[0] == other
