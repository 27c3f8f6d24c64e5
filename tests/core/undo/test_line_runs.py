"""Runs of lines as a person counts them."""

import pytest

from sulcus_panel.core.undo.line_runs import line_numbers, lines_text


@pytest.mark.parametrize(
    ("run", "numbers", "text"),
    [
        ((2, 5), [3, 5], "lines 3–5"),
        ((2, 3), [3, 3], "line 3"),
        ((2, 2), [3, 3], "the place before line 3"),
        ((0, 0), [1, 1], "the place before line 1"),
    ],
)
def test_lines_count_from_one_and_no_line_is_the_place_before_one(
    run: tuple[int, int], numbers: list[int], text: str
) -> None:
    assert (line_numbers(run), lines_text(run)) == (numbers, text)
