"""JSON with comments, by its characters."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.core.capture.install.jsonc import add_element, parse, remove_element

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(VALUES, st.sampled_from([None, 2, "\t"]))
def test_every_json_document_is_read_as_json_reads_it(value: object, indent: int | str | None) -> None:
    assert parse(json.dumps(value, indent=indent)).value == value


@given(st.lists(VALUES, max_size=4), VALUES, st.sampled_from([None, 2]))
def test_what_is_added_last_and_removed_leaves_the_rest(
    items: list[object], value: object, indent: int | None
) -> None:
    text = json.dumps(items, indent=indent)
    added = add_element(text, parse(text), None, value, 0)
    assert parse(added).value == [*items, value]
    assert parse(remove_element(added, parse(added), len(items))).value == items
    if items:
        assert parse(remove_element(added, parse(added), 0)).value == [*items[1:], value]


def test_comments_between_elements_stay() -> None:
    text = '{\n  "a": 1, // one\n  /* two */ "b": 2, // tail\n}'
    assert remove_element(text, parse(text), 0) == '{\n  // one\n  /* two */ "b": 2, // tail\n}'
    without_last = remove_element(text, parse(text), 1)
    assert "// one" in without_last
    assert parse(without_last).value == {"a": 1}
    assert parse(add_element(text, parse(text), "c", 3, 0)).value == {"a": 1, "b": 2, "c": 3}


@pytest.mark.parametrize(
    "text", ["", "{", "[1", "[1 2]", "{a: 1}", "[01x]", '"\n"', "[1] x", "[" * 5000, "/* [1]"]
)
def test_what_is_no_json_names_its_place(text: str) -> None:
    with pytest.raises(ValueError, match=r"line \d+, column \d+"):
        parse(text)
