"""Deletions, moves and patches: forward, and back from what is known later."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

from sulcus_panel.core.capture.adapter import ToolCall, ToolKind
from sulcus_panel.core.capture.edits import Unknown
from sulcus_panel.core.capture.past.patches import TWO_PLACES, read_unified
from sulcus_panel.core.capture.past.rebuild import (
    BASE_UNKNOWN,
    CONTRADICTED,
    NO_BASE,
    OVERWRITTEN,
    AgentChange,
    Located,
    OutsideChange,
    Seen,
    Version,
    Witness,
    rebuild,
)
from sulcus_panel.core.capture.past.records import FileCall, Stamp
from sulcus_panel.core.capture.patch_text import Chunk

START = datetime(2026, 5, 4, tzinfo=UTC)
ONE_TO_TWO = "@@ -2 +2 @@\n-one\n+two\n"
TWO_TO_THREE = "@@ -2 +2 @@\n-two\n+three\n"


def stamp(second: int) -> Stamp:
    return Stamp(START + timedelta(seconds=second), second, "s", "", "/w", "")


def call(second: int, kind: ToolKind, path: str, to: str = "", **more: object) -> Located:
    content = more.pop("content", None)
    applied = ToolCall("apply_patch", kind, f"c{second}", path, content, moved_to=to)  # type: ignore[arg-type]  # a test's shorthand
    given: dict[str, object] = {"original": None, "created": False, "patch": (), "is_exact": True, **more}
    return Located(FileCall(stamp(second), applied, **given), path, to)  # type: ignore[arg-type]  # the same


def update(second: int, diff: str, path: str = "a", to: str = "") -> Located:
    return call(second, ToolKind.EDIT, path, to, patch=read_unified(diff))


def chunks(second: int, *found: Chunk) -> Located:
    return call(second, ToolKind.EDIT, "a", chunks=found, is_exact=False)


def add(second: int, content: str, path: str = "a") -> Located:
    return call(second, ToolKind.WRITE, path, content=content, adds=True)


def delete(second: int, original: str | None, path: str = "a") -> Located:
    return call(second, ToolKind.DELETE, path, original=original)


def read(second: int, content: bytes | None) -> Seen:
    version = None if content is None else Version(content)
    return stamp(second), Witness(START + timedelta(seconds=second), version)


def shown(
    calls: Sequence[Located],
    seen: Mapping[str, Sequence[Seen]] | None = None,
    disk: Mapping[str, bytes] | None = None,
) -> list[tuple[str, object, object]]:
    def side(known: Version | Unknown) -> object:
        return known.content if isinstance(known, Version) else known

    def now(path: str) -> Version | None:
        return Version((disk or {})[path]) if path in (disk or {}) else None

    found = rebuild(calls, seen or {}, now)
    return [
        (path + ("" if isinstance(one, AgentChange) else " outside"), side(one.before), side(one.after))
        for path, changes in sorted(found.items())
        for one in changes
    ]


def test_an_exact_patch_leads_on_from_what_is_known() -> None:
    assert shown([add(1, "x\none\n"), update(2, ONE_TO_TWO)]) == [
        ("a", None, b"x\none\n"),
        ("a", b"x\none\n", b"x\ntwo\n"),
    ]


def test_what_is_known_later_tells_what_stood_before_each_exact_patch() -> None:
    disk = {"a": b"x\nthree\nand more\n"}
    assert shown([update(1, ONE_TO_TWO), update(2, TWO_TO_THREE)], disk=disk) == [
        ("a", b"x\none\nand more\n", b"x\ntwo\nand more\n"),
        ("a", b"x\ntwo\nand more\n", b"x\nthree\nand more\n"),
    ]


def test_a_file_that_does_not_hold_the_patch_where_it_says_tells_nothing() -> None:
    for now in (b"y\nx\ntwo\n", b"x\nsomething\n", b""):
        assert shown([update(1, ONE_TO_TWO)], disk={"a": now}) == [("a", NO_BASE, BASE_UNKNOWN)]


def test_a_change_that_cannot_be_taken_back_is_a_gap_for_all_before_it() -> None:
    between = chunks(2, Chunk(None, ("two",), ("2",)))
    found = shown([update(1, ONE_TO_TWO), between, update(3, "@@ -2 +2 @@\n-2\n+3\n")], disk={"a": b"x\n3\n"})
    assert found[0][1:] == (NO_BASE, BASE_UNKNOWN)
    assert found[1][1:] == (NO_BASE, BASE_UNKNOWN)
    assert found[2] == ("a", b"x\n2\n", b"x\n3\n")


def test_a_later_read_is_evidence_as_good_as_the_disk() -> None:
    assert shown([update(1, ONE_TO_TWO)], {"a": [read(2, b"x\ntwo\n")]}) == [("a", b"x\none\n", b"x\ntwo\n")]


def test_a_patch_that_contradicts_what_was_known_shows_that_somebody_else_wrote() -> None:
    calls = [add(1, "x\nold\n"), update(2, ONE_TO_TWO)]
    assert shown(calls)[1] == ("a", CONTRADICTED, BASE_UNKNOWN)
    assert shown(calls, disk={"a": b"x\ntwo\n"}) == [
        ("a", None, b"x\nold\n"),
        ("a outside", b"x\nold\n", b"x\none\n"),
        ("a", b"x\none\n", b"x\ntwo\n"),
    ]


def test_a_deletion_tells_the_file_or_goes_on_from_what_is_known() -> None:
    assert shown([delete(1, "x\r\n")]) == [("a", b"x\r\n", None)]
    assert shown([add(1, "x\n"), delete(2, None)]) == [("a", None, b"x\n"), ("a", b"x\n", None)]
    assert shown([delete(1, None)]) == [("a", NO_BASE, None)]


def test_what_is_added_where_a_file_was_known_overwrites_it() -> None:
    assert shown([add(1, "x\n"), add(2, "y\n")])[1] == ("a", b"x\n", b"y\n")
    assert shown([delete(1, "x\n"), add(2, "y\n")])[1] == ("a", None, b"y\n")


def test_what_is_added_where_a_file_was_read_overwrites_what_nobody_knows() -> None:
    assert shown([add(2, "y\n")], {"a": [read(1, None)]}) == [("a", OVERWRITTEN, b"y\n")]
    assert shown([update(1, ONE_TO_TWO), add(2, "y\n")])[1] == ("a", OVERWRITTEN, b"y\n")


def test_a_read_of_a_file_that_was_deleted_shows_that_it_is_back() -> None:
    found = shown([delete(1, "x\n"), add(3, "y\n")], {"a": [read(2, None)]})
    assert found[1] == ("a", OVERWRITTEN, b"y\n")


def test_a_moved_file_leaves_one_path_and_comes_to_another() -> None:
    assert shown([add(1, "x\none\n"), update(2, ONE_TO_TWO, "a", "b")]) == [
        ("a", None, b"x\none\n"),
        ("a", b"x\none\n", None),
        ("b", None, b"x\ntwo\n"),
    ]


def test_a_move_alone_keeps_every_byte() -> None:
    only_moved = call(2, ToolKind.EDIT, "a", "b")
    assert shown([add(1, "x\n"), only_moved])[1:] == [("a", b"x\n", None), ("b", None, b"x\n")]


def test_work_after_a_move_tells_the_file_before_it() -> None:
    found = shown([update(1, ONE_TO_TWO, "a", "b"), update(2, TWO_TO_THREE, "b")], disk={"b": b"x\nthree\n"})
    assert found == [
        ("a", b"x\none\n", None),
        ("b", None, b"x\ntwo\n"),
        ("b", b"x\ntwo\n", b"x\nthree\n"),
    ]


def test_what_a_move_wrote_over_is_told_where_it_is_known() -> None:
    assert shown([add(1, "old\n", "b"), add(2, "x\none\n"), update(3, ONE_TO_TWO, "a", "b")])[-1] == (
        "b",
        b"old\n",
        b"x\ntwo\n",
    )
    read_before = {"b": [read(1, None)]}
    found = shown([add(2, "x\none\n"), update(3, ONE_TO_TWO, "a", "b")], read_before)
    assert found[-1] == ("b", OVERWRITTEN, b"x\ntwo\n")


def test_a_patch_without_line_numbers_goes_on_from_a_known_file_and_never_back() -> None:
    patch = chunks(2, Chunk(None, ("one",), ("two",)))
    assert shown([add(1, "x\none\n"), patch])[1] == ("a", b"x\none\n", b"x\ntwo\n")
    assert shown([patch], disk={"a": b"x\ntwo\n"}) == [("a", NO_BASE, BASE_UNKNOWN)]


def test_where_its_lines_stand_twice_the_result_is_not_known() -> None:
    patch = chunks(2, Chunk(None, ("one",), ("two",)))
    assert shown([add(1, "one\none\n"), patch])[1] == ("a", b"one\none\n", TWO_PLACES)


def test_where_its_lines_do_not_stand_the_file_was_another() -> None:
    patch = chunks(2, Chunk(None, ("one",), ("two",)))
    assert shown([add(1, "x\n"), patch])[1] == ("a", CONTRADICTED, BASE_UNKNOWN)


def test_a_file_that_was_deleted_outside_and_made_again_is_told_so() -> None:
    found = rebuild([add(1, "x\n"), delete(3, "y\n")], {})
    assert [type(one) for one in found["a"]] == [AgentChange, OutsideChange, AgentChange]
