"""Differences are told with the lines around them, together where their contexts would touch."""

import pytest

from sulcus_panel.core.diff.excerpts import excerpts
from sulcus_panel.core.model import Hunk


def headers(*hunks: Hunk, lines: int = 100, context: int = 3) -> list[str]:
    return [excerpt.header for excerpt in excerpts(hunks, lines, context)]


@pytest.mark.parametrize(
    ("gap", "told"),
    [(6, ["@@ -8,14 +8,14 @@"]), (7, ["@@ -8,7 +8,7 @@", "@@ -16,7 +16,7 @@"])],
)
def test_contexts_that_touch_are_one(gap: int, told: list[str]) -> None:
    second = 11 + gap
    assert headers(Hunk(10, 1, 10, 1), Hunk(second, 1, second, 1)) == told


def test_the_context_ends_with_the_text() -> None:
    assert headers(Hunk(0, 1, 0, 2), lines=2) == ["@@ -1,2 +1,3 @@"]
    assert headers(Hunk(0, 0, 0, 1), lines=0) == ["@@ -0,0 +1 @@"]
    assert headers(Hunk(0, 1, 0, 0), lines=1) == ["@@ -1 +0,0 @@"]


def test_each_line_has_its_sign_and_its_number_on_its_side() -> None:
    (excerpt,) = excerpts((Hunk(2, 1, 2, 2), Hunk(4, 1, 5, 0)), 6, 1)
    assert list(excerpt.lines()) == [(" ", 1), ("-", 2), ("+", 2), ("+", 3), (" ", 3), ("-", 4), (" ", 5)]
    assert excerpt.header == "@@ -2,5 +2,5 @@"
