"""How foreign text is shown."""

from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.core.safety import plain


@given(st.text())
def test_shown_text_is_one_printable_line(text: str) -> None:
    assert plain(text).isprintable()


def test_shown_text_escapes_and_is_cut() -> None:
    assert plain("a\nb\x1b[0m\u202e\udcff") == "a\\nb\\x1b[0m\\u202e\\udcff"
    assert plain("x" * 2010) == "x" * 2000 + "… 10 more"
