from sulcus_panel.core.capture.adapter import TextEdit, ToolKind
from sulcus_panel.core.capture.patch_calls import patch_parts


def patch(*lines: str) -> str:
    return "\n".join(("*** Begin Patch", *lines, "*** End Patch"))


TWO = patch("*** Add File: b.txt", "+x", "*** Update File: a.txt", "*** Move to: c.txt", "@@", "-x", "+y")


def test_parts_are_numbered_as_the_patch_names_its_files() -> None:
    assert [(part.call.path, part.call.call_id) for part in patch_parts("apply_patch", TWO, "c1")] == [
        ("b.txt", "c1"),
        ("a.txt", "c1/2"),
    ]


def test_a_file_named_again_stays_one_part() -> None:
    twice = patch("*** Update File: a", "@@", "-x", "+y", "*** Update File: a", "@@", "-v", "+w")
    (part,) = patch_parts("apply_patch", twice, "c1")
    assert part.call.edits == (TextEdit("x\n", "y\n"), TextEdit("v\n", "w\n"))
    again = patch("*** Add File: a", "+x", "*** Update File: a", "*** Move to: b", "@@", "-x", "+y")
    (part,) = patch_parts("apply_patch", again, "c1")
    assert (part.call.kind, part.call.content, part.call.edits, part.call.moved_to) == (
        ToolKind.EDIT,
        None,
        (),
        "b",
    )
    gone = patch("*** Update File: a", "@@", "-x", "+y", "*** Delete File: a")
    assert patch_parts("apply_patch", gone, "c1")[0].call.kind is ToolKind.DELETE


def test_what_is_no_patch_has_no_parts() -> None:
    assert patch_parts("apply_patch", "ls", "c1") == ()
