from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from sulcus_panel.core.capture.adapter import TextEdit, ToolCall, ToolKind
from sulcus_panel.core.capture.edits import Unknown
from sulcus_panel.core.capture.past.rebuild import (
    CONTRADICTED,
    NO_BASE,
    NO_FILE,
    NONE_OR_EMPTY,
    AgentChange,
    FileChange,
    Located,
    OutsideChange,
    Seen,
    Version,
    Witness,
)
from sulcus_panel.core.capture.past.rebuild import (
    rebuild as rebuild_all,
)
from sulcus_panel.core.capture.past.records import FileCall, PatchHunk, Sides, Stamp

START = datetime(2026, 5, 4, tzinfo=UTC)


def rebuild(calls: Sequence[FileCall], witnesses: Sequence[Seen]) -> tuple[FileChange, ...]:
    """The changes of a run that knows one file only."""
    return rebuild_all([Located(one, "/w/a") for one in calls], {"/w/a": witnesses}).get("/w/a", ())


def stamp(second: int) -> Stamp:
    return Stamp(START + timedelta(seconds=second), second, "s", "", "/w", "")


def edit(
    second: int, old: str, new: str, original: str | None = None, patch: tuple[PatchHunk, ...] = ()
) -> FileCall:
    applied = ToolCall("Edit", ToolKind.EDIT, f"c{second}", "/w/a", edits=(TextEdit(old, new),))
    return FileCall(stamp(second), applied, original, False, patch)


def write(second: int, content: str, original: str | None = None, *, created: bool = False) -> FileCall:
    applied = ToolCall("Write", ToolKind.WRITE, f"c{second}", "/w/a", content)
    return FileCall(stamp(second), applied, original, created, ())


def backup(second: int, content: bytes | None) -> tuple[Stamp | None, Witness]:
    return None, Witness(START + timedelta(seconds=second), Version(content, exact=True))


def read(second: int, content: bytes) -> tuple[Stamp | None, Witness]:
    return stamp(second), Witness(START + timedelta(seconds=second), Version(content))


def sides(changes: tuple[FileChange, ...]) -> list[tuple[str, object, object]]:
    def shown(side: Version | Unknown) -> object:
        return side.content if isinstance(side, Version) else side

    return [
        ("agent" if isinstance(change, AgentChange) else "outside", shown(change.before), shown(change.after))
        for change in changes
    ]


def test_the_original_is_the_base_and_the_chain_holds() -> None:
    changes = rebuild([edit(1, "a", "b", "a\n"), edit(2, "b", "c", "b\n"), edit(3, "c", "d")], [])
    assert sides(changes) == [("agent", b"a\n", b"b\n"), ("agent", b"b\n", b"c\n"), ("agent", b"c\n", b"d\n")]


def test_a_backup_gives_the_base_where_the_original_is_missing() -> None:
    assert sides(rebuild([edit(2, "a", "b")], [backup(1, b"a\r\n")])) == [("agent", b"a\r\n", b"b\r\n")]


def test_the_bytes_of_a_backup_count_more_than_the_text_of_the_original() -> None:
    assert sides(rebuild([edit(2, "a", "b", "a\n")], [backup(1, b"a\r\n")])) == [
        ("agent", b"a\r\n", b"b\r\n")
    ]


def test_a_backup_that_says_no_file_makes_a_creation() -> None:
    assert sides(rebuild([edit(2, "", "new\n", "")], [backup(1, None)])) == [("agent", None, b"new\n")]


def test_a_whole_read_is_a_base() -> None:
    assert sides(rebuild([edit(2, "a", "b")], [read(1, b"a\n")])) == [("agent", b"a\n", b"b\n")]


def test_without_evidence_both_sides_of_an_edit_are_unknown() -> None:
    ((_, before, after),) = sides(rebuild([edit(1, "a", "b")], []))
    assert before == NO_BASE
    assert isinstance(after, Unknown)


def test_without_evidence_a_write_still_knows_its_after() -> None:
    assert sides(rebuild([write(1, "x\n")], [])) == [("agent", NO_BASE, b"x\n")]


def test_an_empty_original_without_evidence_is_neither_empty_nor_none() -> None:
    assert sides(rebuild([edit(1, "", "x\n", "")], [])) == [("agent", NONE_OR_EMPTY, b"x\n")]


def test_a_created_file_that_is_known_to_be_empty_was_not_absent() -> None:
    changes = rebuild([write(1, "", created=True), write(2, "x\n", created=True)], [])
    assert sides(changes) == [("agent", None, b""), ("agent", b"", b"x\n")]


def test_what_contradicts_the_chain_is_an_outside_change_between() -> None:
    changes = rebuild([edit(1, "a", "b", "a\n"), edit(5, "b", "c", "b\nmine\n")], [])
    assert sides(changes) == [
        ("agent", b"a\n", b"b\n"),
        ("outside", b"b\n", b"b\nmine\n"),
        ("agent", b"b\nmine\n", b"c\nmine\n"),
    ]
    outside = changes[1]
    assert isinstance(outside, OutsideChange)
    assert START + timedelta(seconds=1) < outside.at < START + timedelta(seconds=5)


def test_a_file_created_again_was_removed_outside() -> None:
    changes = rebuild([write(1, "a\n", created=True), write(2, "b\n", created=True)], [])
    assert [kind for kind, *_ in sides(changes)] == ["agent", "outside", "agent"]
    assert sides(changes)[1] == ("outside", b"a\n", None)


def test_a_state_that_the_display_diff_contradicts_is_not_used() -> None:
    patch = (PatchHunk(7, 7, (" other", "-a", "+b")),)
    changes = rebuild([write(1, "a\n", created=True), edit(2, "a", "b", patch=patch)], [])
    assert sides(changes)[1][1] == CONTRADICTED
    assert isinstance(sides(changes)[1][2], Unknown)


def test_text_that_does_not_stand_in_the_base_leaves_the_after_unknown() -> None:
    ((_, before, after),) = sides(rebuild([edit(1, "z", "y", "a\n")], []))
    assert before == b"a\n"
    assert isinstance(after, Unknown)


def test_the_chain_goes_on_after_an_unknown_one() -> None:
    changes = rebuild([edit(1, "a", "b"), edit(2, "b", "c", "b\n")], [])
    assert sides(changes)[1] == ("agent", b"b\n", b"c\n")


def test_a_call_that_changes_no_byte_is_no_change() -> None:
    assert rebuild([write(1, "a\n", "a\n")], []) == ()


def test_evidence_that_agrees_is_no_change() -> None:
    changes = rebuild([edit(1, "a", "b", "a\n")], [backup(2, b"b\n"), read(3, b"b\n")])
    assert len(changes) == 1


def test_no_file_is_exact() -> None:
    assert NO_FILE.content is None
    assert NO_FILE.exact


def test_a_call_whose_sides_are_kept_is_those_sides_and_what_lay_between_is_from_outside() -> None:
    applied = ToolCall("commit", ToolKind.EDIT, "c", "/w/a")
    kept = [
        Sides(b"\xff1", b"\xff2"),
        Sides(b"\xff3", None),
        Sides(Unknown("why"), b"\r\n", worked_back=True),
    ]
    calls = [FileCall(stamp(at), applied, None, False, (), sides=one) for at, one in enumerate(kept, 1)]
    found = rebuild(calls, ())
    assert sides(found) == [
        ("agent", b"\xff1", b"\xff2"),
        ("outside", b"\xff2", b"\xff3"),
        ("agent", b"\xff3", None),
        ("agent", Unknown("why"), b"\r\n"),
    ]
    assert [one.worked_back for one in found if isinstance(one, AgentChange)] == [False, False, True]
