"""A few lines of what a command printed, and no secret among them."""

import pytest

from sulcus_panel.core.capture.shell.output import WITHHELD, told_lines


def test_short_output_is_told_whole_and_long_output_by_its_ends() -> None:
    assert told_lines("") == ""
    assert told_lines("one\n\ntwo\r\n") == "one\ntwo"
    many = "\n".join(f"line {number}" for number in range(100))
    assert told_lines(many) == "line 0\nline 1\n…\nline 97\nline 98\nline 99"
    assert len(told_lines("x " * 5_000_000)) < 1000


@pytest.mark.parametrize(
    "line",
    [
        "export API_KEY=abc",
        "Password: hunter2",
        "https://me:pw@example.org/x.git",
        "Authorization: Basic eA==",
        "ghp_" + "a1" * 18,
        "AKIA" + "ABCDEFGH12345678",
        "0123456789abcdef0123456789abcdef0123",
    ],
)
def test_a_line_that_may_hold_a_secret_is_withheld(line: str) -> None:
    assert told_lines(f"ok\n{line}\nok") == f"ok\n{WITHHELD}\nok"


def test_what_a_terminal_would_obey_is_shown_as_text() -> None:
    assert told_lines("\x1b[31mred") == "\\x1b[31mred"
