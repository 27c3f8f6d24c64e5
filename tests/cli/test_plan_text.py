"""Sentences on narrow screens: folded, and never a word of them lost."""

import pytest

from sulcus_panel.cli.plan_text import folded

SENTENCE = "The file was seen before and after the change, byte by byte, so that nothing is guessed."


@pytest.mark.parametrize("width", [10, 20, 40, 60, 70, 80, 200])
@pytest.mark.parametrize("label", ["  ! ", "  where it came from   "])
def test_a_sentence_keeps_its_words_and_stays_on_the_screen(label: str, width: int) -> None:
    lines = folded(label, SENTENCE, width).split("\n")
    assert " ".join(" ".join(lines).split()) == " ".join(f"{label}{SENTENCE}".split())
    assert max(map(len, lines[1:]), default=0) <= max(width, 20)


def test_without_a_screen_a_sentence_is_one_line() -> None:
    assert folded("  ! ", SENTENCE, None) == f"  ! {SENTENCE}"
