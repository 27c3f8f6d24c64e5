"""The printed diff is the one people know, and prints nothing that acts on a terminal."""

import textwrap

from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.core.diff import render_hunks, render_unified
from sulcus_panel.core.model import Hunk


def test_two_changes_apart_make_two_headed_groups() -> None:
    old = "".join(f"{i}\n" for i in range(1, 21)).encode()
    new = old.replace(b"3\n", b"three\n", 1).replace(b"18\n", b"").replace(b"20\n", b"20")
    assert render_unified("a/numbers.txt", old, new, context=1) == textwrap.dedent(
        """\
        --- a/a/numbers.txt
        +++ b/a/numbers.txt
        @@ -2,3 +2,3 @@
         2
        -3
        +three
         4
        @@ -17,4 +17,3 @@
         17
        -18
         19
        -20
        +20
        \\ No newline at end of file
        """
    )


def test_a_created_file_comes_from_nowhere() -> None:
    assert render_unified("new.py", None, b"x\n") == "--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+x\n"


def test_a_deleted_file_goes_nowhere() -> None:
    assert render_unified("old.py", b"x\n", None) == "--- a/old.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"


def test_equal_texts_print_nothing() -> None:
    assert render_unified("same", b"x\n", b"x\n") == ""


def test_binary_files_are_one_sentence() -> None:
    assert (
        render_unified("p.png", b"\0" * 1200, None)
        == "Binary file p.png: 1,200 bytes before, no file after.\n"
    )


def test_changed_lines_alone_keep_the_numbers_they_have_in_their_files() -> None:
    hunks = (
        Hunk(4999, 1, 4999, 2, b"a\n", b"b\r\nc\n"),
        Hunk(6999, 0, 7000, 1, None, b"new\n"),
        Hunk(9000, 1, 9002, 0, b"\x1b[31m", None),
    )
    assert render_hunks("big\n.txt", hunks) == textwrap.dedent(
        """\
        --- a/big\\x0a.txt
        +++ b/big\\x0a.txt
        @@ -5000 +5000,2 @@
        -a
        +b␍
        +c
        @@ -6999,0 +7001 @@
        +new
        @@ -9001 +9002,0 @@
        -\\x1b[31m
        \\ No newline at end of file
        """
    )


@given(st.binary(max_size=200), st.binary(max_size=200), st.text())
def test_no_control_character_is_ever_printed(old: bytes, new: bytes, path: str) -> None:
    printed = render_unified(path, old, new)
    assert all(char.isprintable() or char in "\t\n" for char in printed)
