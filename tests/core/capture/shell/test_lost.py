"""One more look for a call without an end: what is different, once, and never another agent's."""

import marshal
import os
from pathlib import Path

import pytest

from sulcus_panel.core.capture.shell.keeping import Baselines, fingerprint, open_scans, scan_name
from sulcus_panel.core.capture.shell.look import TOO_LARGE
from sulcus_panel.core.capture.shell.lost import look_again
from sulcus_panel.core.capture.shell.report import read_report
from sulcus_panel.core.capture.shell.scan import Walk
from sulcus_panel.core.capture.spool import Looked

KEY = "claude-code\0s1\0\0c1\0"


@pytest.fixture
def baselines(tmp_path: Path) -> Baselines:
    """A tree of two files that was looked at before a call, half of it by an earlier look."""
    tree = tmp_path / "tree"
    (tree / "sub").mkdir(parents=True)
    (tree / "a").write_bytes(b"one\n")
    (tree / "sub/b").write_bytes(b"two\n")
    made = Baselines(str(tmp_path / "data"), str(tree))
    made.make()
    walk = Walk(str(tree), {})
    walk.whole()
    made.write("base-" + fingerprint(KEY), marshal.dumps({"": walk.changed[""], "went": b""}))
    heads: list[str] = []
    state = (KEY, str(tree), 10**18, {"sub": walk.changed["sub"]}, ["went"], heads, ["shut"])
    made.write(scan_name(KEY), marshal.dumps(state))
    return made


def again(baselines: Baselines, agent: str | None = "") -> Looked | None:
    home = str(Path(baselines.folder).parent.parent)
    found = open_scans(home, KEY)
    told = look_again(*found[0], home, agent) if found else None
    return None if told is None else Looked(*told)


def test_what_is_different_is_told_and_the_look_is_used_up(baselines: Baselines) -> None:
    (Path(baselines.root) / "a").unlink()
    (Path(baselines.root) / "sub/b").write_bytes(b"changed\n")
    looked = again(baselines)
    assert looked is not None
    report = read_report("n", looked)
    assert report is not None
    assert {path.path: path.after is None for path in report.paths} == {"a": True, "sub/b": False}
    assert (report.root, report.unseen) == (baselines.root, ("shut",))
    assert looked.sections["tree_key"] == scan_name(KEY).encode()
    assert again(baselines) is None
    assert [name for name in os.listdir(baselines.folder) if name.startswith(("scan-", "base-"))] == []


def test_another_agents_call_is_left_alone(baselines: Baselines) -> None:
    assert again(baselines, "a7") is None
    assert again(baselines, None) is not None


def test_another_run_has_no_open_look(baselines: Baselines) -> None:
    home = str(Path(baselines.folder).parent.parent)
    assert open_scans(home, "claude-code\0s2\0") == []
    assert open_scans(home + "/nowhere", KEY) == []


@pytest.mark.parametrize("junk", [b"x", marshal.dumps(("a", "b")), marshal.dumps(("k",) * 7)])
def test_a_damaged_look_tells_nothing(baselines: Baselines, junk: bytes) -> None:
    baselines.write(scan_name(KEY), junk)
    assert again(baselines) is None


def test_a_tree_that_grew_too_large_is_a_gap(baselines: Baselines, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sulcus_panel.core.capture.shell.scan.MAX_ITEMS", 1)
    looked = again(baselines)
    assert looked is not None
    assert looked.fields["tree_gap"] == TOO_LARGE
