"""Text from a file is shown, never obeyed: nothing in it acts on a screen or hides."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.core.diff.shown import (
    MAX_SHOWN_LINE,
    both_sides,
    clip,
    escape,
    is_shown_as_text,
)


@given(st.text())
def test_escaped_text_is_printable_but_for_tabs(text: str) -> None:
    assert escape(text).replace("\t", " ").isprintable()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttext ü 漢 🦆", "plain\ttext ü 漢 🦆"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\u202eb", "a\\u202eb"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("tag\U000e0041", "tag\\U000e0041"),
        ("no\xa0break", "no\\xa0break"),
        ("z" + "\u0301" * 6, "z" + "\u0301" * 4 + "\\u0301" * 2),
    ],
)
def test_what_acts_or_hides_is_escaped(text: str, shown: str) -> None:
    assert escape(text) == shown


def test_two_different_bad_bytes_never_look_the_same() -> None:
    old, new = both_sides(b"caf\xe9\n", b"caf\xe8\n")
    assert (old.text(0), new.text(0)) == ("caf\\xe9", "caf\\xe8")


def test_a_long_text_is_cut_and_counted() -> None:
    assert clip("x" * MAX_SHOWN_LINE) == "x" * MAX_SHOWN_LINE
    assert clip("x" * 200_000) == "x" * MAX_SHOWN_LINE + " … 198,000 more characters"


def test_widths_count_tabs_wide_characters_and_escapes() -> None:
    for line, columns in (("\tab\n", 6), ("漢字\r\n", 4), ("a\x1bb\n", 6), ("", 0)):
        side, _ = both_sides(line.encode(), None)
        assert side.columns() == columns


def test_utf16_with_its_mark_is_text_and_other_nul_bytes_are_not() -> None:
    assert is_shown_as_text("text".encode("utf-16"))
    assert not is_shown_as_text(b"\0\1\2")


def test_the_text_for_the_lexer_agrees_with_the_shown_lines() -> None:
    side, _ = both_sides(b"\xef\xbb\xbfimport os\nx = 1\n", None)
    assert side.whole() == "import os\nx = 1\n"
    assert [side.text(0), side.text(1)] == ["import os", "x = 1"]
