"""What a chat's edits made of a file, where no commit tells: forward, back from the disk, or unknown."""

from collections.abc import Callable

from sulcus_panel.core.capture.edits import Unknown
from sulcus_panel.core.capture.harnesses.aider.blocks import NOT_THERE, Block
from sulcus_panel.core.capture.harnesses.aider.states import NO_AFTER, NO_BASE, NOT_READ, Edit, sides_of
from sulcus_panel.core.capture.past.records import Sides


def edit(old: str | None, new: str, *, created: bool = False) -> Edit:
    return Edit("a", (Block("a.py", old, new),), created)


def left(content: bytes | None) -> Callable[[str], bytes | None]:
    def now(_path: str) -> bytes | None:
        return content

    return now


def test_a_file_that_was_created_is_followed_forward_whatever_stands_there_now() -> None:
    found = sides_of([edit("", "x\n", created=True), edit("x\n", "y\n")], left(b"other\n"))
    assert found == (Sides(None, b"x\n"), Sides(b"x\n", b"y\n"))


def test_a_file_that_was_found_is_worked_back_from_how_it_was_left() -> None:
    found = sides_of([edit("x\n", "y\n"), edit("1\n", "2\n")], left(b"y\n2\n"))
    assert found == (
        Sides(b"x\n1\n", b"y\n1\n", worked_back=True),
        Sides(b"y\n1\n", b"y\n2\n", worked_back=True),
    )


def test_what_does_not_fit_how_it_was_left_is_unknown() -> None:
    assert sides_of([edit("x\n", "y\n")], left(b"z\n")) == (Sides(NO_BASE, NO_AFTER),)
    assert sides_of([edit("x\n", "y\n")], left(None)) == (Sides(NO_BASE, NO_AFTER),)


def test_a_whole_file_has_its_bytes_after_though_not_before() -> None:
    found = sides_of([edit(None, "x\n"), edit("x\n", "y\n")], left(None))
    assert found == (Sides(NO_BASE, b"x\n"), Sides(b"x\n", b"y\n"))


def test_blocks_that_do_not_fit_what_is_known_end_it() -> None:
    found = sides_of([edit("", "x\n", created=True), edit("p\n", "q\n"), edit("x\n", "z\n")], left(None))
    assert found == (Sides(None, b"x\n"), Sides(NO_BASE, NOT_THERE), Sides(NOT_THERE, NO_AFTER))


def test_a_round_that_failed_hides_what_it_wrote_in_both_directions() -> None:
    edits = [edit("", "x\n", created=True), Edit("", is_gap=True), edit("x\n", "y\n")]
    found = sides_of(edits, left(b"y\n"))
    assert found[0] == Sides(None, b"x\n")
    assert found[2] == Sides(b"x\n", b"y\n", worked_back=True)
    assert isinstance(sides_of([*edits[:2], edit("k\n", "l\n")], left(b"m\n"))[2].before, Unknown)
    assert sides_of([edit("a\n", "b\n"), *edits[1:]], left(b"y\n"))[0] == Sides(NO_BASE, NO_AFTER)


def test_a_commit_tells_both_sides_and_what_follows_goes_on_from_it() -> None:
    known = Edit("a", known=Sides(b"1\n", b"2\n"))
    found = sides_of([edit("0\n", "1\n"), known, edit("2\n", "3\n")], left(None))
    assert found == (
        Sides(b"0\n", b"1\n", worked_back=True),
        Sides(b"1\n", b"2\n"),
        Sides(b"2\n", b"3\n"),
    )


def test_a_format_that_is_not_read_is_said() -> None:
    assert sides_of([Edit("a")], left(b"x\n")) == (Sides(NO_BASE, NOT_READ),)
