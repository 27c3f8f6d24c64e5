"""A long text that comes again is said once, and the exact diff can be had back from what is shown."""

from difflib import unified_diff

from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.cli.said_once import LONG, said_once

COMMAND = '"python -c ' + "x" * LONG + '"'


def put_back(texts: dict[str, str], lines: list[str]) -> list[str]:
    for mark, text in texts.items():
        lines = [line.replace(mark, text) for line in lines]
    return lines


def test_a_command_of_several_hooks_is_said_once() -> None:
    diff = ["--- a", "+++ a", f'+  "command": {COMMAND},', '+  "timeout": 5', f'+  "command": {COMMAND}']
    texts, lines = said_once(diff)
    assert texts == {"<text 1>": COMMAND}
    assert lines == [
        "--- a",
        "+++ a",
        '+  "command": <text 1>,',
        '+  "timeout": 5',
        '+  "command": <text 1>',
    ]
    assert put_back(texts, lines) == diff


def test_what_is_short_or_stands_there_once_is_said_where_it_stands() -> None:
    diff = [f'-  "command": {COMMAND}', "+x", "+x", "", ""]
    assert said_once(diff) == ({}, diff)


def test_a_mark_is_no_text_of_the_file() -> None:
    diff = ["+<text 1>", f"+{COMMAND}", f"-{COMMAND}"]
    assert said_once(diff) == ({"<text 2>": COMMAND}, ["+<text 1>", "+<text 2>", "-<text 2>"])


LINES = st.lists(st.sampled_from(["{", COMMAND, f'"a": {COMMAND}', f"{COMMAND},", "<text 1>", "x" * LONG]))


@given(LINES, LINES)
def test_the_exact_diff_can_be_had_back(before: list[str], after: list[str]) -> None:
    diff = list(unified_diff(before, after, "a", "a", lineterm=""))
    texts, lines = said_once(diff)
    assert put_back(texts, lines) == diff
