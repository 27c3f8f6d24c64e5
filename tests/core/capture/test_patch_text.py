from sulcus_panel.core.capture.adapter import TextEdit, ToolKind
from sulcus_panel.core.capture.patch_text import Chunk, FilePatch, PatchKind, parse_patch, patch_call

EVERYTHING = """*** Begin Patch
*** Add File: docs/new.md
+# New
+
+text
*** Update File: src/a.py
*** Move to: src/b.py
@@ class A:
 def f():
-    return 1
+    return 2
@@
-last
+end
*** End of File
*** Delete File: old name.txt
*** End Patch
"""


def patch(*lines: str) -> str:
    return "\n".join(("*** Begin Patch", *lines, "*** End Patch"))


def only(*lines: str) -> FilePatch:
    found = parse_patch(patch(*lines))
    assert found is not None
    assert len(found) == 1
    return found[0]


def test_a_patch_names_its_files_in_order_with_all_that_becomes_of_them() -> None:
    assert parse_patch(EVERYTHING) == (
        FilePatch(PatchKind.ADD, "docs/new.md", content="# New\n\ntext\n"),
        FilePatch(
            PatchKind.UPDATE,
            "src/a.py",
            "src/b.py",
            chunks=(
                Chunk("class A:", ("def f():", "    return 1"), ("def f():", "    return 2")),
                Chunk(None, ("last",), ("end",), at_end=True),
            ),
        ),
        FilePatch(PatchKind.DELETE, "old name.txt"),
    )


def test_spaces_around_markers_and_around_the_patch_do_not_matter() -> None:
    text = "\n  *** Begin Patch \n *** Update File: a \n  @@\n-x\n+y\n *** End Patch  \n\n"
    assert parse_patch(text) == (FilePatch(PatchKind.UPDATE, "a", chunks=(Chunk(None, ("x",), ("y",)),)),)


def test_a_here_document_around_the_patch_is_taken_off() -> None:
    inner = patch("*** Delete File: a")
    for opening in ("<<EOF", "<<'EOF'", '<<"EOF"'):
        assert parse_patch(f"{opening}\n{inner}\nEOF\n") == (FilePatch(PatchKind.DELETE, "a"),)


def test_the_first_marker_of_a_run_may_be_missing() -> None:
    assert only("*** Update File: a", " x", "+y").chunks == (Chunk(None, ("x",), ("x", "y")),)


def test_an_empty_line_inside_a_run_is_an_empty_line_of_the_file_and_none_between_runs() -> None:
    found = only("*** Update File: a", "", "@@", "-x", "", "+y", "*** End of File", "", "@@", "+z")
    assert found.chunks == (Chunk(None, ("x", ""), ("", "y"), at_end=True), Chunk(None, (), ("z",)))


def test_windows_line_ends_of_the_patch_are_not_those_of_the_file() -> None:
    assert parse_patch(EVERYTHING.replace("\n", "\r\n")) == parse_patch(EVERYTHING)


def test_the_indentation_of_an_anchor_is_kept() -> None:
    assert only("*** Update File: a", "@@    def f():", "-x").chunks[0].anchor == "   def f():"


def test_a_file_may_only_be_moved() -> None:
    assert only("*** Update File: a", "*** Move to: b") == FilePatch(PatchKind.UPDATE, "a", "b")


def test_an_added_file_may_be_empty() -> None:
    assert only("*** Add File: a").content == ""


def test_the_name_of_an_environment_is_no_file() -> None:
    assert only("*** Environment ID: local", "*** Delete File: a") == FilePatch(PatchKind.DELETE, "a")


def test_what_the_tool_would_refuse_is_no_patch() -> None:
    refused = (
        "",
        "ls -l",
        "*** Begin Patch",
        "*** Begin Patch\n*** Delete File: a",
        patch(),
        patch("*** Delete File: "),
        patch("*** Rename File: a"),
        patch("*** Update File: a"),
        patch("*** Update File: a", "@@", "x"),
        patch("*** Update File: a", "*** End of File"),
        patch("*** Add File: a", "no sign"),
        patch("*** Delete File: a", "-x"),
        patch("stray", "*** Delete File: a"),
    )
    assert [text for text in refused if parse_patch(text) is not None] == []


def test_an_update_is_an_edit_an_addition_a_write_and_a_deletion_one() -> None:
    added, updated, deleted = (patch_call("apply_patch", "c", one) for one in parse_patch(EVERYTHING) or ())
    assert (added.kind, added.path, added.content) == (ToolKind.WRITE, "docs/new.md", "# New\n\ntext\n")
    assert (deleted.kind, deleted.path) == (ToolKind.DELETE, "old name.txt")
    assert (updated.kind, updated.path, updated.moved_to) == (ToolKind.EDIT, "src/a.py", "src/b.py")
    assert updated.edits == (
        TextEdit("def f():\n    return 1\n", "def f():\n    return 2\n"),
        TextEdit("last\n", "end\n"),
    )


def test_lines_put_in_without_any_around_them_leave_no_edit_whose_place_is_told() -> None:
    found = only("*** Update File: a", "@@", "-x", "+y", "@@", "+z")
    assert patch_call("apply_patch", "c", found).edits == ()
