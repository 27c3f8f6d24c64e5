"""What two texts share at their ends is as long as can be, and no longer than was asked for."""

from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.core.diff.shared_ends import shared_characters, shared_head, shared_tail


@given(st.text("ab"), st.text("ab"))
def test_the_shared_head_is_the_longest(old: str, new: str) -> None:
    length = shared_head(old.encode(), new.encode())
    assert old[:length] == new[:length]
    assert old[length : length + 1] != new[length : length + 1] or length in (len(old), len(new))
    assert shared_characters(old, new) == length


@given(st.binary(max_size=20), st.binary(max_size=20), st.integers(0, 20))
def test_a_shared_tail_is_the_head_of_both_read_backwards(old: bytes, new: bytes, most: int) -> None:
    most = min(most, len(old), len(new))
    assert shared_tail(old, new, most) == shared_head(old[::-1], new[::-1], most)


def test_no_more_is_counted_than_was_asked_for() -> None:
    assert shared_head(b"same text", b"same text", 4) == 4
    assert shared_tail(b"same text", b"same text", 5) == 5
