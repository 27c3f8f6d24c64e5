"""Alike lines find each other, and only the words that differ are marked."""

from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.core.diff.words import pair_lines, word_spans

LINES = st.lists(st.sampled_from(["a b c", "a b d", "x y", "", "foo()"]), max_size=8)


@given(LINES, LINES)
def test_pairs_hold_each_line_once_and_in_order(old: list[str], new: list[str]) -> None:
    pairs = pair_lines(old, new)
    assert [left for left, _ in pairs if left is not None] == list(range(len(old)))
    assert [right for _, right in pairs if right is not None] == list(range(len(new)))
    assert (None, None) not in pairs


@given(st.text("ab =_1", max_size=30), st.text("ab =_1", max_size=30))
def test_marked_words_lie_within_their_line_and_do_not_touch(old: str, new: str) -> None:
    for text, spans in zip((old, new), word_spans(old, new), strict=True):
        edges = [edge for span in spans for edge in span]
        assert edges == sorted(set(edges))
        assert all(0 <= edge <= len(text) for edge in edges)


def test_neighbouring_changed_words_are_marked_as_one() -> None:
    assert word_spans("return the old value here", "return the new thing here") == (((11, 20),), ((11, 20),))


def test_lines_with_little_in_common_are_not_marked() -> None:
    assert word_spans("alpha beta", "result = compute()") == ((), ())


def test_a_very_long_line_is_marked_from_its_first_to_its_last_difference() -> None:
    old = "k " * 1_000 + " ".join(f"a{i}" for i in range(300)) + " k" * 1_000
    new = "k " * 1_000 + " ".join(f"b{i}" for i in range(300)) + " k" * 1_000
    spans, _ = word_spans(old, new)
    assert len(spans) == 1
    assert old[slice(*spans[0])].startswith("a0 ")
