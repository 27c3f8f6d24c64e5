"""A patch is believed only by git: applied it gives the new file, in reverse the old one, byte by byte."""

import os
import stat
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sulcus_panel.core.diff import render_patch
from tests.support.git_apply import git_apply

PIECES = [
    b"a",
    b"b",
    b"c",
    b"",
    b"\r",
    b"x\ry",
    b"caf\xe9",
    b"\x1b[31m",
    b"\xef\xbb\xbf",
    b"-- ",
    b"+",
    b"\\ No",
]
PIECES += [b" ", b"\t", b"@@ -1 +1 @@", b"diff --git a/x b/x", b"x" * 5000]
LINES = st.lists(st.sampled_from(PIECES), max_size=30)
TEXTS = st.builds(lambda lines, end: b"\n".join(lines) + end, LINES, st.sampled_from([b"", b"\n", b"\r\n"]))
NUMBERED = [b"%d\r\n" % number for number in range(60)]
"""Lines that nothing confuses, for differences whose contexts are near, touch or stand apart."""
SPOTS = st.dictionaries(st.integers(0, 59), st.sampled_from([b"", b"new\n", b"new\r\nand\n"]), max_size=6)
NAMES = (
    st.binary(min_size=1, max_size=12)
    .map(lambda raw: raw.translate(None, b"\0/"))
    .filter(lambda raw: raw not in {b"", b".", b".."} and b"git" not in raw.lower())
    .map(os.fsdecode)
)
EXEC, PLAIN = 0o755, 0o644


def put(folder: Path, name: str, data: bytes | None, mode: int | None = None) -> None:
    place = folder / name
    if os.path.lexists(place):
        place.unlink()
    if data is None:
        return
    if mode is not None and stat.S_ISLNK(mode):
        os.symlink(data, os.fsencode(place))
        return
    place.write_bytes(data)
    place.chmod(PLAIN if mode is None else mode)


def seen(folder: Path, name: str) -> tuple[bytes, int] | None:
    place = folder / name
    if not os.path.lexists(place):
        return None
    if place.is_symlink():
        return os.readlink(os.fsencode(place)), stat.S_IFLNK
    return place.read_bytes(), place.stat().st_mode & stat.S_IXUSR


def goes_both_ways(
    old: bytes | None,
    new: bytes | None,
    modes: tuple[int | None, int | None] = (PLAIN, PLAIN),
    name: str = "f",
) -> None:
    patch = render_patch(name, old, new, *modes)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        put(folder, name, new, modes[1])
        after = seen(folder, name)
        put(folder, name, old, modes[0])
        before = seen(folder, name)
        if before == after:
            assert patch == b""
            return
        assert git_apply(folder, patch) == ""
        assert seen(folder, name) == after
        assert git_apply(folder, patch, "-R", "--check") == ""
        assert git_apply(folder, patch, "-R") == ""
        assert seen(folder, name) == before


@settings(max_examples=60)
@given(TEXTS, TEXTS)
def test_git_applies_it_both_ways(old: bytes, new: bytes) -> None:
    goes_both_ways(old, new)


@settings(max_examples=40)
@given(SPOTS)
def test_differences_near_each_other_share_their_context(spots: dict[int, bytes]) -> None:
    goes_both_ways(b"".join(NUMBERED), b"".join(spots.get(at, line) for at, line in enumerate(NUMBERED)))


@settings(max_examples=30)
@given(TEXTS, st.sampled_from([PLAIN, EXEC, None]))
def test_a_file_is_created_and_deleted(data: bytes, mode: int | None) -> None:
    goes_both_ways(None, data, (None, mode))
    goes_both_ways(data, None, (mode, None))


@settings(max_examples=40)
@given(NAMES)
def test_any_name_is_found_again(name: str) -> None:
    goes_both_ways(b"one\n", b"two\n", name=name)
    goes_both_ways(None, b"two\n", name=name)


@pytest.mark.parametrize(
    "name", ['say "hi"', "a b", "tab\there", "line\nend", "back\\slash", "é", "\udce9", "a "]
)
def test_odd_names_are_quoted_as_git_does(name: str) -> None:
    goes_both_ways(b"one\n", b"two\n", name=name)


@pytest.mark.parametrize("new", [b"one\n", b"two\n"])
def test_the_right_to_run_goes_with_it(new: bytes) -> None:
    goes_both_ways(b"one\n", new, (PLAIN, EXEC))


def test_other_permissions_are_none_of_gits_business() -> None:
    assert render_patch("f", b"one\n", b"one\n", 0o644, 0o600) == b""
    assert render_patch("f", b"one\n", b"one\n", None, 0o755) == b""


def test_a_program_of_bytes_may_become_runnable() -> None:
    goes_both_ways(b"\0\1\2", b"\0\1\2", (PLAIN, EXEC))


@pytest.mark.parametrize(
    ("old", "new", "modes"),
    [
        (None, b"target", (None, stat.S_IFLNK)),
        (b"target", None, (stat.S_IFLNK, None)),
        (b"target", b"elsewhere", (stat.S_IFLNK, stat.S_IFLNK)),
        (b"text\n", b"target", (PLAIN, stat.S_IFLNK)),
        (b"target", b"text\n", (stat.S_IFLNK, None)),
    ],
)
def test_links_are_made_changed_and_replaced(
    old: bytes | None, new: bytes | None, modes: tuple[int | None, int | None]
) -> None:
    goes_both_ways(old, new, modes)


@pytest.mark.parametrize(("old", "new"), [(b"\0", b"x\n"), (None, b"\0"), ("x".encode("utf-16"), b"x")])
def test_what_is_not_text_is_one_line_that_is_passed_over(old: bytes | None, new: bytes | None) -> None:
    patch = render_patch("p\n.png", old, new, None, None)
    assert patch == b"# p\\x0a.png: a binary file, which this patch leaves out\n"


def test_a_patch_of_several_files_and_remarks_goes_both_ways(tmp_path: Path) -> None:
    put(tmp_path, "a", b"1\n")
    put(tmp_path, "b", b"1")
    parts = [
        render_patch("a", b"1\n", b"2\n", PLAIN, PLAIN),
        render_patch("p.png", b"\0", b"\0\0", PLAIN, PLAIN),
        render_patch("b", b"1", None, PLAIN, None),
        render_patch("a", b"2\n", b"3\n", PLAIN, PLAIN),
    ]
    patch = b"# a remark\n".join(parts) + b"\n# the end\n"
    assert git_apply(tmp_path, patch) == ""
    assert (seen(tmp_path, "a"), seen(tmp_path, "b")) == ((b"3\n", 0), None)
    assert git_apply(tmp_path, patch, "-R") == ""
    assert (seen(tmp_path, "a"), seen(tmp_path, "b")) == ((b"1\n", 0), (b"1", 0))
