from sulcus_panel.core.capture.adapter import TextEdit
from sulcus_panel.core.capture.edits import Unknown
from sulcus_panel.core.capture.past.records import PatchHunk
from sulcus_panel.core.capture.past.replay import (
    MIXED_ENDS,
    agrees,
    replay_edits,
    same_text,
    take_back_edits,
    whole_text,
)


def edited(
    base: bytes, old: str, new: str, *, every: bool = False, patch: tuple[PatchHunk, ...] = ()
) -> object:
    return replay_edits(base, [TextEdit(old, new, every)], patch)


def test_an_edit_replaces_text_that_stands_exactly_once() -> None:
    assert edited(b"a\nb\nc\n", "b", "B") == b"a\nB\nc\n"


def test_text_that_stands_twice_or_nowhere_is_unknown() -> None:
    assert isinstance(edited(b"a a", "a", "b"), Unknown)
    assert isinstance(edited(b"a", "z", "b"), Unknown)


def test_replace_all_replaces_every_occurrence() -> None:
    assert edited(b"a b a", "a", "x", every=True) == b"x b x"


def test_edits_of_one_call_build_on_each_other() -> None:
    edits = [TextEdit("a", "b"), TextEdit("b", "c")]
    assert replay_edits(b"a", edits, ()) == b"c"


def test_crlf_files_keep_their_line_ends() -> None:
    assert edited(b"a\r\nb\r\n", "a\nb", "a\nx\nb") == b"a\r\nx\r\nb\r\n"


def test_mixed_line_ends_are_unknown() -> None:
    assert edited(b"a\r\nb\n", "a", "x") == MIXED_ENDS


def test_a_deletion_takes_its_line_end_along_where_the_diff_shows_it() -> None:
    gone = PatchHunk(1, 1, (" a", "-b", " c"))
    assert edited(b"a\nb\nc\n", "b", "", patch=(gone,)) == b"a\nc\n"
    assert edited(b"a\nb\nc\n", "b", "") == b"a\n\nc\n"


def test_an_empty_old_text_fills_only_an_empty_file() -> None:
    assert edited(b"", "", "new\n") == b"new\n"
    assert isinstance(edited(b"x", "", "new\n"), Unknown)


def test_half_a_surrogate_pair_is_unknown() -> None:
    assert isinstance(edited(b"a", "a", "\ud83d"), Unknown)


def test_the_display_diff_shows_tabs_as_spaces_and_still_agrees() -> None:
    hunk = PatchHunk(1, 1, (" if x:", "-    a", "+    b"))
    assert agrees(b"if x:\n\t\ta\n", b"if x:\n\t\tb\n", [hunk])
    assert not agrees(b"if y:\n\t\ta\n", b"if y:\n\t\tb\n", [hunk])


def test_a_whole_text_over_a_crlf_file_is_unknown() -> None:
    assert isinstance(whole_text("a\nb\n", b"x\r\n"), Unknown)
    assert whole_text("a\n", None) == b"a\n"


def test_marks_and_line_ends_are_what_a_transcript_loses() -> None:
    assert same_text(b"\xef\xbb\xbfa\r\n", b"a\n")
    assert not same_text(b"a\n", b"a")


def test_edits_go_back_where_what_they_put_in_stands_once_and_the_diff_agrees() -> None:
    shown = (PatchHunk(1, 1, ("-a", "+b", " c")),)

    def back(after: bytes, *edits: TextEdit, patch: tuple[PatchHunk, ...] = shown) -> bytes | None:
        found = take_back_edits(after, edits, patch)
        return found if isinstance(found, bytes) else None

    edit = TextEdit("a", "b")
    assert back(b"b\nc\n", edit) == b"a\nc\n"
    assert back(b"b\r\nc\r\n", edit) == b"a\r\nc\r\n"
    assert back(b"b\nc\nb\n", edit) is None  # which of them was it?
    assert back(b"b\nc\na\n", edit) is None  # it would have had two places
    assert back(b"x\nb\nc\n", edit) is None  # not where the diff shows it
    assert back(b"x\nc\n", edit) is None
    assert back(b"b\nc\n", TextEdit("a", "b", every=True)) is None
    assert back(b"c\n", TextEdit("a\n", "")) is None
    assert back(b"b\nc\n") is None
    assert back(b"b\nc\n", TextEdit("a", "x"), TextEdit("x", "b")) == b"a\nc\n"
