"""`import` from the terminal; what it records is tested with the importers."""

from pathlib import Path

from tests.support.terminal import sulcus


def test_without_a_harness_only_the_harness_is_asked_for(tmp_path: Path) -> None:
    answer = sulcus("import", cwd=tmp_path)
    assert answer.code == 2
    assert answer.err.rstrip().endswith("the following arguments are required: HARNESS")
