"""Where lines stand, told by their neighbours."""

from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.core.undo.places import Text

LINES = st.lists(st.sampled_from([b"a\n", b"aa\n", b"\n", b"b\n"]), max_size=12)


@given(LINES, st.lists(st.sampled_from([b"a\n", b"aa\n", b"\n"]), min_size=1, max_size=3))
def test_a_run_of_lines_is_found_wherever_it_stands_and_nowhere_else(
    lines: list[bytes], run: list[bytes]
) -> None:
    text = Text(tuple(lines))
    places = [at for at in range(len(lines) - len(run) + 1) if lines[at : at + len(run)] == run]
    assert text.places(run) == places
    assert text.count(run, 50) == len(places)
    if places:
        assert text.find(run) == places[0]
