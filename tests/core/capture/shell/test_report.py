"""What the hook writes of its looks is read back exactly, and what is damaged is set aside."""

import pytest

from sulcus_panel.core.capture.shell.look import changes_told, repos_told
from sulcus_panel.core.capture.shell.report import read_report
from sulcus_panel.core.capture.spool import Looked
from sulcus_panel.core.errors import BadPayload

FIELDS = {"tree": "after", "tree_since": "1000000000"}
NAME = "od\udcffd\nname"
OLD, NEW = (NAME, 1, 2, 3, 4, 0o100644, ""), (NAME, 0, 0, 0, 0, 0o120777, "to\nthere")


def sections() -> dict[str, bytes]:
    return {
        "tree_root": b"/root",
        "tree_changes": changes_told({NAME: (OLD, NEW), "gone": (OLD, None)}),
        "tree_unseen": b"shut\0shut",
        "tree_repos": repos_told([("", "/root/.git", "1", "main", "index-1")], []),
    }


def test_paths_of_any_bytes_links_and_repositories_come_back() -> None:
    report = read_report("n", Looked(FIELDS, sections()))
    assert report is not None
    gone, odd = sorted(report.paths, key=lambda path: path.path)
    assert (odd.path, odd.before, odd.after) == (NAME, OLD, NEW)
    assert gone.after is None
    assert report.unseen == ("shut",)
    [repo] = report.repos
    assert (repo.before.branch, repo.after.branch, repo.git) == ("main", "", "/root/.git")


def test_no_look_and_a_gap_are_two_things() -> None:
    assert read_report("n", None) is None
    gap = read_report("n", Looked({"tree": "after", "tree_gap": "too large"}, {}))
    assert gap is not None
    assert (gap.gap, gap.since, gap.paths) == ("too large", None, ())
    before = read_report("n", Looked({"tree": "before"}, {"tree_root": b"/root"}))
    assert before is not None
    assert (before.gap, before.since) == ("", None)


@pytest.mark.parametrize(
    "damage",
    [
        {"tree_changes": b"a\0b\0"},
        {"tree_changes": b"a\x001 2 3\0\0\0\0"},
        {"tree_changes": b"a\0x x x x x\0\0\0\0"},
        {"tree_repos": b"\0/g\x001\0m\0../../index\x001\0m\0i\0"},
    ],
)
def test_a_damaged_look_is_a_bad_event(damage: dict[str, bytes]) -> None:
    with pytest.raises(BadPayload):
        read_report("n", Looked(FIELDS, {**sections(), **damage}))
    with pytest.raises(BadPayload):
        read_report("n", Looked({**FIELDS, "tree_since": "9" * 40}, sections()))
