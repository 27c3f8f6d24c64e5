from datetime import UTC, datetime

from sulcus_panel.core.capture.past.patch_files import asked_files
from sulcus_panel.core.capture.past.records import Stamp

STAMP = Stamp(datetime(2026, 5, 4, tzinfo=UTC), 1, "s", "", "/w", "t")
PATCH = """*** Begin Patch
*** Add File: b.txt
+x
*** Update File: a.txt
@@
-x
+y
*** End Patch"""


def test_of_a_patch_alone_its_lines_are_to_be_searched() -> None:
    added, updated = asked_files("apply_patch", PATCH, "c1", STAMP)
    assert (added.is_exact, added.adds, added.applied.content) == (True, True, "x\n")
    assert (updated.is_exact, updated.patch) == (False, ())
    assert [(chunk.old, chunk.new) for chunk in updated.chunks] == [(("x",), ("y",))]
