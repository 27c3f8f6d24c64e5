"""What a patch did to each file."""

from collections.abc import Mapping

import pytest

from sulcus_panel.core.capture.adapter import ToolKind
from sulcus_panel.core.capture.harnesses.opencode.patched import patched_files
from sulcus_panel.core.capture.past.records import FileCall


def patched(body: str, *accounts: Mapping[str, object]) -> list[FileCall]:
    given = {"patchText": f"*** Begin Patch\n{body}\n*** End Patch"}
    return list(patched_files("apply_patch", given, {"files": list(accounts)}, "c"))


def test_the_texts_of_the_account_are_taken() -> None:
    account = {"filePath": "/w/sub/a.py", "type": "update", "before": "x\n", "after": "y\n"}
    (one,) = patched("*** Update File: sub/a.py\n@@\n-x\n+y", account)
    assert (one.original, one.applied.content) == ("x\n", "y\n")


def test_without_an_account_the_lines_of_the_patch_are_all_that_is_known() -> None:
    (one,) = patched("*** Update File: a.py\n@@\n-x\n+y", {"filePath": "/w/aa.py", "after": "not of it"})
    assert (one.original, one.applied.content, len(one.chunks)) == (None, None, 1)


def test_a_deleted_file_has_its_text_where_the_account_tells_it() -> None:
    told, untold = patched("*** Delete File: a\n*** Delete File: b", {"relativePath": "a", "before": "x"})
    assert (told.applied.kind, told.original, untold.original) == (ToolKind.DELETE, "x", None)


@pytest.mark.parametrize(
    ("diff", "text"),
    [
        ("@@ -0,0 +1,2 @@\n+x\n+\n", "x\n\n"),
        ("@@ -0,0 +1 @@\n+x\n", "x\n"),
        ("@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n", None),
        ("", None),
    ],
)
def test_a_new_file_that_ends_with_an_empty_line_needs_the_diff(diff: str, text: str | None) -> None:
    (one,) = patched("*** Add File: a\n+x\n+", {"filePath": "/w/a", "patch": diff})
    assert (one.applied.content, one.adds) == (text, True)


def test_a_new_file_is_known_by_the_patch_alone() -> None:
    (one,) = patched("*** Add File: a\n+x")
    assert one.applied.content == "x\n"


def test_a_new_file_without_an_end_is_written_as_the_diff_shows() -> None:
    (one,) = patched("*** Add File: a\n+x", {"filePath": "a", "diff": "+x\n\\ No newline at end of file"})
    assert one.applied.content == "x"
