"""Tags and what is in them."""

import re

from sulcus_panel.core.capture.tagged import tagged

OPENING = re.compile(r"<(a|b)>")


def found(text: str) -> list[tuple[str, str]]:
    return [(one.tag[1], one.body) for one in tagged(text, OPENING, lambda tag: f"</{tag[1]}>")]


def test_each_tag_ends_at_its_first_end() -> None:
    assert found("x<a>1</a>y<b><a>2</a></b></b>") == [("a", "1"), ("b", "<a>2</a>")]


def test_a_tag_without_an_end_is_none_and_hides_nothing() -> None:
    assert found("<a><b>1</b>") == [("b", "1")]


def test_places_are_those_of_the_whole() -> None:
    text = "x<a>1</a>y"
    (one,) = tagged(text, OPENING, lambda tag: f"</{tag[1]}>")
    assert text[one.start : one.end] == "<a>1</a>"


def test_many_tags_without_an_end_take_no_longer_than_the_text() -> None:
    assert found("<a>" * 200_000) == []
